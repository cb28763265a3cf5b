//! The players' game over WebSocket: people and computer players in one scene.
//!
//! The rules are in throng-game. Here are the thread that ticks a game, the frames that it publishes, the
//! connections of players, and the addresses under `/v1/games`.

pub(crate) mod api;
mod frame;
mod games;
mod interest;
mod messages;
mod saving;
mod seats;
mod session;
mod source;
mod table;
mod tick_times;

pub(crate) use games::Games;
pub(crate) use saving::SavedTable;
pub use source::GameSetup;
