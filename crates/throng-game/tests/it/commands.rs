//! Commands are judged: a player says only where it wants to go.

use throng_game::{Command, Doing, Event, GameError, STRIDE};
use throng_scene::{Level, Location, Point};

use crate::Duel;

#[test]
fn a_straight_move_goes_straight_and_stops_at_a_wall() {
    let mut duel = Duel::new();
    duel.bring(duel.left, Location::ground(2.0, 2.0));
    duel.game.command(duel.left, Command::Straight(Point::new(3.0, 1.0))).unwrap();
    duel.game.tick();
    let Point { x, y } = duel.at(duel.left).at;
    assert!((x - 2.0 - (2.0 - y)).abs() < 1e-9, "{x} {y}");
    duel.ticks(20);
    assert_eq!(duel.at(duel.left), Location::ground(3.0, 1.0));
    duel.game.command(duel.left, Command::Straight(Point::new(7.0, 1.0))).unwrap();
    duel.ticks(40);
    let stopped = duel.at(duel.left).at;
    assert!(stopped.x < 3.9 && stopped.x > 3.5, "{stopped}");
    assert_eq!(duel.game.player(duel.left).unwrap().doing(duel.game.now()), Doing::Stands);
}

#[test]
fn the_first_step_of_a_path_comes_at_once() {
    let mut duel = Duel::new();
    let before = duel.at(duel.left);
    duel.game.command(duel.left, Command::Path(Location::ground(7.0, 2.0))).unwrap();
    duel.game.tick();
    assert!(duel.at(duel.left) != before);
    let (known, rest) = duel.game.player(duel.left).unwrap().way();
    assert!(!known.is_empty());
    assert_eq!(rest, Some(Location::ground(7.0, 2.0)), "the rest is found on the way");
}

#[test]
fn paths_lead_through_doors_and_over_stairs() {
    let mut duel = Duel::new();
    duel.bring(duel.left, Location::ground(6.0, 1.0));
    duel.bring(duel.left, Location::new(Point::new(7.0, 3.0), Level(1)));
    duel.bring(duel.left, Location::ground(1.0, 1.0));
}

#[test]
fn a_click_on_stairs_climbs_them() {
    let mut duel = Duel::new();
    duel.bring(duel.left, Location::ground(1.0, 1.0));
    duel.game.command(duel.left, Command::Straight(Point::new(0.6, 0.4))).unwrap();
    duel.ticks(20);
    assert_eq!(duel.at(duel.left), Location::new(Point::new(0.5, 0.5), Level(1)));
}

#[test]
fn impossible_commands_are_refused_and_change_nothing() {
    let mut duel = Duel::new();
    let left = duel.left;
    let before = duel.at(left);
    let on = |x, y, level| Command::Path(Location::new(Point::new(x, y), Level(level)));
    for wrong in [
        Command::Straight(Point::new(f64::NAN, 1.0)),
        Command::Straight(Point::new(-1.0, 1.0)),
        Command::Straight(Point::new(1e300, f64::INFINITY)),
        on(9.0, 1.0, 0),
        on(1.0, 1.0, 2),
        on(1.0, 1.0, 255),
    ] {
        let refused = duel.game.command(left, wrong);
        assert!(matches!(refused, Err(GameError::Location(_))), "{wrong:?}: {refused:?}");
    }
    assert_eq!(duel.game.command(left, Command::Tag), Err(GameError::NobodyInReach));
    duel.ticks(5);
    assert_eq!(duel.at(left), before);
    duel.game.leave(left);
    assert_eq!(duel.game.command(left, Command::Stop), Err(GameError::NoSuchPlayer));
}

#[test]
fn a_place_inside_a_wall_becomes_the_free_place_beside_it() {
    let mut duel = Duel::new();
    duel.game.command(duel.left, Command::Path(Location::ground(4.0, 1.5))).unwrap();
    duel.ticks(60);
    let at = duel.at(duel.left).at;
    assert!(at.distance(Point::new(4.0, 1.5)) < 0.5, "{at}");
}

#[test]
fn no_flood_of_commands_is_faster_than_a_walk() {
    let mut duel = Duel::new();
    let mut before = duel.at(duel.left).at;
    for tick in 0..60 {
        for number in 0..50 {
            let to = Location::ground(0.5 + f64::from((tick * 7 + number) % 7), 3.5);
            duel.game.command(duel.left, Command::Path(to)).unwrap();
        }
        let events = duel.game.tick();
        assert!(!events.iter().any(|event| matches!(event, Event::NoPath { .. })));
        let now = duel.at(duel.left).at;
        assert!(now.distance(before) <= STRIDE + 1e-9);
        before = now;
    }
}
