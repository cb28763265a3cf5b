//! What the live referee is shown of each unit at a tick.

use throng_model::{Cell, MovementProfile, UnitId};

/// One unit at one tick, as shown to the live referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting<'a> {
    /// Which unit. Numbers may be sparse and large.
    pub unit: UnitId,
    /// Its movement profile from this tick on.
    pub movement: &'a MovementProfile,
    /// Its cell. During a slow step, the cell where the step began.
    pub at: Cell,
    /// The slow step in progress, if any.
    pub heading: Option<Heading>,
    /// The team that it belongs to.
    pub team: u8,
    /// Its layer. Units of different layers do not meet.
    pub layer: u8,
}

/// A slow step in progress. The unit holds both ends; on a diagonal, the square around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The cell where the step ends.
    pub to: Cell,
    /// Ticks until the unit arrives: from 1 to its pace minus 1.
    pub ticks_left: u8,
}

/// A sighting of the tick before.
#[derive(Clone, Debug)]
pub(crate) struct PreviousSighting {
    pub(crate) unit: UnitId,
    pub(crate) movement: MovementProfile,
    pub(crate) at: Cell,
    pub(crate) layer: u8,
    /// `None` if the heading that was shown is impossible.
    pub(crate) heading: Option<Heading>,
}
