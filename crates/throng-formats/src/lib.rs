//! The file formats of grid pathfinding and multi-agent path finding, to and from throng's
//! model.
//!
//! Readers take bytes and open no file. Every mistake is a [`FormatError`] with line, column
//! and remedy. Sizes are checked before memory is allocated.
//!
//! | format | module |
//! |---|---|
//! | MovingAI map, scenario | [`map`], [`scen`] |
//! | terrain table of a map | [`terrain`] |
//! | kei18 result text (the default for plans) | [`kei18`] |
//! | Jiaoyang Li's paths | [`li_paths`] |
//! | libMultiRobotPlanning problem and schedule | [`multi_robot`] |
//! | MAPF tracker submissions | [`tracker`] |
//! | League of Robot Runners problem; output, as PlanViz shows it | [`lorr`], [`planviz`], [`lorr_run`] |
//!
//! [`detect`] recognises them by content. [`read_plan`] and [`write_plan`] convert between all
//! plan formats:
//!
//! ```
//! use throng_formats::{Context, FormatKind, read_plan, write_plan};
//! let paths = b"Agent 0: (0,0)->(0,1)->\nAgent 1: (1,1)->(1,0)->\n";
//! let document = read_plan(paths, &Context::default())?;
//! let kei18 = write_plan(FormatKind::Kei18, &document, &Context::default(), Default::default())?;
//! assert!(kei18.ends_with("solution=\n0:(0,0),(1,1),\n1:(1,0),(0,1),\n"));
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod csv;
mod document;
mod error;
pub mod kei18;
mod kind;
pub mod li_paths;
pub mod lorr;
pub mod lorr_run;
pub mod map;
pub mod multi_robot;
pub mod planviz;
pub mod scen;
mod steps;
pub mod terrain;
mod text;
pub mod tracker;
mod values;

pub use document::{Context, PlanDocument};
pub use error::FormatError;
pub use kind::{FormatKind, detect, read_plan, write_plan};
pub use map::{MapOptions, Passable};
pub use planviz::{LorrYear, PlanVizOptions};
pub use scen::{Scenario, ScenarioRow};
pub use steps::UpDown;
pub use terrain::TerrainTable;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
