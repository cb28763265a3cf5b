//! throng's lab: generated worlds, and experiments of papers on them.
//!
//! [`generate`] makes maps and scenarios from a seed. Each paper has a module that repeats its
//! experiments: [`lanctot`], [`silver2005`], [`silver2006`], [`standley`], [`xu_zou`].
//! [`dense_crowds`] compares every solver in crowds. [`PAPERS`] lists the papers. An experiment opens
//! no file and prints nothing: it returns tables, files and claims ([`Experiment`]).

mod crowd;
pub mod dense_crowds;
pub mod generate;
mod harness;
pub mod lanctot;
pub mod silver2005;
pub mod silver2006;
pub mod standley;
pub mod xu_zou;

pub use harness::report;
pub use harness::{
    Block, Check, Claim, Comparison, Experiment, File, Journal, LabError, Listener, Options, Paper,
    Progress, ROW_COLUMNS, Row, Section, Stage, Table, Value, Verdict,
};

/// The five papers, by name. [`dense_crowds`] is a comparison of our own.
pub const PAPERS: [Paper; 5] =
    [lanctot::PAPER, silver2005::PAPER, silver2006::PAPER, standley::PAPER, xu_zou::PAPER];

/// The README's example is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
