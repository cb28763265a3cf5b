//! Groups that keep a formation and a common pace.

use throng_model::{Building, Cell, Map, MovementProfile, UnitId};
use throng_world::{
    Event, Facing, Formation, FormedGroup, Order, Spawn, UnitStatus, World, WorldError,
    WorldOptions,
};

use crate::refereed::RefereedWorld;

/// Forty units of one to three ticks per step, in a wild bunch on the left.
fn bunch(map: Map, seed: u16) -> (RefereedWorld, Vec<UnitId>) {
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let units = (0..40_u16).map(|number| {
        let pace = 1 + (number * 7 % 3) as u8;
        let movement = MovementProfile { pace, ..MovementProfile::eight_connected() };
        let number = number + 17 * seed;
        let (column, row) = (number * 3 % 10, number / 10 % 4 * 4 + number % 3);
        let at = Cell::new(4 + column, 12 - 2 * seed.min(4) + row);
        let spawn = Spawn::new(movement);
        let at = refereed.world.free_cell_near(at, &spawn).unwrap();
        refereed.spawn(at, &spawn).unwrap()
    });
    let units = units.collect();
    (refereed, units)
}

/// Arrival ticks of all units, until the last.
fn arrivals(refereed: &mut RefereedWorld, units: &[UnitId], most: u32) -> Vec<u32> {
    let mut ticks = vec![0; units.len()];
    for tick in 1..=most {
        for event in refereed.tick().to_vec() {
            if let Event::Arrived { unit, .. } = event {
                let at = units.iter().position(|&one| one == unit).unwrap();
                ticks[at] = tick;
            }
        }
        let is_there = |&unit: &UnitId| refereed.world.status(unit) == Some(UnitStatus::Arrived);
        if units.iter().all(is_there) {
            return ticks;
        }
    }
    panic!("not all arrive:\n{}", refereed.show());
}

/// The first and the last arrival of forty units that go 100 cells through a gate of three cells.
fn march(formation: Formation, gate: std::ops::Range<u16>, seed: u16) -> (u32, u32) {
    let mut map = Map::empty(132, 40).unwrap();
    let wall: Vec<Cell> = (0..40).filter(|y| !gate.contains(y)).map(|y| Cell::new(65, y)).collect();
    map.paint(&wall, Map::WALL).unwrap();
    let (mut refereed, units) = bunch(map, seed);
    let cells = refereed.world.order_formation(&units, (118, 20), Facing::East, formation).unwrap();
    let ticks = arrivals(&mut refereed, &units, 900);
    for (&unit, &cell) in units.iter().zip(&cells) {
        assert_eq!(refereed.at(unit), cell);
    }
    // Each goes at its own pace again.
    refereed.go(units[0], (100, 2));
    assert_eq!(refereed.world.movement(units[0]).unwrap().pace, 1);
    (*ticks.iter().min().unwrap(), *ticks.iter().max().unwrap())
}

/// Units of three ticks per step pass a gate of three cells at one in two ticks, because a slow step
/// holds both its ends: the last comes out 80 ticks behind the first. Behind the gate they come
/// together again.
#[test]
fn a_group_of_mixed_pace_goes_through_a_gate_and_stands_in_formation() {
    let (first, last) = march(Formation::Box, 19..22, 0);
    println!("arrivals {first} to {last}");
    assert!((last - first) * 100 <= last * 15, "arrivals {first} to {last}");
}

#[test]
fn groups_come_together_behind_gates_of_all_widths() {
    let formations = [Formation::Box, Formation::Line, Formation::Column, Formation::Wedge];
    for (seed, formation) in (1..).zip(formations) {
        for gate in [19..20, 12..14, 25..30] {
            let (first, last) = march(formation, gate.clone(), seed);
            println!("{formation:?} through {gate:?}: arrivals {first} to {last}");
            assert!((last - first) * 100 <= last * 20, "{formation:?} {gate:?}: {first} to {last}");
        }
    }
}

#[test]
fn formations_have_their_shapes() {
    let shapes = [
        (Formation::Line, (1, 9)),
        (Formation::Column, (5, 2)),
        (Formation::Box, (3, 3)),
        (Formation::Wedge, (3, 5)),
    ];
    for (formation, (ranks, files)) in shapes {
        let mut world = World::new(Map::empty(60, 60).unwrap(), WorldOptions::default()).unwrap();
        let spawn = Spawn::new(MovementProfile::eight_connected());
        let units: Vec<UnitId> = (0..9).map(|x| world.spawn((x, 0), &spawn).unwrap()).collect();
        let cells = world.order_formation(&units, (30, 30), Facing::East, formation).unwrap();
        let distinct = |mut of: Vec<u16>| {
            of.sort_unstable();
            of.dedup();
            of.len()
        };
        let columns = distinct(cells.iter().map(|cell| cell.x).collect());
        let rows = distinct(cells.iter().map(|cell| cell.y).collect());
        assert_eq!((columns, rows), (ranks, files), "{formation:?}");
        // Facing east, the other ranks are to the left of the first.
        assert!(cells.iter().all(|cell| cell.x <= 30));
    }
}

