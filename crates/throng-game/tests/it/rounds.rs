//! Rounds of computer players: they gather, deliver, tag and win, always in the same way.

use throng_game::{Event, Game, GameError, GameOptions, Phase};
use throng_scene::town;

fn game(options: GameOptions) -> Game {
    Game::new(town(7).validate().unwrap(), options).unwrap()
}

#[test]
fn computer_players_win_and_the_next_round_begins() {
    let options = GameOptions { orbs_to_win: 3, ..GameOptions::default() };
    let mut game = game(options);
    let mut winner = None;
    for _ in 0..3_000 {
        let events = game.tick();
        winner = events.iter().find_map(|event| match event {
            Event::RoundOver { winner } => *winner,
            _ => None,
        });
        if winner.is_some() {
            break;
        }
    }
    let team = winner.unwrap() as usize;
    assert!(game.scores()[team].delivered >= 3);
    assert!(matches!(game.phase(), Phase::Over { .. }));
    let anna = game.join("anna", None).unwrap();
    let refused = game.command(anna, throng_game::Command::Stop);
    assert_eq!(refused, Err(GameError::RoundOver));
    let log = game.take_log();
    assert!(log.moves() > 1_000 && log.destinations() > 100);
    while game.round() == 1 {
        game.tick();
    }
    assert_eq!(game.phase(), Phase::Playing);
    assert!(game.scores().iter().all(|score| *score == Default::default()));
    assert_eq!(game.orbs().len(), 16);
}

#[test]
fn a_round_ends_when_its_time_is_up() {
    let mut game = game(GameOptions { round_ticks: 20, ..GameOptions::default() });
    for _ in 0..20 {
        game.tick();
    }
    assert!(matches!(game.phase(), Phase::Over { .. }));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = |seed| {
        let mut game = game(GameOptions { seed, players: 40, orbs: 30, ..GameOptions::default() });
        let mut events = Vec::new();
        for tick in 0..300 {
            if tick == 50 {
                game.join("anna", None).unwrap();
            }
            events.extend(game.tick());
        }
        (game.hash(), events, game.log().text())
    };
    assert!(play(1) == play(1));
    assert_ne!(play(1).0, play(2).0);
}

#[test]
fn orbs_are_neither_lost_nor_made() {
    let options = GameOptions { players: 60, orbs: 20, ..GameOptions::default() };
    let mut game = game(options);
    let (mut gathered, mut delivered, mut tagged) = (0, 0, 0);
    for tick in 0..1_500 {
        for event in game.tick() {
            match event {
                Event::Gathered { .. } => gathered += 1,
                Event::Delivered { count, .. } => delivered += u32::from(count),
                Event::Tagged { .. } => tagged += 1,
                _ => {}
            }
        }
        let carried: usize = game.players().iter().map(|it| usize::from(it.carried())).sum();
        assert_eq!(game.orbs().len() + carried, 20, "tick {tick}");
    }
    assert!(gathered > 20 && delivered > 5 && tagged > 5, "{gathered} {delivered} {tagged}");
}
