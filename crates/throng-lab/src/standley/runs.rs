//! Every planner on every instance, against the processor's clock.

use throng::cooperative::Windowed;
use throng::model::{Budget, Outcome, Planner as _, Silent, Solution};

use super::instances::{self, Instance};
use super::methods::Method;
use crate::harness::clock::{Deadline, timed};
use crate::harness::{CaseId, Row, Rows, Study};
use crate::{LabError, Options};

/// Instances per seed. With five seeds there are 200, as in the paper.
const INSTANCES: usize = 40;
const INSTANCES_QUICK: usize = 4;

/// The processor time of a run, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) most: f64,
    /// Where the planner with one technique more has failed.
    pub(super) least: f64,
}

impl Limits {
    /// The paper has 20 seconds.
    pub(super) fn of(options: &Options) -> Self {
        let (most, least) = if options.quick { (1000.0, 100.0) } else { (5000.0, 1000.0) };
        Self { most, least }
    }
}

pub(super) fn measure(study: &mut Study<'_>) -> Result<Rows, LabError> {
    let limits = Limits::of(study.options());
    let instances = if study.options().quick { INSTANCES_QUICK } else { INSTANCES };
    study.trials("instances", "instances", instances, |id| run_case(id, limits))
}

/// All planners on one instance.
fn run_case(id: &CaseId, limits: Limits) -> Result<Vec<Row>, LabError> {
    let instance = instances::instance(*id)?;
    let mut rows: Vec<Row> = Vec::new();
    for method in Method::ALL {
        let is_solved = |row: &Row| row.get("cost").is_some();
        let of = |method: Method| rows.iter().find(|row| row.solver == method.name());
        let is_hopeless = method.stronger().and_then(of).is_some_and(|row| !is_solved(row));
        let limit = if is_hopeless { limits.least } else { limits.most };
        let row = run_one(method, &instance, limit)?;
        agree(method, &row, of(Method::Ours), &instance)?;
        rows.push(row);
    }
    rows.push(windowed(&instance)?);
    Ok(rows)
}

fn parameters(instance: &Instance) -> String {
    format!("units={}", instance.units())
}

/// Runs a planner once; the referee checks its plan.
fn run_one(method: Method, instance: &Instance, limit: f64) -> Result<Row, LabError> {
    let deadline = Deadline::after(limit);
    let is_over = || deadline.is_over();
    let budget = Budget::unlimited().with_interrupt(&is_over);
    let planner = method.planner();
    let (report, milliseconds) =
        timed(|| planner.plan_detailed(&instance.problem, budget, &mut Silent));
    let report = report.map_err(|error| instance.id.illegal(error.to_string()))?;
    let statistics = report.statistics;
    let row = Row::of(method.name(), parameters(instance))
        .spent(statistics.expanded, milliseconds, statistics.bytes)
        .metric("limit", limit)
        .metric("generated", statistics.generated as f64)
        .metric("open", statistics.final_open as f64)
        .metric("closed", statistics.final_closed as f64)
        .metric("groups", statistics.groups as f64)
        .metric("most", statistics.most_expanded as f64)
        .metric("largest", statistics.largest_group as f64);
    match &report.report.outcome {
        Outcome::Solved(solution) => {
            let (cost, bound) = judge(instance, solution)?;
            let row = row.outcome("solved").metric("cost", cost as f64);
            Ok(row.metric("bound", bound as f64))
        }
        Outcome::BudgetSpent { .. } => Ok(row.outcome("budget spent")),
        other => Err(instance.id.illegal(format!("{other:?} on a solvable instance"))),
    }
}

fn judge(instance: &Instance, solution: &Solution) -> Result<(u64, u64), LabError> {
    let verdict = throng::referee::check(&instance.problem, &solution.plan);
    if let Some(violation) = verdict.violations.first() {
        return Err(instance.id.illegal(violation.to_string()));
    }
    if verdict.time_away != solution.cost {
        let why = format!("it costs {}, not {}", verdict.time_away, solution.cost);
        return Err(instance.id.illegal(why));
    }
    Ok((solution.cost, solution.proven_bound))
}

/// Checks that planners prove the same costs, and that none exceeds its weight.
fn agree(
    method: Method,
    row: &Row,
    best: Option<&Row>,
    instance: &Instance,
) -> Result<(), LabError> {
    let optimum = best.and_then(|best| best.get("cost"));
    let (Some(cost), Some(bound), Some(optimum)) = (row.get("cost"), row.get("bound"), optimum)
    else {
        return Ok(());
    };
    let is_right = if method.is_optimal() {
        (cost - optimum).abs() < 0.5
    } else {
        bound <= optimum && cost <= 1.1 * optimum
    };
    if is_right {
        return Ok(());
    }
    let name = method.name();
    let why = format!("{name} finds {cost} and proves {bound}; the optimum is {optimum}");
    Err(instance.id.illegal(why))
}

/// The name of the planner that the paper compares itself with.
pub(super) const WHCA: &str = "WHCA*(16) as printed in 2005";

/// WHCA* of the related work: the time that units spend away, and how many fail.
fn windowed(instance: &Instance) -> Result<Row, LabError> {
    let planner = Windowed::silver2005();
    let (report, milliseconds) =
        timed(|| planner.plan(&instance.problem, 0, Budget::unlimited(), &mut Silent));
    let report = report.map_err(|error| instance.id.illegal(error.to_string()))?;
    let row = Row::of(WHCA, parameters(instance)).spent(report.expanded, milliseconds, 0);
    let plan = match &report.outcome {
        Outcome::Solved(solution) => &solution.plan,
        Outcome::Partial { plan, .. } => plan,
        other => return Err(instance.id.illegal(format!("{other:?} by WHCA*"))),
    };
    instance.id.judge_plan(&instance.problem, plan)?;
    let ends = plan.paths.iter().zip(&instance.problem.units);
    let failed = ends.filter(|(path, unit)| path.last() != Some(&unit.goal)).count();
    let row = row.metric("failed", 100.0 * failed as f64 / instance.units() as f64);
    if failed > 0 {
        return Ok(row.outcome(format!("{failed} units fail")));
    }
    let time_away = throng::referee::check(&instance.problem, plan).time_away;
    Ok(row.outcome("solved").metric("cost", time_away as f64))
}
