//! Units that stand for long count: others walk around them, or wait and say for whom.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Order, Spawn, UnitStatus, Why, World, WorldOptions};

use crate::refereed::RefereedWorld;

fn spawn(footprint: u8, pace: u8) -> Spawn {
    Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::eight_connected() })
}

/// Puts units on hold.
fn hold(refereed: &mut RefereedWorld, cells: impl Iterator<Item = Cell>) -> Vec<UnitId> {
    let units: Vec<UnitId> = cells.map(|at| refereed.spawn(at, &spawn(1, 1)).unwrap()).collect();
    units.iter().for_each(|&unit| refereed.world.order(unit, Order::Hold).unwrap());
    units
}

fn has_arrived(refereed: &RefereedWorld, unit: UnitId) -> bool {
    refereed.world.status(unit) == Some(UnitStatus::Arrived)
}

fn all_arrive(refereed: &mut RefereedWorld, units: &[UnitId], ticks: u32) -> u32 {
    refereed.until(ticks, |refereed| units.iter().all(|&unit| has_arrived(refereed, unit)))
}

/// A line on hold across open ground, from one column to another, and 30 units above its middle
/// that are told to go below it.
fn line(size: (u16, u16), columns: (u16, u16), kind: &Spawn) -> (RefereedWorld, Vec<UnitId>) {
    let map = Map::empty(size.0.into(), size.1.into()).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    hold(&mut refereed, (columns.0..columns.1).map(|x| Cell::new(x, size.1 / 2)));
    let gap = 2 * u16::from(kind.movement.footprint);
    let left = (columns.0 + columns.1) / 2 - 5 * gap;
    let places = (0..30).map(|n| Cell::new(left + n % 10 * gap, 2 + n / 10 * gap));
    let mut units = Vec::new();
    for at in places {
        units.push(refereed.spawn(at, kind).unwrap());
        refereed.go(units[units.len() - 1], (at.x, size.1 - 1 - gap - at.y));
    }
    (refereed, units)
}

/// 30 columns to the end of the line and 30 back; large units need some time to line up.
#[test]
fn a_line_on_hold_is_walked_around() {
    let (mut refereed, units) = line((100, 40), (20, 80), &spawn(1, 1));
    all_arrive(&mut refereed, &units, 110);
    let (mut refereed, units) = line((100, 40), (20, 80), &spawn(2, 1));
    all_arrive(&mut refereed, &units, 160);
    let (mut refereed, units) = line((100, 40), (20, 80), &spawn(1, 3));
    all_arrive(&mut refereed, &units, 330);
}

#[test]
fn a_long_line_on_hold_is_walked_around() {
    let (mut refereed, units) = line((320, 60), (60, 260), &spawn(1, 1));
    all_arrive(&mut refereed, &units, 270);
    let (mut refereed, units) = line((320, 60), (60, 260), &spawn(3, 1));
    all_arrive(&mut refereed, &units, 360);
}

/// Who holds around the goal is named, and when the ring is released the unit goes on.
#[test]
fn a_unit_waits_outside_of_a_ring_on_hold() {
    let mut refereed = RefereedWorld::new(Map::empty(40, 30).unwrap(), WorldOptions::default());
    let goal = Cell::new(30, 15);
    let ring = Rect::new(Cell::new(28, 13), 5, 5).cells();
    let ring = ring.filter(|cell| cell.x.abs_diff(30).max(cell.y.abs_diff(15)) == 2);
    let ring = hold(&mut refereed, ring);
    let queue: Vec<UnitId> =
        (0..6).map(|n| refereed.spawn(Cell::new(2 + n, 15), &spawn(1, 1)).unwrap()).collect();
    for &unit in &queue {
        refereed.world.order(unit, Order::go(goal)).unwrap();
    }
    refereed.ticks(200);
    let waits = |&&unit: &&UnitId| match refereed.world.why(unit) {
        Some(Why::WaitingFor { unit, .. }) => ring.contains(&unit),
        _ => false,
    };
    let nearest = queue.iter().filter(waits).count();
    assert!(nearest > 0, "{}", refereed.show());
    ring.iter().for_each(|&unit| refereed.world.order(unit, Order::go((5, 25))).unwrap());
    all_arrive(&mut refereed, &queue, 60);
}

