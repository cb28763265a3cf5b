//! `throng gen`: maps, scenarios, problems and scenes from a seed.

mod lorr;
mod map;
pub(crate) mod scenario;
mod scene;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::report::Report;

/// Make maps, scenarios and scenes from a seed: the same ones on every machine
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    what: What,
}

const AFTER_HELP: &str = "\
Examples:
  throng gen map random --width 64 --height 64 --obstacles 20 -s 1 -o random.map
  throng gen map town --width 128 --height 96 -s 7 -o town.map
  throng gen scen -m random.map -N 100 -s 1 -o random.scen
  throng gen lorr -m random.map -N 100 -s 1 -o problem.json
  throng gen scene town -s 7 -o town.json";

#[derive(Subcommand, Debug)]
enum What {
    Map(map::MapKindArguments),
    Scen(scenario::ScenarioArguments),
    Lorr(lorr::LorrArguments),
    Scene(scene::SceneKindArguments),
}

pub(crate) fn run(arguments: &GenerateArguments) -> Result<Report> {
    match &arguments.what {
        What::Map(arguments) => map::run(arguments),
        What::Scen(arguments) => scenario::run(arguments),
        What::Lorr(arguments) => lorr::run(arguments),
        What::Scene(arguments) => scene::run(arguments),
    }
}
