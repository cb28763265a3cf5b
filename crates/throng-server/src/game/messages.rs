//! The messages of players, as they are typed in JSON. `docs/protocol.md` describes them.

use serde::Deserialize;
use throng::scene::{Level, Location, Point};
use throng_game::Command;

/// How a player goes to its destination.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    /// Straight, as in the paper.
    Straight,
    /// By a path.
    #[default]
    Path,
}

/// A message of a player.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum PlayerMessage {
    Join {
        name: String,
        team: Option<u32>,
        key: Option<String>,
    },
    Go {
        x: f64,
        y: f64,
        #[serde(default)]
        level: u8,
        #[serde(default)]
        how: How,
    },
    Stop,
    Tag,
    Leave,
    Interest {
        #[serde(default)]
        level: u8,
    },
    Ping {
        #[serde(default)]
        t: f64,
    },
}

/// The command of a destination.
pub(super) fn go(x: f64, y: f64, level: u8, how: How) -> Command {
    let at = Point::new(x, y);
    match how {
        How::Straight => Command::Straight(at),
        How::Path => Command::Path(Location::new(at, Level(level))),
    }
}