/// Two corridors between two rooms, of lengths 10 and 40.
fn two_ways() -> RefereedWorld {
    let mut map = Map::empty(40, 40).unwrap();
    map.fill(Rect::new(Cell::new(12, 0), 12, 40), Map::WALL).unwrap();
    map.fill(Rect::new(Cell::new(12, 10), 12, 1), Map::GROUND).unwrap();
    map.fill(Rect::new(Cell::new(12, 35), 12, 1), Map::GROUND).unwrap();
    RefereedWorld::new(map, WorldOptions::default())
}

/// So many units in the left room that are told to go to the right one.
fn crossing(refereed: &mut RefereedWorld, count: u16) -> Vec<UnitId> {
    let mut units = Vec::new();
    for n in 0..count {
        let at = Cell::new(4 + n % 4, 6 + n / 4);
        units.push(refereed.spawn(at, &spawn(1, 1)).unwrap());
        refereed.go(units[usize::from(n)], (30 + n % 4, 6 + n / 4));
    }
    units
}

#[test]
fn a_plugged_corridor_is_left_for_another() {
    let mut refereed = two_ways();
    let units = crossing(&mut refereed, 12);
    refereed.ticks(6);
    let plug = hold(&mut refereed, [Cell::new(18, 10)].into_iter());
    all_arrive(&mut refereed, &units, 140);
    assert_eq!(refereed.world.status(plug[0]), Some(UnitStatus::Holding));
    // Who is told to go later does not go there at all.
    let unit = refereed.spawn(Cell::new(10, 10), &spawn(1, 1)).unwrap();
    refereed.go(unit, (26, 10));
    let ticks = all_arrive(&mut refereed, &[unit], 80);
    assert!(ticks > 60);
}

/// Without another way units wait, say for whom, and go on when the plug has gone.
#[test]
fn units_wait_at_a_plug_and_name_it() {
    let mut refereed = two_ways();
    refereed.world.fill(Rect::new(Cell::new(12, 35), 12, 1), Map::WALL).unwrap();
    let units = crossing(&mut refereed, 12);
    let plug = hold(&mut refereed, [Cell::new(18, 10)].into_iter())[0];
    refereed.ticks(300);
    let expected = Why::WaitingFor { unit: plug, at: Cell::new(18, 10) };
    let in_corridor: Vec<UnitId> =
        units.iter().copied().filter(|&unit| refereed.at(unit).x >= 12).collect();
    assert!(in_corridor.len() >= 5, "{}", refereed.show());
    for unit in in_corridor {
        assert_eq!(refereed.world.why(unit), Some(expected), "{unit}\n{}", refereed.show());
    }
    let expanded: u64 = (0..100)
        .map(|_| {
            refereed.tick();
            refereed.world.expanded()
        })
        .sum();
    assert!(expanded < 100 * 12 * 20, "{expanded} nodes while nothing can be done");
    refereed.world.remove(plug).unwrap();
    all_arrive(&mut refereed, &units, 60);
}

/// Holders come and go in both corridors; when they are gone for good, all arrive.
#[test]
fn a_corridor_is_plugged_and_unplugged_repeatedly() {
    let mut refereed = two_ways();
    let units = crossing(&mut refereed, 12);
    let mut rng = throng_testkit::rng(4);
    let mut plugs = Vec::new();
    for round in 0..12 {
        let row = if round % 2 == 0 { 10 } else { 35 };
        let at = Cell::new(rng.random_range(14..22), row);
        if let Ok(unit) = refereed.spawn(at, &spawn(1, 1)) {
            refereed.world.order(unit, Order::Hold).unwrap();
            plugs.push(unit);
        }
        refereed.ticks(rng.random_range(5..40));
        if plugs.len() > 1 {
            refereed.world.remove(plugs.remove(0)).unwrap();
        }
    }
    plugs.into_iter().for_each(|unit| refereed.world.remove(unit).unwrap());
    all_arrive(&mut refereed, &units, 150);
}

/// A world with holders that come and go goes on equal after it was restored, for any number of
/// threads.
#[test]
fn walls_of_holders_are_restored_as_they_were() {
    let (refereed, units) = line((100, 40), (20, 80), &spawn(2, 1));
    let mut world = refereed.world;
    let holders: Vec<UnitId> = world.units().take(60).collect();
    let mut rng = throng_testkit::rng(7);
    for tick in 0..120 {
        for _ in 0..2 {
            let unit = holders[rng.random_range(0..60_u32) as usize];
            let is_holding = world.status(unit) == Some(UnitStatus::Holding);
            let (at, _) = world.location(unit).unwrap();
            let order = if is_holding { Order::go((at.x, at.y ^ 1)) } else { Order::Hold };
            world.order(unit, order).unwrap();
        }
        if tick == 60 {
            world.fill(Rect::new(Cell::new(82, 10), 3, 25), Map::WALL).unwrap();
            world.order(units[0], (50, 2)).unwrap();
        }
        if tick % 10 == 4 {
            let bytes = world.snapshot();
            let mut restored = World::restore(&bytes, 2).unwrap();
            assert_eq!(bytes, restored.snapshot(), "tick {tick}");
            let mut twin = world.clone();
            (0..12).for_each(|_| assert_eq!(restored.tick(), twin.tick()));
            assert_eq!(restored.snapshot(), twin.snapshot());
        }
        world.tick();
    }
}

