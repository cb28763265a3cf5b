//! The positions that a search has visited, numbered in the order of their first visit.

use throng_grid::kit::StampedArray;

use crate::space::Position;

/// The positions that a search has visited, with their true distances.
///
/// A search stores its data for a position under the position's number, so that memory grows
/// with the positions visited, not with the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct VisitedPositions {
    numbers: StampedArray<u32>,
    /// For each number, the position and its true distance.
    visited: Vec<(Position, u64)>,
}

/// The number of a position without a path to the goal.
const UNREACHABLE: u32 = u32::MAX;

impl VisitedPositions {
    /// Forgets all positions, for a new search.
    pub(crate) fn begin(&mut self, positions: usize) {
        self.numbers.begin(positions);
        self.visited.clear();
    }

    /// The position of a number, and its distance.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> (Position, u64) {
        self.visited[number as usize]
    }

    /// Whether the position was visited before.
    #[inline]
    pub(crate) fn contains(&self, at: Position) -> bool {
        self.numbers.get(at.get()).is_some()
    }

    /// The number of a position, and whether this is its first visit; `None` if it has no path
    /// to the goal. `distance` is called once per position.
    #[inline]
    pub(crate) fn number(
        &mut self,
        at: Position,
        distance: impl FnOnce() -> Option<u64>,
    ) -> Option<(u32, bool)> {
        if let Some(number) = self.numbers.get(at.get()) {
            return (number != UNREACHABLE).then_some((number, false));
        }
        let known = distance();
        let number = known.map_or(UNREACHABLE, |_| self.visited.len() as u32);
        self.numbers.set(at.get(), number);
        self.visited.push((at, known?));
        Some((number, true))
    }
}
