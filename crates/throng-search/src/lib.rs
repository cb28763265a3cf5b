//! One unit's way through the world.
//!
//! A [`Ground`] is the map as one kind of unit sees it. On it run [`AStar`] and [`Jps`],
//! from any of many starts to any of many goals, sliced and budgeted as [`PathSearch`]
//! says. A [`Field`] holds the true distance of every cell to some goals, and
//! [`SharedFields`] keeps one for all who go to the same place. [`Journey`] leaves and
//! enters buildings by their best doors, a [`Follower`] walks a path and repairs it when
//! the map changes, [`smooth`] pulls it tight.
//!
//! Nothing here knows of other units, of time, of files or of clocks.

mod astar;
mod bits;
mod compass;
mod components;
mod distance;
mod doors;
mod encounters;
mod estimate;
mod field;
mod follower;
mod footprint;
mod frontier;
mod grid_space;
mod ground;
#[cfg(test)]
mod ground_tests;
mod hex_space;
mod jps;
mod jump_map;
mod lanes;
mod ledger;
mod levels;
mod local_rra;
mod nodes;
mod query;
mod queue;
mod road_space;
mod rra;
mod safe_interval;
mod shared_fields;
mod sight;
mod smooth;
mod space;
mod space_time;
mod timed;

pub use astar::AStar;
pub use components::{ComponentId, Components, Connectivity};
pub use distance::Distance;
pub use doors::{Door, Journey, JourneyAnswer, JourneyError, Place, Trip};
pub use field::{Field, FieldSearch};
pub use follower::{
    Blocked, Follower, FollowerOptions, FollowerStatistics, Repair, RepairKind, Step,
};
pub use footprint::{FootprintRules, Grain, Manoeuvre, Meeting};
pub use grid_space::GridSpace;
pub use ground::Ground;
pub use hex_space::{HexError, HexSpace};
pub use jps::Jps;
pub use ledger::{DenseLedger, Ledger, PagedLedger};
pub use local_rra::LocalRra;
pub use query::{Answer, Path, PathSearch, Query, QueryError, Status, Weight};
pub use road_space::{Road, RoadError, RoadNetwork, RoadSpace, Traffic};
pub use rra::Rra;
pub use safe_interval::SafeIntervalSearch;
pub use shared_fields::SharedFields;
pub use sight::{line_of_sight, segment_cost};
pub use smooth::{Smoothed, smooth};
pub use space::{Action, Entry, Move, Position, Space};
pub use space_time::{Ended, Leg, SpaceTimeSearch, TimedPath, Until, is_legal, toll};
pub use timed::{NoObstacles, TimedObstacles};
