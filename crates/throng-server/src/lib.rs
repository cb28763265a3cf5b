//! Live worlds in a browser, and path and plan queries over HTTP.
//!
//! [`Server`] is the whole of it. Each world ticks on its own thread and publishes an immutable
//! state; each viewer sends the difference to what it sent last. `docs/protocol.md` has the
//! messages.
//!
//! This crate is an edge: it opens sockets and reads the clock. Time decides when a world ticks,
//! never what happens in a tick.

mod api;
mod clock;
mod connection;
mod connections;
mod engine;
mod error;
mod frame;
mod frames;
mod game;
mod guard;
mod limiter;
mod maps;
mod messages;
mod options;
mod page;
mod paper_world;
mod placing;
mod planner;
mod playback;
mod pool;
mod progress;
mod record;
mod room;
mod rooms;
mod routes;
mod saving;
mod scenario;
mod server;
mod session;
mod setup;
mod world_referee;

pub use game::GameSetup;
pub use options::{ServerOptions, TICK_HZ};
pub use planner::PlannerName;
pub use saving::StateError;
pub use server::{Server, ServerError};

/// The README's example is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
