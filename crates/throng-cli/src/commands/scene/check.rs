//! `throng scene check`: whether a scene is valid, and what a body reaches in it.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use throng::scene::{
    CollisionMeter, Ghost, GhostNode, GhostOptions, Location, ValidScene, explore,
};

use super::Counts;
use crate::report::{Exit, Report};
use crate::scene_inputs::{BodyArguments, read_record};

/// Check a scene: name every mistake with its remedy, or count what is in it
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CheckArguments {
    /// The scene; `-` reads standard input
    scene: PathBuf,
    #[command(flatten)]
    body: BodyArguments,
}

const AFTER_HELP: &str = "\
Examples:
  throng scene check town.json
  throng scene check town.json --radius 0.3 --json

A valid scene can still have a gate, an item or a player that a body cannot reach. Such names \
are listed as warnings; the body starts at the first player, or else at the first gate.

Exit code 0: valid. 3: not valid; the errors name what is wrong and what to do. 1: the file \
cannot be read as a scene.";

/// Most names that are listed as text.
const SHOWN_MAX: usize = 10;
/// Most lattice nodes that are explored.
const NODES_MAX: usize = 1_000_000;

/// A scene that is not valid.
#[derive(Serialize)]
struct ErrorsJson {
    valid: bool,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct CheckJson {
    valid: bool,
    #[serde(flatten)]
    counts: Counts,
    radius: f64,
    /// Places on the lattice that the body reaches.
    nodes: usize,
    /// Whether there are more of them than were counted; then nothing is reported as unreached.
    nodes_limited: bool,
    /// Gates, items and players that the body does not reach.
    unreached: Vec<String>,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<Report> {
    match read_record(&arguments.scene)?.validate() {
        Ok(scene) => describe(&scene, arguments),
        Err(errors) => {
            let errors: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
            let text = format!("not valid:\n{}\n", errors.join("\n"));
            Report::new(Exit::Refuted, text, &ErrorsJson { valid: false, errors })
        }
    }
}

fn describe(scene: &ValidScene, arguments: &CheckArguments) -> Result<Report> {
    let options = arguments.body.ghost();
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(scene, options, &meter)?;
    let nodes = reached(scene, &ghost);
    let nodes_limited = nodes.len() >= NODES_MAX;
    let unreached = if nodes_limited { Vec::new() } else { unreached(scene, &ghost, &nodes) };
    let json = CheckJson {
        valid: true,
        counts: Counts::of(scene),
        radius: options.radius,
        nodes: nodes.len(),
        nodes_limited,
        unreached,
    };
    Report::new(Exit::Success, text(&json, options), &json)
}

/// The lattice nodes that a body reaches from the first player or gate where it fits, sorted.
fn reached(scene: &ValidScene, ghost: &Ghost<'_>) -> Vec<GhostNode> {
    let starts = named_locations(scene).map(|(_, location)| location);
    let mut starts = starts.filter_map(|start| ghost.snap(start.at, start.level));
    let mut nodes = starts.next().map_or(Vec::new(), |start| explore(ghost, start, NODES_MAX));
    nodes.sort_unstable();
    nodes
}

/// Everything that a body should reach, players first.
fn named_locations(scene: &ValidScene) -> impl Iterator<Item = (String, Location)> {
    let players = scene.players().iter().map(|player| {
        (format!("player \"{}\"", player.name), Location::new(player.at, player.level))
    });
    let gates = scene.gates().iter().flat_map(|gate| {
        gate.sides
            .map(|side| (format!("gate \"{}\"", gate.name), Location::new(side.at, side.level)))
    });
    let items = scene
        .items()
        .iter()
        .map(|item| (format!("item \"{}\"", item.name), Location::new(item.at, item.level)));
    players.chain(gates).chain(items)
}

fn unreached(scene: &ValidScene, ghost: &Ghost<'_>, nodes: &[GhostNode]) -> Vec<String> {
    let is_reached = |location: Location| {
        let node = ghost.snap(location.at, location.level);
        node.is_some_and(|node| nodes.binary_search(&node).is_ok())
    };
    let missed = named_locations(scene).filter(|(_, location)| !is_reached(*location));
    let mut names: Vec<String> = missed.map(|(name, _)| name).collect();
    names.dedup();
    names
}

fn text(json: &CheckJson, options: GhostOptions) -> String {
    let mut text = format!("valid: {}\n", json.counts);
    let more = if json.nodes_limited { "at least " } else { "" };
    let radius = options.radius;
    let _ = writeln!(text, "a body of radius {radius} reaches {more}{} places", json.nodes);
    for name in json.unreached.iter().take(SHOWN_MAX) {
        let _ = writeln!(
            text,
            "warning: {name} is not reached; move it, widen its passage, or give a smaller --radius"
        );
    }
    if json.unreached.len() > SHOWN_MAX {
        let _ = writeln!(text, "warning: and {} more", json.unreached.len() - SHOWN_MAX);
    }
    text
}
