//! What an experiment is given and what comes of it.

use throng::grid::{JourneyError, QueryError};
use throng::model::{FactorError, MapError, MovementError};
use throng_draw::plot::PlotError;

use crate::Table;
use crate::generate::GenerateError;

/// How an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Decides every random case.
    pub seed: u64,
    /// A tenth of the cases: for a first look, and for tests.
    pub quick: bool,
    /// How many threads work; 0 counts as 1. The results are the same for any number.
    pub threads: usize,
}

impl Default for Options {
    /// Seed 1, all cases, one thread.
    fn default() -> Self {
        Self { seed: 1, quick: false, threads: 1 }
    }
}

impl Options {
    /// How many cases to run where the whole experiment has `all`.
    pub(crate) fn cases(&self, all: usize) -> usize {
        if self.quick { all / 10 } else { all }
    }
}

/// How far an experiment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: &'static str,
    /// Cases done in this stage.
    pub done: usize,
    /// Cases of this stage.
    pub of: usize,
}

/// Something to be written to a file of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// A plain name without folder: `figure-2.svg`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl File {
    pub(crate) fn new(name: &str, text: String) -> Self {
        Self { name: name.to_owned(), bytes: text.into_bytes() }
    }
}

/// A sentence that the experiment puts to the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What must hold, with the number that was measured.
    pub text: String,
    /// Whether it does.
    pub holds: bool,
}

/// What came of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// What was measured, to be printed.
    pub tables: Vec<Table>,
    /// The tables as CSV, charts and pictures as SVG.
    pub files: Vec<File>,
    /// What was put to the test. If one of them does not hold, the experiment failed.
    pub claims: Vec<Claim>,
}

impl Experiment {
    /// Whether all claims hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }

    /// Adds a table, and the file of it.
    pub(crate) fn add_table(&mut self, table: Table) {
        self.add_csv(&table);
        self.tables.push(table);
    }

    /// Adds the file of a table that is too long to be printed.
    pub(crate) fn add_csv(&mut self, table: &Table) {
        self.files.push(File::new(&format!("{}.csv", table.name), table.csv()));
    }

    pub(crate) fn add_picture(&mut self, name: &str, svg: String) {
        self.files.push(File::new(&format!("{name}.svg"), svg));
    }

    pub(crate) fn claim(&mut self, holds: bool, text: String) {
        self.claims.push(Claim { text, holds });
    }
}

/// Why an experiment could not be done. Each is a defect of throng, not of the input.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LabError {
    /// A map could not be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A map could not be made or edited.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A terrain factor is out of bounds.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// The way units move makes no sense.
    #[error(transparent)]
    MovementProfile(#[from] MovementError),
    /// A search refused.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A journey could not be begun.
    #[error(transparent)]
    Journey(#[from] JourneyError),
    /// A chart could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A picture could not be drawn.
    #[error(transparent)]
    Draw(#[from] throng_draw::DrawError),
    /// A scene is not valid.
    #[error(transparent)]
    Scene(#[from] throng_scene::SceneErrors),
    /// A body cannot walk a scene.
    #[error(transparent)]
    Ghost(#[from] throng_scene::GhostError),
    /// A pathfinder for a scene cannot be set up.
    #[error(transparent)]
    Pathfinder(#[from] throng::scene::PathfinderError),
    /// A game's log is too long.
    #[error(transparent)]
    Log(#[from] crate::lanctot::LogProblem),
    /// A scene has no room for its first player.
    #[error("the first player does not fit where it begins; move it, or make it smaller")]
    NoRoom,
    /// The referee found a path that is not legal, or that costs something else.
    #[error("case {case} of {stage}: the referee rejects a path: {why}")]
    Illegal {
        /// Which stage of the experiment.
        stage: &'static str,
        /// Which case, from 0.
        case: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A case that cannot be made, however often one tries.
    #[error("case {case} of {stage}: no case found in {tries} tries; choose another seed")]
    NoCase {
        /// Which stage of the experiment.
        stage: &'static str,
        /// Which case, from 0.
        case: usize,
        /// How often it was tried.
        tries: u32,
    },
    /// A figure's drawing is malformed or has no solution.
    #[error("figure {0}: {1}")]
    Figure(&'static str, String),
    /// A thread ended before its cases were done.
    #[error("a worker of {0} ended early")]
    Worker(&'static str),
}
