//! The map changes between ticks.

use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Event, Order, Spawn, UnitStatus, WorldOptions};

use crate::refereed::RefereedWorld;

fn wall(refereed: &mut RefereedWorld, cells: &[(u16, u16)]) {
    let cells: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::new(x, y)).collect();
    refereed.world.paint(&cells, Map::WALL).unwrap();
}

fn slow(footprint: u8, pace: u8) -> Spawn {
    Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::four_connected() })
}

fn arrives(refereed: &mut RefereedWorld, unit: UnitId, most: u32) -> u32 {
    refereed.until(most, |refereed| refereed.world.status(unit) == Some(UnitStatus::Arrived))
}

#[test]
fn only_those_whose_plan_is_hit_plan_again() {
    for (width, height) in [(40, 20), (200, 90)] {
        let map = Map::empty(width, height).unwrap();
        let mut refereed =
            RefereedWorld::new(map, WorldOptions { window: 32, ..WorldOptions::default() });
        let units: Vec<UnitId> = (0..10).map(|row| refereed.scout((0, 2 * row))).collect();
        units.iter().zip(0..).for_each(|(&unit, row)| refereed.go(unit, (39, 2 * row)));
        refereed.ticks(5);
        let plans = |refereed: &RefereedWorld| {
            units.iter().map(|&u| refereed.world.plan(u).unwrap()).collect()
        };
        let before: Vec<Vec<Cell>> = plans(&refereed);
        let at = refereed.at(units[3]);
        wall(&mut refereed, &[(at.x + 4, at.y)]);
        let edited: Vec<Vec<Cell>> = plans(&refereed);
        refereed.tick();
        let after: Vec<Vec<Cell>> = plans(&refereed);
        for unit in 0..units.len() {
            let hit = before[unit].contains(&Cell::new(at.x + 4, at.y));
            assert_eq!(hit, unit == 3);
            assert_eq!(edited[unit] != before[unit], hit, "the plan of unit {unit}");
            // Those whose turn it is anyway plan further; the others only go on.
            let begins_alike = after[unit].iter().zip(&before[unit][1..]).all(|(a, b)| a == b);
            assert_eq!(begins_alike, !hit, "the plan of unit {unit} after the tick");
        }
        for &unit in &units {
            arrives(&mut refereed, unit, 100);
        }
    }
}

#[test]
fn when_the_bridge_is_gone_units_take_another() {
    let drawing = "..........
                   .########.
                   .########.
                   ..........";
    let mut refereed = RefereedWorld::drawn(drawing);
    let unit = refereed.scout((0, 3));
    refereed.go(unit, (0, 0));
    refereed.tick();
    wall(&mut refereed, &[(0, 1)]);
    let events = refereed.ticks(40);
    assert_eq!(refereed.at(unit), Cell::new(0, 0));
    assert!(events.contains(&Event::Arrived { unit, at: Cell::new(0, 0) }), "{events:?}");
}

