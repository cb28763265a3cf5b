//! The limits of a tick: work, and an interrupt from outside.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, UnitId};
use throng_world::{Order, Spawn, UnitStatus, World, WorldOptions};

/// A map with a wall here and there, the same for every size.
fn map(width: u16, height: u16) -> Map {
    let mut map = Map::empty(width.into(), height.into()).unwrap();
    let is_wall = |cell: &Cell| (u32::from(cell.x) * 7 + u32::from(cell.y) * 13) % 29 == 0;
    let walls: Vec<Cell> = map.cells().filter(is_wall).collect();
    map.paint(&walls, Map::WALL).unwrap();
    map
}

/// Units with random orders within the first columns and rows of a map.
fn world(map: Map, options: WorldOptions, units: usize, within: (u16, u16)) -> World {
    let mut rng = throng_testkit::rng(11);
    let mut world = World::new(map, options).unwrap();
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let mut cell = || Cell::new(rng.random_range(0..within.0), rng.random_range(0..within.1));
    let mut placed = 0;
    while placed < units {
        let (at, to) = (cell(), cell());
        if !world.map().is_passable(to) {
            continue;
        }
        if let Ok(unit) = world.spawn(at, &spawn) {
            world.order(unit, Order::go(to)).unwrap();
            placed += 1;
        }
    }
    world
}

fn without_limit() -> WorldOptions {
    WorldOptions { expansions_per_tick: None, ..WorldOptions::default() }
}

/// One more column must not change the cost of a tick: the first one of 150 orders.
#[test]
fn no_size_of_a_map_is_a_step_in_the_work_of_a_tick() {
    let expanded = |width, height, within| {
        world(map(width, height), without_limit(), 150, within).tick().expanded
    };
    for (width, height) in [(128, 128), (255, 256), (511, 512)] {
        let (small, large) = (
            expanded(width, height, (width, height)),
            expanded(width + 1, height, (width, height)),
        );
        assert!(large * 100 <= small * 105, "{small} nodes at {width} columns, then {large}");
    }
}

#[test]
fn by_default_thousands_of_orders_are_spread_over_ticks() {
    let options = WorldOptions::default();
    let budget = options.expansions_per_tick.unwrap();
    let mut world = world(map(400, 400), options, 3_000, (400, 400));
    let units: Vec<UnitId> = world.units().collect();
    let waits = |world: &World, unit: UnitId| world.status(unit) == Some(UnitStatus::Routing);
    let mut waiting = units.len();
    for tick in 0.. {
        let expanded = world.tick().expanded;
        assert!(expanded <= budget + budget / 4, "{expanded} nodes in tick {tick}");
        let still = units.iter().filter(|&&unit| waits(&world, unit)).count();
        assert!(still < waiting, "no order was begun in tick {tick}");
        waiting = still;
        // Units got their orders by number, and the longest waiting come first. Some wait again,
        // because another unit of their batch got their place.
        let last = units.iter().rposition(|&unit| !waits(&world, unit)).unwrap_or(0);
        assert!(tick > 0 || last + waiting < units.len() + 16, "{last}, {waiting} wait");
        if waiting == 0 {
            break;
        }
    }
}

#[test]
fn an_interrupt_ends_planning_and_is_reported() {
    let scene = || world(map(100, 100), without_limit(), 400, (100, 100));
    let (mut plain, mut timed) = (scene(), scene());
    assert_eq!(plain.tick(), timed.tick_within(&|| false));
    let report = timed.tick_within(&|| true);
    assert!(report.is_interrupted && !plain.tick().is_interrupted);
    // Nothing is lost: units plan later.
    for _ in 0..400 {
        timed.tick();
    }
    let arrived = |&unit: &UnitId| timed.status(unit) == Some(UnitStatus::Arrived);
    assert_eq!(timed.units().filter(|unit| arrived(unit)).count(), 400);
}
