//! The interface of every one-shot planner, and the reasons to refuse a problem.

use crate::{Budget, Observer, Report, UnitId, ValidProblem};

/// Plans for all units of a problem at once.
///
/// The same problem, seed and expansion budget give the same report on every machine.
pub trait Planner {
    /// Plans within the budget and tells the observer about its progress.
    ///
    /// # Errors
    /// When the planner does not support something that the problem asks for. It has not
    /// planned then; another planner may.
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError>;
}

/// Why a planner refuses a valid problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A unit moves in a way that the planner does not support.
    #[error("{planner} does not support {movement} ({unit}); use {instead}")]
    Unsupported {
        /// The planner.
        planner: &'static str,
        /// The first unit that moves in this way.
        unit: UnitId,
        /// The part of its movement profile that is not supported.
        movement: String,
        /// The planners that support it.
        instead: &'static str,
    },
}