/// The same on a map where units have routes: the route itself is broken.
#[test]
fn on_a_large_map_a_broken_route_is_replaced_and_said() {
    let mut map = Map::empty(200, 90).unwrap();
    let river: Vec<Cell> =
        (0..90).filter(|&y| y != 20 && y != 60).map(|y| Cell::new(100, y)).collect();
    map.paint(&river, Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let unit = refereed.scout((10, 20));
    refereed.go(unit, (190, 20));
    refereed.ticks(30);
    wall(&mut refereed, &[(100, 20)]);
    assert_eq!(refereed.tick(), [Event::Rerouted { unit }]);
    assert_eq!(arrives(&mut refereed, unit, 400), 180 + 80 - 31);
}

#[test]
fn a_slow_unit_is_turned_back_by_a_wall_on_its_target() {
    for (footprint, pace) in [(1, 2), (1, 4), (2, 3), (3, 2)] {
        let mut refereed = RefereedWorld::drawn(&"..............\n".repeat(8));
        let unit = refereed.spawn(Cell::new(1, 2), &slow(footprint, pace)).unwrap();
        refereed.go(unit, (8, 2));
        refereed.tick();
        let (at, heading) = refereed.world.location(unit).unwrap();
        assert_eq!((at, heading.map(|h| h.to)), (Cell::new(1, 2), Some(Cell::new(2, 2))));
        wall(&mut refereed, &[(1 + u16::from(footprint), 2)]);
        assert_eq!(refereed.world.location(unit), Some((Cell::new(1, 2), None)));
        arrives(&mut refereed, unit, 100);
    }
}

/// Another unit had already planned to follow it.
#[test]
fn a_unit_turned_back_keeps_its_place_against_those_who_follow() {
    for pace in 2..5 {
        let mut refereed = RefereedWorld::drawn("..........");
        let first = refereed.spawn(Cell::new(3, 0), &slow(1, pace)).unwrap();
        let second = refereed.scout((2, 0));
        let third = refereed.scout((1, 0));
        for (unit, x) in [(first, 9), (second, 8), (third, 7)] {
            refereed.go(unit, (x, 0));
        }
        for ticks in 1..pace {
            let mut refereed = refereed.clone();
            refereed.ticks(u32::from(ticks));
            wall(&mut refereed, &[(4, 0)]);
            refereed.ticks(20);
            assert_eq!([first, second, third].map(|unit| refereed.at(unit).x), [3, 2, 1]);
        }
    }
}

#[test]
fn a_unit_walled_in_has_no_way_until_the_wall_falls() {
    let mut refereed = RefereedWorld::drawn(&".........\n".repeat(5));
    let unit = refereed.scout((2, 2));
    refereed.go(unit, (8, 2));
    refereed.tick();
    let at = refereed.at(unit);
    let around: Vec<(u16, u16)> = (0..9)
        .map(|n| (at.x + n % 3 - 1, at.y + n / 3 - 1))
        .filter(|&(x, y)| (x, y) != (at.x, at.y))
        .collect();
    wall(&mut refereed, &around);
    assert_eq!(refereed.tick(), [Event::Unreachable { unit }]);
    assert_eq!(refereed.ticks(30), []);
    assert_eq!(refereed.at(unit), at);
    refereed.world.paint(&[Cell::new(at.x, at.y - 1)], Map::GROUND).unwrap();
    assert_eq!(refereed.ticks(3), []);
    refereed
        .world
        .paint(&[Cell::new(at.x, at.y - 1), Cell::new(at.x - 1, at.y - 1)], Map::GROUND)
        .unwrap();
    refereed.world.paint(&[Cell::new(at.x + 1, at.y - 1)], Map::GROUND).unwrap();
    arrives(&mut refereed, unit, 40);
}

/// A house is built on top of units: those at its edge walk out, with or without an order.
#[test]
fn a_unit_in_a_house_walks_out() {
    for (large, told) in [(false, false), (false, true), (true, false), (true, true)] {
        let (width, height) = if large { (180, 100) } else { (20, 20) };
        let mut refereed =
            RefereedWorld::new(Map::empty(width, height).unwrap(), WorldOptions::default());
        let movement = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
        let unit = refereed.spawn(Cell::new(5, 5), &Spawn::new(movement)).unwrap();
        if told {
            refereed.go(unit, (15, 15));
            refereed.ticks(3);
        }
        let at = refereed.at(unit);
        let house = Rect::new(at, 3, 3);
        refereed.world.fill(house, Map::WALL).unwrap();
        refereed.until(40, |refereed| !house.cells().any(|cell| cell == refereed.at(unit)));
        if told {
            arrives(&mut refereed, unit, 80);
        }
    }
}

/// In the middle of the house there is no way out; when it is torn down the unit goes on.
#[test]
fn a_unit_deep_in_a_house_waits_for_its_end() {
    let mut refereed = RefereedWorld::drawn(&"............\n".repeat(9));
    let unit = refereed.scout((4, 4));
    refereed.go(unit, (11, 4));
    refereed.tick();
    let at = refereed.at(unit);
    let house = Rect::new(Cell::new(at.x - 2, at.y - 2), 5, 5);
    refereed.world.fill(house, Map::WALL).unwrap();
    assert_eq!(refereed.tick(), [Event::Unreachable { unit }]);
    assert_eq!(refereed.ticks(20), []);
    assert_eq!(refereed.at(unit), at);
    refereed.world.fill(house, Map::GROUND).unwrap();
    arrives(&mut refereed, unit, 20);
}

#[test]
fn a_house_on_a_destination_cannot_be_reached() {
    let mut refereed = RefereedWorld::drawn(&"............\n".repeat(3));
    let (going, there) = (refereed.scout((0, 0)), refereed.scout((10, 2)));
    refereed.go(going, (11, 0));
    refereed.go(there, (11, 2));
    arrives(&mut refereed, there, 20);
    wall(&mut refereed, &[(11, 0), (11, 2)]);
    let events = refereed.ticks(20);
    for unit in [going, there] {
        let said = events.iter().filter(|event| **event == Event::Unreachable { unit }).count();
        assert_eq!(said, 1, "{events:?}");
    }
    assert_ne!(refereed.at(there), Cell::new(11, 2), "it walked out");
    refereed.world.paint(&[Cell::new(11, 0)], Map::GROUND).unwrap();
    arrives(&mut refereed, going, 30);
}

/// A shortcut opens: units that gain by it take it, on a small map and on a large one.
#[test]
fn an_opened_shortcut_is_taken_by_those_who_gain() {
    for (width, height) in [(60, 40), (200, 90)] {
        let mut map = Map::empty(width, height).unwrap();
        let barrier: Vec<Cell> = (0..height as u16 - 1).map(|y| Cell::new(30, y)).collect();
        map.paint(&barrier, Map::WALL).unwrap();
        let mut refereed = RefereedWorld::new(map, WorldOptions::default());
        let gains = refereed.scout((20, 5));
        refereed.go(gains, (40, 5));
        refereed.ticks(4);
        refereed.world.paint(&[Cell::new(30, 5)], Map::GROUND).unwrap();
        let ticks = arrives(&mut refereed, gains, 200);
        assert!(ticks <= 40, "{ticks} ticks");
    }
}

#[test]
fn an_opened_gap_that_is_no_shortcut_changes_no_route() {
    let mut map = Map::empty(200, 90).unwrap();
    let barrier: Vec<Cell> = (20..80).map(|y| Cell::new(100, y)).collect();
    map.paint(&barrier, Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let unit = refereed.scout((10, 5));
    refereed.go(unit, (190, 5));
    refereed.ticks(10);
    refereed.world.paint(&[Cell::new(100, 50)], Map::GROUND).unwrap();
    assert_eq!(refereed.tick(), []);
    assert_eq!(arrives(&mut refereed, unit, 200), 180 - 11);
}

/// The unit has left its route to let others pass when a wall cuts it off from it: on a large
/// map it must notice that its route is of no use any more.
#[test]
fn a_unit_cut_off_from_its_route_gets_another() {
    let mut map = Map::empty(200, 90).unwrap();
    map.fill(Rect::new(Cell::new(0, 40), 200, 1), Map::WALL).unwrap();
    map.paint(&[Cell::new(20, 40), Cell::new(199, 40)], Map::GROUND).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let unit = refereed.scout((10, 39));
    refereed.go(unit, (190, 39));
    refereed.ticks(12);
    assert_eq!(refereed.at(unit), Cell::new(22, 39));
    // Thrown to the other side, with its old route kept: the game knows no better.
    refereed.teleport(unit, Cell::new(22, 41)).unwrap();
    wall(&mut refereed, &[(20, 40)]);
    arrives(&mut refereed, unit, 400);
}

/// Terrain that comes up later is known to units that were there before.
#[test]
fn a_class_of_terrain_added_later_counts_for_all() {
    let mut refereed = RefereedWorld::drawn(&"..........\n".repeat(3));
    let unit = refereed.scout((0, 1));
    let lava = throng_model::TerrainClass::blocked("lava", 'L');
    let lava = refereed.world.add_class(lava).unwrap();
    refereed.go(unit, (9, 1));
    refereed.tick();
    let stream: Vec<Cell> = [(5, 1), (5, 0)].map(|(x, y)| Cell::new(x, y)).to_vec();
    refereed.world.paint(&stream, lava).unwrap();
    arrives(&mut refereed, unit, 20);
    assert!(refereed.world.paint(&[Cell::new(99, 99)], lava).is_err());
    assert!(refereed.world.paint(&[Cell::new(0, 0)], throng_model::TerrainId(77)).is_err());
}

#[test]
fn a_unit_that_holds_stays_in_the_house() {
    let mut refereed = RefereedWorld::drawn(&".....\n".repeat(3));
    let unit = refereed.scout((2, 1));
    refereed.world.order(unit, Order::Hold).unwrap();
    wall(&mut refereed, &[(2, 1)]);
    refereed.ticks(40);
    assert_eq!(refereed.at(unit), Cell::new(2, 1));
}
