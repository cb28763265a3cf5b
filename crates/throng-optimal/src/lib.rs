//! The best plan for a team, with its proof.
//!
//! T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using
//! Heuristic Search" (draft; AAAI 2010 as "Finding Optimal Solutions to Cooperative
//! Pathfinding Problems"). [`JointAStar`] is the planner; each of the paper's techniques
//! can be switched on and off.
//!
//! | technique | file |
//! |---|---|
//! | the search over joint states (algorithm 1) | `search.rs` |
//! | its successors: all at once, or by operator decomposition | `successors.rs`, `decomposition.rs` |
//! | partial expansion | both of these; directions stored with distances in `track.rs` |
//! | independent subproblems (algorithm 2) | `independence.rs` |
//! | beyond the paper: what pairs of units cost each other | `pairs.rs`, `cover.rs` |

mod clash;
mod cover;
mod decomposition;
mod effort;
mod group;
mod independence;
mod nodes;
mod open;
mod options;
mod others;
mod pairs;
mod planner;
mod resolve;
mod search;
mod state;
mod successors;
mod track;

pub use effort::{JointReport, Statistics};
pub use options::{Heuristic, Independence, JointAStar, Order};
pub use throng_model::Weight;
