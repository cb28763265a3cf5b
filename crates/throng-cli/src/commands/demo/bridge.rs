//! `throng demo bridge`: one unit crosses the town, and its bridge is blown up under way.

mod film;
mod story;

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
use story::Story;

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
    let story = Story::play(arguments.seed)?;
    let bytes = match output.extension().as_str() {
        "svg" => throng_draw::svg(&after(&story).caption(CAPTION).legend()).into_bytes(),
        _ => film::shoot(&story)?,
    };
    output.write(&bytes)?;
    let json = json(arguments.seed, &output, bytes.len(), &story);
    Report::new(Exit::Success, text(&story, &json, screen), &json)
}

const CAPTION: &str = "From barracks to keep; the bridge was blown up, the way spliced";

fn json(seed: u64, output: &Output, bytes: usize, story: &Story) -> BridgeJson {
    let pair = |cell: throng::Cell| [cell.x, cell.y];
    BridgeJson {
        seed,
        output: output.path().to_owned(),
        bytes,
        exit: pair(story.trip.from.cell),
        gate: pair(story.trip.to.cell),
        planned_cost: story.trip.path.cost.in_cells(),
        planned_expanded: story.trip_expanded,
        blown_up_at_step: story.walked.len() - 1,
        repair: repair_name(story.repair.how),
        repair_expanded: story.repair.expanded,
        repair_cost: story.repair.cost_after.in_cells(),
        full_search_expanded: story.full_expanded,
        full_search_cost: story.full_cost.in_cells(),
        walked_cost: story.cost.in_cells(),
        steps: story.walked.len() + story.rest.len() - 2,
    }
}

fn repair_name(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Splice => "splice",
        RepairKind::Full => "full",
    }
}

fn text(story: &Story, json: &BridgeJson, screen: &Screen) -> String {
    let mut text = String::new();
    let draw = |picture: &Picture<'_>| throng_draw::terminal(picture, screen.colour, screen.width);
    let (exits, barred, gates) = (story.exits.len(), story.barred.len(), story.gates.len());
    let _ = writeln!(text, "{}", screen.bold("1. From the barracks to the keep"));
    text += &draw(&before(story));
    let _ = writeln!(
        text,
        "{exits} exits ({barred} barred), {gates} gates, one search: out at {}, in at {}.\n\
         The way costs {}; {} nodes expanded.\n",
        story.trip.from.cell, story.trip.to.cell, story.trip.path.cost, json.planned_expanded,
    );
    let _ =
        writeln!(text, "{}", screen.bold("2. The bridge is blown up before the unit gets there"));
    text += &draw(&after(story));
    let _ = writeln!(text, "{}", verdict(story, json));
    let _ =
        writeln!(text, "The film: {} ({} kB)", json.output.display(), json.bytes.div_ceil(1000));
    text
}

fn verdict(story: &Story, json: &BridgeJson) -> String {
    format!(
        "Step {}: the way breaks {} cells ahead of the unit.\n\
         The {} around the break expands {} nodes; the way left costs {}.\n\
         A full search from here would expand {} nodes, for {}.\n\
         {} steps walked, cost {}; the referee agrees.",
        json.blown_up_at_step,
        story.ahead,
        json.repair,
        json.repair_expanded,
        story.repair.cost_after,
        json.full_search_expanded,
        story.full_cost,
        json.steps,
        story.cost,
    )
}

/// The town with the doors of both buildings.
fn town<'a>(story: &Story, map: &'a throng::Map) -> Picture<'a> {
    let open = story.exits.iter().filter(|exit| !story.barred.contains(exit)).chain(&story.gates);
    let picture = open.fold(Picture::new(map), |picture, &door| picture.mark(MarkKind::Door, door));
    story.barred.iter().fold(picture, |picture, &door| {
        picture.marked(throng_draw::Mark::new(MarkKind::Door, door).coloured(BARRED))
    })
}

fn before(story: &Story) -> Picture<'_> {
    ends(
        story,
        town(story, &story.before).stroke(Stroke::new("planned", &story.trip.path.cells, PLANNED)),
    )
}

fn after(story: &Story) -> Picture<'_> {
    let picture = town(story, &story.after)
        .stroke(Stroke::new("spliced", &story.rest, REPAIRED))
        .stroke(Stroke::new("walked before", &story.walked, PLANNED));
    let picture = story.blown.iter().fold(picture, |p, &cell| p.mark(MarkKind::Broken, cell));
    ends(story, picture)
}

fn ends<'a>(story: &Story, picture: Picture<'a>) -> Picture<'a> {
    let picture = picture.mark(MarkKind::Start, story.trip.from.cell);
    picture.mark(MarkKind::Goal, story.trip.to.cell)
}
