//! throng's laboratory: worlds to experiment on, and the experiments.
//!
//! [`generate`] makes maps and scenarios from a seed. Each paper has a module that repeats
//! its experiments: [`xu_zou`]. An experiment opens no file and prints nothing: it gives
//! back tables, files and what it claims ([`Experiment`]).

mod experiment;
pub mod generate;
mod parallel;
mod report;
mod statistics;
pub mod xu_zou;

pub use experiment::{Claim, Experiment, File, LabError, Options, Progress};
pub use report::{Table, Value};
