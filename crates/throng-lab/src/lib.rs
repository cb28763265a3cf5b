//! throng's lab: generated worlds, and experiments of papers on them.
//!
//! [`generate`] makes maps and scenarios from a seed. Each paper has a module that repeats its
//! experiments: [`lanctot`], [`silver2005`], [`silver2006`], [`standley`], [`xu_zou`].
//! [`dense_crowds`] compares every solver in crowds. [`PAPERS`] lists them all. An experiment opens no file and prints nothing: it returns tables, files and
//! claims ([`Experiment`]).

mod crowd;
pub mod dense_crowds;
pub mod generate;
mod harness;
pub mod lanctot;
pub mod silver2005;
pub mod silver2006;
pub mod standley;
pub mod xu_zou;

pub use harness::{
    Claim, Experiment, File, Finding, LabError, Options, Paper, Progress, Table, Value, Verdict,
};

/// Every experiment of the lab, by name.
pub const PAPERS: [Paper; 6] = [
    dense_crowds::PAPER,
    lanctot::PAPER,
    silver2005::PAPER,
    silver2006::PAPER,
    standley::PAPER,
    xu_zou::PAPER,
];

/// The README's example is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
