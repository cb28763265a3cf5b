//! What a joint search asks of the world: the steps of one tick, and which of them conflict.
//!
//! Every move is a sequence of steps of one tick. A move of several ticks leads through *places*
//! between two positions, where a unit cannot stop. So all units step at once, and a step's cost
//! is a tick, on every space.

use std::fmt::Debug;

use throng_spacetime::{Position, Space};

/// A unit's step within one tick, or its pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step<P> {
    pub(crate) from: P,
    pub(crate) to: P,
}

impl<P: Copy> Step<P> {
    /// The pause at a place.
    pub(crate) fn pause(at: P) -> Self {
        Self { from: at, to: at }
    }
}

/// The steps of units, and the conflicts between them.
pub(crate) trait Rules: Copy + Send + Sync {
    /// Where a unit is at a tick. Equal for two units only if they have the same space.
    type Place: Copy + Debug + Default + Ord + Send + Sync;
    /// The space of a unit.
    type Space: Space + Sync;

    /// The place of a unit that stands at a position of one of the spaces.
    fn place(self, space: &Self::Space, kind: usize, at: Position) -> Self::Place;

    /// The position where a unit at this place stops next, and the ticks until then: none if it
    /// stands.
    fn next_stop(self, space: &Self::Space, place: Self::Place) -> (Position, u32);

    /// The position where a unit at this place stood last.
    fn last_stop(self, space: &Self::Space, place: Self::Place) -> Position;

    /// Visits the places that a unit can reach in one tick, without the pause.
    fn for_each_step(self, space: &Self::Space, from: Self::Place, visit: impl FnMut(Self::Place));

    /// Whether a position can be reached from another; true if that is not known beforehand.
    fn may_reach(self, space: &Self::Space, from: Position, to: Position) -> bool;

    /// Whether two steps of one tick conflict.
    fn conflict(self, one: Step<Self::Place>, other: Step<Self::Place>) -> bool;

    /// Whether two units that stand at these places are neighbours.
    fn is_beside(self, one: Self::Place, other: Self::Place) -> bool;

    /// Visits the numbers of what a step holds when it ends, until `visit` is false. Steps that
    /// hold the same number at the same tick conflict.
    fn for_each_held(self, step: Step<Self::Place>, visit: impl FnMut(u32) -> bool) -> bool;

    /// Visits numbers, until `visit` is false. Steps that conflict in passing have one in common.
    fn for_each_passing(self, step: Step<Self::Place>, visit: impl FnMut(u32) -> bool) -> bool;

    /// Whether two steps of one tick, which have a passing number in common, conflict in passing
    /// and not already by what they hold.
    fn conflict_in_passing(self, one: Step<Self::Place>, other: Step<Self::Place>) -> bool;
}
