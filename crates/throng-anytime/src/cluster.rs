//! The cluster planner: a one-shot plan for a few units of any size that block each other.
//!
//! The plan is a sequence of moves of single units. What one unit needs while all others stand
//! does not depend on paces, so the search runs over configurations and knows no time. Its
//! successors are those of rule-based planners: a unit walks to its goal, and the units on its
//! path make room first (R. Luna and K. Bekris, "Push and Swap: Fast Cooperative Path-Finding
//! with Completeness Guarantees", IJCAI 2011; M. Stilman and J. Kuffner, "Navigation Among Movable
//! Obstacles: Real-Time Reasoning in Complex Environments", 2005, for units that have to be moved
//! before others can make room). A second open list has the single moves, and makes the search
//! complete (S. Richter and M. Westphal, "The LAMA Planner", JAIR 39, 2010, for open lists that take
//! turns).
//!
//! | file | what it has |
//! |---|---|
//! | `planner.rs` | the public entry |
//! | `region.rs` | the positions within reach, numbered, with moves and bodies as flat lists |
//! | `board.rs` | a configuration: which units overlap which position |
//! | `walks.rs` | the search for one unit, around others or through them at a price |
//! | `making_room.rs` | a unit walks to its goal, and others make room |
//! | `nodes.rs` | the configurations found, and the two open lists |
//! | `pairs.rs` | the steps that two units need together |
//! | `search.rs` | the search over configurations |
//! | `shorten.rs` | superfluous walks are removed from a plan |

mod board;
mod making_room;
mod nodes;
mod pairs;
mod planner;
mod region;
mod search;
mod shorten;
mod walks;

pub use planner::{ClusterOutcome, ClusterPlanner, ClusterStep, ClusterUnit};
