//! Scattered obstacles.
//!
//! Silver, "Cooperative Pathfinding" (AIIDE 2005), experimental results: obstacles on 20% of
//! a 32 x 32 grid, disconnected subregions filled with obstacles as well.

use rand::RngExt;
use throng_model::Map;

use super::GenerateError;
use super::grid::{Grid, rng};

/// A map with obstacles on `percent` of its cells, placed at random.
///
/// Exactly that share (rounded down) is placed first, at random. Then all cells that are not
/// connected to the largest free component are blocked too, so the final share is higher: by 0.2
/// points at 20 percent and 1.3 at 30. Near 41 percent the free cells separate into small
/// components, of which only the largest is left.
///
/// # Errors
/// When a side is out of bounds, the percentage above 100, or no cell is left free.
pub fn random(width: u32, height: u32, percent: u32, seed: u64) -> Result<Map, GenerateError> {
    GenerateError::check_percent("obstacles", percent)?;
    let mut grid = Grid::new(width, height, true)?;
    let mut rng = rng(seed);
    let cells = grid.free.len() as u64;
    let (mut walls_left, mut cells_left) = (cells * u64::from(percent) / 100, cells);
    // Each cell is drawn with the share still needed (Knuth's selection sampling).
    for free in &mut grid.free {
        let is_wall = rng.random_range(0..cells_left) < walls_left;
        *free = !is_wall;
        walls_left -= u64::from(is_wall);
        cells_left -= 1;
    }
    grid.keep_largest();
    grid.into_map()
}
