//! Units that plan around each other's plans: the reservation table, LRA*, CA*, HCA* and WHCA*.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005; AI Game Programming Wisdom 3, 2006).
//!
//! [`UnitStore`] holds units that plan in windows and move together: it is the core of WHCA* and
//! of the live world. [`LocalRepair`], [`CooperativeAStar`] and [`Windowed`] are the papers'
//! planners for a whole [`Instance`].

mod agitated;
mod arrival_obstacles;
mod best_attempt;
mod distances;
mod held;
mod local_repair;
mod options;
mod planners;
mod planning_order;
mod prioritized;
mod report;
mod reservations;
mod simulation;
mod store;
mod windowed;

pub use arrival_obstacles::CooperativeSimulation;
pub use local_repair::LocalRepairSimulation;
pub use options::{Arrival, Heuristic, PlanningOptions, PlanningOrder};
pub use planners::{CooperativeAStar, LocalRepair, Windowed};
pub use prioritized::{InstanceOutcome, InstanceReport};
pub use reservations::{Claim, GoalIndex, Priority, Reservations, View};
pub use simulation::Simulation;
pub use store::{
    Activity, Destination, Location, Occupied, PlanEvent, Role, SlotSnapshot, StoreError,
    StoreSnapshot, TrueDistances, UnitRecord, UnitStore,
};
pub use throng_spacetime::{Instance, InstanceUnit};
pub use windowed::WindowedSimulation;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
