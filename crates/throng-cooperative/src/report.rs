//! From what was found for a fleet to the report that planners give.

use throng_model::{Limit, Outcome, Report, Solution, UnitId, ValidProblem};
use throng_spacetime::{GridSpace, Position};

use crate::{Fleet, FleetOutcome, FleetReport};

impl FleetReport {
    /// The report for the problem that the fleet was made of.
    pub(crate) fn of(self, problem: &ValidProblem, fleet: &Fleet<GridSpace>) -> Report {
        let proven_bound = lower_bound(fleet, &self.shortest);
        let outcome = match self.outcome {
            FleetOutcome::Solved(paths) => Outcome::Solved(Solution {
                cost: sum_of_costs(fleet, &paths),
                proven_bound,
                plan: fleet.plan(&paths),
            }),
            FleetOutcome::Unreachable(unit) => {
                Outcome::ProvenUnsolvable(unreachable(problem, unit))
            }
            FleetOutcome::BudgetSpent(best) => Outcome::BudgetSpent {
                best: best.map(|paths| fleet.plan(&paths)),
                proven_bound,
                limit: if self.interrupted { Limit::Interrupt } else { Limit::Expansions },
            },
            FleetOutcome::Partial(paths) => {
                Outcome::Partial { arrived: arrived(fleet, &paths), plan: fleet.plan(&paths) }
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

fn unreachable(problem: &ValidProblem, unit: u32) -> String {
    let (id, unit) = (UnitId::new(unit), &problem.units[unit as usize]);
    format!("{id} cannot get from {} to {}: there is no way, even alone", unit.start, unit.goal)
}

/// No plan takes fewer ticks: each unit takes at least those of its shortest path, where
/// that is known in ticks, or those of a path without walls.
fn lower_bound(fleet: &Fleet<GridSpace>, shortest: &[Option<u64>]) -> u64 {
    let bound = |(unit, rider): (usize, &crate::Rider)| {
        let space = fleet.space(unit);
        let known = shortest.get(unit).copied().flatten().filter(|_| space.costs_are_ticks());
        known.unwrap_or_else(|| space.ticks_at_least(rider.start, rider.goal))
    };
    fleet.riders.iter().enumerate().map(bound).sum()
}

/// Ticks until each unit's last arrival, summed up.
fn sum_of_costs<S>(fleet: &Fleet<S>, paths: &[Vec<Position>]) -> u64 {
    let cost = |(path, goal): (&Vec<Position>, Position)| {
        path.iter().rposition(|&at| at != goal).map_or(0, |last| last as u64 + 1)
    };
    paths.iter().zip(fleet.riders.iter().map(|rider| rider.goal)).map(cost).sum()
}

fn arrived<S>(fleet: &Fleet<S>, paths: &[Vec<Position>]) -> usize {
    let ends = paths.iter().zip(&fleet.riders);
    ends.filter(|(path, rider)| path.last() == Some(&rider.goal)).count()
}
