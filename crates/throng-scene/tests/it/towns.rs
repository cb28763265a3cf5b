//! Generated towns are valid, walkable everywhere, and always the same.

use std::collections::BTreeSet;

use throng_scene::{
    CollisionMeter, GateKind, Ghost, GhostOptions, Level, ObstacleKind, Point, TownError,
    TownOptions, ValidScene, ZoneId, explore, town, town_with,
};

use crate::valid;

/// The zones that a body reaches from the corner of the map.
fn reached(scene: &ValidScene) -> BTreeSet<ZoneId> {
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(scene, GhostOptions::default(), &meter).unwrap();
    let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
    let places = explore(&ghost, start, 10_000_000);
    places.iter().map(|node| ghost.zone(*node).unwrap()).collect()
}

fn check_all_reached(scene: &ValidScene) {
    let reached = reached(scene);
    for (zone, id) in scene.zones().iter().zip(0..) {
        assert!(reached.contains(&ZoneId(id)), "{}: {} is cut off", scene.name(), zone.name);
    }
}

#[test]
fn a_body_reaches_every_zone_of_the_first_towns() {
    (0..25).for_each(|seed| check_all_reached(&valid(town(seed))));
}

#[test]
fn a_body_reaches_every_zone_of_more_towns() {
    (25..50).for_each(|seed| check_all_reached(&valid(town(seed))));
}

#[test]
fn a_walled_up_door_cuts_a_room_off() {
    let mut scene = valid(town(1));
    let is_front = |zone: ZoneId| scene.zones()[zone.index()].name == "outside";
    let fronts = scene.gates().iter().filter(|g| g.sides.iter().any(|s| is_front(s.zone)));
    let blocked: Vec<Point> = fronts.map(|g| g.sides[0].at.midpoint(g.sides[1].at)).collect();
    for (number, Point { x, y }) in blocked.iter().enumerate() {
        let block = crate::rectangle(x - 0.3, y - 0.3, x + 0.3, y + 0.3);
        scene.add_obstacle(crate::obstacle(&format!("bricks {number}"), block)).unwrap();
    }
    assert_eq!(reached(&scene).len(), 1);
}

#[test]
fn a_body_at_a_gate_fits_on_both_sides_and_through_doors() {
    for seed in 0..10 {
        let scene = valid(town(seed));
        let meter = CollisionMeter::new();
        let ghost = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
        for gate in scene.gates() {
            let [a, b] = gate.sides;
            assert!(ghost.is_free(a.at, a.level) && ghost.is_free(b.at, b.level), "{}", gate.name);
            if gate.kind == GateKind::Door {
                assert!(ghost.can_step(a.at, b.at, a.level), "{}", gate.name);
            }
        }
    }
}

#[test]
fn a_town_has_all_that_the_papers_map_has() {
    for seed in 0..10 {
        let scene = valid(town(seed));
        assert_eq!((scene.width(), scene.height(), scene.levels().count()), (30.0, 30.0, 2));
        assert_eq!(scene.players().len(), 24);
        let kinds: BTreeSet<_> = scene.obstacles().map(|(_, obstacle)| obstacle.kind).collect();
        let wanted = [ObstacleKind::Wall, ObstacleKind::Tree, ObstacleKind::Furniture];
        assert!(wanted.iter().all(|kind| kinds.contains(kind)), "seed {seed}: {kinds:?}");
        let stairs = scene.gates().iter().filter(|gate| gate.kind == GateKind::Stairs).count();
        assert_eq!(stairs, 10, "every second house of twenty");
        let trees = scene.obstacles().filter(|(_, o)| o.kind == ObstacleKind::Tree).count();
        assert!(trees >= 15, "seed {seed}: {trees} trees");
        let upper = scene.zones().iter().filter(|zone| zone.level == Level(1)).count();
        assert!(upper >= 30, "seed {seed}: {upper} zones above the ground");
    }
}

/// The golden value: FNV-1a of the bytes of the files.
#[test]
fn towns_are_the_same_on_every_machine() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 0..5 {
        for byte in town(seed).write().unwrap().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(format!("{hash:016x}"), "007814bbf8f11ccb");
}

/// Every collision test of a flood has its part in these numbers.
#[test]
fn a_flood_is_the_same_on_every_machine() {
    let scene = valid(town(1));
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
    let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
    let places = explore(&ghost, start, 10_000_000);
    assert_eq!((places.len(), meter.tests()), (29_194, 233_081));
}

#[test]
fn towns_of_other_sizes_are_as_walkable() {
    for (side, houses) in [(5, 1), (9, 4), (14, 9), (40, 60), (60, 4)] {
        let options = TownOptions { side, houses, ..TownOptions::default() };
        for seed in 0..2 {
            check_all_reached(&valid(town_with(seed, options).unwrap()));
        }
    }
}

#[test]
fn a_town_that_does_not_fit_is_refused() {
    let with = |side, houses| town_with(1, TownOptions { side, houses, ..TownOptions::default() });
    assert_eq!(with(30, 37), Err(TownError::Houses { houses: 37, side: 30, fit: 36 }));
    assert_eq!(with(4, 1), Err(TownError::Houses { houses: 1, side: 4, fit: 0 }));
    assert!(with(30, 0).is_err() && with(u32::MAX, 9).is_err() && with(1000, 577).is_err());
    let crowd = TownOptions { players: 10_001, ..TownOptions::default() };
    assert!(matches!(town_with(1, crowd), Err(TownError::TooMany { what: "players", .. })));
}

#[test]
fn the_default_town_is_the_town_of_the_default_options() {
    assert_eq!(town_with(3, TownOptions::default()), Ok(town(3)));
}
