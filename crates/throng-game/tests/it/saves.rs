//! A saved game goes on where it was, and damaged saves are refused.

use serde_json::{Value, json};
use throng_game::{Command, Game, GameError, GameOptions, SavedGame};
use throng_scene::{Location, ValidScene, town};

fn scene() -> ValidScene {
    town(7).validate().unwrap()
}

/// A game of 40 players in its middle, with a person on the way.
fn in_its_middle() -> Game {
    let options = GameOptions { players: 40, orbs: 30, ..GameOptions::default() };
    let mut game = Game::new(scene(), options).unwrap();
    let anna = game.join("anna", None).unwrap();
    game.command(anna, Command::Path(Location::ground(15.0, 15.0))).unwrap();
    (0..120).for_each(|_| drop(game.tick()));
    game
}

fn restored(game: &Game, saved: &Value) -> Result<Game, GameError> {
    let saved: SavedGame = serde_json::from_value(saved.clone()).unwrap();
    Game::restore(scene(), &saved, game.log().clone())
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let game = in_its_middle();
    let text = serde_json::to_string(&game.save()).unwrap();
    let mut again = restored(&game, &serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(again.hash(), game.hash());
    assert_eq!((again.round(), again.scores()), (game.round(), game.scores()));
    let names =
        |game: &Game| game.players().iter().map(|it| it.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&again), names(&game));
    let before: Vec<Location> = again.players().iter().map(throng_game::Player::location).collect();
    for _ in 0..100 {
        again.tick();
        let carried: usize = again.players().iter().map(|it| usize::from(it.carried())).sum();
        assert_eq!(again.orbs().len() + carried, 30, "tick {}", again.now());
    }
    let moved =
        again.players().iter().zip(&before).filter(|(now, before)| now.location() != **before);
    assert!(moved.count() > 30, "everybody goes on");
    assert!(again.log().moves() > game.log().moves() + 500);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let game = in_its_middle();
    let saved = serde_json::to_value(game.save()).unwrap();
    assert!(restored(&game, &saved).is_ok());
    let damages: [(&str, Value); 10] = [
        ("/players/3/team", json!(9)),
        ("/players/3/at", json!([[-1.0, 2.0], 0])),
        ("/players/3/at", json!([[1.0, 2.0], 99])),
        ("/players/3/carried", json!(4)),
        ("/players/3/name", json!("")),
        ("/players/3/number", saved["players"][4]["number"].clone()),
        ("/players", json!([])),
        ("/scores", json!([])),
        ("/round_began", json!(121)),
        ("/over", json!([6, 130])),
    ];
    for (place, damage) in damages {
        let mut damaged = saved.clone();
        *damaged.pointer_mut(place).unwrap() = damage;
        let refused = restored(&game, &damaged).err();
        assert_eq!(refused, Some(GameError::Saved), "{place}");
    }
    let mut damaged = saved.clone();
    damaged["options"]["players"] = json!(100_000);
    assert!(matches!(restored(&game, &damaged), Err(GameError::OutOfRange { .. })));
}

#[test]
fn a_player_in_a_wall_begins_at_its_base() {
    let game = in_its_middle();
    let mut saved = serde_json::to_value(game.save()).unwrap();
    let wall = scene().obstacles().next().map(|(_, wall)| wall.polygon.bounds()).unwrap();
    saved["players"][0]["at"] = json!([wall.min.midpoint(wall.max), 0]);
    let again = restored(&game, &saved).unwrap();
    let player = &again.players()[0];
    let base = again.bases()[player.team() as usize];
    assert!(player.location().at.distance(base.at) < 5.0, "{:?}", player.location());
}
