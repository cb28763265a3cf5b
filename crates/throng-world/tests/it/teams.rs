//! Teams: friends plan together, enemies are obstacles whose plans are not known.

use rand::RngExt;
use throng_model::{Cell, Factor, Map, MovementProfile, TerrainClass, TerrainOverride, UnitId};
use throng_world::{Order, Relation, Spawn, Team, UnitStatus, World, WorldError, WorldOptions};

use crate::refereed::RefereedWorld;

const RED: Team = Team(1);
const BLUE: Team = Team(2);

fn of(team: Team) -> Spawn {
    Spawn::new(MovementProfile::eight_connected()).with_team(team)
}

fn has_arrived(world: &World, unit: UnitId) -> bool {
    world.status(unit) == Some(UnitStatus::Arrived) && world.destination(unit).is_some()
}

#[test]
fn friends_give_way_and_enemies_do_not() {
    for (team, gives_way) in [(RED, true), (BLUE, false)] {
        let mut refereed = RefereedWorld::drawn("#####\n.....\n##.##");
        let unit = refereed.spawn(Cell::new(0, 1), &of(RED)).unwrap();
        let idle = refereed.spawn(Cell::new(2, 1), &of(team)).unwrap();
        refereed.go(unit, (4, 1));
        refereed.ticks(60);
        assert_eq!(refereed.at(unit) == Cell::new(4, 1), gives_way, "{}", refereed.show());
        assert_eq!(refereed.at(idle) != Cell::new(2, 1) || gives_way, gives_way);
    }
}

/// Two hundred and two hundred units meet on open ground. The referee sees whether anybody enters
/// a cell on which an enemy stood.
#[test]
fn two_hostile_armies_pass_each_other() {
    let mut refereed = RefereedWorld::new(Map::empty(64, 44).unwrap(), WorldOptions::default());
    let mut units = Vec::new();
    for number in 0..200_u16 {
        let (x, y) = (2 * (number % 10), 2 + 2 * (number / 10));
        for (team, from, to) in [(RED, x, 63 - x), (BLUE, 63 - x, x)] {
            let unit = refereed.spawn(Cell::new(from, y), &of(team)).unwrap();
            units.push((unit, Cell::new(to, y)));
        }
    }
    units.iter().for_each(|&(unit, to)| refereed.go(unit, to));
    let all = |r: &RefereedWorld| units.iter().all(|&(unit, _)| has_arrived(&r.world, unit));
    let ticks = refereed.until(600, all);
    assert!(ticks < 400, "{ticks}");
    for &(unit, to) in &units {
        let at = refereed.at(unit);
        assert!(at.x.abs_diff(to.x).max(at.y.abs_diff(to.y)) <= 2, "{at} is far from {to}");
    }
}

/// An enemy walks the same five cells in both worlds. In one it plans to walk on across the path
/// of the unit, and is stopped before. The unit must do the same in both, and plan the same.
#[test]
fn hidden_plans_of_the_enemy_change_nothing() {
    for seed in 0..40 {
        let mut rng = throng_testkit::rng(seed);
        let (across, row) = (rng.random_range(8..18_u16), rng.random_range(8..12_u16));
        let run = |knows: bool| {
            let mut refereed =
                RefereedWorld::new(Map::empty(30, 20).unwrap(), WorldOptions::default());
            let enemy = refereed.spawn(Cell::new(across, 0), &of(BLUE)).unwrap();
            let unit = refereed.spawn(Cell::new(1, row), &of(RED)).unwrap();
            let end = Cell::new(across, if knows { 19 } else { 5 });
            refereed.go(enemy, end);
            refereed.go(unit, (28, row));
            let mut seen = Vec::new();
            for tick in 0..40 {
                if tick == 5 {
                    refereed.world.order(enemy, Order::Stop).unwrap();
                }
                refereed.tick();
                seen.push((refereed.at(enemy), refereed.at(unit), refereed.world.plan(unit)));
            }
            seen
        };
        assert_eq!(run(true), run(false), "seed {seed}");
    }
}

/// Enemies behind a door are shut in by others of theirs, so that they never move. Whether they want
/// to come through the door makes no difference to units that do, small or large.
#[test]
fn a_turn_at_a_door_does_not_depend_on_where_enemies_want_to_go() {
    for side in [1, 2] {
        let run = |comes: bool| {
            let mut refereed = door_with_enemies_behind(side, comes);
            let reds: Vec<UnitId> =
                refereed.world.units().filter(|&u| refereed.world.team(u) == Some(RED)).collect();
            let mut seen = Vec::new();
            for _ in 0..60 {
                refereed.tick();
                seen.push(reds.iter().map(|&red| refereed.at(red)).collect::<Vec<_>>());
            }
            seen
        };
        assert_eq!(run(true), run(false), "bodies of {side}");
    }
}

