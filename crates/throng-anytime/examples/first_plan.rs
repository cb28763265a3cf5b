//! CPU time and cost of LaCAM's first plan on benchmark instances.
//!
//! ```text
//! cargo run --release -p throng-anytime --example first_plan -- MAP.map SCEN.scen UNITS [KEY=VALUE ...]
//! ```
//!
//! Options: `seed`, `moves` (4 or 8), `runs`, `threads`, and the fields of `Lacam`. Prints one row:
//! CPU milliseconds of the whole process per run (median), sum of costs, time away and makespan
//! as the referee counts them, and the first over the lower bound.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a measurement to be read"
)]

use std::path::Path;

use throng_anytime::Lacam;
use throng_formats::map::MapOptions;
use throng_model::{Budget, MovementProfile, Outcome, Planner as _, Silent};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [map, scen, units, options @ ..] = &arguments[..] else {
        return println!("first_plan MAP.map SCEN.scen UNITS [KEY=VALUE ...]");
    };
    let value = |key: &str| {
        let pair = options.iter().filter_map(|option| option.split_once('='));
        pair.filter(|pair| pair.0 == key).map(|pair| pair.1.parse::<u64>().unwrap()).next()
    };
    let movement = match value("moves") {
        Some(8) => MovementProfile::eight_connected(),
        _ => MovementProfile::four_connected(),
    };
    let read = |path: &str| std::fs::read(path).unwrap();
    let name = Path::new(map).file_stem().unwrap().to_string_lossy().into_owned();
    let map = throng_formats::map::read(&read(map), MapOptions::default()).unwrap();
    let scenario = throng_formats::scen::read(&read(scen)).unwrap();
    let units: usize = units.parse().unwrap();
    let problem = scenario.problem(&map, Some(units), movement).unwrap();
    let problem = problem.validate().unwrap();
    let default = Lacam::default();
    let planner = Lacam {
        swap: value("swap").map_or(default.swap, |on| on != 0),
        hindrance: value("hindrance").map_or(default.hindrance, |on| on != 0),
        guide_passes: value("passes").map_or(default.guide_passes, |passes| passes as u32),
        guide_margin: value("margin").map_or(default.guide_margin, |margin| margin as u32),
        patience_percent: value("patience").map_or(default.patience_percent, |p| p as u32),
        threads: value("threads").map_or(1, |threads| threads as usize),
        ..default
    };
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..value("runs").unwrap_or(5) {
        let begin = cpu_ms();
        let budget =
            Budget { expansions: value("expansions").or(Some(2_000_000_000)), interrupt: None };
        let report =
            planner.plan(&problem, value("seed").unwrap_or(0), budget, &mut Silent).unwrap();
        times.push(cpu_ms() - begin);
        last = Some(report);
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let report = last.unwrap();
    let (state, plan, bound) = match &report.outcome {
        Outcome::Solved(solution) => ("solved", &solution.plan, solution.proven_bound),
        Outcome::BudgetSpent { best: Some(best), proven_bound, .. } => {
            ("spent", best, *proven_bound)
        }
        other => panic!("{other:?}"),
    };
    let verdict = throng_referee::check(&problem, plan);
    assert!(verdict.is_legal());
    println!(
        "{name:<24} {:>5} {state:<7} {median:>8.1} ms  soc/lb {:.3}  away/lb {:.3}  makespan {:>5}  configurations {:>6}  arrived {}",
        problem.units.len(),
        verdict.sum_of_costs as f64 / bound as f64,
        verdict.time_away as f64 / bound as f64,
        verdict.makespan.0,
        report.generated,
        verdict.arrived,
    );
}

/// CPU time of this process so far: user and system, from the system's statistics.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    first.unwrap_or(0.0) / 1e6
}
