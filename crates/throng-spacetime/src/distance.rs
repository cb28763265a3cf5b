//! How far it is to where a search goes.

use crate::space::Position;

/// The true distance from each position to where a search goes, or a consistent estimate.
///
/// A function from a position to its distance is one, with nothing at hand.
pub trait Distance {
    /// The distance; `None`: no way from there.
    fn of(&mut self, from: Position) -> Option<u64>;

    /// The distance, if it takes no search to say it.
    fn at_hand(&self, _from: Position) -> Option<u64> {
        None
    }
}

impl<F: FnMut(Position) -> Option<u64>> Distance for F {
    fn of(&mut self, from: Position) -> Option<u64> {
        self(from)
    }
}
