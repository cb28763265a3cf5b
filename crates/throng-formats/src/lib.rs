//! The file formats of grid pathfinding and multi-agent path finding, to and from throng's
//! model.
//!
//! Readers take bytes and open no file. Every mistake comes back as a [`FormatError`] that
//! names line, column and remedy; sizes are checked before memory is taken for them.

mod document;
mod error;
pub mod kei18;
pub mod map;
pub mod scen;
mod text;

pub use document::{Context, PlanDocument};
pub use error::FormatError;
pub use map::{MapOptions, Passable};
pub use scen::{Scenario, ScenarioRow};
