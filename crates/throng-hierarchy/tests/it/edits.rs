//! A hierarchy that followed edits equals one built from scratch.

use rand::RngExt;
use throng_hierarchy::GridHierarchy;
use throng_model::{Cell, Map, MovementProfile, TerrainId};

use crate::support::{Lengths, World, movements};

/// Edits single cells at random and asks now and then; compares with a fresh hierarchy.
fn edit_at_random(movement: MovementProfile, seed: u64, edits: u32) {
    let (width, height) = (70_u16, 52_u16);
    // Large units need room.
    let walls_percent = 25 / u32::from(movement.footprint).pow(2);
    let map = throng_testkit::random_terrain(seed, 70, 52, walls_percent, 5);
    let mut world = World::new(map, movement);
    let mut rng = throng_testkit::rng(seed);
    let mut lengths = Lengths::default();
    for edit in 0..edits {
        let mut cell = || Cell::new(rng.random_range(0..width), rng.random_range(0..height));
        let (edited, from, to) = (cell(), cell(), cell());
        let terrain = if rng.random_range(0..5) < 2 { 1 } else { rng.random_range(0..5_u8) };
        world.set(edited, TerrainId(terrain));
        if edit % 8 == 0 && world.ground.can_stand(from) && world.ground.can_stand(to) {
            world.check(from, to, &mut lengths);
        }
        if edit % 500 == 0 {
            assert!(world.hierarchy == GridHierarchy::new(&world.ground), "after edit {edit}");
        }
    }
    assert!(world.hierarchy == GridHierarchy::new(&world.ground));
    assert!(lengths.found > 0, "{lengths:?}");
}

/// On weighted ground, for units of one to three cells per side.
fn ten_thousand_edits(movement: &MovementProfile) {
    for footprint in 1..=3 {
        edit_at_random(MovementProfile { footprint, ..movement.clone() }, footprint.into(), 10_000);
    }
}

#[test]
fn ten_thousand_edits_four_connected() {
    ten_thousand_edits(&MovementProfile::four_connected());
}

#[test]
fn ten_thousand_edits_eight_connected() {
    ten_thousand_edits(&MovementProfile::eight_connected());
}

#[test]
fn edits_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        edit_at_random(movement, seed as u64 + 2, 600);
    }
}

#[test]
fn obstacles_come_and_go() {
    let map = Map::empty(64, 48).unwrap();
    let mut world =
        World::new(map, MovementProfile { footprint: 2, ..MovementProfile::eight_connected() });
    let untouched = world.hierarchy.clone();
    let wall: Vec<Cell> = (0..48).map(|y| Cell::new(31, y)).collect();
    wall.iter().for_each(|&cell| world.ground.add_obstacle(cell));
    assert!(!world.hierarchy.is_current(&world.ground));
    world.hierarchy.update(&world.ground, wall.iter().copied());
    assert!(world.hierarchy == GridHierarchy::new(&world.ground));
    wall.iter().for_each(|&cell| world.ground.remove_obstacle(cell));
    world.hierarchy.update(&world.ground, wall.iter().copied());
    assert!(world.hierarchy == untouched);
}

#[test]
fn missed_edits_are_made_up_for() {
    let mut world = World::new(Map::empty(40, 40).unwrap(), MovementProfile::four_connected());
    let missed = world.map.set(Cell::new(20, 20), Map::WALL).unwrap();
    world.ground.apply(&world.map, &missed);
    world.set(Cell::new(3, 3), Map::WALL);
    assert!(world.hierarchy == GridHierarchy::new(&world.ground));
    world.check_random(1, 20);
}
