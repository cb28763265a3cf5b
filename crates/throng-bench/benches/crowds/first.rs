//! The first plan on every map of the benchmark.

use throng_lab::{Table, Value};

use crate::instance::{Instance, maps, median, over_bound, plan};
use crate::{Report, Settings};

/// A run that takes longer has failed.
const SECONDS: f64 = 10.0;
/// Runs whose median counts. An instance that takes longer than a second is run once.
const RUNS: usize = 5;
const ONCE_MS: f64 = 1000.0;
/// The only map that is run with half of its units too.
const HARDEST: &str = "maze-128-128-1";

pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let quick = settings.quick;
    let scenarios: &[u32] = if quick { &[1] } else { &[1, 2] };
    let title = format!(
        "First plans of lacam (processor time, median of {RUNS}, one run above a second; at most \
         {SECONDS} s)"
    );
    let columns = ["map", "scenario", "units", "CPU ms", "cost over bound", "makespan", "solved"];
    let mut table = Table::new("first", &title, &columns);
    for map in maps()?.into_iter().filter(|map| map.contains(&settings.name)) {
        for &scenario in scenarios {
            let half = (map == HARDEST).then_some(Some(500));
            for units in half.into_iter().chain([None]) {
                let instance = Instance::load(&map, scenario, units)?;
                let row = row(&instance, if quick { 1 } else { RUNS });
                table.push(row.map_err(|why| format!("{map}, scenario {scenario}: {why}"))?);
            }
        }
    }
    Ok(Report { table, plots: Vec::new() })
}

fn row(instance: &Instance, runs: usize) -> Result<Vec<Value>, String> {
    let once = || plan("lacam", &instance.problem, SECONDS);
    let first = once()?;
    let mut times = vec![first.milliseconds];
    while first.milliseconds < ONCE_MS && times.len() < runs {
        times.push(once()?.milliseconds);
    }
    let cost = first.solved.map(|(cost, _)| (over_bound(&instance.problem, cost), 3));
    Ok(vec![
        instance.map.as_str().into(),
        Value::Count(instance.scenario.into()),
        instance.units().into(),
        (median(times), 1).into(),
        cost.into(),
        first.solved.map(|(_, makespan)| u64::from(makespan)).into(),
        if first.solved.is_some() { "yes" } else { "no" }.into(),
    ])
}
