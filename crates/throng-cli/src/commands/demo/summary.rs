//! The demo's summary, for people and for scripts.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throng::lower_bound;

use super::planner::DemoPlanner;
use super::recording::Recording;
use super::scenario::DemoScenario;
use super::{DemoArguments, Output};
use crate::report::{Exit, Report};

#[derive(Serialize)]
struct DemoJson {
    seed: u64,
    units: usize,
    lower_bound: Option<u64>,
    runs: Vec<RunJson>,
    output: PathBuf,
    bytes: usize,
}

#[derive(Serialize)]
struct RunJson {
    planner: String,
    arrived: usize,
    waiting: usize,
    ticks: u32,
    sum_of_costs: u64,
    time_away: u64,
    mean_tick_ms: f64,
    max_tick_ms: f64,
    unit_ticks: u64,
    valid: bool,
    violation: Option<String>,
}

pub(super) fn summarise(
    arguments: &DemoArguments,
    output: &Output,
    bytes: usize,
    scenario: &DemoScenario,
    runs: &[Recording],
) -> Result<Report> {
    let units = scenario.problem.units.len();
    let json = DemoJson {
        seed: arguments.seed,
        units,
        lower_bound: lower_bound(&scenario.problem).map(|bound| bound.sum_of_costs),
        runs: runs.iter().map(|run| RunJson::new(run, units)).collect(),
        output: output.path().to_owned(),
        bytes,
    };
    let lines = runs.iter().zip(&json.runs).map(|(run, told)| run_text(run.planner, &json, told));
    let film = format!("film: {} ({} kB)\n", json.output.display(), json.bytes.div_ceil(1000));
    let text = lines.collect::<String>() + &film;
    Report::new(exit(runs, &json), text, &json)
}

impl RunJson {
    fn new(run: &Recording, units: usize) -> Self {
        Self {
            planner: run.planner.to_string(),
            arrived: run.verdict.arrived,
            waiting: run.waiting,
            ticks: run.ticks,
            sum_of_costs: run.verdict.sum_of_costs,
            time_away: run.verdict.time_away,
            mean_tick_ms: milliseconds(run.time / run.ticks.max(1)),
            max_tick_ms: milliseconds(run.longest_tick),
            unit_ticks: units as u64 * u64::from(run.ticks),
            valid: run.violation.is_none(),
            violation: run.violation.clone(),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// LRA* is expected to get stuck: the demo shows that.
fn exit(runs: &[Recording], json: &DemoJson) -> Exit {
    let is_short = |(run, told): (&Recording, &RunJson)| {
        run.planner != DemoPlanner::LocalRepair && told.arrived < json.units
    };
    if json.runs.iter().any(|run| !run.valid) {
        Exit::Refuted
    } else if runs.iter().zip(&json.runs).any(is_short) {
        Exit::BudgetSpent
    } else {
        Exit::Success
    }
}

fn run_text(planner: DemoPlanner, json: &DemoJson, run: &RunJson) -> String {
    let (units, RunJson { arrived, waiting, ticks, .. }) = (json.units, run);
    let outcome = if *arrived == units {
        let ratio =
            json.lower_bound.map_or(1.0, |bound| run.sum_of_costs as f64 / bound.max(1) as f64);
        format!(
            "all {units} units arrived within {ticks} ticks; \
             on average they took {ratio:.2} times as long as each alone"
        )
    } else {
        let missing = units - arrived;
        format!(
            "{arrived} of {units} units arrived within {ticks} ticks; {missing} did not, \
             {waiting} of them at a standstill"
        )
    };
    let verdict = match &run.violation {
        None => "no violation".to_owned(),
        Some(first) => format!("REFUSED: {first}"),
    };
    format!(
        "{}: {outcome}\n\
         \u{20} time: {:.2} ms per tick, {:.2} ms at most\n\
         \u{20} referee: {units} units, {ticks} ticks, {} unit-ticks, {verdict}\n",
        planner.title(),
        run.mean_tick_ms,
        run.max_tick_ms,
        grouped(run.unit_ticks),
    )
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        let check = |number, expected| assert_eq!(grouped(number), expected);
        check(7, "7");
        check(999, "999");
        check(21_400, "21,400");
        check(1_000_000, "1,000,000");
    }
}
