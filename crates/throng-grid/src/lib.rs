//! Paths of one unit over a grid.
//!
//! | folder | what it has |
//! |---|---|
//! | `ground` | [`Ground`]: the map as one movement profile sees it, kept up to date with edits; its [`Components`] |
//! | `search` | [`AStar`], [`Jps`] and [`FirstDiscovered`] (Xu and Zou to the letter), from any of many starts to any of many goals, sliced and budgeted as [`PathSearch`] says |
//! | `field` | [`Field`]: the true distance of every cell to some goals; [`SharedFields`] keeps one per destination |
//! | `route` | [`Journey`] (the best doors of buildings), [`Follower`] (walks a path and repairs it), [`smooth`] (pulls it tight) |
//! | [`kit`] | the data structures of every search of throng |
//!
//! Nothing here knows of other units, of time, of files or of clocks.

mod field;
mod ground;
pub mod kit;
mod route;
mod search;

pub use field::shared_fields::SharedFields;
pub use field::{Field, FieldSearch};
pub use ground::Ground;
pub use ground::components::{ComponentId, Components};
pub use ground::directions::{Direction, OFFSETS};
pub use route::follower::{
    Blocked, Follower, FollowerOptions, FollowerStatistics, FollowerStep, Repair, RepairKind,
};
pub use route::journey::{Door, Endpoint, Journey, JourneyAnswer, JourneyError, Trip};
pub use route::sight::{line_of_sight, segment_cost};
pub use route::smooth::{Smoothed, smooth};
pub use search::astar::AStar;
pub use search::first_discovered::FirstDiscovered;
pub use search::jps::Jps;
pub use search::query::{Answer, Path, PathSearch, Query, QueryError};
pub use throng_model::SearchStatus;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
