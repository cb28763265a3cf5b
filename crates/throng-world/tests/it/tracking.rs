//! Orders that depend on other units, and orders that end near their goal.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Event, Order, Spawn, Team, UnitStatus, Why, World, WorldError, WorldOptions};

use crate::refereed::RefereedWorld;

fn gap(refereed: &RefereedWorld, a: UnitId, b: UnitId) -> u16 {
    let (a, b) = (refereed.at(a), refereed.at(b));
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

fn open(width: u32, height: u32) -> RefereedWorld {
    RefereedWorld::new(Map::empty(width, height).unwrap(), WorldOptions::default())
}

#[test]
fn a_follower_stays_near_and_rests_when_its_leader_does() {
    let mut refereed = open(40, 12);
    let (leader, follower) = (refereed.scout((5, 5)), refereed.scout((1, 1)));
    refereed.world.order(follower, Order::follow(leader, 2)).unwrap();
    refereed.until(20, |r| r.world.status(follower) == Some(UnitStatus::Near));
    assert_eq!(refereed.world.why(follower), Some(Why::Near { unit: leader }));
    refereed.go(leader, (35, 6));
    for _ in 0..40 {
        refereed.tick();
        assert!(gap(&refereed, leader, follower) <= 5, "{}", refereed.show());
    }
    assert!(gap(&refereed, leader, follower) <= 2);
    let at = refereed.at(follower);
    refereed.ticks(20);
    assert_eq!(refereed.at(follower), at);
    assert_eq!(refereed.at(leader), Cell::new(35, 6), "pushed by its follower");
    refereed.world.remove(leader).unwrap();
    let events = refereed.tick().to_vec();
    assert!(events.contains(&Event::TargetLost { unit: follower, target: leader }));
    assert_eq!(refereed.world.current_order(follower), Some(&Order::Stop));
}

#[test]
fn a_guard_rests_while_its_charge_moves_a_little() {
    let mut refereed = open(40, 12);
    let (charge, guard) = (refereed.scout((5, 5)), refereed.scout((9, 5)));
    refereed.world.order(guard, Order::guard(charge, 6)).unwrap();
    refereed.until(10, |r| r.world.status(guard) == Some(UnitStatus::Near));
    let at = refereed.at(guard);
    refereed.go(charge, (5, 8));
    refereed.ticks(10);
    assert_eq!(refereed.at(guard), at);
    refereed.go(charge, (30, 8));
    refereed.until(60, |r| gap(r, charge, guard) <= 3 && r.at(charge).x == 30);
}

#[test]
fn a_patrol_visits_its_cells_again_and_again() {
    let mut refereed = open(20, 6);
    let unit = refereed.scout((0, 0));
    let beat = [Cell::new(3, 0), Cell::new(9, 0), Cell::new(9, 4)];
    refereed.world.order(unit, Order::Patrol(beat.to_vec())).unwrap();
    let events = refereed.ticks(80);
    let visited = events.iter().filter_map(|event| match event {
        Event::Arrived { at, .. } => Some(*at),
        _ => None,
    });
    let visited: Vec<Cell> = visited.collect();
    assert!(visited.len() >= 9, "{visited:?}");
    assert!(visited.iter().zip(beat.iter().cycle()).all(|(at, cell)| at == cell));
    let one = refereed.world.order(unit, Order::Patrol(vec![Cell::new(1, 1)]));
    assert_eq!(one, Err(WorldError::NoGoal));
    assert_eq!(refereed.world.order(unit, Order::chase(unit, 1)), Err(WorldError::OwnTarget(unit)));
}

#[test]
fn an_attack_move_is_halted_and_resumed() {
    let mut refereed = open(30, 5);
    let unit = refereed.scout((0, 2));
    refereed.world.order(unit, (25, 2)).unwrap();
    refereed.world.queue_order(unit, (0, 0)).unwrap();
    refereed.ticks(5);
    refereed.world.halt(unit).unwrap();
    let at = refereed.at(unit);
    refereed.ticks(10);
    assert_eq!((refereed.at(unit), refereed.world.status(unit)), (at, Some(UnitStatus::Halted)));
    assert_eq!(refereed.world.why(unit), Some(Why::Halted));
    let mut restored = World::restore(&refereed.world.snapshot(), 1).unwrap();
    assert_eq!(restored.tick(), refereed.world.tick());
    refereed.world.resume(unit).unwrap();
    refereed.until(40, |r| r.at(unit) == Cell::new(25, 2));
    refereed.until(60, |r| r.at(unit) == Cell::new(0, 0));
}

#[test]
fn the_queue_can_be_edited() {
    let mut refereed = open(12, 3);
    let unit = refereed.scout((0, 0));
    for x in [6, 0, 3] {
        refereed.world.queue_order(unit, (x, 0)).unwrap();
    }
    let mut queue: Vec<Order> = refereed.world.queue(unit).cloned().collect();
    queue.remove(0);
    queue.push(Order::go((11, 2)));
    refereed.world.set_queue(unit, &queue).unwrap();
    let events = refereed.ticks(40);
    let visited: Vec<u16> = events
        .iter()
        .filter_map(|event| match event {
            Event::Arrived { at, .. } => Some(at.x),
            _ => None,
        })
        .collect();
    assert_eq!(visited, [6, 3, 11]);
}

/// A wall, an island, a place that is too narrow, and one that is taken.
#[test]
fn a_unit_approaches_what_it_cannot_reach() {
    let drawing = "..........\n..........\n......####\n......#..#\n......####";
    let goals = [(Cell::new(7, 2), 1), (Cell::new(7, 3), 2), (Cell::new(0, 4), 0)];
    for (goal, furthest) in goals {
        let mut refereed = RefereedWorld::drawn(drawing);
        let unit = refereed.scout((1, 1));
        refereed.world.order(unit, Order::Approach(goal)).unwrap();
        let events = refereed.ticks(20);
        let at = refereed.at(unit);
        let missed = at.x.abs_diff(goal.x).max(at.y.abs_diff(goal.y));
        assert_eq!(missed, furthest, "{goal}");
        let (event, why) = match furthest {
            0 => (Event::Arrived { unit, at }, Why::Arrived),
            _ => (Event::ArrivedNear { unit, at, goal }, Why::ArrivedNear { goal }),
        };
        assert!(events.contains(&event), "{events:?}");
        assert_eq!(refereed.world.why(unit), Some(why));
    }
    let mut refereed = RefereedWorld::drawn(drawing);
    let large = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
    let unit = refereed.spawn(Cell::new(1, 0), &Spawn::new(large)).unwrap();
    refereed.world.order(unit, Order::Approach(Cell::new(9, 1))).unwrap();
    let events = refereed.ticks(20);
    assert!(events.iter().any(|event| matches!(event, Event::ArrivedNear { .. })), "too narrow");
    assert_eq!(refereed.at(unit), Cell::new(8, 0));
}

/// The only place where the large unit fits is the goal of another: it waits, says so once, and goes
/// when there is room.
#[test]
fn a_unit_without_room_goes_when_there_is_some() {
    let orders =
        [(Order::go((0, 0)), Cell::new(0, 0)), (Order::Approach(Cell::new(3, 1)), Cell::new(3, 1))];
    for (order, goal) in orders {
        let mut refereed = RefereedWorld::drawn("...#\n..##");
        let movement = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
        let large = refereed.spawn(Cell::new(0, 0), &Spawn::new(movement)).unwrap();
        let scout = refereed.scout((2, 0));
        refereed.go(scout, (1, 0));
        refereed.tick();
        refereed.world.order(large, order).unwrap();
        let events = refereed.ticks(40);
        let said: Vec<&Event> = events
            .iter()
            .filter(|event| matches!(event, Event::NoRoom { .. } | Event::Unreachable { .. }))
            .collect();
        assert_eq!(said, [&Event::NoRoom { unit: large }]);
        assert_eq!(refereed.world.status(large), Some(UnitStatus::NoRoom));
        assert_eq!(refereed.world.why(large), Some(Why::GoalTaken { goal }));
        refereed.go(scout, (2, 0));
        refereed.until(40, |r| r.world.status(large) == Some(UnitStatus::Arrived));
    }
}

/// Blocks of houses with streets of three cells.
fn town(rng: &mut Pcg64Mcg) -> Map {
    let mut map = Map::empty(128, 128).unwrap();
    for (x, y) in (0..12).flat_map(|y| (0..12).map(move |x| (x, y))) {
        let (width, height) = (rng.random_range(4..8), rng.random_range(4..8));
        let rect = Rect::new(Cell::new(3 + 10 * x, 3 + 10 * y), width, height);
        map.fill(rect, Map::WALL).unwrap();
    }
    map
}

#[derive(Clone, Copy, PartialEq)]
enum Pursuit {
    None,
    Chase,
    EveryTick,
}

/// Ticks until the target is caught, at most `most`, and the nodes expanded.
fn hunt(seed: u64, how: Pursuit, most: u32) -> (u32, u64) {
    let mut rng = throng_testkit::rng(seed);
    let mut world = World::new(town(&mut rng), WorldOptions::default()).unwrap();
    let slow = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
    let target = world.spawn((120, 120), &Spawn::new(slow).with_team(Team(1))).unwrap();
    let hunter = Spawn::new(MovementProfile::eight_connected());
    let hunter = world.spawn((1, 1), &hunter).unwrap();
    let mut any = || loop {
        let cell = Cell::new(rng.random_range(0..128), rng.random_range(0..128));
        if world.map().is_passable(cell) {
            return cell;
        }
    };
    let goals: Vec<Cell> = (0..64).map(|_| any()).collect();
    world.order(target, Order::Patrol(goals)).unwrap();
    if how == Pursuit::Chase {
        world.order(hunter, Order::chase(target, 1)).unwrap();
    }
    let mut expanded = 0;
    for tick in 0..most {
        let at = |unit| world.location(unit).map(|(at, _)| at).unwrap();
        let (a, b) = (at(hunter), at(target));
        if a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= 1 {
            return (tick, expanded);
        }
        if how == Pursuit::EveryTick {
            world.order(hunter, Order::go(b)).unwrap();
        }
        expanded += {
            let report = world.tick();
            report.expanded
        };
    }
    (most, expanded)
}

/// A pursuer twice as fast as its target, against one that gets a new route in every tick.
#[test]
fn a_chase_is_nearly_as_quick_as_one_that_replans_in_every_tick_and_far_cheaper() {
    let (mut ticks, mut costs) = ((0, 0), (0, 0));
    for seed in 0..8 {
        let (chase, exact) =
            (hunt(seed, Pursuit::Chase, 2000), hunt(seed, Pursuit::EveryTick, 2000));
        assert!(chase.0 < 2000 && exact.0 < 2000, "seed {seed}: {chase:?} {exact:?}");
        let (alone, exact_alone) =
            (hunt(seed, Pursuit::None, chase.0).1, hunt(seed, Pursuit::None, exact.0).1);
        ticks = (ticks.0 + chase.0, ticks.1 + exact.0);
        costs = (costs.0 + chase.1 - alone, costs.1 + exact.1 - exact_alone);
    }
    println!("ticks {ticks:?} costs {costs:?}");
    assert!(ticks.0 * 10 <= ticks.1 * 13, "ticks {ticks:?}");
    assert!(costs.0 * 10 <= costs.1, "expansions {costs:?}");
}
