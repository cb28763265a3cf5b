//! The trait `Space`: positions, moves and footprints for planners that know nothing of grids.
//!
//! D. Silver, "Cooperative pathfinding" (AI Game Programming Wisdom 3, 2006), "Reservation
//! table revisited": each unit may structure space-time differently. All units share the
//! reservation table. The *footprint* of an action says which entries of the table it needs,
//! and at which ticks.

/// A place where a unit can be: a cell, a hexagon, a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position(pub u32);

impl Position {
    /// The position as an index.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// An entry of the reservation table: a part of space that only one unit can hold at a tick.
/// On a grid usually a cell, on a road network also a stretch of road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry(pub u32);

impl Entry {
    /// The entry as an index.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The index of an action at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Action(pub u16);

impl Action {
    /// Stay for one tick. Every space has this action.
    pub const PAUSE: Self = Self(u16::MAX);
}

/// A move from a position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it leads. From [`Space::for_each_move_back`]: where it comes from.
    pub to: Position,
    /// Its cost, in the space's unit.
    pub cost: u64,
    /// The ticks that it takes, at least 1.
    pub ticks: u32,
    /// Its action, for [`Space::footprint`].
    pub action: Action,
}

/// The world as one kind of unit sees it: positions, the moves between them, and the entries of
/// the shared reservation table that each move needs.
///
/// Units of different kinds have different spaces over the *same* entries. Every method is a
/// pure function, including the order in which it visits.
///
/// A space has one unit of cost, for moves, pauses, estimates, the distances that searches find
/// and the penalties of [`TimedObstacles`](crate::TimedObstacles). These costs are compared only
/// with each other, never with [`throng_model::Cost`] or ticks.
/// [`GridSpace::cost_unit`](crate::GridSpace::cost_unit) converts.
///
/// A method whose visitor returns a `bool` stops at the first false and then returns false.
pub trait Space {
    /// The number of positions.
    fn positions(&self) -> usize;

    /// The number of entries of the reservation table per tick.
    fn entries(&self) -> usize;

    /// An admissible and consistent heuristic: no path costs less. Zero is always correct.
    fn estimate(&self, from: Position, to: Position) -> u64;

    /// The cost of staying for one tick anywhere but on the destination, in the space's unit.
    fn pause_cost(&self) -> u64;

    /// The ticks of the longest move.
    fn move_ticks_max(&self) -> u32;

    /// The number of ticks, beyond the first, until a unit that starts to move has left all its
    /// entries. Other units do not plan to enter them earlier.
    fn ticks_to_clear(&self) -> u32 {
        0
    }

    /// Visits the moves from a position, without [`Action::PAUSE`].
    fn for_each_move(&self, from: Position, visit: impl FnMut(Move));

    /// Visits the moves that lead to a position, in the reverse order of directions.
    fn for_each_move_back(&self, to: Position, visit: impl FnMut(Move));

    /// The move from a position by an action, if that is legal there. One that has begun stays
    /// the same when the terrain changes, unless the way is closed.
    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        let mut found = None;
        self.for_each_move(from, |step| {
            if step.action == action {
                found = Some(step);
            }
        });
        found
    }

    /// Whether the action can begin at a position now: it is legal there, and takes as long as the
    /// terrain demands.
    fn may_begin(&self, from: Position, action: Action) -> bool {
        self.move_by(from, action).is_some()
    }

    /// The last move that leads from a position to another, if there is one.
    fn move_to(&self, from: Position, to: Position) -> Option<Move> {
        let mut found = None;
        self.for_each_move(from, |step| {
            if step.to == to {
                found = Some(step);
            }
        });
        found
    }

    /// Visits the entries that a unit holds while it stands at a position.
    fn standing(&self, at: Position, visit: impl FnMut(Entry) -> bool) -> bool;

    /// Visits the entries that an action holds, each with a number of ticks after its beginning.
    /// The entries held at the beginning itself, by standing, are not included.
    ///
    /// Where units plan in windows (WHCA*, the live world), an action of several ticks must hold
    /// the entries of its end from the first tick on, as the steps of a grid do. Otherwise a unit
    /// could be on its way to entries that another unit holds and cannot leave in time.
    fn footprint(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool;

    /// Visits the pairs of entries between which no other unit may move during the first tick of
    /// the action. A unit that holds the first entry when the action begins, and the second one a
    /// tick later, would pass through this unit.
    fn passings(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool;
}
