//! The tables: one per quantity for people, and all quantities and runs in files.

use super::methods::Method;
use super::results::{Crowd, CrowdResult, Results};
use crate::harness::{Study, row};
use crate::{Table, Value};

pub(super) fn add(results: &Results, study: &mut Study<'_>) {
    let scenarios = results.scenarios;
    let title = format!("Scenarios solved, of {scenarios}");
    study.table(by_solver(results, "solved", &title, |result| Some(result.solved.into())));
    let title = "Sum of costs over the lower bound, mean of the scenarios solved";
    study.table(by_solver(results, "cost", title, |result| {
        result.cost.map(|(mean, ..)| (mean, 3).into())
    }));
    let title = "Spread: the largest cost over the lower bound minus the least";
    study.table(by_solver(results, "spread", title, |result| {
        result.cost.map(|(_, least, largest)| (largest - least, 3).into())
    }));
    let title = format!(
        "Milliseconds until the solver ended, median of {scenarios} ({} expansions per unit; not \
         reproducible)",
        results.expansions_per_unit
    );
    study
        .table(by_solver(results, "times", &title, |result| Some((result.milliseconds, 1).into())));
    study.csv(&all(results));
    study.csv(&runs(results));
}

/// A table with a row per crowd and a column per solver.
fn by_solver(
    results: &Results,
    name: &str,
    title: &str,
    value: impl Fn(&CrowdResult) -> Option<Value>,
) -> Table {
    let columns = ["map", "units"].into_iter().chain(Method::ALL.map(Method::name));
    let mut table = Table::new(name, title, &columns.collect::<Vec<_>>());
    for &crowd in &results.crowds {
        let values = Method::ALL.map(|method| {
            let result = results.summary(method, crowd);
            result.as_ref().and_then(&value).unwrap_or(Value::Missing)
        });
        let mut row = row![crowd.ground.name(), crowd.units];
        row.extend(values);
        table.push(row);
    }
    table
}

const COLUMNS: [&str; 11] = [
    "map",
    "units",
    "solver",
    "runs",
    "solved",
    "arrived %",
    "cost mean",
    "cost least",
    "cost largest",
    "makespan",
    "expanded",
];

fn all(results: &Results) -> Table {
    let mut table = Table::new("results", "Every solver in every crowd", &COLUMNS);
    for (crowd, method) in crowds_and_methods(results) {
        let Some(result) = results.summary(method, crowd) else { continue };
        let cost = |pick: fn((f64, f64, f64)) -> f64| result.cost.map(|cost| (pick(cost), 4));
        table.push(row![
            crowd.ground.name(),
            crowd.units,
            method.name(),
            result.runs,
            result.solved,
            (result.arrived, 2),
            cost(|cost| cost.0),
            cost(|cost| cost.1),
            cost(|cost| cost.2),
            result.cost.map(|_| (result.makespan, 1)),
            (result.expanded, 0),
        ]);
    }
    table
}

fn runs(results: &Results) -> Table {
    let columns = [
        "map",
        "units",
        "scenario",
        "solver",
        "cost",
        "lower bound",
        "makespan",
        "arrived",
        "expanded",
    ];
    let mut table = Table::new("runs", "Every run", &columns);
    for (crowd, method) in crowds_and_methods(results) {
        for (scenario, run) in results.runs(method, crowd).enumerate() {
            table.push(row![
                crowd.ground.name(),
                crowd.units,
                scenario,
                method.name(),
                run.solved.map(|(cost, _)| cost),
                run.lower_bound,
                run.solved.map(|(_, makespan)| u64::from(makespan)),
                run.arrived,
                run.expanded,
            ]);
        }
    }
    table
}

fn crowds_and_methods(results: &Results) -> impl Iterator<Item = (Crowd, Method)> {
    let crowds = results.crowds.iter();
    crowds.flat_map(|&crowd| Method::ALL.into_iter().map(move |method| (crowd, method)))
}
