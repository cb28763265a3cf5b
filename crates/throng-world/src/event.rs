//! What happened to units in a tick.

use throng_model::{BuildingId, Cell, UnitId};

use crate::LinkId;

/// Something that happened to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Event {
    /// It has reached its destination. That can happen again for the same order: of units that
    /// were sent to one cell, those that come late exchange places with those at rest, which are
    /// rerouted.
    Arrived {
        /// The unit.
        unit: UnitId,
        /// The destination.
        at: Cell,
    },
    /// It was told to [approach](crate::Order::Approach) a cell and has come as near as it can.
    ArrivedNear {
        /// The unit.
        unit: UnitId,
        /// Where it is.
        at: Cell,
        /// Where it was told to go.
        goal: Cell,
    },
    /// It can get to where it was told to go, but all places there and around are taken. It rests,
    /// and goes when there is room.
    NoRoom {
        /// The unit.
        unit: UnitId,
    },
    /// It has come within the distance of the unit that it was told to chase.
    Reached {
        /// The unit.
        unit: UnitId,
        /// The other unit.
        target: UnitId,
    },
    /// The unit that it was told to follow, guard or chase is gone.
    TargetLost {
        /// The unit.
        unit: UnitId,
        /// The other unit.
        target: UnitId,
    },
    /// It could not do as planned and had to wait where it stood.
    Blocked {
        /// The unit.
        unit: UnitId,
    },
    /// A unit of higher priority overrode its plan; it plans again.
    Overridden {
        /// The unit.
        unit: UnitId,
        /// The other unit.
        by: UnitId,
    },
    /// It made no progress for too long, and overrides the claims of others for a while.
    Promoted {
        /// The unit.
        unit: UnitId,
    },
    /// It rests where it cannot step aside, and clears another unit's way. When that one is past,
    /// it comes back.
    Yielding {
        /// The unit.
        unit: UnitId,
        /// The other unit.
        for_unit: UnitId,
    },
    /// It took another route: the map has changed, it was pushed too far off, or others stand on its
    /// route.
    Rerouted {
        /// The unit.
        unit: UnitId,
    },
    /// There is no path to where it was told to go. It rests until the map changes.
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
    /// The building that it was told to enter is full, and does not let it wait. The order is over.
    Refused {
        /// The unit.
        unit: UnitId,
        /// The building.
        building: BuildingId,
    },
    /// It went into a link.
    LinkEntered {
        /// The unit.
        unit: UnitId,
        /// The link.
        link: LinkId,
    },
    /// It came out of a link.
    LinkLeft {
        /// The unit.
        unit: UnitId,
        /// The link.
        link: LinkId,
        /// Where.
        at: Cell,
    },
}
