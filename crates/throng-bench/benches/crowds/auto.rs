//! How long `auto` takes to equal the other solvers that make a plan and stop.
//!
//! For each of them: the processor time until `auto` has a plan that costs at most 1.02 times the
//! solver's plan, over the solver's own processor time. The start of a process counts for neither.

use throng_lab::{Table, Value};
use throng_model::ValidProblem;

use crate::instance::{Instance, median, over_bound, plan};
use crate::{Report, Settings};

const SECONDS: f64 = 10.0;
/// Runs whose median counts. What takes longer than a second is run once.
const RUNS: usize = 5;
const ONCE_MS: f64 = 1000.0;
const SOLVERS: [&str; 2] = ["hca", "lacam"];

/// Map of scenario 1 and units.
const CROWDS: [(&str, usize); 14] = [
    ("random-32-32-20", 50),
    ("random-32-32-20", 100),
    ("random-32-32-20", 200),
    ("random-32-32-20", 400),
    ("random-64-64-20", 100),
    ("random-64-64-20", 300),
    ("random-64-64-20", 500),
    ("maze-32-32-2", 50),
    ("room-64-64-8", 100),
    ("room-64-64-8", 400),
    ("den312d", 100),
    ("den312d", 400),
    ("warehouse-10-20-10-2-1", 300),
    ("Berlin_1_256", 500),
];
const CROWDS_QUICK: usize = 2;

pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let quick = settings.quick;
    let title = format!(
        "auto's processor time to a plan of at most 1.02 times the cost of another solver's \
         (median of {RUNS}, one run above a second; at most {SECONDS} s)"
    );
    let columns = [
        "map",
        "units",
        "solver",
        "cost over bound",
        "CPU ms",
        "auto's CPU ms",
        "auto over solver",
    ];
    let mut table = Table::new("auto", &title, &columns);
    let crowds = if quick { &CROWDS[..CROWDS_QUICK] } else { &CROWDS };
    for &(map, units) in crowds {
        let instance = Instance::load(map, 1, Some(units))?;
        for solver in SOLVERS {
            let row = row(&instance, solver, if quick { 1 } else { RUNS });
            table.push(row.map_err(|why| format!("{map}, {units} units, {solver}: {why}"))?);
        }
    }
    Ok(Report { table, plots: Vec::new() })
}

fn row(instance: &Instance, solver: &str, runs: usize) -> Result<Vec<Value>, String> {
    let problem = &instance.problem;
    let first = plan(solver, problem, SECONDS)?;
    let again = || Ok(plan(solver, problem, SECONDS)?.milliseconds);
    let own = repeated(first.milliseconds, runs, again)?;
    let cost = first.solved.map(|(cost, _)| cost);
    let auto = match cost {
        Some(cost) => Some(time_to_equal(problem, cost * 102 / 100, runs)?),
        None => None,
    };
    let auto = auto.flatten();
    Ok(vec![
        instance.map.as_str().into(),
        instance.units().into(),
        solver.into(),
        cost.map(|cost| (over_bound(problem, cost), 3)).into(),
        (own, 1).into(),
        auto.map(|auto| (auto, 1)).into(),
        auto.map(|auto| (auto / own, 2)).into(),
    ])
}

/// The median of some runs, or the first alone if it is long.
fn repeated(
    first: f64,
    runs: usize,
    mut again: impl FnMut() -> Result<f64, String>,
) -> Result<f64, String> {
    let mut times = vec![first];
    while first < ONCE_MS && times.len() < runs {
        times.push(again()?);
    }
    Ok(median(times))
}

/// The milliseconds until `auto` has a plan that costs no more; `None` if it finds none. With a
/// target it stops there.
fn time_to_equal(problem: &ValidProblem, cost: u64, runs: usize) -> Result<Option<f64>, String> {
    let once = || plan(&format!("auto,target={cost}"), problem, SECONDS);
    let first = once()?;
    let is_equal = first.solved.is_some_and(|(found, _)| found <= cost);
    let median = repeated(first.milliseconds, runs, || Ok(once()?.milliseconds))?;
    Ok(is_equal.then_some(median))
}
