//! `throng render`: pictures of maps and plans.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use throng::formats::{Context, PlanDocument, Scenario, read_plan, scen};
use throng::model::Map;
use throng_draw::{Body, FilmOptions, Picture, Scale};

use crate::files::{self, Output};
use crate::inputs::MapArguments;
use crate::report::{Exit, Report};

/// Draw a map, or a plan on it, or a plan in motion
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RenderArguments {
    #[command(flatten)]
    map: MapArguments,
    /// The plan to draw, of any format that throng reads
    #[arg(short, long, value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// The scenario, for plan formats without starts or goals
    #[arg(short = 'i', long = "scen", value_name = "SCEN", requires = "plan")]
    scenario: Option<PathBuf>,
    /// Pixels per cell [default: chosen by the size of the map]
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
  throng render -m room.map -p plan.txt -o plan.gif --tick-ms 120";

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
    let mut inputs = arguments.map.inputs();
    inputs.extend(arguments.plan.iter().chain(&arguments.scenario).map(PathBuf::as_path));
    let output = Output::new(arguments.output.clone(), &inputs)?;
    output.expect_extension(&["png", "svg", "gif"])?;
    if output.extension() == "gif" && arguments.plan.is_none() {
        bail!("{}: a film needs a plan (-p PLAN)", output.path().display());
    }
    let map = arguments.map.read()?;
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
