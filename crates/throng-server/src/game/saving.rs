//! What is saved of a game, and how it goes on from that.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng::scene::{Scene, ValidScene};
use throng_game::{Game, PlayLog, SavedGame};

use super::seats::{SavedSeat, Seats};
use super::source::refusal;
use crate::error::Refusal;
use crate::saving::{decode, encode};

/// A game in the state file. The logs of former rounds are not part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTable {
    pub(crate) id: String,
    /// The scene as its file.
    scene: String,
    game: SavedGame,
    /// The log of the round: base64 in the file, which is written by another thread than the game's.
    #[serde(serialize_with = "write_log", deserialize_with = "read_log")]
    log: PlayLog,
    seats: Vec<SavedSeat>,
}

impl SavedTable {
    pub(super) fn new(id: &str, game: &Game, seats: &Seats) -> Result<Self, Refusal> {
        let scene = game.scene().to_scene().write();
        let scene = scene.map_err(|error| Refusal::conflict(error.to_string()))?;
        let (log, seats) = (game.log().clone(), seats.save());
        Ok(Self { id: id.to_owned(), scene, game: game.save(), log, seats })
    }

    /// The game, and who may speak for which player.
    pub(super) fn restore(&self) -> Result<(Game, Seats), Refusal> {
        let damaged =
            |problem: String| Refusal::bad(format!("the saved game {:?}: {problem}", self.id));
        let scene: Scene =
            Scene::read(self.scene.as_bytes()).map_err(|e| damaged(e.to_string()))?;
        let scene: ValidScene = scene.validate().map_err(|errors| damaged(errors.to_string()))?;
        let game = Game::restore(scene, &self.game, self.log.clone());
        let game = game.map_err(|error| refusal(&error))?;
        let seats = Seats::restore(&self.seats, &game);
        Ok((game, seats))
    }
}

fn write_log<S: Serializer>(log: &PlayLog, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&encode(&log.to_bytes()))
}

fn read_log<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PlayLog, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = decode(&text).map_err(D::Error::custom)?;
    PlayLog::from_bytes(&bytes).ok_or_else(|| D::Error::custom("the log of a game is damaged"))
}
