//! What a live world shows of its units at a tick.

use throng_model::{Cell, MovementProfile, UnitId};

/// What is seen of one unit at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting<'a> {
    /// Who. Numbers may be sparse and large.
    pub unit: UnitId,
    /// How it moves, from this tick on.
    pub movement: &'a MovementProfile,
    /// Where it is. On its way, a slow unit is where its step began.
    pub at: Cell,
    /// The step that a slow unit is in the middle of.
    pub heading: Option<Heading>,
}

/// The step that a slow unit is in the middle of: it holds both ends, and on a diagonal the
/// square around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Where the step leads.
    pub to: Cell,
    /// Ticks until the unit is there: 1 to its pace less 1.
    pub ticks_left: u8,
}

/// What is remembered of a sighting until the next tick.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) unit: UnitId,
    pub(crate) movement: MovementProfile,
    pub(crate) at: Cell,
    /// Only one that made sense.
    pub(crate) heading: Option<Heading>,
}
