//! Into buildings and out of them.

use throng_model::{Building, Cell, Map, MovementProfile, UnitId};
use throng_world::{
    BuildingId, Capacity, Event, Garrison, Order, Spawn, UnitStatus, WhenFull, Why, World,
    WorldError,
};

use crate::refereed::RefereedWorld;

fn scout() -> Spawn {
    Spawn::new(MovementProfile::four_connected())
}

fn house(refereed: &mut RefereedWorld, doors: &[(u16, u16)]) -> BuildingId {
    let doors = doors.iter().map(|&(x, y)| Cell::new(x, y)).collect();
    refereed.world.add_building(Building::with_doors("house", doors)).unwrap()
}

#[test]
fn a_unit_goes_in_by_the_nearest_door_and_comes_out_where_the_way_is_shortest() {
    let mut refereed = RefereedWorld::drawn(&"....................\n".repeat(5));
    let house = house(&mut refereed, &[(4, 2), (15, 2)]);
    let unit = refereed.scout((1, 2));
    refereed.world.order(unit, Order::Enter(house)).unwrap();
    let entered = Event::Entered { unit, building: house };
    assert_eq!(refereed.ticks(4), [entered]);
    assert_eq!(refereed.world.location(unit), None);
    assert_eq!(refereed.ticks(10), []);
    refereed.go(unit, (19, 2));
    let events = refereed.ticks(10);
    let left = Event::Left { unit, building: house, at: Cell::new(15, 2) };
    assert_eq!(events, [left, Event::Arrived { unit, at: Cell::new(19, 2) }]);
}

/// It comes out then, and cannot reach what is not there any more.
#[test]
fn a_unit_stays_inside_when_the_house_to_which_it_is_sent_is_removed() {
    let mut refereed = RefereedWorld::drawn("......\n......");
    let (west, east) = (house(&mut refereed, &[(0, 1)]), house(&mut refereed, &[(5, 1)]));
    let unit = refereed.world.spawn_inside(west, &scout()).unwrap();
    refereed.world.order(unit, Order::Enter(east)).unwrap();
    refereed.world.remove_building(east, Garrison::Remove).unwrap();
    assert_eq!(refereed.world.status(unit), Some(UnitStatus::Inside(west)));
    let restored = World::restore(&refereed.world.snapshot(), 1).unwrap();
    assert_eq!(restored.status(unit), Some(UnitStatus::Inside(west)));
    refereed.until(5, |r| r.world.status(unit) == Some(UnitStatus::Unreachable));
    assert_eq!(refereed.at(unit), Cell::new(0, 1));
}

