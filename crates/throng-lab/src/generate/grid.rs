//! A grid of free and blocked cells, before it becomes a map.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use throng_model::{Factor, Map, TerrainClass, TerrainId};

use super::GenerateError;
use super::components::Components;

/// Free and walled cells, row by row.
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) free: Vec<bool>,
}

impl Grid {
    /// A grid whose cells are all free, or all walled.
    pub(super) fn new(width: u32, height: u32, free: bool) -> Result<Self, GenerateError> {
        let (width, height) = Map::checked_size(u64::from(width), u64::from(height))?;
        let (width, height) = (usize::from(width), usize::from(height));
        Ok(Self { width, height, free: vec![free; width * height] })
    }

    /// Sets the cells of a rectangle; cells off the grid are ignored.
    pub(super) fn fill(&mut self, left: usize, top: usize, size: (usize, usize), free: bool) {
        let right = (left + size.0).min(self.width);
        for y in top..(top + size.1).min(self.height) {
            if left < right {
                self.free[y * self.width + left..y * self.width + right].fill(free);
            }
        }
    }

    /// Blocks all cells but the largest component.
    pub(super) fn keep_largest(&mut self) {
        let components = Components::new(self.width, &self.free);
        let largest = components.largest();
        for (free, &label) in self.free.iter_mut().zip(&components.labels) {
            *free &= Some(label) == largest;
        }
    }

    /// The map of ground and walls.
    pub(super) fn into_map(self) -> Result<Map, GenerateError> {
        self.into_map_with(TerrainClass::blocked("wall", '@'))
    }

    /// The map of ground and another impassable terrain.
    pub(super) fn into_map_with(self, blocked: TerrainClass) -> Result<Map, GenerateError> {
        if !self.free.contains(&true) {
            return Err(GenerateError::NothingFree);
        }
        let classes = vec![TerrainClass::passable("ground", '.', Factor::ONE), blocked];
        let cells = self.free.iter().map(|&free| TerrainId(u8::from(!free))).collect();
        Ok(Map::new(self.width as u16, self.height as u16, classes, cells)?)
    }
}

/// The random generator of every map generator. Only ranges of `u32` and `u64` are drawn from it:
/// they are the same on every machine.
pub(super) fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}
