//! Rooms with doors, as in MovingAI's `room-64-64-8`.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::Map;

use super::GenerateError;
use super::grid::{Grid, rng};
use super::lattice::Lattice;

/// Share of doors in walls that need none, in percent.
const EXTRA_DOORS_PERCENT: u32 = 60;

/// Square rooms of `room` cells per side, with walls of one cell between them and doors of one cell
/// in most of the walls. Every room can be reached. Rooms on the right and at the bottom are
/// smaller if the map's size requires it.
///
/// # Errors
/// When a side is out of bounds or the rooms have no cells.
pub fn rooms(width: u32, height: u32, room: u32, seed: u64) -> Result<Map, GenerateError> {
    let mut grid = Grid::new(width, height, true)?;
    GenerateError::check_part("the side of a room", room, width.max(height))?;
    let period = room as usize + 1;
    // A wall in the last column or row would have no room behind it, and is not counted.
    let (columns, rows) = (grid.width.div_ceil(period), grid.height.div_ceil(period));
    let mut rng = rng(seed);
    let mut lattice = Lattice::tree(columns, rows, &mut rng);
    lattice.add_joins(EXTRA_DOORS_PERCENT, &mut rng);
    for column in 1..=columns {
        grid.fill(column * period - 1, 0, (1, usize::MAX >> 1), false);
    }
    for row in 1..=rows {
        grid.fill(0, row * period - 1, (usize::MAX >> 1, 1), false);
    }
    for place in 0..columns * rows {
        let corner = (place % columns * period, place / columns * period);
        doors(&mut grid, &lattice, place, corner, period - 1, &mut rng);
    }
    grid.into_map()
}

/// Opens the walls on the right of and below a room, where it is joined to the next.
fn doors(
    grid: &mut Grid,
    lattice: &Lattice,
    place: usize,
    (left, top): (usize, usize),
    room: usize,
    rng: &mut Pcg64Mcg,
) {
    let mut along = |from: usize, end: usize| {
        let length = room.min(end - from) as u32;
        from + rng.random_range(0..length.max(1)) as usize
    };
    if lattice.right[place] {
        let y = along(top, grid.height);
        grid.fill(left + room, y, (1, 1), true);
    }
    if lattice.below[place] {
        let x = along(left, grid.width);
        grid.fill(x, top + room, (1, 1), true);
    }
}
