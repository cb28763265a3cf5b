//! `throng serve`: live worlds in a browser.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use throng_server::{GameSetup, PlannerName, Server, ServerError, ServerOptions};

use crate::inputs::ReadingArguments;
use crate::report::{Exit, Report};
use crate::scene_inputs::read_scene;
use crate::screen::Screen;
use crate::signals;

/// Watch and command live worlds in a browser
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ServeArguments {
    /// Where to listen; port 0 is any free port [default: 127.0.0.1:7878, or a free port]
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Play the game of Lanctot et al.: print and open its page (/play)
    #[arg(long)]
    play: bool,
    /// The game: a scene to play in, in place of a town by the seed (docs/scenes.md)
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,
    /// The game: how many play, people and computer players
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(2..=200))]
    players: u32,
    /// The game: how many teams
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=8))]
    teams: u32,
    /// The scenario of the first world: town, door, bay, crossing, warehouse, barracks, bridge,
    /// maze or gates
    #[arg(long, value_name = "NAME", default_value = "town", conflicts_with = "map")]
    scenario: String,
    /// A map for the first world, in place of a scenario
    #[arg(short, long, value_name = "MAP")]
    map: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// The number of units of the first world [default: the scenario's; 100 with --map]
    #[arg(long, value_name = "N")]
    units: Option<u32>,
    /// What moves the units: throng, or as published whca (WHCA*) or lra (LRA*)
    #[arg(long, value_name = "PLANNER", default_value = "throng")]
    planner: PlannerName,
    /// Ticks per second
    #[arg(long, value_name = "HZ", default_value_t = 10.0)]
    tick_hz: f64,
    /// The seed of the first world
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// A file to which all worlds and games are saved, and from which they are restored at the next start
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Seconds between two saves
    #[arg(long, value_name = "S", default_value_t = 30.0, requires = "state", value_parser = seconds)]
    save_every: f64,
    /// What clients must show, at least 16 letters and digits; needed where other machines can
    /// reach the server
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Requests per second that one address may send; raise it for a game that asks from one machine
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: u32,
    /// A name under which browsers may reach the server, beside its address (repeatable)
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "give 0.01 to 86400 seconds".to_owned())
}

const AFTER_HELP: &str = "\
Examples:
  throng serve --open
  throng serve --open --play
  throng serve --open --scenario door --planner lra
  throng serve --listen 127.0.0.1:0 -m town.map --units 500 --tick-hz 20
  throng serve --state worlds.json

The page is part of the command: nothing is installed or fetched. The server listens on this machine \
only, unless --listen gives another address with a --token; browsers then open /?token=TOKEN. Ctrl-C (or \
SIGTERM) saves worlds and games and stops. docs/protocol.md describes the messages, /v1/worlds lists the \
worlds.";

const ADDRESS_DEFAULT: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7878);

#[derive(Serialize)]
struct ServeJson {
    address: String,
}

pub(crate) fn run(arguments: &ServeArguments, screen: &Screen) -> Result<Report> {
    let server = start(arguments)?;
    let page = if arguments.play { "play" } else { "" };
    let address = format!("http://{}/{page}", server.address());
    signals::stop_by_itself();
    announce(&address, screen)?;
    if arguments.open {
        open(&address);
    }
    server.run(signals::is_stopped)?;
    Report::new(Exit::Success, "stopped\n".to_owned(), &ServeJson { address })
}

/// Starts the server; at another port if the default one is taken.
fn start(arguments: &ServeArguments) -> Result<Server> {
    let mut options = arguments.options()?;
    match Server::start(&options) {
        Err(ServerError::Listen { .. }) if arguments.listen.is_none() => {
            options.listen.set_port(0);
            Ok(Server::start(&options)?)
        }
        started => Ok(started?),
    }
}

impl ServeArguments {
    fn game(&self) -> Result<GameSetup> {
        let Self { players, teams, seed, .. } = *self;
        if teams > players {
            bail!("--teams {teams} of {players} players: give at most one team per player");
        }
        let mut game = GameSetup::default();
        (game.options.players, game.options.teams, game.options.seed) = (players, teams, seed);
        game.options.orbs = game.options.orbs.max(players / 2);
        game.scene = self.scene.as_deref().map(read_scene).transpose()?;
        Ok(game)
    }

    fn options(&self) -> Result<ServerOptions> {
        let name =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = |path: &PathBuf| anyhow::Ok((name(path), self.reading.read(path)?));
        Ok(ServerOptions {
            listen: self.listen.unwrap_or(ADDRESS_DEFAULT),
            scenario: self.scenario.clone(),
            map: self.map.as_ref().map(read).transpose()?,
            units: self.units,
            planner: self.planner,
            game: self.game()?,
            tick_hz: self.tick_hz,
            seed: self.seed,
            token: self.token.clone(),
            hosts: self.hosts.clone(),
            requests_per_second: f64::from(self.rate),
            state: self.state.clone(),
            save_every: Duration::from_secs_f64(self.save_every),
        })
    }
}

/// Says at once where the server is: the report comes only at its end.
fn announce(address: &str, screen: &Screen) -> Result<()> {
    let mut out = io::stdout().lock();
    let line = format!("throng serves at {}", screen.bold(address));
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|error| anyhow!("standard output: {error}"))
}

/// Opens the page with the system's own command. That it fails is no reason to stop.
fn open(address: &str) {
    let (command, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(command);
    command.args(arguments).arg(address).stdin(Stdio::null());
    let opened = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if opened.is_err() {
        let _ = writeln!(io::stderr().lock(), "cannot open a browser; open {address} yourself");
    }
}
