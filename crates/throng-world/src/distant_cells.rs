//! The part of a route that is far ahead, in few bytes: runs of equal steps.
//!
//! A unit needs the cells around it one by one. Of a route of a thousand cells most are far away,
//! and a run of steps in one direction takes as much memory as two cells.

use throng_spacetime::Position;

/// Cells that follow each other, without the cell before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DistantCells {
    /// How far the index changes with a step, and how many steps, at least one; the next run last.
    runs: Vec<(i32, u8)>,
}

impl DistantCells {
    /// The cells after a cell.
    pub(crate) fn pack(mut after: Position, cells: &[Position]) -> Self {
        let mut runs: Vec<(i32, u8)> = Vec::new();
        for &cell in cells {
            let shift = cell.0.wrapping_sub(after.0) as i32;
            match runs.last_mut() {
                Some((same, count)) if *same == shift && *count < u8::MAX => *count += 1,
                _ => runs.push((shift, 1)),
            }
            after = cell;
        }
        runs.reverse();
        runs.shrink_to_fit();
        Self { runs }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Removes the first cell, which comes after this one.
    pub(crate) fn pop(&mut self, after: Position) -> Option<Position> {
        let (shift, count) = self.runs.last_mut()?;
        let next = Position(after.0.wrapping_add_signed(*shift));
        *count -= 1;
        self.runs.pop_if(|&mut (_, count)| count == 0);
        Some(next)
    }

    /// All cells, if the first one comes after this one.
    pub(crate) fn iter(&self, after: Position) -> impl Iterator<Item = Position> + Clone {
        let steps = self.runs.iter().rev();
        let steps = steps.flat_map(|&(shift, count)| std::iter::repeat_n(shift, count.into()));
        steps.scan(after.0, |at, shift| {
            *at = at.wrapping_add_signed(shift);
            Some(Position(*at))
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn cells_come_back_one_by_one() {
        let mut rng = throng_testkit::rng(5);
        for len in [0, 1, 2, 300, 700] {
            let mut at = 100_000_u32;
            let mut step = 1_i32;
            let cells: Vec<Position> = (0..len)
                .map(|_| {
                    if rng.random_range(0..40) == 0 {
                        step = [1, -1, 64, -64, 65][rng.random_range(0..5_usize)];
                    }
                    at = at.wrapping_add_signed(step);
                    Position(at)
                })
                .collect();
            let first = Position(100_000);
            let mut packed = DistantCells::pack(first, &cells);
            assert!(packed.iter(first).eq(cells.iter().copied()));
            let mut after = first;
            for &cell in &cells {
                assert_eq!(packed.pop(after), Some(cell));
                after = cell;
            }
            assert_eq!((packed.is_empty(), packed.pop(after)), (true, None));
        }
    }
}
