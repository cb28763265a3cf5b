//! The server: listens, serves until it is told to stop, saves the worlds.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::connections;
use crate::game::Games;
use crate::guard::Guard;
use crate::maps::Maps;
use crate::options::{ServerOptions, TICK_HZ, TOKEN_CHARACTERS_MIN};
use crate::pool::Pool;
use crate::room::{Answer, Ask, RoomHandle, Source};
use crate::rooms::{MAIN, Rooms};
use crate::routes;
use crate::saving::{SavedState, SavedWorld, StateError};

/// How often the server asks whether it is to stop.
const STOP_POLL: Duration = Duration::from_millis(50);
/// How long viewers have for the last messages after the worlds have ended.
const DRAIN: Duration = Duration::from_millis(200);
/// How long a world may take to be saved, and the pause before it is asked again.
const SAVE_WAIT: Duration = Duration::from_secs(30);
const SAVE_PAUSE: Duration = Duration::from_millis(10);

/// Why a server could not start, or did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The address cannot be used.
    #[error("cannot listen at {address}: {error}; choose another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// The address is reachable from elsewhere, and there is no token.
    #[error(
        "other machines can reach {0}: give a token of at least {TOKEN_CHARACTERS_MIN} letters, \
         digits, - and _, or listen at 127.0.0.1"
    )]
    NoToken(SocketAddr),
    /// The tick rate is out of bounds.
    #[error("{0} ticks per second: give {min} to {max}", min = TICK_HZ.start(), max = TICK_HZ.end())]
    TickRate(f64),
    /// A world cannot be made.
    #[error("{0}")]
    World(String),
    /// The state file cannot be read or written.
    #[error(transparent)]
    State(#[from] StateError),
    /// The system gives no threads.
    #[error("the server cannot start its threads: {0}")]
    Threads(std::io::Error),
}

/// What every request can reach.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) games: Arc<Games>,
    pub(crate) maps: Arc<Maps>,
    pub(crate) pool: Pool,
    pub(crate) guard: Arc<Guard>,
}

/// A server that listens.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Shared,
    state: Option<PathBuf>,
    save_every: Duration,
}

impl Server {
    /// Listens, and starts the first world, or those of the state file.
    ///
    /// # Errors
    /// When the address cannot be used, a world cannot be made, or the state file is damaged.
    pub fn start(options: &ServerOptions) -> Result<Self, ServerError> {
        check(options)?;
        let failed = |error| ServerError::Listen { address: options.listen, error };
        let listener = std::net::TcpListener::bind(options.listen).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let rooms = Arc::new(Rooms::new(options.tick_hz));
        let saved = options.state.as_ref().map(|path| SavedState::read(path)).transpose()?;
        let refuse = |refusal: crate::error::Refusal| ServerError::World(refusal.message);
        let saved = saved.flatten().unwrap_or_else(|| SavedState::new(Vec::new(), Vec::new()));
        for world in saved.worlds {
            rooms.restore(world).map_err(refuse)?;
        }
        if rooms.get(MAIN).is_err() {
            rooms.create(Some(MAIN), first_world(options)).map_err(refuse)?;
        }
        let games = Arc::new(Games::new(options.game.clone(), &saved.games).map_err(refuse)?);
        let guard = Arc::new(Guard::new(address, options));
        let shared = Shared { rooms, games, maps: Arc::default(), pool: Pool::new(), guard };
        let (state, save_every) = (options.state.clone(), options.save_every);
        Ok(Self { listener, address, shared, state, save_every })
    }

    /// Where the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `is_stopped` says so, then saves the worlds if there is a state file.
    ///
    /// # Errors
    /// When the system gives no threads, or the worlds cannot be saved.
    pub fn run(self, is_stopped: impl Fn() -> bool) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(ServerError::Threads)?;
        let served = runtime.block_on(self.serve(&is_stopped));
        runtime.shutdown_timeout(Duration::from_secs(2));
        served
    }

    async fn serve(self, is_stopped: &impl Fn() -> bool) -> Result<(), ServerError> {
        let listener = TcpListener::from_std(self.listener).map_err(ServerError::Threads)?;
        let router = routes::router(self.shared.clone());
        let stop = async {
            while !is_stopped() {
                tokio::time::sleep(STOP_POLL).await;
            }
        };
        let state = self.state.as_deref();
        tokio::select! {
            () = connections::accept(listener, router) => {}
            () = save_often(&self.shared, state, self.save_every) => {}
            () = stop => {}
        }
        // Nothing is accepted any more. The worlds are saved as the last viewers saw them.
        let saved = save(&self.shared, state).await;
        for room in self.shared.rooms.all() {
            let _ = room.ask(Ask::Close).await;
        }
        self.shared.games.close().await;
        tokio::time::sleep(DRAIN).await;
        saved.map_err(ServerError::from)
    }
}

fn check(options: &ServerOptions) -> Result<(), ServerError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_good = |token: &String| token.len() >= TOKEN_CHARACTERS_MIN && token.bytes().all(plain);
    let is_safe = options.listen.ip().is_loopback() && options.token.is_none();
    if !is_safe && !options.token.as_ref().is_some_and(is_good) {
        return Err(ServerError::NoToken(options.listen));
    }
    if !TICK_HZ.contains(&options.tick_hz) {
        return Err(ServerError::TickRate(options.tick_hz));
    }
    Ok(())
}

/// Saves all worlds and games, if there is a state file. The file stays as it is if one of them does not
/// answer.
async fn save(shared: &Shared, state: Option<&std::path::Path>) -> Result<(), StateError> {
    let Some(path) = state.map(ToOwned::to_owned) else { return Ok(()) };
    let mut worlds = Vec::new();
    for room in shared.rooms.all() {
        match tokio::time::timeout(SAVE_WAIT, saved(&room)).await {
            Ok(Some(world)) => worlds.push(world),
            // It was removed meanwhile.
            Ok(None) if shared.rooms.get(&room.id).is_err() => {}
            _ => return Err(StateError::NoAnswer { world: room.id.clone() }),
        }
    }
    let games = shared.games.save();
    let games = tokio::time::timeout(SAVE_WAIT, games).await;
    let late = || StateError::Game("it does not answer".to_owned());
    let games = games.map_err(|_| late())?.map_err(|refusal| StateError::Game(refusal.message))?;
    let write = tokio::task::spawn_blocking(move || SavedState::new(worlds, games).write(&path));
    write.await.unwrap_or(Ok(()))
}

/// What is saved of a world; `None` if it has ended. A world with too many requests is asked again.
async fn saved(room: &RoomHandle) -> Option<SavedWorld> {
    loop {
        match room.ask(Ask::Save).await {
            Ok(Answer::Saved(world)) => return Some(*world),
            _ if room.has_ended() => return None,
            _ => tokio::time::sleep(SAVE_PAUSE).await,
        }
    }
}

/// Saves again and again; for ever without a state file.
async fn save_often(shared: &Shared, state: Option<&std::path::Path>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        // A full disk may have room later; the last save reports what is wrong.
        let _ = save(shared, state).await;
    }
}

fn first_world(options: &ServerOptions) -> Source {
    let map = options.map.clone().map(|(name, map)| (name, Arc::new(map)));
    Source {
        scenario: options.scenario.clone(),
        map,
        units: options.units,
        planner: options.planner,
        seed: options.seed,
    }
}
