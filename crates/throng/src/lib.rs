//! throng moves very many units through one world. This is the one crate to add.
//!
//! [`World`] is a live world: units, orders, a map that changes, ticked by the game.
//! [`Pathfinder`] answers path queries on a map that changes. [`plan()`] brings many units to
//! their goals at once, with a [`Solver`] chosen by name. [`prelude`] has what a game needs:
//!
//! ```
//! use throng::prelude::*;
//!
//! let mut world = World::new(Map::empty(32, 16)?, WorldOptions::default())?;
//! world.fill(Rect::new(Cell::new(16, 0), 1, 14), Map::WALL)?;
//! let scout = world.spawn((2, 2), &Spawn::new(MovementProfile::eight_connected()))?;
//! world.order(scout, (30, 2))?;
//! world.queue_order(scout, Order::Hold)?;
//!
//! while world.status(scout) != Some(UnitStatus::Holding) {
//!     let report: TickReport = world.tick();
//!     for event in report.events {
//!         if let Event::Arrived { unit, at } = event {
//!             assert_eq!((unit, at), (scout, Cell::new(30, 2)));
//!         }
//!     }
//!     assert!(report.tick.0 < 60, "{:?}", world.why(scout));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules have the rest. Each is a crate of its own, and each item has its path there:
//!
//! | module | what is in it | feature |
//! |---|---|---|
//! | [`model`] | the vocabulary: maps, movement profiles, problems, plans | |
//! | [`grid`] | searches for one unit on a grid, distance fields, path following | |
//! | [`hierarchy`] | abstractions of large grids | |
//! | [`spacetime`] | moves through time: spaces, footprints, space-time A* | |
//! | [`cooperative`] | the reservation table and its planners | |
//! | [`solver`] | solvers by name | |
//! | [`anytime`] | dense crowds, plans that improve, lifelong runs; the solvers `lacam`, `lns` and `auto` | `anytime`, by default |
//! | [`world`] | the live world, snapshots, replays | `world`, by default |
//! | [`optimal`] | optimal plans with proof; the solver `joint` | `optimal` |
//! | [`referee`] | checks plans from any source | `referee` |
//! | [`formats`] | benchmark maps, scenarios and plan files | `formats` |
//! | [`spaces`] | hexagons and road networks | `spaces` |
//! | [`scene`] | polygon worlds | `scene` |
//!
//! The feature `serde` makes ids, cells, orders, events and steps serialisable (the feature
//! `world` includes it); `full` enables every feature.

mod lower_bound;
mod pathfinder;
pub mod prelude;
pub mod solver;

pub use lower_bound::{LowerBound, lower_bound, lower_bound_within};
pub use pathfinder::Pathfinder;
pub use solver::{Solver, plan};
#[cfg(feature = "anytime")]
pub use throng_anytime as anytime;
pub use throng_cooperative as cooperative;
#[cfg(feature = "formats")]
pub use throng_formats as formats;
pub use throng_grid as grid;
pub use throng_hierarchy as hierarchy;
pub use throng_model as model;
#[cfg(feature = "optimal")]
pub use throng_optimal as optimal;
#[cfg(feature = "referee")]
pub use throng_referee as referee;
#[cfg(feature = "scene")]
pub use throng_scene as scene;
#[cfg(feature = "spaces")]
pub use throng_spaces as spaces;
pub use throng_spacetime as spacetime;
#[cfg(feature = "world")]
pub use throng_world as world;
#[cfg(feature = "world")]
pub use throng_world::World;

/// The examples of both READMEs are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../README.md")]
struct Readme;
