//! Random edits that add and remove walls.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Change, Map, TerrainId};

/// Edits single cells that were free at first.
pub(crate) struct Walls {
    free: Vec<Cell>,
    wall: TerrainId,
    open: TerrainId,
    rng: Pcg64Mcg,
}

impl Walls {
    pub(crate) fn new(map: &Map, seed: u64) -> Self {
        let first = |is_wall: bool, or: usize| {
            let place = map.classes().iter().position(|class| class.factor.is_none() == is_wall);
            TerrainId(place.unwrap_or(or) as u8)
        };
        Self {
            free: map.cells().filter(|&cell| map.is_passable(cell)).collect(),
            wall: first(true, 1),
            open: first(false, 0),
            rng: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// A cell that was free at first.
    pub(crate) fn pick(&mut self) -> Cell {
        self.free[self.rng.random_range(0..self.free.len() as u32) as usize]
    }

    /// Turns a free cell into a wall, or a wall into ground.
    pub(crate) fn edit(&mut self, map: &mut Map) -> Result<Change, String> {
        let cell = self.pick();
        let terrain = if map.is_passable(cell) { self.wall } else { self.open };
        map.set(cell, terrain).map_err(|error| error.to_string())
    }
}
