//! Whether two units' moves in the same tick are in each other's way (figures 2 and 3).

use throng_model::{Cell, Conflicts};

/// A cell as a number whose sums say where a move's middle is: rows are twice as long as
/// the map is wide, so that no two middles have the same sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(pub(crate) u32);

impl Place {
    pub(crate) fn new(cell: Cell, width: u16) -> Self {
        Self(u32::from(cell.y) * 2 * u32::from(width) + u32::from(cell.x))
    }

    pub(crate) fn cell(self, width: u16) -> Cell {
        let row = 2 * u32::from(width);
        Cell::new((self.0 % row) as u16, (self.0 / row) as u16)
    }
}

/// A unit's move, or its rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) from: Place,
    pub(crate) to: Place,
}

impl Move {
    /// Where its middle is.
    #[inline]
    pub(crate) fn middle(self) -> u32 {
        self.from.0 + self.to.0
    }

    /// Whether two moves of one tick are in each other's way.
    #[inline]
    pub(crate) fn clashes(self, other: Self, counted: Conflicts) -> bool {
        self.to == other.to
            || (self.middle() == other.middle() && self.passes_through(other, counted))
    }

    /// Whether it counts that two moves with one middle pass through each other.
    #[inline]
    pub(crate) fn passes_through(self, other: Self, counted: Conflicts) -> bool {
        if self.from == other.to { counted.swap } else { counted.crossing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash(a: [(u16, u16); 2], b: [(u16, u16); 2]) -> bool {
        let place = |(x, y)| Place::new(Cell::new(x, y), 3);
        let step = |[from, to]: [(u16, u16); 2]| Move { from: place(from), to: place(to) };
        step(a).clashes(step(b), Conflicts::default())
    }

    #[test]
    fn figure_2_is_illegal() {
        assert!(clash([(0, 0), (1, 0)], [(1, 0), (0, 0)]), "exchange");
        assert!(clash([(0, 0), (1, 1)], [(1, 1), (0, 0)]), "diagonal exchange");
        assert!(clash([(0, 0), (1, 1)], [(1, 0), (0, 1)]), "crossing");
        assert!(clash([(0, 0), (1, 0)], [(2, 0), (1, 0)]), "one cell");
    }

    #[test]
    fn following_and_turning_round_is_legal() {
        assert!(!clash([(0, 0), (1, 0)], [(1, 0), (2, 0)]));
        assert!(!clash([(0, 0), (1, 0)], [(1, 0), (1, 1)]));
        assert!(!clash([(0, 0), (1, 1)], [(1, 1), (1, 2)]));
        // Moves far apart whose places would have one sum in rows as long as the map.
        assert!(!clash([(2, 0), (2, 0)], [(0, 1), (1, 0)]));
    }
}
