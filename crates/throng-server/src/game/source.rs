//! What a game is made from.

use throng::scene::{ValidScene, town};
use throng_game::{Game, GameError, GameOptions};

use super::seats::Seats;
use crate::error::Refusal;

/// What the players' game of a server is like.
#[derive(Clone, Debug, Default)]
pub struct GameSetup {
    /// The scene; a town by the seed of the options if absent.
    pub scene: Option<ValidScene>,
    /// The options of the game.
    pub options: GameOptions,
}

/// Where a game comes from.
pub(super) enum GameSource {
    New(Box<GameSetup>),
    /// One that was saved, with who may speak for which player.
    Restored(Box<(Game, Seats)>),
}

impl GameSource {
    pub(super) fn make(self) -> Result<(Game, Seats), Refusal> {
        match self {
            Self::New(setup) => Ok((setup.make()?, Seats::default())),
            Self::Restored(made) => Ok(*made),
        }
    }
}

impl GameSetup {
    /// Makes the game.
    fn make(&self) -> Result<Game, Refusal> {
        let scene = match &self.scene {
            Some(scene) => scene.clone(),
            None => town(self.options.seed).validate().map_err(|errors| {
                Refusal::bad(format!("the town of this seed: {errors}; take another seed"))
            })?,
        };
        Game::new(scene, self.options).map_err(|error| refusal(&error))
    }
}

/// What a game refuses, as an answer.
pub(super) fn refusal(error: &GameError) -> Refusal {
    let message = error.to_string();
    match error {
        GameError::Full => Refusal::busy(message),
        GameError::NoSuchPlayer => Refusal::missing(message),
        GameError::RoundOver | GameError::NotYet | GameError::NobodyInReach => {
            Refusal::conflict(message)
        }
        _ => Refusal::bad(message),
    }
}
