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
    planner: String,
    seed: u64,
    units: usize,
    arrived: usize,
    waiting: usize,
    ticks: u32,
    sum_of_costs: u64,
    time_away: u64,
    lower_bound: Option<u64>,
    mean_tick_ms: f64,
    max_tick_ms: f64,
    unit_ticks: u64,
    valid: bool,
    violation: Option<String>,
    output: PathBuf,
    bytes: usize,
}

pub(super) fn summarise(
    arguments: &DemoArguments,
    output: &Output,
    bytes: usize,
    scenario: &DemoScenario,
    recorded: &Recording,
) -> Result<Report> {
    let verdict = &recorded.verdict;
    let units = scenario.problem.units.len();
    let json = DemoJson {
        planner: arguments.planner.to_string(),
        seed: arguments.seed,
        units,
        arrived: verdict.arrived,
        waiting: recorded.waiting,
        ticks: recorded.ticks,
        sum_of_costs: verdict.sum_of_costs,
        time_away: verdict.time_away,
        lower_bound: lower_bound(&scenario.problem).map(|bound| bound.sum_of_costs),
        mean_tick_ms: milliseconds(recorded.time / recorded.ticks.max(1)),
        max_tick_ms: milliseconds(recorded.longest_tick),
        unit_ticks: units as u64 * u64::from(recorded.ticks),
        valid: recorded.violation.is_none(),
        violation: recorded.violation.clone(),
        output: output.path().to_owned(),
        bytes,
    };
    Report::new(exit(arguments.planner, &json), text(arguments.planner, &json), &json)
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// LRA* is expected to get stuck: the demo shows that.
fn exit(planner: DemoPlanner, json: &DemoJson) -> Exit {
    match planner {
        _ if !json.valid => Exit::Refuted,
        DemoPlanner::Windowed { .. } if json.arrived < json.units => Exit::BudgetSpent,
        _ => Exit::Success,
    }
}

fn text(planner: DemoPlanner, json: &DemoJson) -> String {
    let DemoJson { units, arrived, waiting, ticks, .. } = json;
    let outcome = if arrived == units {
        let ratio =
            json.lower_bound.map_or(1.0, |bound| json.sum_of_costs as f64 / bound.max(1) as f64);
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
    let verdict = match &json.violation {
        None => "no violation".to_owned(),
        Some(first) => format!("REFUSED: {first}"),
    };
    format!(
        "{}: {outcome}\n\
         time: {:.2} ms per tick, {:.2} ms at most\n\
         referee: {units} units, {ticks} ticks, {} unit-ticks, {verdict}\n\
         film: {} ({} kB)\n",
        planner.title(),
        json.mean_tick_ms,
        json.max_tick_ms,
        grouped(json.unit_ticks),
        json.output.display(),
        json.bytes.div_ceil(1000),
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
