//! True distances, as searches ask for them.

use throng_model::Effort;

use crate::space::Position;

/// The true distance from each position to the goal of a search, or a consistent heuristic.
///
/// A function from a position to its distance is one: it knows nothing beforehand and counts
/// no expansions.
pub trait Distance {
    /// The distance; `None` if no path leads from there, or if the effort was stopped before
    /// it was known. Expansions made for it are counted on the search's effort, so that both
    /// stop together.
    fn distance(&mut self, from: Position, effort: &mut Effort<'_>) -> Option<u64>;

    /// The distance, if it is known without a search.
    fn known(&self, _from: Position) -> Option<u64> {
        None
    }
}

impl<F: FnMut(Position) -> Option<u64>> Distance for F {
    #[inline]
    fn distance(&mut self, from: Position, _: &mut Effort<'_>) -> Option<u64> {
        self(from)
    }
}
