//! Every planner on every instance, against the clock.

use throng::model::Silent;
use throng::model::{Budget, Outcome, Solution};
use throng::optimal::Statistics;

use super::instances::{self, Instance};
use super::methods::Method;
use super::{claims, figures, findings};
use crate::harness::clock::{Deadline, timed};
use crate::harness::statistics::{mean, percentile};
use crate::harness::{Study, row};
use crate::{LabError, Options, Table};

const MS_PER_SECOND: f64 = 1000.0;
/// Failures in a row, on instances with increasing numbers of units, until a planner gets less time.
const FAILURES_MAX: usize = 10;

/// The time limits of a run, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) most: f64,
    /// For runs that will hardly succeed, and for "easy" instances.
    pub(super) least: f64,
}

/// A time in seconds, as it is printed.
pub(super) fn seconds(milliseconds: f64) -> String {
    format!("{} s", milliseconds / MS_PER_SECOND)
}

impl Limits {
    fn of(options: &Options) -> Self {
        if options.quick {
            Self { most: 300.0, least: 100.0 }
        } else {
            Self { most: 20.0 * MS_PER_SECOND, least: MS_PER_SECOND }
        }
    }
}

/// The result of one planner on one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) units: usize,
    /// The plan's cost and the proven bound, if it was found in time.
    pub(super) solved: Option<(u64, u64)>,
    pub(super) milliseconds: f64,
    /// Whether it had only the least time.
    pub(super) is_short: bool,
    pub(super) statistics: Statistics,
}

impl Run {
    pub(super) fn within(&self, milliseconds: f64) -> bool {
        self.solved.is_some() && self.milliseconds <= milliseconds
    }

    /// Open nodes per closed node at the end.
    pub(super) fn open_to_closed(&self) -> f64 {
        self.statistics.final_open as f64 / self.statistics.final_closed.max(1) as f64
    }

    pub(super) fn mebibytes(&self) -> f64 {
        self.statistics.bytes as f64 / f64::from(1 << 20)
    }
}

/// All runs, by planner and instance.
pub(super) struct Runs {
    pub(super) by_method: Vec<(Method, Vec<Run>)>,
    pub(super) limits: Limits,
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let runs = measure(study)?;
    study.table(runs.summary());
    study.csv(&runs.table());
    claims::check(&runs, study);
    findings::judge(&runs, study)?;
    figures::draw(&runs, study)
}

fn measure(study: &mut Study<'_>) -> Result<Runs, LabError> {
    let (instances, limits) = (instances::all(study)?, Limits::of(study.options()));
    let mut by_method: Vec<(Method, Vec<Run>)> = Vec::new();
    for method in Method::ALL {
        let best = by_method.first().map(|(_, runs)| &runs[..]);
        let runs = run_all(method, best, &instances, limits, study)?;
        by_method.push((method, runs));
    }
    Ok(Runs { by_method, limits })
}

fn run_all(
    method: Method,
    best: Option<&[Run]>,
    instances: &[Instance],
    limits: Limits,
    study: &mut Study<'_>,
) -> Result<Vec<Run>, LabError> {
    let mut runs: Vec<Run> = Vec::new();
    let stage = method.name();
    while runs.len() < instances.len() {
        let from = runs.len();
        let batch = &instances[from..instances.len().min(from + FAILURES_MAX)];
        let has_failed = runs.len() >= FAILURES_MAX
            && runs[runs.len() - FAILURES_MAX..].iter().all(|run| run.solved.is_none());
        let done = study.cases_silently(stage, batch.len(), |(): &mut (), id| {
            let is_hard = best.is_some_and(|best| best[from + id.case].solved.is_none());
            let limit = if has_failed || is_hard { limits.least } else { limits.most };
            run_one(method, &batch[id.case], limit, limits)
        })?;
        runs.extend(done);
        study.report(stage, runs.len(), instances.len());
    }
    agree(method, best, instances, &runs)?;
    Ok(runs)
}