#[test]
fn a_queue_leads_through_houses() {
    let mut refereed = RefereedWorld::drawn(&"..........\n".repeat(3));
    let (west, east) = (house(&mut refereed, &[(0, 1)]), house(&mut refereed, &[(9, 1)]));
    let unit = refereed.scout((4, 1));
    let queue = [
        Order::Enter(west),
        Order::Enter(west),
        Order::Stop,
        Order::Enter(east),
        Order::go((5, 0)),
    ];
    for order in queue {
        refereed.world.queue_order(unit, order).unwrap();
    }
    let events = refereed.ticks(60);
    let expected = [
        Event::Entered { unit, building: west },
        Event::Left { unit, building: west, at: Cell::new(0, 1) },
        Event::Entered { unit, building: east },
        Event::Left { unit, building: east, at: Cell::new(9, 1) },
        Event::Arrived { unit, at: Cell::new(5, 0) },
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_crowd_goes_in_and_out_by_one_door() {
    let mut refereed = RefereedWorld::drawn(
        "###########
         #.........#
         #.........#
         #.........#
         #####.#####",
    );
    let house = house(&mut refereed, &[(5, 4)]);
    let units: Vec<UnitId> = (1..10).map(|x| refereed.scout((x, 1))).collect();
    for &unit in &units {
        refereed.world.order(unit, Order::Enter(house)).unwrap();
    }
    let inside = |refereed: &RefereedWorld, unit| {
        refereed.world.status(unit) == Some(UnitStatus::Inside(house))
    };
    refereed.until(100, |refereed| units.iter().all(|&unit| inside(refereed, unit)));
    units.iter().zip(1..).for_each(|(&unit, x)| refereed.go(unit, (x, 3)));
    let there =
        |refereed: &RefereedWorld, unit| refereed.world.status(unit) == Some(UnitStatus::Arrived);
    refereed.until(200, |refereed| units.iter().all(|&unit| there(refereed, unit)));
}

#[test]
fn a_blocked_exit_is_waited_for() {
    let mut refereed = RefereedWorld::drawn("...#......");
    let house = house(&mut refereed, &[(3, 0), (5, 0)]);
    let unit = refereed.world.spawn_inside(house, &scout()).unwrap();
    let guard = refereed.scout((5, 0));
    refereed.world.order(guard, Order::Hold).unwrap();
    refereed.go(unit, (8, 0));
    assert_eq!(refereed.ticks(20), []);
    let blocked = throng_world::Why::DoorBlocked { building: house, by: Some(guard) };
    assert_eq!(refereed.world.why(unit), Some(blocked));
    refereed.go(guard, (9, 0));
    let events = refereed.ticks(20);
    assert!(events.contains(&Event::Left { unit, building: house, at: Cell::new(5, 0) }));
    assert!(events.contains(&Event::Arrived { unit, at: Cell::new(8, 0) }));
}

#[test]
fn a_door_that_is_walled_up_is_none() {
    let mut refereed = RefereedWorld::drawn("..........");
    let house = house(&mut refereed, &[(3, 0), (9, 0)]);
    let unit = refereed.scout((5, 0));
    refereed.world.order(unit, Order::Enter(house)).unwrap();
    refereed.tick();
    refereed.world.paint(&[Cell::new(3, 0)], Map::WALL).unwrap();
    let events = refereed.ticks(10);
    let expected = [Event::Rerouted { unit }, Event::Entered { unit, building: house }];
    assert_eq!(events, expected);
}

#[test]
fn what_makes_no_sense_for_a_house_is_refused() {
    let mut refereed = RefereedWorld::drawn("....");
    let world = &mut refereed.world;
    let none = Building::with_doors("none", Vec::new());
    assert_eq!(world.add_building(none), Err(WorldError::NoDoor("exit")));
    let blind = Building { exits: vec![Cell::new(0, 0)], ..Building::default() };
    assert_eq!(world.add_building(blind), Err(WorldError::NoDoor("entrance")));
    let cell = Cell::new(9, 9);
    let far = Building::with_doors("far", vec![cell]);
    assert_eq!(world.add_building(far), Err(WorldError::OffMap { cell }));
    let ghost = BuildingId::new(7);
    assert_eq!(world.spawn_inside(ghost, &scout()), Err(WorldError::NoSuchBuilding(ghost)));
    let home = Building::with_doors("home", vec![Cell::new(0, 0)]);
    let home = world.add_building(home).unwrap();
    let unit = world.spawn_inside(home, &scout()).unwrap();
    assert_eq!(world.teleport(unit, Cell::new(1, 0)), Err(WorldError::Inside(unit)));
    assert!(world.order_group(&[unit], Cell::new(1, 0)).is_ok());
}

#[test]
fn buildings_are_listed_with_their_doors_and_who_is_inside() {
    let mut refereed = RefereedWorld::drawn("..........");
    let (west, east) = (house(&mut refereed, &[(0, 0)]), house(&mut refereed, &[(8, 0), (9, 0)]));
    let first = refereed.world.spawn_inside(east, &scout()).unwrap();
    let outside = refereed.scout((5, 0));
    let second = refereed.world.spawn_inside(east, &scout()).unwrap();
    let doors = |refereed: &RefereedWorld| -> Vec<(BuildingId, usize)> {
        refereed.world.buildings().map(|(id, building)| (id, building.exits.len())).collect()
    };
    assert_eq!(doors(&refereed), [(west, 1), (east, 2)]);
    let inside =
        |refereed: &RefereedWorld, house| refereed.world.units_in(house).collect::<Vec<_>>();
    assert_eq!((inside(&refereed, west), inside(&refereed, east)), (vec![], vec![first, second]));
    assert_eq!(inside(&refereed, BuildingId::new(7)), []);
    refereed.world.order(outside, Order::Enter(west)).unwrap();
    refereed.go(second, (4, 0));
    refereed.ticks(20);
    assert_eq!((inside(&refereed, west), inside(&refereed, east)), (vec![outside], vec![first]));
}

/// As with an order to one: they come out and go.
#[test]
fn a_group_takes_those_in_houses_along() {
    let mut refereed = RefereedWorld::drawn(&"....................\n".repeat(5));
    let house = house(&mut refereed, &[(0, 2), (19, 2)]);
    let inside: Vec<UnitId> =
        (0..4).map(|_| refereed.world.spawn_inside(house, &scout()).unwrap()).collect();
    let units: Vec<UnitId> = inside.iter().copied().chain([refereed.scout((3, 0))]).collect();
    let cells = refereed.world.order_group(&units, Cell::new(16, 2)).unwrap();
    let events = refereed.ticks(60);
    let left = events.iter().filter(|event| matches!(event, Event::Left { .. })).count();
    assert_eq!(left, 4, "{events:?}");
    // The first has the choice.
    assert_eq!(events[0], Event::Left { unit: units[0], building: house, at: Cell::new(19, 2) });
    for (&unit, &cell) in units.iter().zip(&cells) {
        assert_eq!(refereed.world.location(unit), Some((cell, None)));
    }
}

fn with_room(refereed: &mut RefereedWorld, house: BuildingId, units: u32, when_full: WhenFull) {
    refereed.world.set_capacity(house, Some(Capacity { units, when_full })).unwrap();
}

#[test]
fn a_full_building_is_waited_for() {
    let mut refereed = RefereedWorld::drawn("........\n........");
    let house = house(&mut refereed, &[(0, 0)]);
    with_room(&mut refereed, house, 2, WhenFull::Wait);
    let units: Vec<UnitId> = (1..5).map(|x| refereed.scout((x, 0))).collect();
    for &unit in &units {
        refereed.world.order(unit, Order::Enter(house)).unwrap();
    }
    refereed.ticks(12);
    assert_eq!(refereed.world.units_in(house).count(), 2);
    assert_eq!(refereed.world.why(units[2]), Some(Why::Full(house)));
    assert!(matches!(refereed.world.why(units[3]), Some(Why::WaitingFor { .. })));
    let spawn = refereed.world.spawn_inside(house, &scout());
    assert_eq!(spawn, Err(WorldError::Full(house)));
    // The only door is blocked by the one that waits: the two change places.
    refereed.go(units[0], (7, 1));
    let events = refereed.tick().to_vec();
    assert!(events.contains(&Event::Entered { unit: units[2], building: house }), "{events:?}");
    assert!(events.contains(&Event::Left { unit: units[0], building: house, at: Cell::new(0, 0) }));
    refereed.world.set_capacity(house, None).unwrap();
    refereed.until(20, |r| r.world.units_in(house).count() == 3);
}

#[test]
fn a_full_building_refuses() {
    let mut refereed = RefereedWorld::drawn("........");
    let house = house(&mut refereed, &[(0, 0)]);
    with_room(&mut refereed, house, 1, WhenFull::Refuse);
    let units = [1, 2].map(|x| refereed.scout((x, 0)));
    for unit in units {
        refereed.world.order(unit, Order::Enter(house)).unwrap();
    }
    refereed.world.queue_order(units[1], (6, 0)).unwrap();
    let capacity = refereed.world.capacity(house).unwrap();
    assert_eq!(capacity, Capacity { units: 1, when_full: WhenFull::Refuse });
    let events = refereed.ticks(20);
    let refused = Event::Refused { unit: units[1], building: house };
    assert!(events.contains(&refused), "{events:?}");
    assert_eq!(refereed.at_or_nowhere(units[1]), Some(Cell::new(6, 0)));
    let mut restored = throng_world::World::restore(&refereed.world.snapshot(), 1).unwrap();
    assert_eq!(restored.capacity(house), Some(capacity));
    assert_eq!(restored.tick(), refereed.world.tick());
    let none = BuildingId::new(9);
    let missing = refereed.world.set_capacity(none, None);
    assert_eq!(missing, Err(WorldError::NoSuchBuilding(none)));
}