/// Fourteen red units before a door in which two cannot pass, and twelve blue ones behind it in a
/// ring of others on hold.
fn door_with_enemies_behind(side: u16, comes: bool) -> RefereedWorld {
    let mut map = Map::empty(u32::from(40 * side), u32::from(16 * side)).unwrap();
    let door = 7 * side..7 * side + 2 * side - 1;
    let wall = (0..16 * side).filter(|y| !door.contains(y));
    map.paint(&wall.map(|y| Cell::new(20 * side, y)).collect::<Vec<_>>(), Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let movement = MovementProfile { footprint: side as u8, ..MovementProfile::eight_connected() };
    let of = |team| Spawn::new(movement.clone()).with_team(team);
    for (column, row) in (0..6).flat_map(|column| (0..5).map(move |row| (column, row))) {
        let at = Cell::new((23 + column) * side, (9 + row) * side);
        let unit = refereed.spawn(at, &of(BLUE)).unwrap();
        let is_ring = [0, 5].contains(&column) || [0, 4].contains(&row);
        if is_ring {
            refereed.world.order(unit, Order::Hold).unwrap();
        } else {
            refereed.go(unit, (if comes { column } else { 32 + column } * side, (6 + row) * side));
        }
    }
    for number in 0..14 {
        let (column, row) = (number % 4, 4 + number / 4 * 2);
        let unit = refereed.spawn(Cell::new((14 + column) * side, row * side), &of(RED)).unwrap();
        refereed.go(unit, ((34 + column) * side, (1 + number / 4) * side));
    }
    refereed
}

/// The same among friends: there the plan is known, and the unit plans around it.
#[test]
fn plans_of_friends_are_known() {
    let run = |end: u16| {
        let mut world = World::new(Map::empty(30, 20).unwrap(), WorldOptions::default()).unwrap();
        let friend = world.spawn((9, 1), &of(RED)).unwrap();
        let unit = world.spawn((1, 9), &of(RED)).unwrap();
        world.order(friend, (9, end)).unwrap();
        world.order(unit, (28, 9)).unwrap();
        world.tick();
        world.plan(unit)
    };
    assert_ne!(run(19), run(4));
}

#[test]
fn an_idle_line_of_enemies_is_walked_around() {
    let mut refereed = RefereedWorld::new(Map::empty(24, 24).unwrap(), WorldOptions::default());
    for y in 2..22 {
        refereed.spawn(Cell::new(12, y), &of(BLUE)).unwrap();
    }
    let units: Vec<UnitId> =
        (0..6).map(|n| refereed.spawn(Cell::new(2, 9 + n), &of(RED)).unwrap()).collect();
    (9..).zip(&units).for_each(|(y, &unit)| refereed.go(unit, (21, y)));
    refereed.until(300, |r| units.iter().all(|&unit| has_arrived(&r.world, unit)));
}

#[test]
fn allies_become_enemies_and_units_change_sides() {
    let mut refereed = RefereedWorld::drawn("#####\n.....\n##.##");
    refereed.world.set_relation(RED, BLUE, Relation::Friend).unwrap();
    let unit = refereed.spawn(Cell::new(0, 1), &of(RED)).unwrap();
    let idle = refereed.spawn(Cell::new(2, 1), &of(BLUE)).unwrap();
    refereed.go(unit, (4, 1));
    refereed.until(20, |r| r.at(unit) == Cell::new(4, 1));
    refereed.world.set_relation(RED, BLUE, Relation::Enemy).unwrap();
    refereed.show_teams();
    refereed.world.order(idle, (2, 1)).unwrap();
    refereed.until(20, |r| r.at(idle) == Cell::new(2, 1));
    refereed.go(unit, (0, 1));
    refereed.ticks(40);
    assert_eq!(refereed.at(idle), Cell::new(2, 1));
    refereed.world.set_team(idle, RED).unwrap();
    refereed.show_teams();
    refereed.until(60, |r| r.at(unit) == Cell::new(0, 1));
}

#[test]
fn friends_of_friends_are_friends() {
    let mut world = World::new(Map::empty(4, 4).unwrap(), WorldOptions::default()).unwrap();
    world.set_relation(Team(1), Team(2), Relation::Friend).unwrap();
    world.set_relation(Team(2), Team(3), Relation::Friend).unwrap();
    assert_eq!(world.relation(Team(1), Team(3)), Relation::Friend);
    let refused = world.set_relation(Team(1), Team(3), Relation::Enemy);
    assert_eq!(refused, Err(WorldError::CommonFriend(1, 3)));
    assert_eq!(
        world.set_relation(Team(1), Team(16), Relation::Enemy),
        Err(WorldError::NoSuchTeam(16))
    );
    world.set_relation(Team(2), Team(3), Relation::Neutral).unwrap();
    assert_eq!(world.relation(Team(1), Team(3)), Relation::Enemy);
    assert_eq!(world.relation(Team(3), Team(2)), Relation::Neutral);
}

/// A gate is terrain that only the movement profiles of its owners can cross.
#[test]
fn a_gate_opens_for_one_team_only() {
    let mut refereed = RefereedWorld::drawn("..#..\n..#..\n..#..");
    let class = TerrainClass::blocked("gate of red", 'R');
    let gate = refereed.world.add_class(class).unwrap();
    refereed.world.paint(&[Cell::new(2, 1)], gate).unwrap();
    let terrain = vec![TerrainOverride { terrain: gate, factor: Some(Factor::ONE) }];
    let owner = MovementProfile { terrain, ..MovementProfile::eight_connected() };
    let red = refereed.spawn(Cell::new(0, 0), &Spawn::new(owner).with_team(RED)).unwrap();
    let blue = refereed.spawn(Cell::new(0, 2), &of(BLUE)).unwrap();
    refereed.go(red, (4, 0));
    refereed.go(blue, (4, 2));
    refereed.until(30, |r| has_arrived(&r.world, red));
    assert_eq!(refereed.world.status(blue), Some(UnitStatus::Unreachable));
}
