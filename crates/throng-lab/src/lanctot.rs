//! M. Lanctot, N. Ng Man Sun, C. Verbrugge, "Path-finding for Large Scale Multiplayer Computer
//! Games" (2006): its players and workloads.
//!
//! The paper's people are replaced by players with simple aims; logs of real games can be
//! read instead ([`GameLog::read`]).
//!
//! | the paper | here |
//! |---|---|
//! | Operation: Orbius, five games of 24 players | [`play`], [`GAMES`] |
//! | what the server logs; table 1 | [`GameLog`]; table `games` |
//! | interest maps and points; figure 8 | [`InterestMap`] |
//! | RANDOM, MODELED, EXTRACTED; figure 9 | [`random`], [`modeled`], [`extracted`] |

mod aims;
mod game;
mod interest;
mod log;
mod walker;
mod walkways;
mod workload;

pub use aims::Aim;
pub use game::{Game, GameOptions, TEAM_SIZE, TeamScore, play};
pub use interest::InterestMap;
pub use log::{
    Action, EVENTS_MAX, Event, GameLog, HEADER, LogError, LogProblem, PLAYERS_MAX, Place,
};
pub use walkways::Walkways;
pub use workload::{Query, extracted, modeled, modeled_places, random};

/// The five games. They take as long as the paper's; players click more often and rest less
/// from game to game, as the paper's did, who were "still getting familiar" with it at first.
pub const GAMES: [GameOptions; 5] = [
    game(1, 899, 1800, 6000),
    game(2, 903, 700, 2000),
    game(3, 740, 500, 2000),
    game(4, 894, 400, 2000),
    game(5, 798, 300, 1500),
];

const fn game(seed: u64, seconds: u32, click_interval_ms: u32, pause_ms: u32) -> GameOptions {
    GameOptions { seconds, click_interval_ms, pause_ms, orbs: 40, seed }
}
