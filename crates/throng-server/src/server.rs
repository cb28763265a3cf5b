//! The server: listens, accepts connections, routes requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::guard::Guard;
use crate::maps::Maps;
use crate::options::{ServerOptions, TICK_HZ};
use crate::pool::Pool;
use crate::room::Source;
use crate::rooms::{MAIN, Rooms};
use crate::routes;

/// How often the server asks whether it is to stop.
const STOP_POLL: Duration = Duration::from_millis(50);

/// Why a server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address cannot be used.
    #[error("cannot listen at {address}: {error}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// The address is reachable from elsewhere.
    #[error(
        "{0} is not a loopback address, and other machines could reach the server: \
         listen at 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    /// The tick rate is out of bounds.
    #[error("{0} ticks per second: give {min} to {max}", min = TICK_HZ.start(), max = TICK_HZ.end())]
    TickRate(f64),
    /// The first world cannot be made.
    #[error("{0}")]
    World(String),
    /// The system gives no threads.
    #[error("the server cannot start its threads: {0}")]
    Threads(std::io::Error),
}

/// What every request can reach.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) maps: Arc<Maps>,
    pub(crate) pool: Pool,
    pub(crate) guard: Arc<Guard>,
}

/// A server that listens.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    /// Listens, and starts the first world.
    ///
    /// # Errors
    /// When the address cannot be used or the first world cannot be made.
    pub fn start(options: &ServerOptions) -> Result<Self, ServerError> {
        if !options.listen.ip().is_loopback() {
            return Err(ServerError::NotLoopback(options.listen));
        }
        if !TICK_HZ.contains(&options.tick_hz) {
            return Err(ServerError::TickRate(options.tick_hz));
        }
        let failed = |error| ServerError::Listen { address: options.listen, error };
        let listener = std::net::TcpListener::bind(options.listen).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let rooms = Arc::new(Rooms::new(options.tick_hz));
        let world = rooms.create(Some(MAIN), first_world(options));
        world.map_err(|refusal| ServerError::World(refusal.message))?;
        let guard = Arc::new(Guard::new(address));
        let shared = Shared { rooms, maps: Arc::default(), pool: Pool::new(), guard };
        Ok(Self { listener, address, shared })
    }

    /// Where the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `is_stopped` says so.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn run(self, is_stopped: impl Fn() -> bool) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(ServerError::Threads)?;
        let served = runtime.block_on(self.serve(&is_stopped));
        runtime.shutdown_timeout(Duration::from_secs(2));
        served.map_err(ServerError::Threads)
    }

    async fn serve(self, is_stopped: &impl Fn() -> bool) -> Result<(), std::io::Error> {
        let listener = TcpListener::from_std(self.listener)?;
        let router = routes::router(self.shared);
        let stop = async {
            while !is_stopped() {
                tokio::time::sleep(STOP_POLL).await;
            }
        };
        tokio::select! {
            served = async { axum::serve(listener, router).await } => served,
            () = stop => Ok(()),
        }
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
