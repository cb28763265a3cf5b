//! D. Silver, "Cooperative Pathfinding" (AIIDE 2005): its experiment repeated.
//!
//! Environments of 32 x 32 cells, four-connected, ten for each seed. A fifth of the cells are
//! obstacles, and so are the cells that those cut off. 10 to 100 units have random starts and
//! destinations. LRA*, CA*, HCA* and WHCA* with windows of 8, 16 and 32 run for 100 turns each: as
//! printed, and beside them with what we added.
//!
//! | figure | shows |
//! |---|---|
//! | 1 | a problem that CA* cannot solve |
//! | 2 | an environment |
//! | 3 | units that do not reach their destination |
//! | 4 | turns until they do |
//! | 5 | how often they return to a cell |
//! | 6 | work and time before the first move |
//! | 7 | work and time of the most expensive turn |
//!
//! Beside the figures: how many units plan per turn (`searches`), and how the window and the size of
//! a group belong together (`groups`).
//!
//! The paper has one scenario for each of ten environments; so has each seed. The referee checks every
//! run. Everything but the times is reproducible for any number of threads; files with times have
//! `time` in their names.

pub(crate) mod arena;
mod claims;
mod figure_1;
mod figures;
mod groups;
mod runs;
mod searches;

use crate::Paper;

/// The paper's experiments.
pub const PAPER: Paper = Paper {
    name: "silver2005",
    citation: "D. Silver, Cooperative Pathfinding, AIIDE 2005",
    parts: &[figure_1::run, runs::run, searches::run, groups::run],
};
