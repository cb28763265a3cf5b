//! A unit of the world, beyond what the crew knows of it.

use std::collections::VecDeque;

use throng_model::{Cell, MovementProfile};
use throng_spacetime::Position;

use crate::making_way::Errand;
use crate::{BuildingId, Order};

/// How a unit stands with its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UnitStatus {
    /// Without an order: it rests and gives way.
    Idle,
    /// It holds its ground.
    Holding,
    /// It has an order, and waits for a route.
    Routing,
    /// On its way.
    Going,
    /// At its destination; if it is pushed off it comes back.
    Arrived,
    /// There is no way to where it was told to go; it rests until the map changes.
    Unreachable,
    /// In a building.
    Inside(BuildingId),
}

/// What a unit is, when it is put into the world.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spawn {
    /// How it moves: size, pace, terrain.
    pub movement: MovementProfile,
    /// Its priority: it passes over the plans of units of lower levels.
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

    /// The same with another priority.
    #[must_use]
    pub fn with_level(self, level: u8) -> Self {
        Self { level, ..self }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Resident {
    /// Index into the world's spaces.
    pub(crate) kind: usize,
    pub(crate) level: u8,
    pub(crate) window: u32,
    pub(crate) order: Order,
    pub(crate) queue: VecDeque<Order>,
    pub(crate) status: UnitStatus,
    pub(crate) destination: Option<Position>,
    /// Whether it had a route before the one it waits for.
    pub(crate) rerouting: bool,
    /// Whether its route ends short of the destination, for want of budget.
    pub(crate) cut_short: bool,
    pub(crate) queued_for_route: bool,
    /// How often running the budget ended before its route did.
    pub(crate) route_effort: u32,
    pub(crate) errand: Option<Errand>,
}

impl Resident {
    pub(crate) fn new(kind: usize, level: u8, window: u32, status: UnitStatus) -> Self {
        Self {
            kind,
            level,
            window,
            order: Order::Stop,
            queue: VecDeque::new(),
            status,
            destination: None,
            rerouting: false,
            cut_short: false,
            queued_for_route: false,
            route_effort: 0,
            errand: None,
        }
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

    pub(crate) fn is_inside(&self) -> bool {
        matches!(self.status, UnitStatus::Inside(_))
    }
}

/// The step that a slow unit is in the middle of. It holds both ends, and what lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Heading {
    /// Where it will be.
    pub to: Cell,
    /// In so many ticks.
    pub ticks_left: u32,
}

/// Where a unit is after a tick, and what it did in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// The unit.
    pub unit: throng_model::UnitId,
    /// Where it was before the tick.
    pub from: Cell,
    /// Where it is now.
    pub at: Cell,
    /// The step it is in, if that takes longer.
    pub heading: Option<Heading>,
}
