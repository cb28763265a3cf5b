//! How much longer steps take, by position: the most of the cells under a footprint.

use throng_model::{CellIndex, Map, MovementProfile};

/// By cell and by position, how many times longer a step onto it takes.
#[derive(Clone, Debug)]
pub(super) struct Slowness {
    cells: Vec<u8>,
    /// The most under the footprint; empty for a footprint of one cell.
    positions: Vec<u8>,
}

impl Slowness {
    /// `None` if no terrain slows.
    pub(super) fn new(map: &Map, movement: &MovementProfile) -> Option<Self> {
        if movement.slow.is_empty() {
            return None;
        }
        let cells: Vec<u8> = map.terrain().iter().map(|&class| movement.slowness(class)).collect();
        let mut slowness = Self { cells, positions: Vec::new() };
        if movement.footprint > 1 {
            slowness.positions = vec![1; slowness.cells.len()];
            let area = (u32::from(map.width()), movement.footprint);
            (0..slowness.cells.len() as u32).for_each(|at| slowness.update(CellIndex(at), area));
        }
        Some(slowness)
    }

    #[inline]
    pub(super) fn at(&self, index: CellIndex) -> u8 {
        let positions = if self.positions.is_empty() { &self.cells } else { &self.positions };
        positions.get(index.get()).copied().unwrap_or(1)
    }

    /// Sets how much longer a step onto a cell takes.
    pub(super) fn set(&mut self, index: CellIndex, times: u8) {
        if let Some(cell) = self.cells.get_mut(index.get()) {
            *cell = times;
        }
    }

    /// Finds the most under a footprint again, on a map of so many columns.
    pub(super) fn update(&mut self, index: CellIndex, (width, side): (u32, u8)) {
        let side = u32::from(side);
        let left = index.0 % width.max(1);
        let columns = left..(left + side).min(width);
        let rows = (0..side).map(|dy| (index.0 / width.max(1) + dy) * width);
        let cells = rows.flat_map(|row| columns.clone().map(move |column| row + column));
        let most = cells.filter_map(|cell| self.cells.get(cell as usize)).max();
        let most = most.copied().unwrap_or(1);
        if let Some(position) = self.positions.get_mut(index.get()) {
            *position = most;
        }
    }
}
