//! The players' game in a scene: teams gather orbs and bring them to their bases.
//!
//! After Lanctot, Ng Man Sun and Verbrugge: *Path-finding for Large Scale Multiplayer Computer
//! Games* (2006), whose players played *Operation: Orbius*. The paper gives the rules in outline; the
//! numbers are ours.
//!
//! [`Game`] is the whole game without a clock and without sockets: commands go in, [`Game::tick`]
//! moves everybody by a tenth of a second and says what happened. It judges every command and every
//! step: a player says only where it wants to go. People and computer players give the same
//! [`Command`]s. The same seed and the same commands at the same ticks give the same game.
//!
//! | the paper | here |
//! |---|---|
//! | basic movement: straight towards the click, until blocked | [`Command::Straight`] |
//! | path-finding, resolved gradually from gate to gate | [`Command::Path`] |
//! | other players as dynamic objects | [`GameOptions::bodies_block`] |
//! | teams, orbs, bases, adversaries who tickle each other | [`Game::orbs`], [`Game::bases`], [`Command::Tag`] |
//! | the server's log: set destination, move update | [`PlayLog`] |
//!
//! ```
//! use throng_game::{Command, Event, Game, GameOptions};
//! use throng_scene::{Location, town};
//!
//! let mut game = Game::new(town(7).validate()?, GameOptions::default())?;
//! let anna = game.join("anna", None)?;
//! game.command(anna, Command::Path(Location::ground(15.0, 15.0)))?;
//! for _ in 0..50 {
//!     for event in game.tick() { /* tell the players */ let _: Event = event; }
//! }
//! assert_eq!(game.player(anna).map(|player| player.name()), Some("anna"));
//! assert!(game.log().moves() > 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod computer;
mod game;
mod ground;
mod join;
mod log;
mod options;
mod planning;
mod player;
mod round;
mod rules;
mod saved;
mod view;
mod walking;

pub use game::{Command, Event, Game, Phase, TeamScore};
pub use log::{LOG_HEADER, LoggedAction, PlayLog};
pub use options::{
    CARRIED_MAX, GameError, GameOptions, NAME_CHARACTERS_MAX, PEOPLE_MAX, PLAYERS_MAX, REACH,
    STRIDE, TEAMS_MAX, TICK_MS,
};
pub use player::{Doing, Player, PlayerNumber, Role};
pub use saved::SavedGame;
