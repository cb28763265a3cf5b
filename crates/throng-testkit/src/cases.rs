//! Random cases for the searches: maps, movement profiles, starts and goals.

use rand::RngExt;
use throng_model::{
    Cell, CornerRule, DiagonalCost, Factor, Map, MovementProfile, Neighbours, TerrainOverride,
};

/// One random case.
pub struct Case {
    /// The map.
    pub map: Map,
    /// The movement profile of the unit.
    pub movement: MovementProfile,
    /// One to four cells, possibly in walls.
    pub starts: Vec<Cell>,
    /// One to five cells, possibly in walls.
    pub goals: Vec<Cell>,
}

/// The case of a seed. Starts and goals can be any cells, also walls.
#[must_use]
pub fn case(seed: u64) -> Case {
    let mut rng = crate::rng(seed);
    let (width, height) = (rng.random_range(1..30), rng.random_range(1..30));
    let percent = [0, 10, 20, 35, 50][rng.random_range(0..5_u32) as usize];
    let factor_max = [1, 1, 9][rng.random_range(0..3_u32) as usize];
    let map = crate::random_terrain(seed, width, height, percent, factor_max);
    let movement = movement(&mut rng, &map);
    let mut cells = |count: u32| -> Vec<Cell> {
        let cell =
            |_| Cell::new(rng.random_range(0..width) as u16, rng.random_range(0..height) as u16);
        (0..count).map(cell).collect()
    };
    let (starts, goals) = (cells(1 + seed as u32 % 4), cells(1 + seed as u32 / 4 % 5));
    Case { map, movement, starts, goals }
}

fn movement(rng: &mut rand_pcg::Pcg64Mcg, map: &Map) -> MovementProfile {
    let mut pick = |count: u32| rng.random_range(0..count) as usize;
    let swamp = map.class_by_symbol('5').expect("random terrain has class 5");
    let overrides = [
        Vec::new(),
        vec![TerrainOverride { terrain: swamp, factor: None }],
        vec![TerrainOverride { terrain: swamp, factor: Some(Factor::ONE) }],
    ];
    MovementProfile {
        neighbours: [Neighbours::Eight, Neighbours::Eight, Neighbours::Four][pick(3)],
        corners: [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut][pick(3)],
        diagonal: [DiagonalCost::TrueLength, DiagonalCost::TrueLength, DiagonalCost::OneTick]
            [pick(3)],
        footprint: [1, 1, 1, 2, 3][pick(5)],
        pace: 1,
        terrain: overrides[pick(3)].clone(),
        slow: Vec::new(),
    }
}
