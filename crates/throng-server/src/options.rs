//! What a server is told at its start, and its limits.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use throng::model::Map;

use crate::game::GameSetup;
use crate::planner::PlannerName;

/// How a server runs. The default is the town with 300 units on loopback, on any free port.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen. Port 0 is any free port.
    pub listen: SocketAddr,
    /// The scenario of the first world, by id.
    pub scenario: String,
    /// A map for the first world, in place of the scenario's, with the name to show.
    pub map: Option<(String, Map)>,
    /// How many units the first world has; the scenario's number if absent.
    pub units: Option<u32>,
    /// What moves the units of the first world.
    pub planner: PlannerName,
    /// The players' game at `/play`.
    pub game: GameSetup,
    /// Ticks per second of every world.
    pub tick_hz: f64,
    /// The seed of the first world.
    pub seed: u64,
    /// What clients must show; needed where other machines can reach the server.
    pub token: Option<String>,
    /// Names under which the server may be asked, beside its address and those of loopback.
    pub hosts: Vec<String>,
    /// Requests per second that an address may send; twice as many at once, and 1 in 250 that takes
    /// long.
    pub requests_per_second: f64,
    /// The file to which all worlds are saved, and from which they are restored.
    pub state: Option<PathBuf>,
    /// The time between two saves.
    pub save_every: Duration,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            scenario: "town".to_owned(),
            map: None,
            units: None,
            planner: PlannerName::Throng,
            game: GameSetup::default(),
            tick_hz: 10.0,
            seed: 0,
            token: None,
            hosts: Vec::new(),
            requests_per_second: 5_000.0,
            state: None,
            save_every: Duration::from_secs(30),
        }
    }
}

/// Ticks per second that a world may have at speed 1.
pub const TICK_HZ: std::ops::RangeInclusive<f64> = 0.1..=240.0;

/// The shortest token.
pub(crate) const TOKEN_CHARACTERS_MIN: usize = 16;
/// Most bytes of a WebSocket message.
pub(crate) const MESSAGE_BYTES_MAX: usize = 64 << 10;
/// Most requests that wait for a world.
pub(crate) const QUEUE_MAX: usize = 256;
/// Most units of a world.
pub(crate) const UNITS_MAX: usize = 20_000;
/// Most units of a world under LRA* or WHCA*, and most cells of its map: each tick searches for every
/// unit.
pub(crate) const PAPER_UNITS_MAX: usize = 2_000;
pub(crate) const PAPER_CELLS_MAX: usize = 1 << 16;
/// Most cells times units of a world under WHCA*: each unit keeps its true distances.
pub(crate) const WHCA_NODES_MAX: usize = 1 << 24;
/// Most worlds at a time.
pub(crate) const WORLDS_MAX: usize = 16;
/// Most viewers of all worlds.
pub(crate) const VIEWERS_MAX: usize = 1_024;
/// The fastest speed, in multiples of the set rate.
pub(crate) const SPEED_MAX: f64 = 64.0;
/// Most ticks per second of a world at any speed.
pub(crate) const RATE_MAX: f64 = 1_000.0;
/// Most cells of a map.
pub(crate) const MAP_CELLS_MAX: usize = 4 << 20;
/// Most bytes of a request's body.
pub(crate) const BODY_BYTES_MAX: usize = 8 << 20;
/// Most memory of a restored world, in bytes.
pub(crate) const MEMORY_MAX: u64 = 256 << 20;
