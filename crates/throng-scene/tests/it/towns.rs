//! Generated towns are valid, walkable everywhere, and always the same.

use std::collections::BTreeSet;

use throng_scene::{
    CollisionMeter, Ghost, GhostOptions, Level, Point, Scene, TownError, TownOptions, ValidScene,
    ZoneId, explore, town, town_with,
};

fn valid(scene: Scene) -> ValidScene {
    let name = scene.name.clone();
    scene.validate().unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// The zones that a body reaches from the corner of the map.
fn reached(scene: &ValidScene, options: GhostOptions) -> BTreeSet<ZoneId> {
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(scene, options, &meter).unwrap();
    let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
    let places = explore(&ghost, start, 10_000_000);
    places.iter().map(|node| ghost.zone(*node).unwrap()).collect()
}

fn check_all_reached(scene: &ValidScene, options: GhostOptions) {
    let reached = reached(scene, options);
    for (zone, id) in scene.zones().iter().zip(0..) {
        assert!(reached.contains(&ZoneId(id)), "{}: {} is cut off", scene.name(), zone.name);
    }
}

#[test]
fn a_body_reaches_every_zone_of_fifty_towns() {
    for seed in 0..50 {
        check_all_reached(&valid(town(seed)), GhostOptions::default());
    }
}
