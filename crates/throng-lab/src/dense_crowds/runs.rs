//! One solver on one instance, and what the referee says of its plan.

use throng::model::{Budget, Outcome, Plan, Planner as _, Silent, ValidProblem};

use super::methods::Method;
use crate::LabError;
use crate::harness::CaseId;
use crate::harness::clock::timed;

/// The result of one solver on one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The sum of costs and the makespan of a plan that brings all units to their goals.
    pub(super) solved: Option<(u64, u32)>,
    /// Every unit on its shortest path.
    pub(super) lower_bound: u64,
    /// Units that end on their goals.
    pub(super) arrived: usize,
    pub(super) expanded: u64,
    pub(super) milliseconds: f64,
}

impl Run {
    /// Runs a solver within a number of expansions.
    pub(super) fn of(
        id: &CaseId,
        method: Method,
        problem: &ValidProblem,
        lower_bound: u64,
        expansions: u64,
    ) -> Result<Self, LabError> {
        let refused = |why: String| id.illegal(format!("{}: {why}", method.name()));
        let solver = method.solver().map_err(|error| refused(error.to_string()))?;
        let budget = Budget::expansions(expansions);
        let (report, milliseconds) = timed(|| solver.plan(problem, id.seed, budget, &mut Silent));
        let report = report.map_err(|error| refused(error.to_string()))?;
        let run =
            Self { solved: None, lower_bound, arrived: 0, expanded: report.expanded, milliseconds };
        match report.outcome {
            Outcome::Solved(solution) => {
                let run = run.judged(id, problem, &solution.plan)?;
                match run.solved {
                    Some((cost, _)) if cost == solution.cost => Ok(run),
                    _ => Err(refused("its plan is not the solution that it reports".to_owned())),
                }
            }
            Outcome::Partial { plan, .. } | Outcome::BudgetSpent { best: Some(plan), .. } => {
                run.judged(id, problem, &plan)
            }
            Outcome::BudgetSpent { best: None, .. } => Ok(run),
            // The generators connect all cells and leave most of them free.
            Outcome::ProvenUnsolvable(why) => Err(refused(why)),
        }
    }

    /// With the referee's counts of a plan.
    fn judged(self, id: &CaseId, problem: &ValidProblem, plan: &Plan) -> Result<Self, LabError> {
        id.judge_plan(problem, plan)?;
        let verdict = throng::referee::check(problem, plan);
        let solved = verdict.is_valid().then_some((verdict.sum_of_costs, verdict.makespan.0));
        Ok(Self { solved, arrived: verdict.arrived, ..self })
    }

    /// The sum of costs, as a multiple of the lower bound.
    pub(super) fn cost(&self) -> Option<f64> {
        let (cost, _) = self.solved?;
        Some(cost as f64 / self.lower_bound.max(1) as f64)
    }
}
