//! Routes lead past units that stand for long and are not on hold, if that is shorter than to
//! push through them.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_testkit::{random_map, rng};
use throng_world::{Event, Order, Spawn, UnitStatus, World, WorldOptions};

use crate::refereed::RefereedWorld;

/// Rooms of 16 and 12 columns, and between them corridors of 12 x 2 cells in these rows.
fn rooms(rows: &[u16], hold_patience: u32) -> RefereedWorld {
    let mut map = Map::empty(40, 40).unwrap();
    map.fill(Rect::new(Cell::new(16, 0), 12, 40), Map::WALL).unwrap();
    for &row in rows {
        map.fill(Rect::new(Cell::new(16, row), 12, 2), Map::GROUND).unwrap();
    }
    RefereedWorld::new(map, WorldOptions { hold_patience, ..WorldOptions::default() })
}

fn spawn(refereed: &mut RefereedWorld, at: Cell, footprint: u8) -> UnitId {
    let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
    refereed.spawn(at, &Spawn::new(movement)).unwrap()
}

/// Units that rest in the corridor of row 10, as many as fit into so many columns.
fn fill(refereed: &mut RefereedWorld, columns: u16) -> Vec<UnitId> {
    let cells = Rect::new(Cell::new(17, 10), columns, 2).cells();
    cells.map(|cell| spawn(refereed, cell, 1)).collect()
}

fn places(refereed: &RefereedWorld, units: &[UnitId]) -> Vec<Cell> {
    units.iter().map(|&unit| refereed.at(unit)).collect()
}

fn all_arrive(refereed: &mut RefereedWorld, units: &[UnitId], ticks: u32) -> u32 {
    let has_arrived = |refereed: &RefereedWorld, unit: UnitId| {
        refereed.world.status(unit) == Some(UnitStatus::Arrived)
    };
    refereed.until(ticks, |refereed| units.iter().all(|&unit| has_arrived(refereed, unit)))
}

/// Units of a size that cross from the left room to the right one.
fn crossing(refereed: &mut RefereedWorld, count: u16, footprint: u8) -> Vec<UnitId> {
    let side = u16::from(footprint);
    let mut units = Vec::new();
    for n in 0..count {
        let (x, y) = (n % 3 * side, 6 + n / 3 * side);
        units.push(spawn(refereed, Cell::new(x, y), footprint));
        refereed.go(units[usize::from(n)], (x + 32, y));
    }
    units
}

/// Idle units fill the near corridor; who comes takes the other one, and none of them is pushed.
#[test]
fn a_corridor_full_of_idle_units_is_left_for_another() {
    let mut refereed = rooms(&[10, 22], 16);
    let idle = fill(&mut refereed, 8);
    refereed.ticks(300);
    let before = places(&refereed, &idle);
    let units = crossing(&mut refereed, 9, 1);
    let ticks = all_arrive(&mut refereed, &units, 120);
    assert_eq!(places(&refereed, &idle), before, "{}", refereed.show());
    assert!(ticks > 38, "through the near corridor it takes about 34: {ticks}");
}

/// The same with units that have arrived there.
#[test]
fn a_mouth_full_of_arrived_units_is_left_for_another() {
    let mut refereed = rooms(&[10, 30], 16);
    let mut cells: Vec<Cell> = Rect::new(Cell::new(13, 9), 10, 4).cells().collect();
    cells.retain(|&cell| refereed.world.map().is_passable(cell));
    let guards: Vec<UnitId> = cells.iter().map(|&at| spawn(&mut refereed, at, 1)).collect();
    for (&guard, &at) in guards.iter().zip(&cells) {
        refereed.go(guard, at);
    }
    refereed.ticks(300);
    let before = places(&refereed, &guards);
    let at = (0..6).map(|n| Cell::new(n, 13)).collect::<Vec<_>>();
    let units: Vec<_> = at.iter().map(|&at| spawn(&mut refereed, at, 1)).collect();
    for (n, &unit) in (0..).zip(&units) {
        refereed.go(unit, (32 + n, 13));
    }
    all_arrive(&mut refereed, &units, 100);
    assert_eq!(places(&refereed, &guards), before, "{}", refereed.show());
}

/// A single unit in the way is cheaper to push than the far corridor is long; and without another
/// way units push through however many there are.
#[test]
fn few_units_are_pushed_and_so_are_many_without_another_way() {
    let mut refereed = rooms(&[10, 38], 16);
    spawn(&mut refereed, Cell::new(22, 10), 1);
    refereed.ticks(150);
    let units = crossing(&mut refereed, 3, 1);
    all_arrive(&mut refereed, &units, 44);
    let mut refereed = rooms(&[10], 16);
    fill(&mut refereed, 8);
    refereed.ticks(150);
    let units = crossing(&mut refereed, 3, 1);
    all_arrive(&mut refereed, &units, 150);
}

/// Where no unit stands for long, patience changes nothing.
#[test]
fn without_standing_units_routes_are_unchanged() {
    let map = random_map(5, 60, 60, 25);
    let mut worlds = [16, u32::MAX].map(|hold_patience| {
        World::new(map.clone(), WorldOptions { hold_patience, ..WorldOptions::default() }).unwrap()
    });
    let mut rng = rng(6);
    let mut any = || Cell::new(rng.random_range(0..60), rng.random_range(0..60));
    for at in (0..150).map(|_| any()).collect::<Vec<_>>() {
        let kind = Spawn::new(MovementProfile::eight_connected());
        worlds.iter_mut().for_each(|world| drop(world.spawn(at, &kind)));
    }
    let units: Vec<UnitId> = worlds[0].units().collect();
    for tick in 0..200 {
        for &unit in &units {
            if !matches!(worlds[0].status(unit), Some(UnitStatus::Going | UnitStatus::Routing)) {
                let to = any();
                worlds.iter_mut().for_each(|world| world.order(unit, Order::go(to)).unwrap());
            }
        }
        let [with, without] = worlds.each_mut().map(World::tick);
        assert_eq!(with.events, without.events, "tick {tick}");
        assert_eq!(worlds[0].steps(), worlds[1].steps(), "tick {tick}");
    }
}

/// A world goes on equal after it was restored, for any number of threads.
#[test]
fn costs_of_standing_units_are_restored_as_they_were() {
    let mut refereed = rooms(&[10, 30], 4);
    fill(&mut refereed, 8);
    refereed.ticks(100);
    crossing(&mut refereed, 9, 2);
    let mut world = refereed.world;
    let mut rerouted = 0;
    for tick in 0..60 {
        let bytes = world.snapshot();
        let mut restored = World::restore(&bytes, 1 + tick % 3).unwrap();
        assert_eq!(bytes, restored.snapshot(), "tick {tick}");
        let report = world.tick();
        assert_eq!(report, restored.tick(), "tick {tick}");
        assert_eq!(world.snapshot(), restored.snapshot(), "tick {tick}");
        let is_rerouted = |event: &&Event| matches!(event, Event::Rerouted { .. });
        rerouted += report.events.iter().filter(is_rerouted).count();
        if tick == 20 {
            world.fill(Rect::new(Cell::new(0, 20), 6, 2), Map::WALL).unwrap();
        }
    }
    assert!(rerouted > 0);
}
