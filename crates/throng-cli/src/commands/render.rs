//! `throng render`: pictures of maps, plans and scenes.

mod of_scene;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use serde::Serialize;
use throng::formats::{Context, PlanDocument, Scenario, read_plan, scen};
use throng::model::Map;
use throng_draw::{Body, FilmOptions, Picture, Scale};

use crate::files::{self, Output};
use crate::inputs::OptionalMapArguments;
use crate::report::{Exit, Report};

/// Draw a map, a plan on it, a plan in motion, or a scene
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("world").args(["map", "scene"]).required(true)
)]
pub(crate) struct RenderArguments {
    #[command(flatten)]
    map: OptionalMapArguments,
    #[command(flatten)]
    scene: of_scene::SceneArguments,
    /// The plan to draw, of any format that throng reads
    #[arg(short, long, value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// The scenario, for plan formats without starts or goals
    #[arg(short = 'i', long = "scen", value_name = "SCEN", requires = "plan")]
    scenario: Option<PathBuf>,
    /// Pixels per cell, or per unit of a scene [default: chosen by the size]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(1..=64))]
    scale: Option<u16>,
    /// The duration of a tick in a film, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 240)]
    tick_ms: u32,
    /// The length of the visible trail behind a unit in a film, in ticks
    #[arg(long, value_name = "TICKS", default_value_t = 8)]
    trail: u32,
    /// The file to write: FILE.png, FILE.svg, or FILE.gif for a film of a plan
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng render -m town.map -o town.svg
  throng render -m room.map -p plan.txt -o plan.png
  throng render -m room.map -p plan.txt -o plan.gif --tick-ms 120
  throng render --scene town.json --show zones,gates,players -o town.svg
  throng render --scene town.json --show roadmap --logs game.csv --level 0 -o roadmap.png
  throng render --scene town.json --path 0.5,0.5:29,29 --method gr,sz,rd -o paths.svg

Pictures of scenes show their levels from left to right, the ground first. SVG has a legend.";

#[derive(Serialize)]
struct RenderJson {
    output: PathBuf,
    bytes: usize,
    width: u16,
    height: u16,
    units: Option<usize>,
    last_tick: Option<u32>,
}

pub(crate) fn run(arguments: &RenderArguments) -> Result<Report> {
    let given = arguments.map.given();
    let Some(map) = &given else { return of_scene::run(arguments) };
    let mut inputs = map.inputs();
    inputs.extend(arguments.plan.iter().chain(&arguments.scenario).map(PathBuf::as_path));
    let output = Output::new(arguments.output.clone(), &inputs)?;
    output.expect_extension(&["png", "svg", "gif"])?;
    if output.extension() == "gif" && arguments.plan.is_none() {
        bail!("{}: a film needs a plan (-p PLAN)", output.path().display());
    }
    let map = map.read()?;
    let document = match &arguments.plan {
        Some(plan) => Some(read_document(&map, plan, arguments.scenario.as_deref())?),
        None => None,
    };
    let bytes = draw(arguments, &output.extension(), &map, document.as_ref())?;
    output.write(&bytes)?;
    let json = RenderJson {
        output: output.path().to_owned(),
        bytes: bytes.len(),
        width: map.width(),
        height: map.height(),
        units: document.as_ref().map(|document| document.plan.paths.len()),
        last_tick: document.as_ref().map(|document| document.plan.last_tick().0),
    };
    let text = format!("{}: {} bytes\n", json.output.display(), json.bytes);
    Report::new(Exit::Success, text, &json)
}

fn read_document(map: &Map, plan: &Path, scenario: Option<&Path>) -> Result<PlanDocument> {
    let scenario_name = scenario.map(files::base_name);
    let scenario: Option<Scenario> = match scenario {
        Some(file) => Some(files::read(file)?.parse(scen::read)?),
        None => None,
    };
    let context = Context {
        map: Some(map),
        scenario: scenario.as_ref(),
        scenario_name: scenario_name.as_deref(),
        units: None,
    };
    files::read(plan)?.parse(|bytes| read_plan(bytes, &context))
}

fn draw(
    arguments: &RenderArguments,
    extension: &str,
    map: &Map,
    document: Option<&PlanDocument>,
) -> Result<Vec<u8>> {
    let scale = arguments.scale.map_or(Scale::Auto, Scale::Pixels);
    if let ("gif", Some(document)) = (extension, document) {
        let options = FilmOptions {
            scale,
            tick_ms: arguments.tick_ms,
            trail_ticks: arguments.trail,
            ..FilmOptions::default()
        };
        let bodies = vec![Body::default(); document.plan.paths.len()];
        return Ok(throng_draw::gif(map, &document.plan, &bodies, &options)?);
    }
    let picture = Picture::new(map).legend();
    let picture = match document {
        Some(document) => picture.plan(&document.plan),
        None => picture,
    };
    match extension {
        "svg" => Ok(throng_draw::svg(&picture).into_bytes()),
        _ => Ok(throng_draw::png(&picture, scale)?),
    }
}
