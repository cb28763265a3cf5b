//! One unit of the world: what it was told, what it is doing, and how the game sees it.
//!
//! The record is [`UnitRecord<Assignment>`](throng_cooperative::UnitRecord). It has all that the
//! planner knows of the unit; [`Assignment`] is the world's part of it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use throng_cooperative::{Activity, Role};
use throng_model::{BuildingId, Cell, MovementProfile, Tick, UnitId};
use throng_spacetime::Position;

use crate::Order;
use crate::distances::DistanceSource;

/// How a unit stands with its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum UnitStatus {
    /// Without an order: it rests and yields.
    Idle,
    /// It holds its position.
    Holding,
    /// It has an order, and waits for a route.
    Routing,
    /// On its way.
    Going,
    /// At its destination; if it is pushed off it comes back.
    Arrived,
    /// There is no path to where it was told to go; it rests until the map changes.
    Unreachable,
    /// In a building.
    Inside(BuildingId),
}

/// What a unit is, when it is put into the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// How it moves: size, pace, terrain.
    pub movement: MovementProfile,
    /// Its priority level: it overrides the plans of units of lower levels.
    pub level: u8,
    /// How far ahead it plans, in ticks; 0 is the world's own window.
    pub window: u32,
}

impl Spawn {
    /// An ordinary unit that moves like this.
    #[must_use]
    pub fn new(movement: MovementProfile) -> Self {
        Self { movement, level: 0, window: 0 }
    }

    /// The same with another priority level.
    #[must_use]
    pub fn with_level(self, level: u8) -> Self {
        Self { level, ..self }
    }
}

impl From<MovementProfile> for Spawn {
    fn from(movement: MovementProfile) -> Self {
        Self::new(movement)
    }
}

/// The step that a slow unit is in the middle of. It holds both ends, and what lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Where it will be.
    pub to: Cell,
    /// In how many ticks.
    pub ticks_left: u32,
}

/// Where a unit is after a tick, and what it did in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The unit.
    pub unit: UnitId,
    /// Where it was before the tick. A new unit's first step begins where it was spawned.
    pub from: Cell,
    /// Where it is now.
    pub at: Cell,
    /// The step it is in, if that takes longer.
    pub heading: Option<Heading>,
}

/// What a unit is doing. Its status for the game and its role for the planner both follow from
/// this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Doing {
    Idle,
    Holding,
    /// It waits for a route, and keeps the role that it had before.
    Routing(Role),
    Going,
    Arrived,
    Unreachable,
    /// It clears the way of another unit, and goes on with something else afterwards.
    Yielding(Yield, Afterwards),
    Inside(BuildingId),
}

/// Clearing the way of another unit: go aside, wait, and come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yield {
    pub(crate) for_unit: UnitId,
    /// Where it waits.
    pub(crate) to: Position,
    /// What the other must have passed: its destination, or where it rested.
    pub(crate) home: Position,
    pub(crate) until: Tick,
    /// Whether it has reached the place where it waits.
    pub(crate) is_there: bool,
}

/// What a unit does when it no longer yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Afterwards {
    Idle,
    Routing,
    Arrived,
    Unreachable,
}

impl Doing {
    pub(crate) fn status(self) -> UnitStatus {
        match self {
            Self::Idle | Self::Yielding(_, Afterwards::Idle) => UnitStatus::Idle,
            Self::Holding => UnitStatus::Holding,
            Self::Routing(_) | Self::Yielding(_, Afterwards::Routing) => UnitStatus::Routing,
            Self::Going => UnitStatus::Going,
            Self::Arrived | Self::Yielding(_, Afterwards::Arrived) => UnitStatus::Arrived,
            Self::Unreachable | Self::Yielding(_, Afterwards::Unreachable) => {
                UnitStatus::Unreachable
            }
            Self::Inside(building) => UnitStatus::Inside(building),
        }
    }

    /// The same without yielding.
    pub(crate) fn without_yielding(self) -> Self {
        match self {
            Self::Yielding(_, Afterwards::Idle) => Self::Idle,
            Self::Yielding(_, Afterwards::Routing) => Self::Routing(Role::Resting),
            Self::Yielding(_, Afterwards::Arrived) => Self::Arrived,
            Self::Yielding(_, Afterwards::Unreachable) => Self::Unreachable,
            other => other,
        }
    }

    /// The same, but waiting for a route.
    pub(crate) fn waiting_for_route(self) -> Self {
        match self {
            Self::Yielding(yielding, _) => Self::Yielding(yielding, Afterwards::Routing),
            other => Self::Routing(other.role()),
        }
    }

    /// What a unit at rest does after it has yielded; `None` for a unit that is not at rest or
    /// yields already.
    pub(crate) fn afterwards(self) -> Option<Afterwards> {
        match self {
            Self::Idle => Some(Afterwards::Idle),
            Self::Arrived => Some(Afterwards::Arrived),
            Self::Unreachable => Some(Afterwards::Unreachable),
            _ => None,
        }
    }

    pub(crate) fn yielding(self) -> Option<Yield> {
        match self {
            Self::Yielding(yielding, _) => Some(yielding),
            _ => None,
        }
    }

    fn role(self) -> Role {
        match self {
            Self::Going => Role::Going,
            Self::Holding => Role::Holding,
            Self::Routing(role) => role,
            Self::Yielding(yielding, _) if !yielding.is_there => Role::Yielding,
            _ => Role::Resting,
        }
    }
}

/// The world's part of a unit's record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub(crate) doing: Doing,
    /// What it was told, and is doing.
    pub(crate) order: Order,
    /// What it will do afterwards.
    pub(crate) queue: VecDeque<Order>,
    /// Where its true distances come from.
    pub(crate) source: DistanceSource,
    /// Whether it had a route before the one it waits for.
    pub(crate) is_rerouting: bool,
    /// Whether its route ends short of the destination, because the budget ended.
    pub(crate) is_route_partial: bool,
    pub(crate) is_queued_for_route: bool,
    /// How many times in a row the budget ended before its route was found.
    pub(crate) route_attempts: u32,
    /// Where the last step that the game was told of ended.
    pub(crate) reported_at: Option<Cell>,
}

impl Activity for Assignment {
    #[inline]
    fn role(&self) -> Role {
        self.doing.role()
    }
}

impl Assignment {
    pub(crate) fn new(doing: Doing) -> Self {
        Self {
            doing,
            order: Order::Stop,
            queue: VecDeque::new(),
            source: DistanceSource::None,
            is_rerouting: false,
            is_route_partial: false,
            is_queued_for_route: false,
            route_attempts: 0,
            reported_at: None,
        }
    }

    pub(crate) fn status(&self) -> UnitStatus {
        self.doing.status()
    }

    pub(crate) fn building(&self) -> Option<BuildingId> {
        match self.doing {
            Doing::Inside(building) => Some(building),
            _ => None,
        }
    }

    /// Whether the unit's destination is its alone: not while many go in by one door, nor while
    /// its route ends short of it.
    pub(crate) fn owns_destination(&self) -> bool {
        matches!(self.order, Order::GoTo(_)) && !self.is_route_partial
    }

    /// Takes the next order from the queue. To stop or hold is done at once: only the last
    /// order of a queue can be that.
    pub(crate) fn next_order(&mut self) -> Option<Order> {
        let at_once = |order: &Order| matches!(order, Order::Stop | Order::Hold);
        while self.queue.len() > 1 && self.queue.front().is_some_and(at_once) {
            self.queue.pop_front();
        }
        self.queue.pop_front()
    }
}
