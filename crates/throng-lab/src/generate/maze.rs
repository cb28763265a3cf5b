//! Mazes.

use throng_model::Map;

use super::GenerateError;
use super::grid::{Grid, rng};
use super::lattice::Lattice;

/// A maze with corridors `corridor` cells wide and walls of one cell.
///
/// With `loops_percent` 0 there is one path between any two cells; otherwise that share of the
/// remaining walls between neighbouring corridors is opened. Columns on the right and rows at the
/// bottom that are too few for another corridor are walls.
///
/// # Errors
/// When a side is out of bounds or too short for one corridor between two walls, the
/// corridor has no width, or the percentage is above 100.
pub fn maze(
    width: u32,
    height: u32,
    corridor: u32,
    loops_percent: u32,
    seed: u64,
) -> Result<Map, GenerateError> {
    GenerateError::check_percent("loops", loops_percent)?;
    let mut grid = Grid::new(width, height, false)?;
    GenerateError::check_part("the width of a corridor", corridor, width.min(height))?;
    let least = corridor + 2;
    if width < least || height < least {
        return Err(GenerateError::TooSmall { what: "a maze", width, height, least });
    }
    let corridor = corridor as usize;
    let period = corridor + 1;
    let (columns, rows) = ((grid.width - 1) / period, (grid.height - 1) / period);
    let mut rng = rng(seed);
    let mut lattice = Lattice::tree(columns, rows, &mut rng);
    lattice.add_joins(loops_percent, &mut rng);
    for place in 0..columns * rows {
        let (left, top) = (1 + place % columns * period, 1 + place / columns * period);
        let through = |joined: bool| if joined { period } else { corridor };
        grid.fill(left, top, (through(lattice.right[place]), corridor), true);
        grid.fill(left, top, (corridor, through(lattice.below[place])), true);
    }
    grid.into_map()
}
