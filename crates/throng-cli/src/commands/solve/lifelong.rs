//! `throng solve --lifelong`: units get a new goal when they reach one.

mod course;
mod record;

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use throng::anytime::Graph;
use throng::anytime::lifelong::{Lifelong, LifelongError, LifelongOptions, Motion, Tasks};

use self::course::Course;
use self::record::Record;
use super::SolveArguments;
use crate::clock::{Stopwatch, timed};
use crate::files::Output;
use crate::progress;
use crate::report::{Exit, Report};
use crate::signals;

/// The one object for scripts.
#[derive(Serialize)]
struct LifelongJson {
    status: &'static str,
    units: usize,
    ticks: u32,
    goals: u64,
    goals_per_tick: f64,
    us_per_tick_mean: f64,
    expanded: u64,
    seed: u64,
    reproducible: bool,
    violations: usize,
}

/// How a run ended.
struct Ended {
    ticks: u32,
    planning: Duration,
    /// Whether the clock or a signal stopped it.
    interrupted: bool,
}

pub(super) fn run(arguments: &SolveArguments, ticks: u32) -> Result<Report> {
    let course = Course::read(arguments)?;
    let output = match arguments.output.as_slice() {
        [] => None,
        [path] if path.extension().is_some_and(|extension| extension == "svg") => {
            bail!("-o {}: lifelong runs have no curve; give a .json or .txt file", path.display())
        }
        [path] => Some(Output::new(path.clone(), &course.inputs())?),
        _ => bail!("-o: give one file with --lifelong"),
    };
    let options = options(arguments, course.motion)?;
    let graph = Graph::new(&course.map, &course.movement)?;
    let tasks = course.tasks(&graph, arguments.seed)?;
    let starts = course.start_positions(&graph)?;
    let mut record = Record::new(&course, &graph, ticks, output)?;
    let stopwatch = Stopwatch::start();
    signals::stop_by_itself();
    let is_late = || signals::is_stopped() || stopwatch.elapsed() >= arguments.time_limit;
    let mut run = match Lifelong::begin(&graph, &starts, tasks, options, &is_late) {
        Err(LifelongError::Interrupted) => return not_begun(starts.len(), arguments.seed),
        begun => begun?,
    };
    let ended = drive(arguments, ticks, &is_late, &mut run, &mut record)?;
    let json = LifelongJson {
        status: if ended.ticks == ticks { "solved" } else { "budget" },
        units: starts.len(),
        ticks: ended.ticks,
        goals: run.goals(),
        goals_per_tick: run.goals() as f64 / f64::from(ended.ticks.max(1)),
        us_per_tick_mean: ended.planning.as_secs_f64() * 1e6 / f64::from(ended.ticks.max(1)),
        expanded: run.expanded(),
        seed: arguments.seed,
        reproducible: !ended.interrupted,
        violations: record.violations(),
    };
    let written = record.write()?;
    let exit = match json.status {
        _ if json.violations > 0 => Exit::Refuted,
        "solved" => Exit::Success,
        _ => Exit::BudgetSpent,
    };
    Report::new(exit, text(&json, &record, &written), &json)
}

fn options(arguments: &SolveArguments, motion: Motion) -> Result<LifelongOptions> {
    let default = LifelongOptions::default();
    if let (Motion::Turns, Some(most @ 1..)) = (motion, arguments.repairs_per_tick) {
        bail!("--repairs-per-tick {most}: units that turn plan one tick at a time; leave it out");
    }
    Ok(LifelongOptions {
        motion,
        seed: arguments.seed,
        expansions_per_tick: arguments.expansions_per_tick.unwrap_or(default.expansions_per_tick),
        repairs_per_tick: arguments.repairs_per_tick.unwrap_or(default.repairs_per_tick),
        ..default
    })
}

/// The report of a run that was stopped before its first tick.
fn not_begun(units: usize, seed: u64) -> Result<Report> {
    let json = LifelongJson {
        status: "budget",
        units,
        ticks: 0,
        goals: 0,
        goals_per_tick: 0.0,
        us_per_tick_mean: 0.0,
        expanded: 0,
        seed,
        reproducible: false,
        violations: 0,
    };
    let text = "budget: stopped before the first tick; give more time (-t)\n".to_owned();
    Report::new(Exit::BudgetSpent, text, &json)
}

/// Runs all ticks, or until time, expansions or patience end.
fn drive<T: Tasks>(
    arguments: &SolveArguments,
    ticks: u32,
    is_late: &dyn Fn() -> bool,
    run: &mut Lifelong<'_, T>,
    record: &mut Record<'_>,
) -> Result<Ended> {
    let bar = progress::bar(ticks as usize, "ticks");
    let mut ended = Ended { ticks: 0, planning: Duration::ZERO, interrupted: false };
    record.observe(run, 0);
    for tick in 1..=ticks {
        if let Some((unit, task)) = run.unreachable() {
            let cell = record.cell(task.goal);
            bail!("unit {unit} cannot reach its goal {cell}: task {}; give another map", task.id);
        }
        ended.interrupted = is_late();
        let is_spent = arguments.expansions.is_some_and(|most| run.expanded() >= most);
        if ended.interrupted || is_spent {
            break;
        }
        let ((), planning) = timed(|| run.tick());
        ended.planning += planning;
        ended.ticks = tick;
        record.observe(run, tick);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(ended)
}

fn text(json: &LifelongJson, record: &Record<'_>, written: &str) -> String {
    let LifelongJson { status, units, ticks, goals, .. } = json;
    let mut text = format!("{status}: {units} units reach {goals} goals in {ticks} ticks\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {value}");
    };
    line("throughput", format!("{:.3} goals per tick", json.goals_per_tick));
    line("planned in", format!("{:.1} us per tick", json.us_per_tick_mean));
    line("expanded", format!("{} nodes", json.expanded));
    if json.violations > 0 {
        line("violations", format!("{}, the first: {}", json.violations, record.first_violation()));
    }
    if !json.reproducible {
        line("note", "stopped early: another run may end at another tick".to_owned());
    }
    text + written
}

/// The name of a file in messages, with what is wrong there.
fn in_file<T>(name: &str, result: Result<T>) -> Result<T> {
    result.with_context(|| name.to_owned())
}