/// With no patience limit units on hold are no walls.
#[test]
fn patience_can_be_set() {
    let cross = |hold_patience: u32| {
        let mut refereed = two_ways();
        let options = WorldOptions { hold_patience, ..WorldOptions::default() };
        refereed = RefereedWorld::new(refereed.world.map().clone(), options);
        hold(&mut refereed, [Cell::new(18, 10)].into_iter());
        let unit = crossing(&mut refereed, 1)[0];
        (0..200).find(|_| {
            refereed.tick();
            has_arrived(&refereed, unit)
        })
    };
    assert!(cross(0) < cross(16) && cross(16) < cross(60) && cross(60).is_some());
    assert_eq!(cross(u32::MAX), None);
}

/// 100 units in a queue at a door, and another door far away: all stay in the queue.
#[test]
fn a_queue_is_no_wall() {
    let mut map = Map::empty(60, 60).unwrap();
    map.fill(Rect::new(Cell::new(30, 0), 1, 60), Map::WALL).unwrap();
    map.fill(Rect::new(Cell::new(30, 10), 1, 1), Map::GROUND).unwrap();
    map.fill(Rect::new(Cell::new(30, 58), 1, 1), Map::GROUND).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let mut units = Vec::new();
    for n in 0..60 {
        let at = Cell::new(20 + n % 10, 6 + n / 10);
        units.push(refereed.spawn(at, &spawn(1, 1)).unwrap());
        refereed.go(units[usize::from(n)], (40 + n % 10, 6 + n / 10));
    }
    for _ in 0..140 {
        refereed.tick();
        assert!(units.iter().all(|&unit| refereed.at(unit).y < 40));
    }
    all_arrive(&mut refereed, &units, 0);
}

/// 600 units with random goals among ten lines of 50 units on hold.
fn many_lines(threads: usize) -> (RefereedWorld, Vec<UnitId>) {
    let options = WorldOptions { threads, ..WorldOptions::default() };
    let mut refereed = RefereedWorld::new(Map::empty(200, 200).unwrap(), options);
    let mut rng = throng_testkit::rng(3);
    for n in 0..10 {
        let (x, y) = (rng.random_range(20..130), 10 + 18 * n);
        hold(&mut refereed, (x..x + 50).map(|x| Cell::new(x, y)));
    }
    let mut units = Vec::new();
    while units.len() < 600 {
        let mut any = || Cell::new(rng.random_range(0..200), rng.random_range(0..200));
        let (at, to) = (any(), any());
        let is_free = |cell: Cell| cell.y % 18 != 10;
        if let Some(unit) = refereed.spawn(at, &spawn(1, 1)).ok().filter(|_| is_free(to)) {
            refereed.go(unit, to);
            units.push(unit);
        }
    }
    (refereed, units)
}

/// Searches stay few, and all arrive.
#[test]
fn many_units_on_hold_cost_little() {
    let (mut refereed, units) = many_lines(1);
    refereed.ticks(40);
    let mut expanded = 0;
    for _ in 0..260 {
        refereed.tick();
        expanded += refereed.world.expanded();
    }
    assert!(expanded < 300 * 600 * 4, "{expanded}");
    all_arrive(&mut refereed, &units, 400);
}

/// So many units plan at the same time that several threads do it.
#[test]
fn walls_are_the_same_for_any_number_of_threads() {
    let (alone, units) = many_lines(1);
    let mut worlds = [alone.world, many_lines(2).0.world, many_lines(8).0.world];
    for tick in 0..60 {
        if tick == 30 {
            worlds.iter_mut().for_each(|world| {
                units.iter().for_each(|&unit| world.order(unit, (100, 100)).unwrap());
            });
        }
        let [one, two, eight] = worlds.each_mut().map(World::tick);
        assert_eq!((&one, &one), (&two, &eight), "tick {tick}");
    }
}
