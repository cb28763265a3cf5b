//! Every step of every player is possible: a referee of its own looks at all of them.

use throng_game::{Command, Game, GameOptions, STRIDE};
use throng_scene::{GateKind, Location, ValidScene, town};

use crate::Duel;

/// Whether a body can be at `to` a tick after `from`.
fn is_possible(scene: &ValidScene, radius: f64, from: Location, to: Location) -> bool {
    if from.level == to.level {
        let is_short = from.at.distance(to.at) <= STRIDE + 1e-9;
        // A touch of a wall is allowed: a hair's breadth for rounding.
        return is_short && scene.is_clear(from.at, to.at, from.level, radius - 1e-6);
    }
    let stairs = scene.gates().iter().filter(|gate| gate.kind == GateKind::Stairs);
    let ends =
        stairs.flat_map(|gate| [(gate.sides[0], gate.sides[1]), (gate.sides[1], gate.sides[0])]);
    ends.into_iter().any(|(near, far)| {
        Location::new(near.at, near.level) == from && Location::new(far.at, far.level) == to
    })
}

#[test]
fn every_step_is_short_and_clear_of_walls() {
    for (seed, bodies_block) in [(1, true), (2, false)] {
        let options =
            GameOptions { players: 60, orbs: 30, seed, bodies_block, ..GameOptions::default() };
        let mut game = Game::new(town(seed).validate().unwrap(), options).unwrap();
        let scene = game.scene().clone();
        let mut climbs = 0;
        for tick in 0..600 {
            let round = game.round();
            let before: Vec<_> =
                game.players().iter().map(|it| (it.number(), it.location())).collect();
            game.tick();
            if game.round() != round {
                continue;
            }
            for (number, from) in before {
                let to = game.player(number).unwrap().location();
                climbs += u32::from(from.level != to.level);
                let is_possible = is_possible(&scene, options.body.radius, from, to);
                assert!(is_possible, "tick {tick}: {number:?} from {from:?} to {to:?}");
            }
        }
        assert!(climbs > 5, "{climbs}");
    }
}

#[test]
fn two_who_meet_pass_each_other() {
    let mut duel = Duel::new();
    duel.bring(duel.left, Location::ground(1.0, 2.0));
    duel.bring(duel.right, Location::ground(3.5, 2.0));
    duel.game.command(duel.left, Command::Path(Location::ground(3.25, 2.0))).unwrap();
    duel.game.command(duel.right, Command::Path(Location::ground(1.25, 2.0))).unwrap();
    let mut nearest = f64::INFINITY;
    for _ in 0..60 {
        duel.game.tick();
        nearest = nearest.min(duel.at(duel.left).at.distance(duel.at(duel.right).at));
    }
    assert_eq!(duel.at(duel.left), Location::ground(3.25, 2.0));
    assert_eq!(duel.at(duel.right), Location::ground(1.25, 2.0));
    assert!(nearest >= 2.0 * 0.12 - 1e-9, "they came as near as {nearest}");
}

#[test]
fn nobody_can_close_a_door() {
    let mut duel = Duel::new();
    // A door in which one body fits.
    let narrow = crate::HOUSE.replace("[4.1, 3], [3.9, 3]", "[4.1, 3.6], [3.9, 3.6]");
    let narrow = narrow.replace("[3.5, 3.5]", "[3.5, 3.75]").replace("[4.5, 3.5]", "[4.5, 3.75]");
    let scene = throng_scene::Scene::read(narrow.as_bytes()).unwrap().validate().unwrap();
    duel.game = Game::new(scene, *duel.game.options()).unwrap();
    duel.left = duel.game.join("left", Some(0)).unwrap();
    duel.right = duel.game.join("right", Some(1)).unwrap();
    duel.bring(duel.left, Location::ground(4.0, 3.75));
    duel.bring(duel.right, Location::ground(2.0, 2.0));
}
