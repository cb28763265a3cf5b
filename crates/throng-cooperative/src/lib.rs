//! Units that see each other's plans.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005; AI Game Programming Wisdom 3, 2006).

mod claims;
mod considerate;
mod distances;
mod effort;
mod fleet;
mod options;
mod order;
mod parked;
mod planners;
mod report;
mod reservations;
mod simulation;

pub use fleet::{Fleet, Rider};
pub use options::{Arrival, Heuristic, Order};
pub use parked::{FleetOutcome, FleetReport};
pub use planners::{CooperativeAStar, LocalRepair, Windowed};
pub use reservations::{Claim, Priority, Reservations, View};
pub use simulation::Simulation;
