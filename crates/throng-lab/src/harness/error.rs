//! Why an experiment failed.

use throng::grid::{JourneyError, QueryError};
use throng::model::{FactorError, MapError, MovementError};
use throng_draw::plot::PlotError;

use crate::generate::GenerateError;

/// Why an experiment failed. Each is a defect of throng, not of the input.
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
    /// A movement profile is invalid.
    #[error(transparent)]
    MovementProfile(#[from] MovementError),
    /// A search refused its query.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A journey between buildings was refused.
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
    /// The options of a ghost player are invalid.
    #[error(transparent)]
    Ghost(#[from] throng_scene::GhostError),
    /// The options of a pathfinder are invalid.
    #[error(transparent)]
    Pathfinder(#[from] throng::scene::PathfinderError),
    /// A game's log is too long.
    #[error(transparent)]
    Log(#[from] crate::lanctot::LogProblem),
    /// A scene has no room for a body where it could start.
    #[error(
        "the body fits at no player's start, gate or middle of a zone: make room, or make it smaller"
    )]
    NoRoom,
    /// The referee found a path that is not legal, or that costs something else.
    #[error("case {case} of {stage}: the referee rejects a path: {why}")]
    Illegal {
        /// The stage of the experiment.
        stage: &'static str,
        /// The case, from 0.
        case: usize,
        /// What is wrong with the path.
        why: String,
    },
    /// No random case fulfils the conditions.
    #[error("case {case} of {stage}: no case found in {tries} tries: choose another seed")]
    NoCase {
        /// The stage of the experiment.
        stage: &'static str,
        /// The case, from 0.
        case: usize,
        /// The number of tries.
        tries: u32,
    },
    /// A figure's drawing is malformed or has no solution.
    #[error("figure {0}: {1}")]
    Figure(&'static str, String),
    /// A thread panicked.
    #[error("a thread of stage {0} panicked")]
    Worker(&'static str),
}
