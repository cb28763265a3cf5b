//! Time and memory of the first plan against the number of units.
//!
//! Each number of units has a process of its own: the peak of its memory is that of one plan.

use std::process::Command;

use throng_draw::plot::{Axis, Chart};
use throng_lab::{Table, generate};
use throng_model::{MovementProfile, Problem, ValidProblem};

use crate::instance::{median, over_bound, plan, valid};
use crate::memory::peak_mib;
use crate::{Report, Settings};

/// The argument of a process that plans for the number of units behind it.
pub(crate) const CHILD: &str = "growth-of=";
const SIDE: u32 = 512;
const OBSTACLES_PERCENT: u32 = 20;
/// Runs whose median time counts.
const RUNS: usize = 3;
const SECONDS: f64 = 600.0;
const COLUMNS: [&str; 6] =
    ["units", "CPU ms", "ms per unit", "memory MiB", "cost over bound", "makespan"];

pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let quick = settings.quick;
    let counts: &[usize] =
        if quick { &[100, 1000] } else { &[100, 200, 500, 1000, 2000, 5000, 10_000] };
    let title = format!(
        "Growth of lacam's first plan on a random map of {SIDE} x {SIDE} with {OBSTACLES_PERCENT}% \
         obstacles"
    );
    let mut table = Table::new("growth", &title, &COLUMNS);
    let (mut times, mut memory) = (Vec::new(), Vec::new());
    for &units in counts {
        let [ms, mib, cost, makespan] = in_child(units)?;
        times.push((units as f64, ms));
        memory.push((units as f64, mib));
        table.push(vec![
            units.into(),
            (ms, 1).into(),
            (ms / units as f64, 3).into(),
            (mib, 0).into(),
            (cost, 3).into(),
            (makespan, 0).into(),
        ]);
    }
    let time = plot("Time of the first plan, 512 x 512", "processor time (ms)", &times)?;
    let memory = plot("Memory of the first plan, 512 x 512", "peak memory (MiB)", &memory)?;
    Ok(Report { table, plots: vec![("growth-time.svg", time), ("growth-memory.svg", memory)] })
}

/// Both axes logarithmic: a line is a power of the number of units.
fn plot(title: &str, label: &str, points: &[(f64, f64)]) -> Result<String, String> {
    let chart = Chart::new(title, Axis::log("units"), Axis::log(label));
    let points: Vec<_> = points.iter().map(|&(units, value)| (units, value.max(0.1))).collect();
    chart.line("lacam", &points).svg().map_err(|error| error.to_string())
}

/// What [`child`] prints, from a process of its own.
fn in_child(units: usize) -> Result<[f64; 4], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg(format!("{CHILD}{units}")).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{units} units: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|_| format!("{units} units: {text}"))
}

/// Milliseconds, MiB, cost over the lower bound and makespan of one plan, as text.
pub(crate) fn child(units: &str) -> Result<String, String> {
    let units: usize = units.parse().map_err(|_| format!("{units} is no number of units"))?;
    let problem = problem(units)?;
    let before = peak_mib();
    let first = plan("lacam", &problem, SECONDS)?;
    let memory = first.peak_mib - before;
    let (cost, makespan) = first.solved.ok_or("not solved in time")?;
    let mut times = vec![first.milliseconds];
    while times.len() < RUNS {
        times.push(plan("lacam", &problem, SECONDS)?.milliseconds);
    }
    let cost = over_bound(&problem, cost);
    Ok(format!("{} {memory} {cost} {makespan}", median(times)))
}

fn problem(units: usize) -> Result<ValidProblem, String> {
    let movement = MovementProfile::four_connected();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, 1).map_err(|e| e.to_string())?;
    let units = generate::scenario(&map, &movement, units, 0, 1).map_err(|e| e.to_string())?;
    valid(Problem::new(map, movement, units))
}
