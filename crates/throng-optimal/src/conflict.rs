//! Conflicts between two moves of one tick (Standley, figures 2 and 3).

use throng_model::{Cell, Conflicts};

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

/// A unit's move within one tick, or its wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) from: PackedCell,
    pub(crate) to: PackedCell,
}

impl Move {
    /// The number of its midpoint.
    #[inline]
    pub(crate) fn midpoint(self) -> u32 {
        self.from.0 + self.to.0
    }

    /// Whether two moves of one tick conflict.
    #[inline]
    pub(crate) fn conflicts_with(self, other: Self, counted: Conflicts) -> bool {
        self.to == other.to
            || (self.midpoint() == other.midpoint() && self.conflicts_in_passing(other, counted))
    }

    /// Whether two moves with the same midpoint conflict: as a swap or as a crossing.
    #[inline]
    pub(crate) fn conflicts_in_passing(self, other: Self, counted: Conflicts) -> bool {
        if self.from == other.to { counted.swap } else { counted.crossing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(a: [(u16, u16); 2], b: [(u16, u16); 2]) -> bool {
        let cell = |(x, y)| PackedCell::new(Cell::new(x, y), 3);
        let step = |[from, to]: [(u16, u16); 2]| Move { from: cell(from), to: cell(to) };
        step(a).conflicts_with(step(b), Conflicts::default())
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
