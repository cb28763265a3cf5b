//! The rules of units of one cell and one tick per step on a grid (Standley, figures 2 and 3).

use throng_model::{Cell, Conflicts};
use throng_spacetime::{GridSpace, Position, Space as _};

use crate::rules::{Rules, Step};

/// A cell as a number.
///
/// The sum of two cells identifies the midpoint of the move between them: rows are numbered
/// twice as far apart as the map is wide, so that different midpoints have different sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PackedCell(pub(crate) u32);

impl PackedCell {
    pub(crate) fn new(cell: Cell, width: u16) -> Self {
        Self(u32::from(cell.y) * 2 * u32::from(width) + u32::from(cell.x))
    }

    pub(crate) fn cell(self, width: u16) -> Cell {
        let row = 2 * u32::from(width);
        Cell::new((self.0 % row) as u16, (self.0 / row) as u16)
    }
}

/// The number of a step's midpoint.
#[inline]
fn midpoint(step: Step<PackedCell>) -> u32 {
    step.from.0 + step.to.0
}

/// The rules of a grid.
#[derive(Clone, Copy)]
pub(crate) struct GridRules {
    pub(crate) counted: Conflicts,
    /// The map's width.
    pub(crate) width: u16,
}

impl GridRules {
    /// Whether two steps with the same midpoint conflict: as a swap or as a crossing.
    #[inline]
    fn counts(self, one: Step<PackedCell>, other: Step<PackedCell>) -> bool {
        if one.from == other.to { self.counted.swap } else { self.counted.crossing }
    }
}

impl Rules for GridRules {
    type Place = PackedCell;
    type Space = GridSpace;

    fn place(self, space: &GridSpace, _: usize, at: Position) -> PackedCell {
        PackedCell::new(space.cell(at), self.width)
    }

    fn next_stop(self, space: &GridSpace, place: PackedCell) -> (Position, u32) {
        (self.last_stop(space, place), 0)
    }

    fn last_stop(self, space: &GridSpace, place: PackedCell) -> Position {
        space.position(place.cell(self.width)).unwrap_or_default()
    }

    fn for_each_step(self, space: &GridSpace, from: PackedCell, mut visit: impl FnMut(PackedCell)) {
        let from = self.last_stop(space, from);
        space.for_each_move(from, |step| visit(self.place(space, 0, step.to)));
    }

    fn may_reach(self, space: &GridSpace, from: Position, to: Position) -> bool {
        space.ground().is_connected(space.cell(from), space.cell(to))
    }

    #[inline]
    fn conflict(self, one: Step<PackedCell>, other: Step<PackedCell>) -> bool {
        one.to == other.to || (midpoint(one) == midpoint(other) && self.counts(one, other))
    }

    fn is_beside(self, one: PackedCell, other: PackedCell) -> bool {
        // Columns differ by less than half a row.
        let (row, apart) = (2 * u32::from(self.width), one.0.abs_diff(other.0));
        (apart <= 1) | (apart.wrapping_sub(row).wrapping_add(1) <= 2)
    }

    #[inline]
    fn for_each_held(self, step: Step<PackedCell>, mut visit: impl FnMut(u32) -> bool) -> bool {
        visit(step.to.0)
    }

    #[inline]
    fn for_each_passing(self, step: Step<PackedCell>, mut visit: impl FnMut(u32) -> bool) -> bool {
        visit(midpoint(step))
    }

    #[inline]
    fn conflict_in_passing(self, one: Step<PackedCell>, other: Step<PackedCell>) -> bool {
        self.counts(one, other) && one.to != other.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(a: [(u16, u16); 2], b: [(u16, u16); 2]) -> bool {
        let cell = |(x, y)| PackedCell::new(Cell::new(x, y), 3);
        let step = |[from, to]: [(u16, u16); 2]| Step { from: cell(from), to: cell(to) };
        GridRules { counted: Conflicts::default(), width: 3 }.conflict(step(a), step(b))
    }

    #[test]
    fn figure_2_is_illegal() {
        assert!(conflict([(0, 0), (1, 0)], [(1, 0), (0, 0)]), "exchange");
        assert!(conflict([(0, 0), (1, 1)], [(1, 1), (0, 0)]), "diagonal exchange");
        assert!(conflict([(0, 0), (1, 1)], [(1, 0), (0, 1)]), "crossing");
        assert!(conflict([(0, 0), (1, 0)], [(2, 0), (1, 0)]), "one cell");
    }

    #[test]
    fn following_and_turning_round_is_legal() {
        assert!(!conflict([(0, 0), (1, 0)], [(1, 0), (2, 0)]));
        assert!(!conflict([(0, 0), (1, 0)], [(1, 0), (1, 1)]));
        assert!(!conflict([(0, 0), (1, 1)], [(1, 1), (1, 2)]));
        // With rows numbered only one width apart, these midpoints would have equal sums.
        assert!(!conflict([(2, 0), (2, 0)], [(0, 1), (1, 0)]));
    }
}
