//! `throng gen scen`: units with starts and goals on any map.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use throng::Pathfinder;
use throng::formats::{Scenario, scen};
use throng::hierarchy::Algorithm;
use throng::model::limits::UNITS_MAX;
use throng::model::{Map, MovementProfile, Unit};
use throng_lab::generate;

use crate::files::{self, Output};
use crate::inputs::MapArguments;
use crate::progress;
use crate::report::{Exit, Report};

/// Put units on a map: distinct starts, distinct goals that can be reached
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ScenarioArguments {
    #[command(flatten)]
    map: MapArguments,
    /// How many units
    #[arg(short = 'N', long, value_name = "UNITS")]
    units: usize,
    /// Least distance from start to goal as the crow flies, in cells
    #[arg(long, value_name = "CELLS", default_value_t = 0)]
    distance_min: u32,
    /// The seed: each gives other units
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to write the MovingAI scenario
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng gen scen -m random.map -N 100 -s 1 -o random.scen
  throng gen scen -m town.map -N 50 --distance-min 30 -o town.scen

Each line's length is that of the shortest way for its unit alone: 8-connected, corners \
never cut, terrain counted.";

#[derive(Serialize)]
struct ScenarioJson {
    scen: PathBuf,
    units: usize,
    seed: u64,
    mean_length: f64,
}

pub(super) fn run(arguments: &ScenarioArguments) -> Result<Report> {
    let output = Output::new(arguments.output.clone(), &arguments.map.inputs())?;
    let map = arguments.map.read()?;
    let ScenarioArguments { units, distance_min, seed, .. } = *arguments;
    let movement = MovementProfile::eight_connected();
    let placed = generate::scenario(&map, &movement, units, distance_min, seed)?;
    let scenario = with_lengths(&files::base_name(&arguments.map.map), &map, &placed)?;
    output.write(scen::write(&scenario)?.as_bytes())?;
    let lengths: f64 = scenario.rows.iter().map(|row| row.optimal_length).sum();
    let json = ScenarioJson {
        scen: output.path().to_owned(),
        units,
        seed,
        mean_length: lengths.max(0.0) / units.clamp(1, UNITS_MAX) as f64,
    };
    let text = format!(
        "{}: {units} units, shortest paths of {:.1} cells on average\n",
        json.scen.display(),
        json.mean_length
    );
    Report::new(Exit::Success, text, &json)
}

/// The scenario of some units, with the lengths of their shortest ways.
pub(crate) fn with_lengths(map_name: &str, map: &Map, units: &[Unit]) -> Result<Scenario> {
    let finder = Pathfinder::new(map.clone(), MovementProfile::eight_connected())?;
    let mut finder = finder.with_algorithm(Algorithm::Exact);
    let mut rows = Vec::with_capacity(units.len());
    let bar = progress::bar(units.len(), "units");
    for (number, unit) in units.iter().enumerate() {
        let about = || anyhow!("unit {number}: no path from {} to {}", unit.start, unit.goal);
        let path = finder.path(unit.start, unit.goal)?.found().ok_or_else(about)?;
        rows.push((unit.start, unit.goal, path.cost.in_cells()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Scenario::new(map_name, map, &rows))
}
