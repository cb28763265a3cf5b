//! Routes in few bytes: runs of equal steps.

use serde::{Deserialize, Serialize};
use throng_spacetime::Position;

/// The cells of a route: the first, then how far the index changes and for how many steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PackedCells {
    start: Option<Position>,
    runs: Vec<(i32, u8)>,
}

impl PackedCells {
    pub(crate) fn pack(cells: &[Position]) -> Self {
        let mut runs: Vec<(i32, u8)> = Vec::new();
        for step in cells.windows(2) {
            let shift = step[1].0.wrapping_sub(step[0].0) as i32;
            match runs.last_mut() {
                Some((same, count)) if *same == shift && *count < u8::MAX => *count += 1,
                _ => runs.push((shift, 1)),
            }
        }
        Self { start: cells.first().copied(), runs }
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        let steps: usize = self.runs.iter().map(|&(_, count)| usize::from(count)).sum();
        steps + usize::from(self.start.is_some())
    }

    /// The cells; `None` if the index of one is out of range.
    pub(crate) fn unpack(&self) -> Option<Vec<Position>> {
        let mut cells = Vec::with_capacity(self.len());
        let Some(Position(mut at)) = self.start else { return Some(cells) };
        cells.push(Position(at));
        for &(shift, count) in &self.runs {
            for _ in 0..count {
                at = at.checked_add_signed(shift)?;
                cells.push(Position(at));
            }
        }
        Some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_unpacked() {
        let straight: Vec<u32> = (10..900).collect();
        for cells in [&[][..], &[7], &[7, 8, 9, 19, 18, 5], &straight] {
            let cells: Vec<Position> = cells.iter().map(|&at| Position(at)).collect();
            let packed = PackedCells::pack(&cells);
            assert_eq!((packed.len(), packed.unpack()), (cells.len(), Some(cells)));
        }
        let outside = PackedCells { start: Some(Position(3)), runs: vec![(-2, 2)] };
        assert_eq!(outside.unpack(), None);
    }
}
