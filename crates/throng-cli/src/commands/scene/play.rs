//! `throng scene play`: a game in a scene, and the log of it.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use throng::scene::CollisionMeter;
use throng_lab::lanctot::{Ending, GAMES, Game, GameOptions, TeamScore, TownRoutes, play};

use crate::files::Output;
use crate::report::{Exit, Report};
use crate::scene_inputs::{BodyArguments, read_scene};

/// Play the game of Lanctot et al. in a scene: teams gather orbs; every click and step is logged
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlayArguments {
    /// The scene; `-` reads standard input
    scene: PathBuf,
    /// How many play; the scene's players start where they are, more start at random places
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1000))]
    players: u32,
    /// How many teams
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    teams: u32,
    /// The longest duration: a tick is a tenth of a second
    #[arg(long, value_name = "T", default_value_t = 9000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    ticks: u32,
    /// The first team that brings so many orbs to its base wins; 0: the game lasts all its ticks
    #[arg(long, value_name = "N", default_value_t = 10)]
    orbs_to_win: u32,
    /// Orbs in the scene at any time
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    orbs: u32,
    /// Players are obstacles for each other: they walk around each other
    #[arg(long)]
    bodies: bool,
    /// Mean time between two clicks of a walking player, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = GAMES[2].click_interval_ms, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    click_ms: u32,
    /// Mean time that a player rests at a destination, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = GAMES[2].pause_ms, value_parser = clap::value_parser!(u32).range(0..=600_000))]
    pause_ms: u32,
    #[command(flatten)]
    body: BodyArguments,
    /// The seed of all random choices
    #[arg(short, long, default_value_t = 1)]
    seed: u64,
    /// Where to write the log (docs/logs.md)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng scene play town.json -s 1 -o game.csv
  throng scene play town.json --players 8 --teams 2 --ticks 3000 --orbs-to-win 5 -o game.csv
  throng render --scene town.json --show interest --logs game.csv -o interest.svg
  throng lab lanctot --scene town.json --logs game.csv

A player walks in straight lines to where it clicked. It picks up orbs, brings them to the base \
of its team, and tags opponents, who drop theirs. The same seed gives the same log.";

#[derive(Serialize)]
struct PlayJson {
    log: PathBuf,
    ending: &'static str,
    /// The team that won, or that leads when the time is up; from 0.
    winner: Option<usize>,
    seconds: f64,
    players: u32,
    move_updates: usize,
    set_destinations: usize,
    teams: Vec<TeamJson>,
    seed: u64,
}

#[derive(Serialize)]
struct TeamJson {
    gathered: u32,
    delivered: u32,
    tags: u32,
}

pub(super) fn run(arguments: &PlayArguments) -> Result<Report> {
    let PlayArguments { players, teams, ticks, orbs, seed, .. } = *arguments;
    if teams > players {
        bail!("--teams {teams} of {players} players: give at most one team per player");
    }
    let output = Output::new(arguments.output.clone(), &[&arguments.scene])?;
    let scene = read_scene(&arguments.scene)?;
    let options = GameOptions {
        ticks,
        players,
        teams,
        orbs_to_win: Some(arguments.orbs_to_win).filter(|orbs| *orbs > 0),
        bodies_block: arguments.bodies,
        click_interval_ms: arguments.click_ms,
        pause_ms: arguments.pause_ms,
        orbs,
        seed,
    };
    let meter = CollisionMeter::new();
    let game = play(&TownRoutes::new(&scene, arguments.body.ghost(), &meter)?, &options)?;
    output.write(game.log.write().as_bytes())?;
    let json = json(&game, output.path().to_owned(), &options);
    Report::new(Exit::Success, text(&game, &json), &json)
}

fn json(game: &Game, log: PathBuf, options: &GameOptions) -> PlayJson {
    let (ending, winner, time_ms) = match game.ending {
        Ending::Won { team, time_ms } => ("won", Some(team), time_ms),
        Ending::TimeUp { leader } => ("time_up", leader, u64::from(options.ticks) * 100),
    };
    let team = |&TeamScore { gathered, delivered, tags }: &TeamScore| TeamJson {
        gathered,
        delivered,
        tags,
    };
    PlayJson {
        log,
        ending,
        winner,
        seconds: time_ms as f64 / 1000.0,
        players: options.players,
        move_updates: game.log.move_updates(),
        set_destinations: game.log.set_destinations(),
        teams: game.scores.iter().map(team).collect(),
        seed: options.seed,
    }
}

fn text(game: &Game, json: &PlayJson) -> String {
    let mut text = match game.ending {
        Ending::Won { team, .. } => format!("team {team} wins after {} seconds\n", json.seconds),
        Ending::TimeUp { leader: Some(team) } => {
            format!("time is up after {} seconds: team {team} leads\n", json.seconds)
        }
        Ending::TimeUp { leader: None } => {
            format!("time is up after {} seconds: no team leads\n", json.seconds)
        }
    };
    for (number, TeamJson { gathered, delivered, tags }) in json.teams.iter().enumerate() {
        let _ = writeln!(
            text,
            "team {number}: {gathered} orbs gathered, {delivered} brought home, {tags} opponents tagged"
        );
    }
    let PlayJson { move_updates, set_destinations, .. } = json;
    let log = json.log.display();
    let _ = writeln!(text, "{log}: {move_updates} move updates, {set_destinations} destinations");
    text
}
