//! Optimal plans for all units of a problem, with proof.
//!
//! T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using
//! Heuristic Search" (draft; AAAI 2010 as "Finding Optimal Solutions to Cooperative
//! Pathfinding Problems"). [`JointAStar`] is the planner; each of the paper's techniques
//! can be switched on and off.
//!
//! | technique | file |
//! |---|---|
//! | A* over joint states (algorithm 1) | `search.rs` |
//! | expansion: all units at once, or by operator decomposition | `joint_moves.rs`, `decomposition.rs` |
//! | partial expansion | both of these; moves ordered by distance in `position_table.rs` |
//! | independence detection (algorithm 2) | `independence.rs`, `resolve.rs`, `move_table.rs` |
//! | steps and conflicts: cells of a grid; any space | `rules.rs`, `grid_rules.rs`, `space_rules.rs` |
//! | beyond the paper: a heuristic from the excess of pairs | `pairs.rs`, `vertex_cover.rs` |

mod decomposition;
mod grid_rules;
mod group;
mod independence;
mod instance;
mod joint_moves;
mod joint_state;
mod move_table;
mod nodes;
mod open_list;
mod options;
mod pairs;
mod planner;
mod position_table;
mod resolve;
mod rules;
mod search;
mod space_rules;
mod statistics;
mod vertex_cover;

pub use instance::{InstanceError, JointInstanceReport, JointOutcome};
pub use options::{ExpansionOrder, Heuristic, Independence, JointAStar};
pub use statistics::{JointReport, Statistics};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
