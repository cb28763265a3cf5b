//! Units that see each other's plans.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005; AI Game Programming Wisdom 3, 2006).

mod fleet;
mod options;
mod planners;
mod simulation;

pub use fleet::{Fleet, Rider};
pub use options::{Arrival, Heuristic, Order};
pub use planners::{CooperativeAStar, LocalRepair, Windowed};
pub use simulation::Simulation;
