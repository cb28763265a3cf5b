//! Dense crowds: first plans in milliseconds, and plans that improve until told to stop.
//!
//! | part | what it is |
//! |---|---|
//! | [`Graph`] | the positions of a map for one movement profile, numbered row by row |
//! | [`Distances`] | the true distances to the goals, in ticks |
//! | [`Pibt`] | the kernel: one configuration of all units to the next |
//! | [`Lacam`] | the planner: a complete search over configurations with that kernel |
//! | [`Lns`] | large neighbourhood search: improves a plan until it is told to stop |
//! | [`CrowdKernel`] | one step of a live crowd, for units of every size and pace |
//! | [`ClusterPlanner`] | a one-shot plan for a few units of any size that block each other |
//! | [`lifelong`] | units that get a new goal when they reach one |
//!
//! All but the crowd kernel and the cluster planner take units of one cell and one tick per step. Distances and costs are
//! in ticks: terrain decides where units can go, not how long a step takes.

mod bit_flood;
mod cluster;
mod crowd;
mod distances;
mod graph;
mod guides;
mod lacam;
mod lazy_distances;
pub mod lifelong;
mod lns;
mod movement;
mod path_cost;
mod pibt;

pub use cluster::{ClusterOutcome, ClusterPlanner, ClusterStep, ClusterUnit};
pub use crowd::{CrowdError, CrowdKernel, CrowdUnit, Preferences, Waiting};
pub use distances::{Distances, UNREACHED};
pub use graph::{Graph, Vertex};
pub use lacam::Lacam;
pub use lns::{ImproveError, Improved, Lns, Stop};
pub use pibt::{Guidance, Pibt, TrueDistances};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
