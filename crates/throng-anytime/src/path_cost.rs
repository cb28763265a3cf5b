//! What a path costs, by the objective.

use throng_model::Objective;

/// The ticks of a path that ends with its last arrival on the goal. For the time away, ticks that
/// begin and end on the goal are free.
pub(crate) fn path_cost<P: PartialEq>(path: &[P], goal: &P, objective: Objective) -> usize {
    match objective {
        Objective::SumOfCosts => path.len().saturating_sub(1),
        Objective::TimeAway => {
            path.windows(2).filter(|step| step[0] != *goal || step[1] != *goal).count()
        }
    }
}
