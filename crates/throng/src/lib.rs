//! throng moves very many units through one world. This is the one crate to add.
//!
//! [`World`] is a live world: units, orders, a map that changes, ticked by the game.
//! [`Pathfinder`] answers path queries on a map that changes; [`plan()`] brings many units to
//! their goals at once, with a [`Solver`] chosen by name. What lies below is here too, for
//! those who need more control: the vocabulary in [`model`], the searches in
//! [`grid`], the reservation table and its planners in [`cooperative`], optimal plans in
//! [`optimal`], abstractions of huge grids in [`hierarchy`], polygon worlds in [`scene`], file
//! formats in [`formats`], and in [`referee`] the judge of every plan.
//!
//! ```
//! use throng::{Cell, Map, MovementProfile, Pathfinder};
//!
//! let mut finder = Pathfinder::new(Map::empty(64, 64)?, MovementProfile::eight_connected())?;
//! let (barracks, flag) = (Cell::new(3, 40), Cell::new(60, 8));
//!
//! let path = finder.path(barracks, flag)?.found().ok_or("no way")?;
//! assert_eq!(path.cells.len(), 58);
//!
//! // A wall goes up, with a gap in the south; the same query goes around it.
//! finder.fill(throng::Rect::new(Cell::new(32, 0), 1, 60), Map::WALL)?;
//! let detour = finder.path(barracks, flag)?.found().ok_or("no way")?;
//! assert!(detour.cost > path.cost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lower_bound;
mod pathfinder;
pub mod solver;

pub use lower_bound::{LowerBound, lower_bound, lower_bound_within};
pub use pathfinder::Pathfinder;
pub use solver::{SolveError, Solver, SpecError, plan};
pub use throng_cooperative as cooperative;
pub use throng_formats as formats;
pub use throng_grid as grid;
pub use throng_hierarchy as hierarchy;
pub use throng_model as model;
pub use throng_optimal as optimal;
pub use throng_referee as referee;
pub use throng_scene as scene;
pub use throng_spaces as spaces;
pub use throng_spacetime as spacetime;
pub use throng_world as world;

pub use throng_grid::{
    AStar, Answer, Endpoint, Field, Follower, FollowerOptions, FollowerStep, Ground, Journey,
    JourneyAnswer, Jps, Path, PathSearch, Query, QueryError, SharedFields, Smoothed, smooth,
};
pub use throng_model::{
    Budget, Building, Cell, Change, CornerRule, Cost, DiagonalCost, Factor, Limit, Map, MapError,
    MovementProfile, Neighbours, Objective, Outcome, Plan, PlanError, Planner, Problem, Rect,
    Report, SearchStatus, Solution, TerrainClass, TerrainId, TerrainOverride, Tick, Unit, UnitId,
    ValidProblem, Weight,
};

pub use throng_hierarchy::{Algorithm, PathAnswer};
pub use throng_world::{Recorder, Replay, Spawn, World, WorldOptions};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
