//! What an experiment is given, and its results.

use super::{Claim, Comparison, Row, Table, Verdict};

/// How an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The first seed of the random cases.
    pub seed: u64,
    /// How many seeds: claims are judged by the median over them. 0 counts as 1.
    pub seeds: u64,
    /// Runs fewer cases per seed: for a first look, and for tests. The claims are the same.
    pub quick: bool,
    /// The number of threads; 0 counts as 1. The results do not depend on it.
    pub threads: usize,
}

impl Default for Options {
    /// Seeds 1 to 5, all cases, one thread.
    fn default() -> Self {
        Self { seed: 1, seeds: 5, quick: false, threads: 1 }
    }
}

impl Options {
    /// The seeds, in order.
    pub fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, count) = (self.seed, self.seeds.max(1));
        (0..count).map(move |at| first.wrapping_add(at))
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

/// A statement about throng itself that must hold. [`Claim`] is for what a paper says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The statement, with the number that was measured.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// A section of a paper's report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The title.
    pub title: String,
    /// How it was measured, and what the paper has. Paragraphs are separated by empty lines.
    pub text: String,
    /// Tables and pictures, in order.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A table.
    Table(Table),
    /// An SVG picture and its caption.
    Picture {
        /// What it shows.
        caption: String,
        /// The picture.
        svg: String,
    },
}

/// A stage of an experiment, and how many of its cases were run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The name.
    pub name: &'static str,
    /// Cases that were run, over all seeds.
    pub run: usize,
    /// Cases of the whole experiment.
    pub of: usize,
}

/// The results of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// The tables to print.
    pub tables: Vec<Table>,
    /// Tables as CSV, figures as SVG.
    pub files: Vec<File>,
    /// Statements about throng. If one does not hold, the experiment failed.
    pub checks: Vec<Check>,
    /// What the paper says, each with a verdict. They are also the last table.
    pub claims: Vec<Claim>,
    /// The paper's methods as printed beside ours.
    pub comparisons: Vec<Comparison>,
    /// The sections of the report.
    pub sections: Vec<Section>,
    /// Every finished measurement, also those of an earlier run.
    pub rows: Vec<Row>,
    /// The cases of each stage.
    pub stages: Vec<Stage>,
}

impl Experiment {
    /// Whether all checks hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.holds)
    }

    /// How many claims have each verdict, in the order of [`Verdict::ALL`].
    #[must_use]
    pub fn verdicts(&self) -> [usize; 4] {
        Verdict::ALL.map(|of| self.claims.iter().filter(|claim| claim.verdict == of).count())
    }
}
