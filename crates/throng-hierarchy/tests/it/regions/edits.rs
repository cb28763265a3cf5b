//! Regions that followed edits equal those divided from scratch.

use rand::RngExt;
use throng_hierarchy::Regions;
use throng_model::{Cell, Map, MovementProfile, TerrainId};

use super::Divided;
use crate::support::movements;

/// Edits single cells at random and compares with regions divided from scratch.
fn edit_at_random(movement: MovementProfile, seed: u64, edits: u32, compare_every: u32) {
    // Large units need room.
    let walls_percent = 25 / u32::from(movement.footprint).pow(2);
    let map = throng_testkit::random_terrain(seed, 110, 75, walls_percent, 5);
    let mut divided = Divided::new(map, movement);
    let mut rng = throng_testkit::rng(seed);
    for edit in 0..edits {
        let edited = Cell::new(rng.random_range(0..110), rng.random_range(0..75));
        let terrain = if rng.random_range(0..5) < 2 { 1 } else { rng.random_range(0..5_u8) };
        divided.set(edited, TerrainId(terrain));
        if edit % compare_every == 0 {
            assert!(divided.regions == Regions::new(&divided.ground), "after edit {edit}");
        }
    }
    assert!(divided.regions == Regions::new(&divided.ground));
}

#[test]
fn thousands_of_edits() {
    for footprint in 1..=3 {
        let seed = u64::from(footprint);
        let four = MovementProfile { footprint, ..MovementProfile::four_connected() };
        edit_at_random(four, seed, 500, 25);
        let eight = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        edit_at_random(eight, seed + 10, 500, 25);
    }
}

#[test]
fn edits_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        edit_at_random(movement, seed as u64 + 2, 60, 6);
    }
}

/// Rooms, where pieces are joined across the edges of blocks: each edit is compared.
#[test]
fn edits_of_rooms() {
    let mut map = throng_testkit::random_map(1, 150, 130, 0);
    for at in (0..150_u16).step_by(21) {
        let walls: Vec<Cell> = (0..150).map(|along| Cell::new(at, along)).collect();
        let walls = walls.iter().flat_map(|cell| [*cell, Cell::new(cell.y, cell.x)]);
        let walls = walls.filter(|cell| cell.x < 150 && cell.y < 130);
        let walls: Vec<Cell> = walls.filter(|cell| (cell.x + cell.y) % 17 != 0).collect();
        map.paint(&walls, Map::WALL).unwrap();
    }
    let mut divided = Divided::new(map, MovementProfile::eight_connected());
    let mut rng = throng_testkit::rng(5);
    for edit in 0..120 {
        let cell = Cell::new(rng.random_range(0..150), rng.random_range(0..130));
        let terrain = if divided.map.is_passable(cell) { Map::WALL } else { Map::GROUND };
        divided.set(cell, terrain);
        assert!(divided.regions == Regions::new(&divided.ground), "after edit {edit} of {cell}");
    }
}

#[test]
fn obstacles_come_and_go() {
    let movement = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
    let mut divided = Divided::new(Map::empty(80, 70).unwrap(), movement);
    let untouched = divided.regions.clone();
    let wall: Vec<Cell> = (0..70).map(|y| Cell::new(31, y)).collect();
    wall.iter().for_each(|&cell| divided.ground.add_obstacle(cell));
    assert!(!divided.regions.is_current(&divided.ground));
    divided.regions.update(&divided.ground, wall.iter().copied());
    assert!(divided.regions == Regions::new(&divided.ground));
    assert!(divided.regions != untouched);
    wall.iter().for_each(|&cell| divided.ground.remove_obstacle(cell));
    divided.regions.update(&divided.ground, wall.iter().copied());
    assert!(divided.regions == untouched);
}

#[test]
fn missed_edits_are_made_up_for() {
    let mut divided = Divided::new(Map::empty(40, 40).unwrap(), MovementProfile::four_connected());
    let missed = divided.map.set(Cell::new(20, 20), Map::WALL).unwrap();
    divided.ground.apply(&divided.map, &missed);
    divided.set(Cell::new(3, 3), Map::WALL);
    assert!(divided.regions == Regions::new(&divided.ground));
}

/// An edit far away leaves a region its id.
#[test]
fn ids_last() {
    let mut divided =
        Divided::new(Map::empty(200, 60).unwrap(), MovementProfile::eight_connected());
    let id = divided.regions.region_of(Cell::new(190, 50));
    for x in 0..20 {
        divided.set(Cell::new(x, 7), Map::WALL);
    }
    assert_eq!(divided.regions.region_of(Cell::new(190, 50)), id);
}
