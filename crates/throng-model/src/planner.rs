//! The seam behind which every one-shot planner stands.

use crate::{Budget, Observer, Report, ValidProblem};

/// Plans for all units of a problem at once.
///
/// The same problem, seed and expansion budget give the same report on every machine.
pub trait Planner {
    /// Plans within the budget; the observer is told how it goes.
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Report;
}
