//! Caves: noise that a cellular automaton smooths.

use rand::RngExt;
use throng_model::Map;

use super::GenerateError;
use super::grid::{Grid, rng};

/// Share of walls in the noise, in percent: with more the caves separate, with fewer they merge.
const NOISE_PERCENT: u32 = 47;
/// Rounds of smoothing: after five hardly a cell changes.
const ROUNDS: u32 = 5;

/// Winding halls with ragged walls; the largest connected part of them.
///
/// # Errors
/// When a side is out of bounds, or no cell is left free (likely below 4 cells per side).
pub fn caves(width: u32, height: u32, seed: u64) -> Result<Map, GenerateError> {
    let mut grid = Grid::new(width, height, true)?;
    let mut rng = rng(seed);
    for free in &mut grid.free {
        *free = rng.random_range(0..100_u32) >= NOISE_PERCENT;
    }
    let mut across = vec![0; grid.free.len()];
    for _ in 0..ROUNDS {
        smooth(&mut grid, &mut across);
    }
    grid.keep_largest();
    grid.into_map()
}

/// A cell becomes what most of the nine cells around and including it are; cells beyond the edge
/// count as walls. `across` is a buffer: the free cells among three in a row, per cell.
fn smooth(grid: &mut Grid, across: &mut [u8]) {
    let width = grid.width;
    for (row, sums) in grid.free.chunks_exact(width).zip(across.chunks_exact_mut(width)) {
        for (x, sum) in sums.iter_mut().enumerate() {
            let free = &row[x.saturating_sub(1)..(x + 2).min(width)];
            *sum = free.iter().map(|&free| u8::from(free)).sum();
        }
    }
    for (index, free) in grid.free.iter_mut().enumerate() {
        let above = index.checked_sub(width).map_or(0, |above| across[above]);
        let below = across.get(index + width).copied().unwrap_or(0);
        *free = above + across[index] + below >= 5;
    }
}
