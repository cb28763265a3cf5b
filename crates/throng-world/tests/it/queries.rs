//! Queries about places, against what `location` says of every unit; and interpolation.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Order, Spawn, World, WorldOptions};

use crate::refereed::RefereedWorld;

fn kind(footprint: u8, pace: u8) -> MovementProfile {
    MovementProfile { footprint, pace, ..MovementProfile::eight_connected() }
}

/// Units of several sizes and paces on their way.
fn scene(seed: u64) -> World {
    let mut rng = throng_testkit::rng(seed);
    let map = throng_testkit::random_terrain(seed, 30, 24, 12, 3);
    let mut world = World::new(map, WorldOptions::default()).unwrap();
    let kinds = [kind(1, 1), kind(2, 1), kind(1, 3), kind(3, 2)];
    for number in 0..60 {
        let mut any = || Cell::new(rng.random_range(0..30), rng.random_range(0..24));
        if let Ok(unit) = world.spawn(any(), &Spawn::new(kinds[number % 4].clone())) {
            world.order(unit, Order::go(any())).unwrap();
        }
    }
    (0..7).for_each(|_| drop(world.tick()));
    world
}

fn body(world: &World, unit: UnitId) -> Vec<Cell> {
    let (at, _) = world.location(unit).unwrap();
    let side = u16::from(world.movement(unit).unwrap().footprint);
    Rect::new(at, side, side).cells().collect()
}

#[test]
fn units_are_found_by_cell_rectangle_and_circle() {
    for seed in 0..6 {
        let world = scene(seed);
        let before = world.snapshot();
        for unit in world.units() {
            assert!(body(&world, unit).into_iter().all(|cell| world.unit_at(cell) == Some(unit)));
        }
        let held = world.map().cells().filter(|&cell| world.unit_at(cell).is_some()).count();
        assert!(held >= world.units().map(|unit| body(&world, unit).len()).sum());
        let rect = Rect::new(Cell::new(5, 4), 9, 7);
        let touches = |unit: &UnitId| {
            body(&world, *unit)
                .iter()
                .any(|cell| (5..14).contains(&cell.x) && (4..11).contains(&cell.y))
        };
        let expected: Vec<UnitId> = world.units().filter(touches).collect();
        assert_eq!(world.units_in_rect(rect).collect::<Vec<_>>(), expected);
        let near = |unit: &UnitId| {
            body(&world, *unit).iter().any(|cell| {
                let (dx, dy) = (i32::from(cell.x) - 15, i32::from(cell.y) - 12);
                dx * dx + dy * dy <= 36
            })
        };
        let expected: Vec<UnitId> = world.units().filter(near).collect();
        assert_eq!(world.units_in_circle((15, 12), 6).collect::<Vec<_>>(), expected);
        assert!(world.snapshot() == before, "a query changed the world");
    }
}

#[test]
fn a_free_cell_is_one_where_a_unit_can_be_spawned() {
    for seed in 0..6 {
        let world = scene(seed);
        for movement in [kind(1, 1), kind(3, 1)] {
            let spawn = Spawn::new(movement);
            let fits = |cell: Cell| world.clone().spawn(cell, &spawn).is_ok();
            let spot = Cell::new(11, 9);
            let found = world.free_cell_near(spot, &spawn);
            assert_eq!(found, spot.rings(30).find(|&cell| fits(cell)));
        }
    }
    let full = World::new(throng_testkit::map("###\n#.#"), WorldOptions::default()).unwrap();
    assert_eq!(full.free_cell_near((0, 0), &Spawn::new(kind(2, 1))), None);
}

#[test]
fn the_claims_near_a_cell_are_those_of_plans() {
    let world = scene(3);
    let claims = world.claims_near((15, 12), 4);
    assert!(claims.iter().any(|claim| claim.tick > world.now()));
    for claim in &claims {
        assert!(claim.cell.x.abs_diff(15) <= 4 && claim.cell.y.abs_diff(12) <= 4);
        if claim.tick == world.now() {
            assert_eq!(world.unit_at(claim.cell), Some(claim.unit));
        }
    }
}

/// The end of each tick's interpolation is the beginning of the next one's, and whole steps end
/// on cells.
#[test]
fn interpolation_has_no_jumps_but_teleports() {
    let mut refereed = RefereedWorld::new(Map::empty(24, 10).unwrap(), WorldOptions::default());
    let units = [kind(1, 1), kind(1, 3), kind(2, 4)].map(|movement| movement);
    let mut ids = Vec::new();
    for (row, movement) in (0..).zip(units) {
        let unit = refereed.spawn(Cell::new(1, 3 * row), &Spawn::new(movement)).unwrap();
        refereed.go(unit, (18, 3 * row + 1));
        ids.push(unit);
    }
    let mut last = vec![None; ids.len()];
    for tick in 0..60 {
        if tick == 25 {
            refereed.teleport(ids[0], Cell::new(3, 2)).unwrap();
        }
        refereed.tick();
        for (step, last) in refereed.world.steps().iter().zip(&mut last) {
            let (begin, end) = (step.position_at(0.0), step.position_at(1.0));
            assert_eq!(step.is_teleport, tick == 25 && step.unit == ids[0]);
            if !step.is_teleport {
                assert!(last.is_none_or(|last| last == begin), "{step:?} after {last:?}");
            }
            if step.heading.is_none() {
                assert_eq!(end, (f32::from(step.at.x), f32::from(step.at.y)));
            }
            *last = Some(end);
        }
    }
}

#[test]
fn the_queue_can_be_read() {
    let mut refereed = RefereedWorld::drawn("........");
    let unit = refereed.scout((0, 0));
    let world = &mut refereed.world;
    for x in [7, 0, 3] {
        world.queue_order(unit, (x, 0)).unwrap();
    }
    let queue: Vec<&Order> = world.queue(unit).collect();
    assert_eq!(queue, [&Order::go((0, 0)), &Order::go((3, 0))]);
}

#[test]
fn a_route_leads_from_the_unit_to_its_destination() {
    let mut map = Map::empty(120, 20).unwrap();
    map.fill(Rect::new(Cell::new(60, 2), 2, 18), Map::WALL).unwrap();
    let mut world = World::new(map, WorldOptions::default()).unwrap();
    let unit = world.spawn(Cell::new(2, 18), &Spawn::new(kind(1, 1))).unwrap();
    assert_eq!(world.route(unit), None);
    world.order(unit, Order::go((117, 18))).unwrap();
    for tick in 0..100 {
        world.tick();
        let (route, at) = (world.route(unit).unwrap(), world.location(unit).unwrap().0);
        let apart = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
        assert!(apart(route[0], at) <= 1, "tick {tick}: {} and {at}", route[0]);
        assert_eq!(route.last(), Some(&Cell::new(117, 18)), "tick {tick}");
        assert!(route.windows(2).all(|step| apart(step[0], step[1]) == 1), "tick {tick}");
    }
}
