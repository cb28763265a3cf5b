//! D. Silver, "Cooperative Pathfinding" (AIIDE 2005): its experiment repeated.
//!
//! Ten environments of 32 x 32 cells, four-connected. A fifth of the cells are obstacles, and so
//! are the cells that those cut off. 10 to 100 units have random starts and destinations. LRA*,
//! CA*, HCA* and WHCA* with windows of 8, 16 and 32 run for 100 turns each.
//!
//! | figure | shows | table |
//! |---|---|---|
//! | 2 | an environment | |
//! | 3 | units that reach their destination | `results` |
//! | 4 | turns until they do | `results` |
//! | 5 | how often they return to a cell | `results` |
//! | 6 | work before the first move | `results` (nodes), `times` (milliseconds) |
//! | 7 | work in the most expensive turn | `results` (nodes), `times` (milliseconds) |
//!
//! The paper has one scenario per environment; we run ten for less noise. The referee checks every
//! run. Everything but the times is reproducible for any number of threads; files with times have
//! `time` in their names.

pub(crate) mod arena;
mod claims;
mod figures;
mod results;
mod times;

use crate::{Options, Paper};

/// The paper's experiments.
pub const PAPER: Paper = Paper {
    name: "silver2005",
    citation: "D. Silver, Cooperative Pathfinding, AIIDE 2005",
    parts: &[results::run, times::run],
};

/// Scenarios, over all environments.
const SCENARIOS: usize = 100;

/// The numbers of units.
fn counts(options: &Options) -> &'static [usize] {
    if options.quick { &[20, 60, 100] } else { &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100] }
}
