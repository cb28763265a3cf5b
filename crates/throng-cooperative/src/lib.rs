//! Units that see each other's plans.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005; AI Game Programming Wisdom 3, 2006).

mod agitated;
mod claims;
mod considerate;
mod crew;
mod distances;
mod fleet;
mod leash;
mod local_repair;
mod member;
mod options;
mod order;
mod parked;
mod planners;
mod posts;
mod record;
mod replan;
mod report;
mod reservations;
mod salvage;
mod settle;
mod simulation;
mod straight;
mod timetable;
mod unforeseen;
mod windowed;

pub use crew::{Crew, CrewEvent, CrewOptions, Guide, Occupied};
pub use fleet::{Fleet, Rider};
pub use local_repair::LocalRepairSimulation;
pub use member::{Stance, Whereabouts};
pub use options::{Arrival, Heuristic, Order};
pub use parked::{FleetOutcome, FleetReport};
pub use planners::{CooperativeAStar, LocalRepair, Windowed};
pub use record::{CrewRecord, MemberRecord, RecordError};
pub use reservations::{Claim, Priority, Reservations, View};
pub use simulation::Simulation;
pub use unforeseen::CooperativeSimulation;
pub use windowed::WindowedSimulation;
