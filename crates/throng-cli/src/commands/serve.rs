//! `throng serve`: live worlds in a browser.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use throng_server::{PlannerName, Server, ServerError, ServerOptions};

use crate::inputs::ReadingArguments;
use crate::report::{Exit, Report};
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
    /// What moves the units: throng or lra (LRA*)
    #[arg(long, value_name = "PLANNER", default_value = "throng")]
    planner: PlannerName,
    /// Ticks per second
    #[arg(long, value_name = "HZ", default_value_t = 10.0)]
    tick_hz: f64,
    /// The seed of the first world
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
}

const AFTER_HELP: &str = "\
Examples:
  throng serve --open
  throng serve --open --scenario door --planner lra
  throng serve --listen 127.0.0.1:0 -m town.map --units 500 --tick-hz 20

The page is part of the command: nothing is installed or fetched. The server listens on this machine \
only. Ctrl-C (or SIGTERM) stops it. docs/protocol.md describes the messages, /v1/worlds lists the \
worlds.";

const ADDRESS_DEFAULT: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7878);

#[derive(Serialize)]
struct ServeJson {
    address: String,
}

pub(crate) fn run(arguments: &ServeArguments, screen: &Screen) -> Result<Report> {
    let server = start(arguments)?;
    let address = format!("http://{}/", server.address());
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
    fn options(&self) -> Result<ServerOptions> {
        let mut options = ServerOptions::default();
        options.listen = self.listen.unwrap_or(ADDRESS_DEFAULT);
        options.scenario.clone_from(&self.scenario);
        if let Some(path) = &self.map {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            options.map = Some((name, self.reading.read(path)?));
        }
        options.units = self.units;
        options.planner = self.planner;
        options.tick_hz = self.tick_hz;
        options.seed = self.seed;
        Ok(options)
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