#[test]
fn a_group_keeps_its_shape_as_it_stands() {
    let (mut refereed, units) = bunch(Map::empty(80, 40).unwrap(), 0);
    let before: Vec<Cell> = units.iter().map(|&unit| refereed.at(unit)).collect();
    let facing = Facing::North;
    let cells =
        refereed.world.order_formation(&units, (60, 20), facing, Formation::AsTheyStand).unwrap();
    let moved = |at: usize| {
        (i32::from(cells[at].x) - i32::from(before[at].x), cells[at].y.wrapping_sub(before[at].y))
    };
    assert!((1..40).all(|at| moved(at) == moved(0)));
    arrivals(&mut refereed, &units, 400);
}

/// The formation is known until its units have other orders, and in snapshots.
#[test]
fn the_formation_of_a_unit_can_be_asked_for() {
    let (mut refereed, units) = bunch(Map::empty(80, 40).unwrap(), 0);
    assert_eq!(refereed.world.formation(units[0]), None);
    let (formation, facing, spot) = (Formation::Wedge, Facing::South, Cell::new(60, 30));
    let cells = refereed.world.order_formation(&units, spot, facing, formation).unwrap();
    let mut group = FormedGroup { formation, facing, spot, units: units.clone() };
    assert_eq!(refereed.world.formation(units[7]), Some(group.clone()));
    arrivals(&mut refereed, &units, 400);
    assert_eq!(refereed.world.formation(units[7]), Some(group.clone()));
    assert_eq!(refereed.world.destination(units[7]), Some(cells[7]));
    refereed.world.order(units[0], Order::Stop).unwrap();
    refereed.world.remove(units[1]).unwrap();
    group.units.drain(..2);
    assert_eq!(refereed.world.formation(units[7]), Some(group.clone()));
    assert_eq!(refereed.world.formation(units[0]), None);
    let restored = World::restore(&refereed.world.snapshot(), 1).unwrap();
    assert_eq!(restored.formation(units[7]), Some(group));
    refereed.world.order_formation(&units[2..4], spot, facing, Formation::Line).unwrap();
    assert_eq!(refereed.world.formation(units[2]).unwrap().units, units[2..4]);
    assert_eq!(refereed.world.formation(units[7]).unwrap().units, units[4..]);
}

/// A group that fights on its way keeps pace and formation, and one that comes out of a building has
/// them.
#[test]
fn units_stay_in_formation_when_they_halt_or_come_out_of_a_building() {
    let mut refereed = RefereedWorld::new(Map::empty(60, 30).unwrap(), WorldOptions::default());
    let doors = (10..14).map(|y| Cell::new(0, y)).collect();
    let house = refereed.world.add_building(Building::with_doors("barracks", doors)).unwrap();
    let units = [1, 1, 3, 1, 1, 1].map(|pace| {
        let movement = MovementProfile { pace, ..MovementProfile::eight_connected() };
        refereed.world.spawn_inside(house, &Spawn::new(movement)).unwrap()
    });
    let (facing, formation) = (Facing::East, Formation::Line);
    refereed.world.order_formation(&units, (50, 12), facing, formation).unwrap();
    let paces = |refereed: &RefereedWorld| {
        units.map(|unit| refereed.world.movement(unit).map(|movement| movement.pace))
    };
    refereed.ticks(30);
    assert_eq!(refereed.world.units_in(house).count(), 0);
    assert_eq!(paces(&refereed), [Some(3); 6]);
    for &unit in &units[..2] {
        refereed.world.halt(unit).unwrap();
    }
    refereed.ticks(40);
    for &unit in &units[..2] {
        refereed.world.resume(unit).unwrap();
    }
    assert_eq!(paces(&refereed), [Some(3); 6]);
    let ticks = arrivals(&mut refereed, &units, 400);
    // Those that were not halted wait for the two.
    let (first, last) = (ticks.iter().min().unwrap(), ticks.iter().max().unwrap());
    assert!(last - first < 30, "{ticks:?}");
}

#[test]
fn a_formation_without_room_is_refused() {
    let mut refereed = RefereedWorld::drawn("....");
    let units: Vec<UnitId> = (0..3).map(|x| refereed.scout((x, 0))).collect();
    let order = |world: &mut World, units: &[UnitId]| {
        world.order_formation(units, (1, 0), Facing::North, Formation::Box)
    };
    let twice = [units[0], units[0]];
    assert_eq!(order(&mut refereed.world, &twice), Err(WorldError::Twice(units[0])));
    assert!(order(&mut refereed.world, &units).is_ok());
    let off = refereed.world.order_formation(&units, (9, 9), Facing::North, Formation::Line);
    assert_eq!(off, Err(WorldError::OffMap { cell: Cell::new(9, 9) }));
}