/// Runs a planner once; the referee checks its plan.
fn run_one(
    method: Method,
    instance: &Instance,
    limit: f64,
    limits: Limits,
) -> Result<Run, LabError> {
    let deadline = Deadline::after(limit);
    let is_over = || deadline.is_over();
    let budget = Budget::unlimited().with_interrupt(&is_over);
    let planner = method.planner();
    let (report, milliseconds) =
        timed(|| planner.plan_detailed(&instance.problem, budget, &mut Silent));
    let report = report.map_err(|error| instance.id.illegal(error.to_string()))?;
    let solved = match &report.report.outcome {
        Outcome::Solved(solution) => Some(judge(instance, solution)?),
        Outcome::BudgetSpent { .. } => None,
        other => return Err(instance.id.illegal(format!("{other:?} on a solvable instance"))),
    };
    let (statistics, is_short) = (report.statistics, limit < limits.most);
    Ok(Run { units: instance.units(), solved, milliseconds, is_short, statistics })
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

/// Checks that all planners prove the same costs.
fn agree(
    method: Method,
    best: Option<&[Run]>,
    instances: &[Instance],
    runs: &[Run],
) -> Result<(), LabError> {
    for ((run, best), instance) in runs.iter().zip(best.into_iter().flatten()).zip(instances) {
        let (Some((cost, bound)), Some((optimum, _))) = (run.solved, best.solved) else { continue };
        let right = if method.is_optimal() { cost == optimum } else { bound <= optimum };
        if !right {
            let name = method.name();
            let why = format!("{name} finds {cost} and proves {bound}; the optimum is {optimum}");
            return Err(instance.id.illegal(why));
        }
    }
    Ok(())
}

impl Runs {
    pub(super) fn of(&self, method: Method) -> &[Run] {
        let found = self.by_method.iter().find(|(known, _)| *known == method);
        found.map_or(&[], |(_, runs)| runs)
    }

    /// How many instances were solved within a time.
    pub(super) fn solved(&self, method: Method, milliseconds: f64) -> usize {
        self.of(method).iter().filter(|run| run.within(milliseconds)).count()
    }

    /// The percentage of instances that were solved within a time.
    pub(super) fn share(&self, method: Method, milliseconds: f64) -> f64 {
        100.0 * self.solved(method, milliseconds) as f64 / self.of(method).len().max(1) as f64
    }

    pub(super) fn largest_group(&self, method: Method) -> usize {
        let solved = self.of(method).iter().filter(|run| run.solved.is_some());
        solved.map(|run| run.statistics.largest_group).max().unwrap_or(0)
    }

    /// The runs of two planners on the instances that both solved.
    pub(super) fn both(&self, one: Method, other: Method) -> impl Iterator<Item = (&Run, &Run)> {
        let pairs = self.of(one).iter().zip(self.of(other));
        pairs.filter(|(one, other)| one.solved.is_some() && other.solved.is_some())
    }

    fn summary(&self) -> Table {
        let (least, most) = (seconds(self.limits.least), seconds(self.limits.most));
        let title = format!(
            "What each combination of techniques solves (not reproducible). Short runs have {least} \
             instead of {most}: after {FAILURES_MAX} failures in a row, and where ours fails."
        );
        let (easy, all) = (format!("solved in {least} %"), format!("solved in {most} %"));
        let columns = [
            "planner",
            "instances",
            &easy,
            &all,
            "short runs",
            "open:closed",
            "median ms",
            "largest group",
        ];
        let mut table = Table::new("summary-time", &title, &columns);
        for (method, runs) in &self.by_method {
            let solved: Vec<&Run> = runs.iter().filter(|run| run.solved.is_some()).collect();
            let mut times: Vec<f64> = runs.iter().map(|run| run.milliseconds).collect();
            times.sort_unstable_by(f64::total_cmp);
            table.push(row![
                method.name(),
                runs.len(),
                (self.share(*method, self.limits.least), 1),
                (self.share(*method, self.limits.most), 1),
                runs.iter().filter(|run| run.is_short).count(),
                (mean(solved.iter().map(|run| run.open_to_closed())), 2),
                (percentile(&times, 50), 2),
                self.largest_group(*method),
            ]);
        }
        table
    }

    fn table(&self) -> Table {
        let title = "Every run (not reproducible)";
        let columns = [
            "planner",
            "units",
            "solved",
            "cost",
            "bound",
            "ms",
            "short run",
            "expanded",
            "generated",
            "open",
            "closed",
            "MiB",
            "groups",
            "largest group",
        ];
        let mut table = Table::new("runs-time", title, &columns);
        for (method, runs) in &self.by_method {
            for run in runs {
                let statistics = run.statistics;
                table.push(row![
                    method.name(),
                    run.units,
                    if run.solved.is_some() { "yes" } else { "no" },
                    run.solved.map(|(cost, _)| cost),
                    run.solved.map(|(_, bound)| bound),
                    (run.milliseconds, 3),
                    if run.is_short { "yes" } else { "no" },
                    statistics.expanded,
                    statistics.generated,
                    statistics.final_open,
                    statistics.final_closed,
                    (run.mebibytes(), 2),
                    statistics.groups,
                    statistics.largest_group,
                ]);
            }
        }
        table
    }
}
