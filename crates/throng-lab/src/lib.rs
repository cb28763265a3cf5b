//! throng's laboratory: worlds to experiment on, and the experiments.
//!
//! [`generate`] makes maps and scenarios from a seed. Each paper has a module that repeats
//! its experiments: [`lanctot`], [`silver2005`], [`silver2006`], [`standley`],
//! [`xu_zou`]. An experiment opens no file
//! and prints nothing: it gives back tables, files and what it claims ([`Experiment`]).

mod case;
mod clock;
mod crowd;
mod experiment;
pub mod generate;
pub mod lanctot;
mod parallel;
mod pictures;
mod report;
pub mod silver2005;
pub mod silver2006;
mod sketch;
pub mod standley;
mod statistics;
pub mod xu_zou;

pub use experiment::{Claim, Experiment, File, LabError, Options, Progress};
pub use report::{Table, Value};
