//! What throng guarantees, as claims that can fail.

use super::methods::Method;
use super::runs::{Run, Runs};
use crate::harness::Study;
use crate::harness::statistics::mean;

/// "Guaranteed to be within 10% of the optimal solution (typically they will be much
/// better)."
pub(super) fn check(runs: &Runs, study: &mut Study<'_>) {
    for method in [Method::Weighted, Method::OursWeighted] {
        let both: Vec<_> = runs.both(method, Method::Ours).collect();
        let worst = both.iter().map(cost_ratio).fold(1.0, f64::max);
        let text = format!(
            "{}: no plan costs more than 1.1 times the optimum: {worst:.3} times at worst, {:.4} on \
             average, over {} instances",
            method.name(),
            mean(both.iter().map(cost_ratio)),
            both.len()
        );
        study.claim(worst <= 1.1 && !both.is_empty(), text);
    }
}

/// The cost of a plan, by the optimum.
pub(super) fn cost_ratio((run, optimal): &(&Run, &Run)) -> f64 {
    let cost = |run: &Run| run.solved.map_or(0.0, |(cost, _)| cost as f64);
    cost(run) / cost(optimal).max(1.0)
}
