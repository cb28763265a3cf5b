//! People join and leave; computer players fill the teams.

use throng_game::{Game, GameError, GameOptions, PEOPLE_MAX};
use throng_scene::town;

fn game(players: u32) -> Game {
    let options = GameOptions { players, ..GameOptions::default() };
    Game::new(town(3).validate().unwrap(), options).unwrap()
}

fn sizes(game: &Game) -> Vec<usize> {
    let teams = 0..game.options().teams;
    teams.map(|team| game.players().iter().filter(|it| it.team() == team).count()).collect()
}

#[test]
fn computer_players_make_room_and_come_back() {
    let mut game = game(24);
    assert_eq!(sizes(&game), [4; 6]);
    let people: Vec<_> = (0..6).map(|_| game.join("anna", None).unwrap()).collect();
    assert_eq!((sizes(&game), game.people()), (vec![4; 6], 6));
    let teams: Vec<u32> = people.iter().map(|&it| game.player(it).unwrap().team()).collect();
    assert_eq!(teams, [0, 1, 2, 3, 4, 5], "one in each team");
    for person in people {
        game.leave(person);
        assert!(game.player(person).is_none());
    }
    assert_eq!((sizes(&game), game.people()), (vec![4; 6], 0));
}

#[test]
fn names_are_unique_and_plain() {
    let mut game = game(12);
    let names = ["  anna   maria ", "Anna Maria", "Жанна", "o'neil_2"];
    let numbers = names.map(|name| game.join(name, None).unwrap());
    let given = numbers.map(|it| game.player(it).unwrap().name().to_owned());
    assert_eq!(given, ["anna maria", "Anna Maria 2", "Жанна", "o'neil_2"]);
    let long = "x".repeat(21);
    for wrong in ["", "   ", &long, &"x".repeat(1 << 20), "<b>", "a\u{202e}b", "a\u{0}", "a\"b"] {
        assert_eq!(game.join(wrong, None), Err(GameError::Name), "{wrong:?}");
    }
    assert!(matches!(game.join("x", Some(6)), Err(GameError::Team { given: 6, last: 5 })));
}

#[test]
fn a_game_has_room_for_a_bounded_number_of_people() {
    let mut game = game(24);
    for number in 0..PEOPLE_MAX {
        game.join(&format!("p{number}"), Some(0)).unwrap();
    }
    assert_eq!(game.join("one more", None), Err(GameError::Full));
    assert_eq!(game.players().len(), PEOPLE_MAX);
}

#[test]
fn nobody_is_forgotten_after_a_hundred_thousand_joins() {
    let mut game = game(6);
    let stays = game.join("stays", None).unwrap();
    for _ in 0..70_000 {
        let goes = game.join("goes", None).unwrap();
        assert_ne!(goes, stays);
        game.leave(goes);
    }
    assert_eq!(game.player(stays).unwrap().name(), "stays");
    assert_eq!(game.players().len(), 6);
}

#[test]
fn options_out_of_range_are_refused() {
    for (players, teams, orbs) in [(1, 1, 1), (201, 2, 1), (4, 5, 1), (9, 9, 1), (4, 2, 0)] {
        let options = GameOptions { players, teams, orbs, ..GameOptions::default() };
        let made = Game::new(town(3).validate().unwrap(), options);
        assert!(matches!(made, Err(GameError::OutOfRange { .. })), "{players} {teams} {orbs}");
    }
}
