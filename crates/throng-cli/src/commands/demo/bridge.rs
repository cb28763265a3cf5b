//! `throng demo bridge`: one unit crosses the town, and its bridge is blown up under way.

mod film;
mod run;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use throng::grid::RepairKind;
use throng_draw::{Colour, MarkKind, Picture, Stroke};

use crate::files::Output;
use crate::report::{Exit, Report};
use crate::screen::Screen;
use run::BridgeRun;

/// Watch one unit cross a town while its bridge is blown up
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BridgeArguments {
    /// Chooses which doors are barred and when the bridge goes
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to save the picture: FILE.gif or FILE.svg
    #[arg(short, long, value_name = "FILE", default_value = "throng-bridge.gif")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng demo bridge
  throng demo bridge -s 3 -o bridge.gif

After Xu and Zou, \"An improved pathfinding algorithm in RTS games\": one search over all \
exits of a barracks and all gates of a keep, terrain that costs, and a path that is spliced \
where it breaks.";

/// The way as planned, and up to the break.
const PLANNED: Colour = Colour::hex(0xd5_5e_00);
/// The way after the repair.
const REPAIRED: Colour = Colour::hex(0x1b_3f_a7);
/// A barred door.
const BARRED: Colour = Colour::hex(0x8a_8a_8a);

#[derive(Serialize)]
struct BridgeJson {
    seed: u64,
    output: PathBuf,
    bytes: usize,
    exit: [u16; 2],
    gate: [u16; 2],
    planned_cost: f64,
    planned_expanded: u64,
    blown_up_at_step: usize,
    repair: &'static str,
    repair_expanded: u64,
    repair_cost: f64,
    full_search_expanded: u64,
    full_search_cost: f64,
    walked_cost: f64,
    steps: usize,
}

pub(crate) fn run(arguments: &BridgeArguments, screen: &Screen) -> Result<Report> {
    let output = Output::new(arguments.output.clone(), &[])?;
    output.expect_extension(&["gif", "svg"])?;
    let run = BridgeRun::new(arguments.seed)?;
    let bytes = match output.extension().as_str() {
        "svg" => throng_draw::svg(&after(&run).caption(CAPTION).legend()).into_bytes(),
        _ => film::shoot(&run)?,
    };
    output.write(&bytes)?;
    let json = json(arguments.seed, &output, bytes.len(), &run);
    Report::new(Exit::Success, text(&run, &json, screen), &json)
}

const CAPTION: &str = "From barracks to keep; the bridge was blown up, the way spliced";

fn json(seed: u64, output: &Output, bytes: usize, run: &BridgeRun) -> BridgeJson {
    let pair = |cell: throng::model::Cell| [cell.x, cell.y];
    BridgeJson {
        seed,
        output: output.path().to_owned(),
        bytes,
        exit: pair(run.trip.from.cell),
        gate: pair(run.trip.to.cell),
        planned_cost: run.trip.path.cost.in_cells(),
        planned_expanded: run.trip_expanded,
        blown_up_at_step: run.walked.len() - 1,
        repair: repair_name(run.repair.how),
        repair_expanded: run.repair.expanded,
        repair_cost: run.repair.cost_after.in_cells(),
        full_search_expanded: run.full_expanded,
        full_search_cost: run.full_cost.in_cells(),
        walked_cost: run.cost.in_cells(),
        steps: run.walked.len() + run.rest.len() - 2,
    }
}

fn repair_name(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Splice => "splice",
        RepairKind::Full => "full",
    }
}

fn text(run: &BridgeRun, json: &BridgeJson, screen: &Screen) -> String {
    let mut text = String::new();
    let draw = |picture: &Picture<'_>| throng_draw::terminal(picture, screen.colour, screen.width);
    let (exits, barred, gates) = (run.exits.len(), run.barred.len(), run.gates.len());
    let _ = writeln!(text, "{}", screen.bold("1. From the barracks to the keep"));
    text += &draw(&before(run));
    let _ = writeln!(
        text,
        "{exits} exits ({barred} barred), {gates} gates, one search: out at {}, in at {}.\n\
         The way costs {}; {} nodes expanded.\n",
        run.trip.from.cell, run.trip.to.cell, run.trip.path.cost, json.planned_expanded,
    );
    let _ =
        writeln!(text, "{}", screen.bold("2. The bridge is blown up before the unit gets there"));
    text += &draw(&after(run));
    let _ = writeln!(text, "{}", verdict(run, json));
    let _ =
        writeln!(text, "The film: {} ({} kB)", json.output.display(), json.bytes.div_ceil(1000));
    text
}

fn verdict(run: &BridgeRun, json: &BridgeJson) -> String {
    format!(
        "Step {}: the way breaks {} cells ahead of the unit.\n\
         The {} around the break expands {} nodes; the way left costs {}.\n\
         A full search from here would expand {} nodes, for {}.\n\
         {} steps walked, cost {}; the referee agrees.",
        json.blown_up_at_step,
        run.ahead,
        json.repair,
        json.repair_expanded,
        run.repair.cost_after,
        json.full_search_expanded,
        run.full_cost,
        json.steps,
        run.cost,
    )
}

/// The town with the doors of both buildings.
fn town<'a>(run: &BridgeRun, map: &'a throng::model::Map) -> Picture<'a> {
    let open = run.exits.iter().filter(|exit| !run.barred.contains(exit)).chain(&run.gates);
    let picture = open.fold(Picture::new(map), |picture, &door| picture.mark(MarkKind::Door, door));
    run.barred.iter().fold(picture, |picture, &door| {
        picture.marked(throng_draw::Mark::new(MarkKind::Door, door).coloured(BARRED))
    })
}

fn before(run: &BridgeRun) -> Picture<'_> {
    ends(run, town(run, &run.before).stroke(Stroke::new("planned", &run.trip.path.cells, PLANNED)))
}

fn after(run: &BridgeRun) -> Picture<'_> {
    let picture = town(run, &run.after)
        .stroke(Stroke::new("spliced", &run.rest, REPAIRED))
        .stroke(Stroke::new("walked before", &run.walked, PLANNED));
    let picture = run.blown.iter().fold(picture, |p, &cell| p.mark(MarkKind::Broken, cell));
    ends(run, picture)
}

fn ends<'a>(run: &BridgeRun, picture: Picture<'a>) -> Picture<'a> {
    let picture = picture.mark(MarkKind::Start, run.trip.from.cell);
    picture.mark(MarkKind::Goal, run.trip.to.cell)
}
