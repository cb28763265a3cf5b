//! Searches for one path: A* and jump point search, behind [`PathSearch`].
//!
//! | file | what it is |
//! |---|---|
//! | `query.rs` | queries, answers, and the trait of searches |
//! | `frontier.rs` | open list, costs, start and end: what both searches share |
//! | `estimate.rs` | the heuristic, towards one goal or many |
//! | `astar.rs`, `jps.rs` | how each search expands a node |
//! | `first_discovered.rs` | A* as Xu and Zou print it, for comparison |

pub(crate) mod astar;
pub(crate) mod estimate;
pub(crate) mod first_discovered;
pub(crate) mod frontier;
pub(crate) mod jps;
pub(crate) mod query;
