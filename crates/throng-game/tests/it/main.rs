//! Tests of the game through its public face.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod commands;
mod joins;
mod rounds;
mod saves;
mod steps;
mod tags;

use throng_game::{Command, Game, GameOptions, PlayerNumber};
use throng_scene::{Location, Scene};

/// Two rooms side by side with a door between them at the top, and an attic over both; stairs at the
/// left bottom. Players start at the left, in the middle and at the right.
const HOUSE: &str = r#"{
  "version": 1, "name": "house", "width": 8, "height": 4, "levels": 2,
  "obstacles": [{"name": "wall", "level": 0, "corners": [[3.9, 0], [4.1, 0], [4.1, 3], [3.9, 3]]}],
  "zones": [
    {"name": "left", "level": 0, "corners": [[0, 0], [4, 0], [4, 4], [0, 4]]},
    {"name": "right", "level": 0, "corners": [[4, 0], [8, 0], [8, 4], [4, 4]]},
    {"name": "attic", "level": 1, "corners": [[0, 0], [8, 0], [8, 4], [0, 4]]}
  ],
  "gates": [
    {"name": "door", "kind": "door",
     "sides": [{"zone": "left", "at": [3.5, 3.5]}, {"zone": "right", "at": [4.5, 3.5]}]},
    {"name": "stairs", "kind": "stairs",
     "sides": [{"zone": "left", "at": [0.5, 0.5]}, {"zone": "attic", "at": [0.5, 0.5]}]}
  ],
  "players": [
    {"name": "a", "level": 0, "at": [1, 3], "radius": 0.12},
    {"name": "b", "level": 0, "at": [7, 1], "radius": 0.12}
  ]
}"#;

/// A game of two people in the house: the first at the left, the second at the right.
struct Duel {
    game: Game,
    left: PlayerNumber,
    right: PlayerNumber,
}

impl Duel {
    fn new() -> Self {
        let scene = Scene::read(HOUSE.as_bytes()).unwrap().validate().unwrap();
        let options = GameOptions { players: 2, teams: 2, orbs: 1, ..GameOptions::default() };
        let mut game = Game::new(scene, options).unwrap();
        let left = game.join("left", Some(0)).unwrap();
        let right = game.join("right", Some(1)).unwrap();
        Self { game, left, right }
    }

    fn at(&self, player: PlayerNumber) -> Location {
        self.game.player(player).unwrap().location()
    }

    /// Sends a player to a location and waits until it is there.
    fn bring(&mut self, player: PlayerNumber, to: Location) {
        self.game.command(player, Command::Path(to)).unwrap();
        for _ in 0..300 {
            if self.at(player) == to {
                return;
            }
            self.game.tick();
        }
        panic!("{player:?} is at {:?}, not at {to:?}", self.at(player));
    }

    fn ticks(&mut self, count: u32) {
        (0..count).for_each(|_| drop(self.game.tick()));
    }
}
