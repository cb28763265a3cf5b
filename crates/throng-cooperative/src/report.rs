//! From what was found for an instance to the report that planners give.

use throng_model::{Limit, Outcome, Report, Solution, UnitId, ValidProblem};
use throng_spacetime::{GridSpace, Position};

use crate::{Instance, InstanceOutcome, InstanceReport};

impl InstanceReport {
    /// The report for the problem that the instance was made of.
    pub(crate) fn of(self, problem: &ValidProblem, instance: &Instance<GridSpace>) -> Report {
        let proven_bound = lower_bound(instance, &self.shortest);
        let outcome = match self.outcome {
            InstanceOutcome::Solved(paths) => Outcome::Solved(Solution {
                cost: sum_of_costs(instance, &paths),
                proven_bound,
                plan: instance.plan(&paths),
            }),
            InstanceOutcome::Unreachable(unit) => {
                Outcome::ProvenUnsolvable(unreachable(problem, unit))
            }
            InstanceOutcome::BudgetSpent(best) => Outcome::BudgetSpent {
                best: best.map(|paths| instance.plan(&paths)),
                proven_bound,
                limit: if self.interrupted { Limit::Interrupt } else { Limit::Expansions },
            },
            InstanceOutcome::Partial(paths) => {
                Outcome::Partial { arrived: arrived(instance, &paths), plan: instance.plan(&paths) }
            }
        };
        Report {
            outcome,
            expanded: self.expanded,
            generated: self.generated,
            peak_open: self.peak_open,
            reproducible: !self.interrupted,
        }
    }
}

fn unreachable(problem: &ValidProblem, id: UnitId) -> String {
    let unit = &problem.units[id.index()];
    format!("{id} cannot get from {} to {}: there is no path, even alone", unit.start, unit.goal)
}

/// No plan takes fewer ticks: each unit takes at least those of its shortest path, where
/// that is known in ticks, or those of a path without walls.
fn lower_bound(instance: &Instance<GridSpace>, shortest: &[Option<u64>]) -> u64 {
    let bound = |(unit, spec): (usize, &crate::InstanceUnit)| {
        let space = instance.space(unit);
        let known = shortest.get(unit).copied().flatten().filter(|_| space.costs_are_ticks());
        known.unwrap_or_else(|| space.ticks_at_least(spec.start, spec.goal))
    };
    instance.units.iter().enumerate().map(bound).sum()
}

/// Ticks until each unit's last arrival, summed up.
fn sum_of_costs<S>(instance: &Instance<S>, paths: &[Vec<Position>]) -> u64 {
    let cost = |(path, goal): (&Vec<Position>, Position)| {
        path.iter().rposition(|&at| at != goal).map_or(0, |last| last as u64 + 1)
    };
    paths.iter().zip(instance.units.iter().map(|spec| spec.goal)).map(cost).sum()
}

fn arrived<S>(instance: &Instance<S>, paths: &[Vec<Position>]) -> usize {
    let ends = paths.iter().zip(&instance.units);
    ends.filter(|(path, spec)| path.last() == Some(&spec.goal)).count()
}
