//! Tagging: the opponent drops its orbs and both stand still; nobody is tagged again and again.

use throng_game::{Command, Doing, Event, GameError};
use throng_scene::Location;

use crate::Duel;

/// Both players beside each other in the left room.
fn neighbours() -> Duel {
    let mut duel = Duel::new();
    duel.bring(duel.left, Location::ground(2.0, 2.0));
    duel.bring(duel.right, Location::ground(2.375, 2.0));
    duel
}

#[test]
fn who_is_tagged_stands_still_and_is_safe_for_a_while() {
    let mut duel = neighbours();
    duel.game.command(duel.left, Command::Tag).unwrap();
    assert!(duel.game.tick().contains(&Event::Tagged { by: duel.left, player: duel.right }));
    duel.game.command(duel.right, Command::Path(Location::ground(3.0, 1.0))).unwrap();
    let before = duel.at(duel.right);
    duel.ticks(20);
    assert_eq!(duel.at(duel.right), before);
    assert_eq!(duel.game.player(duel.right).unwrap().doing(duel.game.now()), Doing::Tickled);
    duel.game.command(duel.right, Command::Stop).unwrap();
    duel.ticks(10);
    assert_eq!(duel.game.command(duel.left, Command::Tag), Err(GameError::NobodyInReach));
    assert_eq!(duel.game.command(duel.right, Command::Tag), Err(GameError::NotYet));
    duel.ticks(120);
    duel.game.command(duel.right, Command::Tag).unwrap();
    assert_eq!(duel.game.scores().iter().map(|score| score.tags).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn nobody_is_tagged_through_a_wall_or_from_afar() {
    let mut duel = neighbours();
    duel.bring(duel.right, Location::ground(3.0, 2.0));
    assert_eq!(duel.game.command(duel.left, Command::Tag), Err(GameError::NobodyInReach));
    duel.bring(duel.left, Location::ground(3.75, 1.0));
    duel.bring(duel.right, Location::ground(4.25, 1.0));
    assert_eq!(duel.game.command(duel.left, Command::Tag), Err(GameError::NobodyInReach));
}
