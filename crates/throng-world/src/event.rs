//! What happened in a tick.

use throng_model::{Cell, UnitId};

use crate::BuildingId;

/// Something that happened to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Event {
    /// It has come to its destination. That can happen again for the same order: of units that
    /// were sent to one cell, those that come late exchange places with those at rest, which
    /// are rerouted.
    Arrived {
        /// The unit.
        unit: UnitId,
        /// The destination.
        at: Cell,
    },
    /// It could not do as planned and had to wait where it stood.
    Blocked {
        /// The unit.
        unit: UnitId,
    },
    /// A unit of more priority took its way; it plans again.
    Overridden {
        /// The unit.
        unit: UnitId,
        /// By whom.
        by: UnitId,
    },
    /// It found no way for too long, and passes over the claims of others for a while.
    Promoted {
        /// The unit.
        unit: UnitId,
    },
    /// It rests in a place from which it could not step aside, and goes out of another's way;
    /// when that one is past, it comes back.
    MakingWay {
        /// The unit.
        unit: UnitId,
        /// For whom.
        for_unit: UnitId,
    },
    /// It took another route, because the map has changed or it was pushed too far off.
    Rerouted {
        /// The unit.
        unit: UnitId,
    },
    /// There is no way to where it was told to go. It rests until the map changes.
    Unreachable {
        /// The unit.
        unit: UnitId,
    },
    /// It went into a building.
    Entered {
        /// The unit.
        unit: UnitId,
        /// The building.
        building: BuildingId,
    },
    /// It came out of a building.
    Left {
        /// The unit.
        unit: UnitId,
        /// The building.
        building: BuildingId,
        /// At this exit.
        at: Cell,
    },
}
