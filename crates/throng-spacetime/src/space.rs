//! Positions, moves and footprints, as seen by planners that know nothing of grids.
//!
//! D. Silver, "Cooperative pathfinding" (AI Game Programming Wisdom 3, 2006), "Reservation
//! table revisited": each unit structures space-time in the way that suits it; what units
//! share is the reservation table, and the *footprint* of an action says which of its
//! entries the action needs, and when.

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

/// A part of space that only one unit can hold at a tick: what the reservation table has an
/// entry for. On a grid usually a cell, on a road network also a stretch of road.
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

/// Which of a space's actions leads from a position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Action(pub u16);

impl Action {
    /// To stay for one tick. Every space has it.
    pub const PAUSE: Self = Self(u16::MAX);
}

/// A move from a position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it leads. For moves asked for backwards: where it comes from.
    pub to: Position,
    /// What it costs, in the space's unit.
    pub cost: u64,
    /// How many ticks it takes, at least 1.
    pub ticks: u32,
    /// Which action it is, for [`Space::footprint`].
    pub action: Action,
}

/// The world as one kind of unit sees it: positions, the moves between them, and what each
/// move needs of the entries that all units share.
///
/// Units of different kinds have different spaces over the *same* entries. Every method
/// must answer the same for the same question, and visit in the same order.
///
/// All costs of a space are in one unit, its own: those of moves and pauses, the estimate,
/// and so the distances that searches find and the penalties of
/// [`TimedObstacles`](crate::TimedObstacles). They are compared and added up with each other
/// only, never with [`throng_model::Cost`] or ticks; [`GridSpace`](crate::GridSpace) says
/// which unit it has.
///
/// Visitors that return a `bool` are asked until one says false; the method then returns
/// false too.
pub trait Space {
    /// How many positions there are.
    fn positions(&self) -> usize;

    /// How many entries the reservation table needs for one tick.
    fn entries(&self) -> usize;

    /// No path costs less: an admissible, consistent estimate. Zero is always right.
    fn estimate(&self, from: Position, to: Position) -> u64;

    /// The cost of staying for one tick anywhere but on the destination, in the space's unit.
    fn pause_cost(&self) -> u64;

    /// The longest move there is, in ticks.
    fn move_ticks_max(&self) -> u32;

    /// How many ticks a unit that stands somewhere needs at least, beyond the first, until
    /// others can be where it was. They do not plan to be there earlier.
    fn ticks_to_clear(&self) -> u32 {
        0
    }

    /// Visits the moves that lead on from a position, [`Action::PAUSE`] not among them.
    fn for_each_move(&self, from: Position, visit: impl FnMut(Move));

    /// Visits the moves that lead to a position, in the reverse order of directions.
    fn for_each_move_back(&self, to: Position, visit: impl FnMut(Move));

    /// The move from a position by an action, if that is legal there.
    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        let mut found = None;
        self.for_each_move(from, |step| {
            if step.action == action {
                found = Some(step);
            }
        });
        found
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

    /// Visits what an action needs beyond standing where it begins: entries, and how many
    /// ticks after its beginning each is held.
    ///
    /// Where units plan in windows (WHCA*, the live world), an action of several ticks must
    /// hold what standing at its end holds from the first tick on, as the steps of a grid do.
    /// Otherwise another unit could enter the cells of one that cannot leave in time.
    fn footprint(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool;

    /// Visits the pairs of entries between which no unit may pass while the action begins: a
    /// unit that holds the first at its beginning and the second a tick later would pass
    /// through the one that acts.
    fn passings(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool;
}
