//! The summary of a run, for people and for scripts.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::instance::LiveInstance;
use super::run::Run;
use super::{LiveArguments, PlannerName};
use crate::report::{Exit, Report};

/// The result. Scripts rely on the names; a field that does not apply is null.
#[derive(Serialize)]
struct LiveJson {
    units: usize,
    arrived: usize,
    ticks: u32,
    all_arrived_tick: Option<u32>,
    us_per_unit_tick_mean: f64,
    us_per_unit_tick_p99: f64,
    tick_ms_max: f64,
    longest_stall_ticks: u32,
    violations: usize,
    hash: String,
    reproducible: bool,
    memory_bytes: Option<u64>,
    skipped: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals_per_tick: Option<f64>,
}

pub(super) fn report(
    arguments: &LiveArguments,
    instance: &LiveInstance,
    run: &Run,
) -> Result<Report> {
    let units = instance.problem.units.len();
    let mut times = run.times.clone();
    times.sort_unstable();
    let per_unit = |time: Duration| thousandths(time.as_secs_f64() * 1e6 / units as f64);
    let mean = times.iter().sum::<Duration>() / run.ticks.max(1);
    let longest = times.last().copied().unwrap_or_default();
    let per_tick = run.goals as f64 / f64::from(run.ticks.max(1));
    let json = LiveJson {
        units,
        arrived: run.arrived,
        ticks: run.ticks,
        all_arrived_tick: run.all_arrived_tick,
        us_per_unit_tick_mean: per_unit(mean),
        us_per_unit_tick_p99: per_unit(percentile_99(&times)),
        tick_ms_max: thousandths(longest.as_secs_f64() * 1e3),
        longest_stall_ticks: run.longest_stall_ticks,
        violations: run.violations,
        hash: format!("{:016x}", run.hash),
        reproducible: !run.is_cut_short && !run.is_interrupted,
        memory_bytes: run.memory_bytes,
        skipped: instance.skipped,
        goals: arguments.renew.then_some(run.goals),
        goals_per_tick: arguments.renew.then_some(per_tick),
    };
    Report::new(exit(arguments, &json), text(arguments, run, &json), &json)
}

/// The smallest time that at least 99 of 100 do not exceed.
fn percentile_99(sorted: &[Duration]) -> Duration {
    let rank = (sorted.len() * 99).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

fn exit(arguments: &LiveArguments, json: &LiveJson) -> Exit {
    if json.violations > 0 {
        Exit::Refuted
    } else if arguments.renew || json.all_arrived_tick.is_some() {
        Exit::Success
    } else {
        Exit::BudgetSpent
    }
}

fn headline(arguments: &LiveArguments, json: &LiveJson) -> String {
    let LiveJson { units, arrived, ticks, goals, .. } = json;
    match goals {
        Some(goals) => format!("{units} units reach {goals} goals in {ticks} ticks"),
        None if arrived == units => format!("all {units} units on their goals at tick {ticks}"),
        None => {
            let planner = arguments.planner.name();
            format!("{arrived} of {units} units on their goals after {ticks} ticks of {planner}")
        }
    }
}

fn text(arguments: &LiveArguments, run: &Run, json: &LiveJson) -> String {
    let mut text = headline(arguments, json) + "\n";
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {value}");
    };
    line("planner", planner(arguments));
    if let Some(per_tick) = json.goals_per_tick {
        line("throughput", format!("{per_tick:.3} goals per tick"));
    }
    let (mean, p99) = (json.us_per_unit_tick_mean, json.us_per_unit_tick_p99);
    line("time", format!("{mean:.2} us per unit and tick, 99% of ticks at most {p99:.2} us"));
    line("longest tick", format!("{:.2} ms", json.tick_ms_max));
    line("longest stall", format!("{} ticks", json.longest_stall_ticks));
    let verdict = match &run.first_violation {
        None => "no violation".to_owned(),
        Some(first) => format!("{} VIOLATIONS, the first: {first}", run.violations),
    };
    line("referee", format!("{} unit-ticks, {verdict}", run.unit_ticks));
    if let Some(bytes) = json.memory_bytes {
        line("memory", format!("{:.1} MB at most", bytes as f64 / 1e6));
    }
    line("hash", json.hash.clone());
    if json.skipped > 0 {
        let size = arguments.size;
        line("skipped", format!("{} units of {size} x {size} cells do not fit", json.skipped));
    }
    if run.unreachable > 0 {
        line("unreachable", format!("{} units have no path to their goals", run.unreachable));
    }
    if !arguments.renew {
        run.short.iter().for_each(|unit| line("short of goal", unit.clone()));
    }
    if run.is_interrupted {
        line("note", "stopped by a signal: another run may end at another tick".to_owned());
    }
    if run.is_cut_short {
        line("note", "--budget-ms cut planning short: another run may differ".to_owned());
    }
    text + &remedy(arguments, run, json) + &run.written
}

fn planner(arguments: &LiveArguments) -> String {
    match arguments.planner {
        PlannerName::Lra => "lra".to_owned(),
        PlannerName::Whca => format!("whca, window {}", arguments.world_options().window),
    }
}

/// What to do when not all units arrived.
fn remedy(arguments: &LiveArguments, run: &Run, json: &LiveJson) -> String {
    let is_lra = arguments.planner == PlannerName::Lra;
    let missing = json.units - json.arrived;
    let remedy = if arguments.renew || missing == 0 || run.is_interrupted {
        return String::new();
    } else if run.unreachable >= missing {
        "no path leads to the other goals; give other units"
    } else if is_lra {
        "units under lra get stuck; use --planner whca"
    } else {
        "give more --ticks, or a larger --window or --budget"
    };
    format!("not all arrived: {remedy}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_hundred_ticks_may_take_longer() {
        let check = |count: u64, expected: u64| {
            let times: Vec<_> = (1..=count).map(Duration::from_micros).collect();
            assert_eq!(percentile_99(&times), Duration::from_micros(expected), "{count}");
        };
        check(0, 0);
        check(1, 1);
        check(100, 99);
        check(200, 198);
        check(250, 248);
    }
}
