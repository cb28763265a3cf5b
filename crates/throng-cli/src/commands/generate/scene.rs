//! `throng gen scene`: polygon worlds.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use throng::scene::{Scene, TownOptions, town_with};

use crate::commands::scene::Counts;
use crate::files::Output;
use crate::report::{Exit, Report};
use crate::scene_inputs::validate;

/// Make a scene: a world of polygons with levels, zones and gates
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SceneKindArguments {
    #[command(subcommand)]
    kind: SceneKind,
}

const AFTER_HELP: &str = "\
Examples:
  throng gen scene town -s 7 -o town.json
  throng gen scene town --side 60 --houses 80 --players 100 -o city.json
  throng render --scene town.json --show zones,gates,players -o town.svg

docs/scenes.md describes the file.";

#[derive(Subcommand, Debug)]
enum SceneKind {
    /// Streets, houses with rooms, doors and stairs, parks, fences and trees
    Town(TownArguments),
}

#[derive(Args, Debug)]
struct TownArguments {
    /// Units along each side of the map
    #[arg(long, value_name = "UNITS", default_value_t = TownOptions::default().side)]
    side: u32,
    /// Houses; about every second one has an upper level
    #[arg(long, value_name = "N", default_value_t = TownOptions::default().houses)]
    houses: u32,
    /// Trees that are tried; one that would narrow a passage is left out
    #[arg(long, value_name = "N", default_value_t = TownOptions::default().trees)]
    trees: u32,
    /// Players; they start where streets cross
    #[arg(long, value_name = "N", default_value_t = TownOptions::default().players)]
    players: u32,
    /// The seed: each gives another town
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to write the scene
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Serialize)]
struct SceneJson {
    kind: &'static str,
    seed: u64,
    scene: PathBuf,
    #[serde(flatten)]
    counts: Counts,
}

pub(super) fn run(arguments: &SceneKindArguments) -> Result<Report> {
    let SceneKind::Town(town) = &arguments.kind;
    let output = Output::new(town.output.clone(), &[])?;
    let scene = make(town)?;
    let text = scene.write()?;
    let counts = Counts::of(&validate("the generated scene", scene)?);
    output.write(text.as_bytes())?;
    let text = format!("{}: {counts}\n", output.path().display());
    let scene = output.path().to_owned();
    Report::new(Exit::Success, text, &SceneJson { kind: "town", seed: town.seed, scene, counts })
}

fn make(town: &TownArguments) -> Result<Scene> {
    let TownArguments { side, houses, trees, players, seed, .. } = *town;
    Ok(town_with(seed, TownOptions { side, houses, trees, players })?)
}
