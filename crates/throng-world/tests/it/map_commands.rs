//! Building on units, removing buildings with units inside, and explosions.

use throng_model::{Building, Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Garrison, Layer, OnUnits, Order, Spawn, UnitStatus, Why, WorldError};

use crate::refereed::RefereedWorld;

fn field() -> RefereedWorld {
    RefereedWorld::drawn(&["............"; 8].join("\n"))
}

#[test]
fn a_building_placed_on_units_is_refused_or_moves_them_out() {
    let mut refereed = field();
    let unit = refereed.scout((4, 4));
    let flyer = Spawn::new(MovementProfile::eight_connected()).with_layer(Layer::AIR);
    let rect = Rect::new(Cell::new(3, 3), 4, 3);
    let refused = refereed.world.build(rect, Map::WALL, OnUnits::Refuse);
    assert_eq!(refused, Err(WorldError::Occupied { cell: Cell::new(4, 4), by: unit }));
    assert!(refereed.world.map().is_passable(Cell::new(4, 4)));
    let large = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
    let large = refereed.spawn(Cell::new(5, 4), &Spawn::new(large)).unwrap();
    let above = refereed.spawn(Cell::new(4, 4), &flyer).unwrap();
    refereed.world.build(rect, Map::WALL, OnUnits::MoveOut).unwrap();
    refereed.tick();
    for unit in [unit, large] {
        let at = refereed.at(unit);
        let inside = (3..7).contains(&at.x) && (3..6).contains(&at.y);
        assert!(!inside, "{at}");
    }
    // A flyer that cannot cross walls has to leave too.
    assert_ne!(refereed.at(above), Cell::new(4, 4));
    let step = refereed.world.steps().iter().find(|step| step.unit == unit).copied().unwrap();
    assert!(step.is_teleport);
    refereed.go(unit, (11, 7));
    refereed.until(30, |r| r.world.status(unit) == Some(UnitStatus::Arrived));
}

/// A building closes the only exit of a yard. The nearest free cell is in the yard, without a way
/// out.
#[test]
fn nobody_is_shut_in_by_a_building_that_moves_him_out() {
    for footprint in [1, 2] {
        let mut refereed = RefereedWorld::drawn(
            "..............
             ..............
             ...######.....
             ...#....#.....
             ...#....#.....
             ...#....#.....
             ...##..##.....
             ..............
             ..............
             ..............",
        );
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        let unit = refereed.spawn(Cell::new(5, 6), &Spawn::new(movement)).unwrap();
        refereed.go(unit, (12, 8));
        let rect = Rect::new(Cell::new(3, 6), 6, 3);
        refereed.world.build(rect, Map::WALL, OnUnits::MoveOut).unwrap();
        refereed.until(30, |r| r.world.status(unit) == Some(UnitStatus::Arrived));
    }
}

#[test]
fn a_building_is_removed_with_units_inside() {
    for garrison in [Garrison::PutOut, Garrison::Remove] {
        let mut refereed = field();
        let house = Building::with_doors("house", vec![Cell::new(2, 2)]);
        let house = refereed.world.add_building(house).unwrap();
        let spawn = Spawn::new(MovementProfile::eight_connected());
        let inside: Vec<UnitId> =
            (0..5).map(|_| refereed.world.spawn_inside(house, &spawn).unwrap()).collect();
        let coming = refereed.scout((11, 7));
        refereed.world.order(coming, house).unwrap();
        refereed.world.order(inside[4], (9, 1)).unwrap();
        refereed.ticks(2);
        refereed.world.remove_building(house, garrison).unwrap();
        refereed.ticks(15);
        assert_eq!(refereed.world.buildings().count(), 0);
        assert_eq!(refereed.world.order(coming, house), Err(WorldError::NoSuchBuilding(house)));
        assert_eq!(refereed.world.status(coming), Some(UnitStatus::Unreachable));
        let left = refereed.world.units().count();
        assert_eq!(left, if garrison == Garrison::PutOut { 6 } else { 2 });
        let saved = refereed.world.snapshot();
        let mut restored = throng_world::World::restore(&saved, 1).unwrap();
        assert_eq!(restored.tick(), refereed.world.tick());
    }
}

#[test]
fn an_explosion_throws_units_to_free_cells() {
    let mut refereed = field();
    let units: Vec<UnitId> = (0..6).map(|x| refereed.scout((3 + x, 3))).collect();
    units.iter().for_each(|&unit| refereed.go(unit, (11, 0)));
    refereed.ticks(2);
    let mut cells: Vec<Cell> =
        units.iter().map(|&unit| refereed.world.teleport_near(unit, (6, 6)).unwrap()).collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 6);
    refereed.tick();
    assert!(refereed.world.steps().iter().all(|step| step.is_teleport));
    refereed
        .until(60, |r| units.iter().all(|&unit| r.world.status(unit) == Some(UnitStatus::Arrived)));
}

#[test]
fn a_unit_killed_in_the_middle_of_a_step_leaves_nothing_behind() {
    let mut refereed = field();
    let slow = MovementProfile { pace: 4, ..MovementProfile::eight_connected() };
    let unit = refereed.spawn(Cell::new(1, 1), &Spawn::new(slow)).unwrap();
    refereed.go(unit, (9, 1));
    refereed.ticks(2);
    assert!(refereed.world.location(unit).unwrap().1.is_some());
    refereed.world.remove(unit).unwrap();
    refereed.tick();
    assert!(refereed.world.reservations().is_empty());
}

#[test]
fn why_names_what_blocks_a_door() {
    let mut refereed = RefereedWorld::drawn("....\n####");
    let house = Building::with_doors("house", vec![Cell::new(0, 0)]);
    let house = refereed.world.add_building(house).unwrap();
    let guard = refereed.scout((0, 0));
    refereed.world.order(guard, Order::Hold).unwrap();
    let spawn = Spawn::new(MovementProfile::four_connected());
    let unit = refereed.world.spawn_inside(house, &spawn).unwrap();
    assert_eq!(refereed.world.why(unit), Some(Why::Inside(house)));
    refereed.world.order(unit, (3, 0)).unwrap();
    refereed.ticks(3);
    let blocked = Why::DoorBlocked { building: house, by: Some(guard) };
    assert_eq!(refereed.world.why(unit), Some(blocked));
}
