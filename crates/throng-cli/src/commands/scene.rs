//! `throng scene`: checks and edits scenes, and plays games in them.

mod check;
mod edit;
mod play;

use std::fmt;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use throng::scene::{GateKind, ValidScene};

use crate::report::Report;

/// Check or edit a scene (a world of polygons with levels, zones and gates), or play in it
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SceneArguments {
    #[command(subcommand)]
    action: Action,
}

const AFTER_HELP: &str = "\
Examples:
  throng scene check town.json
  throng scene edit town.json --add-obstacle \"crate=3,4 4,5\" -o edited.json
  throng scene play town.json --players 24 --teams 6 -o game.csv

Other commands take scenes too: throng gen scene, throng path --scene, throng render --scene, \
throng lab lanctot --scene.";

#[derive(Subcommand, Debug)]
enum Action {
    Check(check::CheckArguments),
    Edit(edit::EditArguments),
    Play(play::PlayArguments),
}

pub(crate) fn run(arguments: &SceneArguments) -> Result<Report> {
    match &arguments.action {
        Action::Check(arguments) => check::run(arguments),
        Action::Edit(arguments) => edit::run(arguments),
        Action::Play(arguments) => play::run(arguments),
    }
}

/// How much there is in a scene.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Counts {
    name: String,
    width: f64,
    height: f64,
    levels: usize,
    obstacles: usize,
    zones: usize,
    doors: usize,
    stairs: usize,
    items: usize,
    players: usize,
}

impl Counts {
    pub(crate) fn of(scene: &ValidScene) -> Self {
        let gates = |kind| scene.gates().iter().filter(|gate| gate.kind == kind).count();
        Self {
            name: scene.name().to_owned(),
            width: scene.width(),
            height: scene.height(),
            levels: scene.levels().count(),
            obstacles: scene.obstacles().count(),
            zones: scene.zones().len(),
            doors: gates(GateKind::Door),
            stairs: gates(GateKind::Stairs),
            items: scene.items().len(),
            players: scene.players().len(),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, width, height, levels, obstacles, zones, doors, stairs, items, players } =
            self;
        write!(
            f,
            "\"{name}\", {width} x {height} units, {levels} levels, {obstacles} obstacles, {zones} \
             zones, {doors} doors, {stairs} stairs, {items} items, {players} players"
        )
    }
}
