//! What an experiment is given, and its results.

use super::{Finding, Table};

/// How an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed of every random case.
    pub seed: u64,
    /// Runs a tenth of the cases: for a first look, and for tests.
    pub quick: bool,
    /// The number of threads; 0 counts as 1. The results do not depend on it.
    pub threads: usize,
}

impl Default for Options {
    /// Seed 1, all cases, one thread.
    fn default() -> Self {
        Self { seed: 1, quick: false, threads: 1 }
    }
}

/// The progress of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage that is running.
    pub stage: &'static str,
    /// Finished cases of this stage.
    pub done: usize,
    /// All cases of this stage.
    pub of: usize,
}

/// A file of results. The caller writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// A plain name without folder: `figure-2.svg`.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A statement that throng must fulfil. [`Finding`] is for what a paper found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The statement, with the number that was measured.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// The results of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// The tables to print.
    pub tables: Vec<Table>,
    /// Tables as CSV, figures as SVG.
    pub files: Vec<File>,
    /// The claims. If one does not hold, the experiment failed.
    pub claims: Vec<Claim>,
    /// The paper's findings, each with a verdict. They are also the last table.
    pub findings: Vec<Finding>,
}

impl Experiment {
    /// Whether all claims hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }
}
