//! One unit's way through the world.
//!
//! A [`Ground`] is the map as one kind of unit sees it. On it run [`AStar`] and [`Jps`],
//! from any of many starts to any of many goals, sliced and budgeted as [`PathSearch`]
//! says. A [`Field`] holds the true distance of every cell to some goals, and
//! [`SharedFields`] keeps one for all who go to the same place. [`Journey`] leaves and
//! enters buildings by their best doors, a [`Follower`] walks a path and repairs it when
//! the map changes, [`smooth`] pulls it tight.
//!
//! Nothing here knows of other units, of time, of files or of clocks. [`kit`] has the parts that
//! every search of throng is built from.

mod astar;
mod compass;
mod components;
mod doors;
mod estimate;
mod field;
mod follower;
mod frontier;
mod ground;
#[cfg(test)]
mod ground_tests;
mod jps;
mod jump_map;
pub mod kit;
mod lanes;
mod query;
mod shared_fields;
mod sight;
mod smooth;

pub use astar::AStar;
pub use compass::{Direction, OFFSETS};
pub use components::{ComponentId, Components, Connectivity};
pub use doors::{Door, Endpoint, Journey, JourneyAnswer, JourneyError, Trip};
pub use field::{Field, FieldSearch};
pub use follower::{
    Blocked, Follower, FollowerOptions, FollowerStatistics, FollowerStep, Repair, RepairKind,
};
pub use ground::Ground;
pub use jps::Jps;
pub use query::{Answer, Path, PathSearch, Query, QueryError};
pub use shared_fields::SharedFields;
pub use sight::{line_of_sight, segment_cost};
pub use smooth::{Smoothed, smooth};
pub use throng_model::SearchStatus;
