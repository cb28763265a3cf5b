//! Moves through time: spaces of positions and moves, footprints, and searches that avoid the
//! claims of other units.
//!
//! A [`Space`] defines the positions of a unit, its moves, and the entries of the reservation
//! table that each move occupies at each tick; [`GridSpace`] is the space of a grid. [`Rra`]
//! and [`LocalRra`] compute true distances. [`SpaceTimeSearch`] and [`SafeIntervalSearch`] find
//! paths through time among [`TimedObstacles`].
//!
//! Nothing here knows whose claims the obstacles are, nor of files or clocks.

mod distance;
mod follow_route;
mod footprint;
mod grid_space;
mod instance;
mod local_rra;
mod rra;
mod safe_interval;
mod space;
mod space_time;
mod timed;
mod timetable;
mod visited_positions;

pub use distance::Distance;
pub use follow_route::{extend_along_route, follow_route};
pub use footprint::{FootprintRules, Grain, Manoeuvre, PassingRule};
pub use grid_space::GridSpace;
pub use instance::{Instance, InstanceUnit};
pub use local_rra::LocalRra;
pub use rra::Rra;
pub use safe_interval::SafeIntervalSearch;
pub use space::{Action, Entry, Move, Position, Space};
pub use space_time::{Leg, SpaceTimeSearch, TimedPath, Until, is_legal, penalty};
pub use timed::{NoObstacles, TimedObstacles};
pub use timetable::{PackedClaim, Timetable};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
