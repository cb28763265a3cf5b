//! The referee's check of an outcome. No plan is shown or written that is not what its
//! planner says it is.

use anyhow::Result;
use throng::model::{Limit, Objective, Outcome, Plan, Problem};
use throng::referee::{self, Verdict};

use crate::report::Exit;

/// The status of the result, by the names that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Solved,
    Unsolvable,
    Budget,
    Partial,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Budget => "budget",
            Self::Partial => "partial",
        }
    }

    pub(super) fn exit(self) -> Exit {
        match self {
            Self::Solved => Exit::Success,
            Self::Budget | Self::Partial => Exit::BudgetSpent,
            Self::Unsolvable => Exit::Refuted,
        }
    }
}

/// An outcome that the referee agrees with.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) status: Status,
    plan: Option<(Plan, Verdict)>,
    /// The bound that the planner has proven, on what it minimises.
    pub(super) proven_bound: Option<u64>,
    /// Why there is no plan at all.
    pub(super) reason: Option<String>,
    /// The limit that ended planning early.
    pub(super) limit: Option<Limit>,
}

impl Judged {
    /// The plan, if there is one, and the referee's verdict.
    pub(super) fn plan(&self) -> Option<(&Plan, &Verdict)> {
        self.plan.as_ref().map(|(plan, verdict)| (plan, verdict))
    }
}

/// Checks the planner's outcome with the referee. It shares no code with the planners: a
/// disagreement is a bug in one of them, never a mistake in the input.
pub(super) fn judge(problem: &Problem, objective: Objective, outcome: Outcome) -> Result<Judged> {
    let nothing =
        |status| Judged { status, plan: None, proven_bound: None, reason: None, limit: None };
    Ok(match outcome {
        Outcome::Solved(solution) => {
            let plan = approved(problem, solution.plan, Verdict::is_valid)?;
            match objective {
                Objective::SumOfCosts => {
                    agree("the sum of costs is", solution.cost, plan.1.sum_of_costs)?;
                }
                Objective::TimeAway => agree("time away is", solution.cost, plan.1.time_away)?,
            }
            let proven_bound = Some(solution.proven_bound);
            Judged { plan: Some(plan), proven_bound, ..nothing(Status::Solved) }
        }
        Outcome::ProvenUnsolvable(reason) => {
            Judged { reason: Some(reason), ..nothing(Status::Unsolvable) }
        }
        Outcome::BudgetSpent { best, proven_bound, limit } => {
            let plan = best.map(|plan| approved(problem, plan, Verdict::is_legal)).transpose()?;
            let (proven_bound, limit) = (Some(proven_bound), Some(limit));
            Judged { plan, proven_bound, limit, ..nothing(Status::Budget) }
        }
        Outcome::Partial { plan, arrived } => {
            let plan = approved(problem, plan, Verdict::is_legal)?;
            agree("units that arrive:", arrived as u64, plan.1.arrived as u64)?;
            if plan.1.is_valid() {
                return Err(disagreement("every unit arrives, yet it is called partial"));
            }
            Judged { plan: Some(plan), ..nothing(Status::Partial) }
        }
    })
}

/// How many violations people are shown.
const SHOWN_MAX: usize = 3;

fn approved(
    problem: &Problem,
    plan: Plan,
    is_fine: impl Fn(&Verdict) -> bool,
) -> Result<(Plan, Verdict)> {
    let verdict = referee::check(problem, &plan);
    if is_fine(&verdict) {
        return Ok((plan, verdict));
    }
    let shown = verdict.violations.iter().take(SHOWN_MAX).map(ToString::to_string);
    Err(disagreement(&shown.collect::<Vec<_>>().join("; ")))
}

fn agree(what: &str, planner: u64, referee: u64) -> Result<()> {
    if planner == referee {
        return Ok(());
    }
    Err(disagreement(&format!("{what} {planner} for the planner, {referee} for the referee")))
}

/// The error for two parts of throng that contradict each other.
pub(super) fn disagreement(about: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "internal: the referee objects to the plan: {about}; this is a bug in throng, please \
         report it with the map, the scenario and the command"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::model::{Cell, Map, MovementProfile, Solution, Unit};

    /// Two units in a row of four cells that both go one cell to the right.
    fn problem() -> Problem {
        let units = vec![Unit::new((0, 0), (1, 0)), Unit::new((2, 0), (3, 0))];
        Problem::new(Map::empty(4, 1).unwrap(), MovementProfile::four_connected(), units)
    }

    fn plan(columns: [&[u16]; 2]) -> Plan {
        let path = |columns: &[u16]| columns.iter().map(|&x| Cell::new(x, 0)).collect();
        Plan { paths: columns.map(path).to_vec() }
    }

    fn solved(columns: [&[u16]; 2], cost: u64) -> Outcome {
        Outcome::Solved(Solution { plan: plan(columns), cost, proven_bound: 2 })
    }

    fn spent(best: Option<Plan>) -> Outcome {
        Outcome::BudgetSpent { best, proven_bound: 2, limit: Limit::Expansions }
    }

    #[track_caller]
    fn objects(outcome: Outcome, said: &str) {
        let error = judge(&problem(), Objective::SumOfCosts, outcome).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("a bug in throng"), "{error}");
    }

    #[test]
    fn a_planner_that_is_wrong_is_found_out() {
        objects(solved([&[0, 1], &[2]], 1), "ends elsewhere than on its goal");
        objects(solved([&[0, 1], &[2, 4]], 2), "off the map");
        objects(solved([&[0, 1], &[2, 3]], 3), "3 for the planner, 2 for the referee");
        let partial = |columns, arrived| Outcome::Partial { plan: plan(columns), arrived };
        objects(partial([&[0, 1], &[2, 1]], 1), "hold the same cells");
        objects(partial([&[0, 1], &[2]], 2), "2 for the planner, 1 for the referee");
        objects(partial([&[0, 1], &[2, 3]], 2), "yet it is called partial");
        objects(spent(Some(plan([&[0, 1], &[2, 1]]))), "hold the same cells");
    }

    #[test]
    fn outcomes_keep_their_names_and_exit_codes() {
        let check = |outcome, status: Status, arrived: Option<usize>| {
            let judged = judge(&problem(), Objective::SumOfCosts, outcome).unwrap();
            assert_eq!(judged.status, status);
            assert_eq!(judged.plan().map(|(_, verdict)| verdict.arrived), arrived);
        };
        check(solved([&[0, 1], &[2, 3]], 2), Status::Solved, Some(2));
        check(Outcome::ProvenUnsolvable("wall".to_owned()), Status::Unsolvable, None);
        check(spent(None), Status::Budget, None);
        check(spent(Some(plan([&[0, 1], &[2, 3]]))), Status::Budget, Some(2));
        check(spent(Some(plan([&[0], &[2, 3]]))), Status::Budget, Some(1));
        let partial = Outcome::Partial { plan: plan([&[0], &[2, 3]]), arrived: 1 };
        check(partial, Status::Partial, Some(1));
        let exits = [Status::Solved, Status::Budget, Status::Partial, Status::Unsolvable];
        let codes = [Exit::Success, Exit::BudgetSpent, Exit::BudgetSpent, Exit::Refuted];
        assert_eq!(exits.map(Status::exit), codes);
    }
}
