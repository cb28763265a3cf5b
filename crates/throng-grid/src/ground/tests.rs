//! A ground that followed edits and obstacles equals one that is derived afresh.

use rand::RngExt;
use throng_model::{
    Cell, CellIndex, CornerRule, Factor, Map, MovementProfile, Neighbours, Rect, TerrainClass,
    TerrainId,
};
use throng_testkit::rng;

use crate::Ground;

/// A map of random walls and terrain of factors 1 to 3.
fn random_terrain(seed: u64, width: u32, height: u32) -> Map {
    let mut map = throng_testkit::map("23");
    let (walls, swamp, hill) = (Map::WALL, TerrainId(2), TerrainId(3));
    let mut rng = rng(seed);
    let cells = (0..width * height).map(|_| match rng.random_range(0..10) {
        0..=2 => walls,
        3 => swamp,
        4 => hill,
        _ => Map::GROUND,
    });
    let cells = cells.collect();
    map = Map::new(width as u16, height as u16, map.classes().to_vec(), cells).unwrap();
    map
}

/// The map with walls where obstacles stand: what a fresh ground is derived from.
fn with_obstacles(map: &Map, obstacles: &[Cell]) -> Map {
    let mut walled = map.clone();
    walled.paint(obstacles, Map::WALL).unwrap();
    walled
}

fn check(ground: &Ground, fresh: &Ground) {
    assert_eq!(ground.factors(), fresh.factors());
    let jumps = |ground: &Ground| format!("{:?}", ground.jump_map());
    assert!(jumps(ground) == jumps(fresh), "jump maps differ");
    for y in 0..ground.height() {
        for x in 0..ground.width() {
            let (cell, index) = (Cell::new(x as u16, y as u16), CellIndex(y * ground.width() + x));
            assert_eq!(ground.around()[index.get()], fresh.around()[index.get()], "{cell}");
            let parts = (ground.components(), fresh.components());
            assert_eq!(parts.0.size_of(index), parts.1.size_of(index), "{cell}");
        }
    }
    assert_eq!(ground.components().count(), fresh.components().count());
    assert_eq!(ground.uniform_factor(), fresh.uniform_factor());
    assert_eq!(ground.least_factor(), fresh.least_factor());
    check_partition(ground, fresh);
}

fn check_partition(ground: &Ground, fresh: &Ground) {
    let mut pairs: Vec<_> = (0..ground.width() * ground.height())
        .map(CellIndex)
        .map(|at| (ground.components().component_of(at), fresh.components().component_of(at)))
        .collect();
    pairs.sort();
    pairs.dedup();
    let count = ground.components().count();
    assert!(pairs.iter().filter(|(a, b)| a.is_some() || b.is_some()).count() == count, "{pairs:?}");
}

fn check_edits(movement: &MovementProfile, seed: u64) {
    let mut map = random_terrain(seed, 45, 40);
    let mut ground = Ground::new(&map, movement.clone()).unwrap();
    let mut obstacles: Vec<Cell> = Vec::new();
    let mut rng = rng(seed + 1);
    for edit in 0..120 {
        let cell = Cell::new(rng.random_range(0..45), rng.random_range(0..40));
        match rng.random_range(0..4) {
            0 => {
                ground.add_obstacle(cell);
                obstacles.push(cell);
            }
            1 if !obstacles.is_empty() => {
                let index = rng.random_range(0..obstacles.len() as u32);
                ground.remove_obstacle(obstacles.swap_remove(index as usize));
            }
            _ => {
                let sides = (rng.random_range(1..4_u16), rng.random_range(1..4_u16));
                let rect = Rect::new(cell, sides.0.min(45 - cell.x), sides.1.min(40 - cell.y));
                let change = map.fill(rect, TerrainId(rng.random_range(0..4))).unwrap();
                ground.apply(&map, &change);
            }
        }
        if edit % 5 == 0 {
            let fresh = Ground::new(&with_obstacles(&map, &obstacles), movement.clone()).unwrap();
            check(&ground, &fresh);
        }
    }
    ground.refresh(&map);
    let fresh = Ground::new(&with_obstacles(&map, &obstacles), movement.clone()).unwrap();
    check(&ground, &fresh);
}

#[test]
fn edits_and_obstacles_lead_to_the_same_ground_as_deriving_it_afresh() {
    for footprint in 1..=3 {
        for corners in [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut] {
            for neighbours in [Neighbours::Four, Neighbours::Eight] {
                let movement = MovementProfile {
                    neighbours,
                    corners,
                    footprint,
                    ..MovementProfile::eight_connected()
                };
                check_edits(&movement, u64::from(footprint));
            }
        }
    }
}

/// The map with the terrain on which a step costs so many times as much.
fn with_multiples(map: &Map, multiples: &[(Cell, u8)]) -> Map {
    let mut costly = map.clone();
    for &(cell, times) in multiples {
        let old = &map.classes()[map.terrain_at(cell).unwrap().get()];
        if let Some(factor) = old.factor {
            let factor = Factor::new(i64::from(factor.get()) * i64::from(times)).unwrap();
            let class = TerrainClass { factor: Some(factor), ..old.clone() };
            let class = costly.add_class(class).unwrap();
            costly.set(cell, class).unwrap();
        }
    }
    costly
}

#[test]
fn a_multiple_is_like_terrain_of_that_factor() {
    for footprint in 1..=3 {
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        let mut map = random_terrain(9, 30, 20);
        let mut ground = Ground::new(&map, movement.clone()).unwrap();
        let plain = ground.fingerprint();
        let mut rng = rng(u64::from(footprint));
        let mut any = || Cell::new(rng.random_range(0..30), rng.random_range(0..20));
        let mut multiples: Vec<(Cell, u8)> = (0..40).map(|n| (any(), 2 + n % 3)).collect();
        multiples.sort_unstable();
        multiples.dedup_by_key(|(cell, _)| *cell);
        multiples.iter().for_each(|&(cell, times)| ground.set_multiple(cell, times));
        let change = map.fill(Rect::new(Cell::new(3, 3), 6, 6), TerrainId(2)).unwrap();
        ground.apply(&map, &change);
        let costly = Ground::new(&with_multiples(&map, &multiples), movement.clone()).unwrap();
        check(&ground, &costly);
        ground.refresh(&map);
        check(&ground, &costly);
        multiples.iter().for_each(|&(cell, _)| ground.set_multiple(cell, 1));
        check(&ground, &Ground::new(&map, movement).unwrap());
        assert_ne!(ground.fingerprint(), plain, "the map was edited");
    }
}
