//! From a problem on a grid to an instance, and from what was found to a report.

use throng_model::{
    Budget, Limit, Observer, Outcome, PlanError, Planner, Problem, Report, Solution, UnitId,
    ValidProblem,
};
use throng_spacetime::{FootprintRules, GridSpace, Instance};

use crate::JointAStar;
use crate::grid_rules::GridRules;
use crate::instance::{JointInstanceReport, JointOutcome};
use crate::space_rules::Spaces;
use crate::statistics::{JointReport, Statistics};

impl JointAStar {
    /// Plans as [`Planner::plan`] does, and reports the effort in full.
    ///
    /// # Errors
    /// None today: every valid problem is supported.
    pub fn plan_detailed(
        &self,
        problem: &ValidProblem,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<JointReport, PlanError> {
        let instance = Instance::by_time(problem, &FootprintRules::default());
        let found = if is_by_cells(problem) {
            let rules = GridRules { counted: problem.conflicts, width: problem.map.width() };
            self.solve(rules, &instance, budget, observer)
        } else {
            self.solve(&Spaces::new(&instance.spaces), &instance, budget, observer)
        };
        Ok(report(problem, &instance, found))
    }
}

impl Planner for JointAStar {
    /// Joint A* makes no random choices: the seed has no effect.
    fn plan(
        &self,
        problem: &ValidProblem,
        _seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        Ok(self.plan_detailed(problem, budget, observer)?.report)
    }
}

/// Whether all units cover one cell and take one tick per step.
fn is_by_cells(problem: &Problem) -> bool {
    problem.units.iter().all(|unit| {
        let movement = &problem.movements[unit.movement];
        (movement.footprint, movement.pace) == (1, 1) && movement.has_even_steps()
    })
}

fn report(
    problem: &Problem,
    instance: &Instance<GridSpace>,
    found: JointInstanceReport,
) -> JointReport {
    let mut reproducible = true;
    let outcome = match found.outcome {
        JointOutcome::Solved { paths, cost, proven_bound } => {
            Outcome::Solved(Solution { plan: instance.plan(&paths), cost, proven_bound })
        }
        JointOutcome::Unreachable(unit) => Outcome::ProvenUnsolvable(unreachable(problem, unit)),
        JointOutcome::Unsolvable(units) => Outcome::ProvenUnsolvable(no_plan(&units)),
        JointOutcome::BudgetSpent { proven_bound, limit } => {
            reproducible = limit != Limit::Interrupt;
            Outcome::BudgetSpent { best: None, proven_bound, limit }
        }
    };
    let Statistics { expanded, generated, peak_open, .. } = found.statistics;
    let report = Report { outcome, expanded, generated, peak_open, reproducible };
    JointReport { report, statistics: found.statistics }
}

fn unreachable(problem: &Problem, id: UnitId) -> String {
    let unit = &problem.units[id.index()];
    format!("{id} cannot get from {} to {}: there is no way, even alone", unit.start, unit.goal)
}

/// Most units named in a message.
const NAMED_MAX: usize = 10;

fn no_plan(units: &[UnitId]) -> String {
    let named: Vec<_> = units.iter().take(NAMED_MAX).map(|unit| unit.index().to_string()).collect();
    let more = match units.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "units {}{more} cannot all reach their goals: the search of all their joint states found no \
         plan",
        named.join(", ")
    )
}
