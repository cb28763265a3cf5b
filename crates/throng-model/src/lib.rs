//! throng's vocabulary as plain data.
//!
//! Planners, referee, file formats and command line exchange these types. There is no
//! algorithm here beyond validation, and no input or output.
//!
//! | word | type |
//! |---|---|
//! | grid of terrain, with a revision | [`Map`], [`TerrainClass`], [`Change`] |
//! | how a kind of unit moves | [`MovementProfile`] |
//! | units with starts and goals, buildings | [`Unit`], [`Building`], [`Problem`], [`ValidProblem`] |
//! | planners and their results | [`Planner`], [`Plan`], [`Outcome`], [`Report`] |
//! | limits and progress of a search | [`Budget`], [`Effort`], [`SearchStatus`], [`Observer`] |

mod budget;
mod building;
mod cell;
mod cost;
mod ids;
pub mod limits;
mod map;
mod movement;
mod outcome;
mod plan;
mod planner;
mod problem;
mod terrain;
mod weight;

pub use budget::{
    Budget, Effort, Improvement, Interrupt, Observer, Progress, SearchStatus, Silent,
};
pub use building::Building;
pub use cell::{Cell, CellIndex, Rect};
pub use cost::{Cost, DIAGONAL, Factor, FactorError, STRAIGHT, Tick};
pub use ids::{BuildingId, UnitId};
pub use map::{CellChange, Change, Map, MapError, Revision};
pub use movement::{
    Conflicts, CornerRule, DiagonalCost, MovementError, MovementProfile, Neighbours, SlowTerrain,
    TerrainOverride,
};
pub use outcome::{Limit, Objective, Outcome, Report, Solution};
pub use plan::Plan;
pub use planner::{PlanError, Planner};
pub use problem::{Problem, ProblemError, ProblemErrors, Unit, ValidProblem};
pub use terrain::{TerrainClass, TerrainId};
pub use weight::{Weight, WeightError};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
