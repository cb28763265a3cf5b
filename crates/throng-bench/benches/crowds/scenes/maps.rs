//! The maps of the scenes: a wall with openings, and a spiral.

use throng_model::{Cell, Map, Rect};

/// The side of all maps but the town's.
pub(crate) const SIDE: u16 = 64;

/// An empty map with a wall of these columns, and openings (first row, rows) in it.
pub(super) fn walled(column: u16, columns: u16, openings: &[(u16, u16)]) -> Result<Map, String> {
    let mut map = Map::empty(SIDE.into(), SIDE.into()).map_err(|error| error.to_string())?;
    let mut fill = |y: u16, rows: u16, class| {
        let area = Rect::new(Cell::new(column, y), columns, rows);
        map.fill(area, class).map(|_| ()).map_err(|error| error.to_string())
    };
    fill(0, SIDE, Map::WALL)?;
    for &(row, rows) in openings {
        fill(row, rows, Map::GROUND)?;
    }
    Ok(map)
}

/// A corridor three cells wide that winds out of the middle of the map, 145 cells long. Its turns
/// are one wall apart.
pub(super) struct Spiral {
    /// The middle of the corridor, from inside to outside.
    line: Vec<Cell>,
}

impl Spiral {
    /// The corridor and the wall beside it.
    const PITCH: u16 = 4;
    /// Straight parts: two of one pitch, two of two pitches, and so on.
    const PARTS: u16 = 11;

    pub(super) fn new() -> Self {
        let mut at = (SIDE / 2, SIDE / 2);
        let mut line = vec![Cell::new(at.0, at.1)];
        for part in 0..Self::PARTS {
            for _ in 0..(part / 2 + 1) * Self::PITCH {
                match part % 4 {
                    0 => at.0 += 1,
                    1 => at.1 += 1,
                    2 => at.0 -= 1,
                    _ => at.1 -= 1,
                }
                line.push(Cell::new(at.0, at.1));
            }
        }
        Self { line }
    }

    pub(super) fn map(&self) -> Result<Map, String> {
        let mut map = walled(0, SIDE, &[])?;
        map.paint(&around(&self.line), Map::GROUND).map_err(|error| error.to_string())?;
        Ok(map)
    }

    pub(super) fn inner_third(&self) -> Vec<Cell> {
        around(&self.line[..self.line.len() / 3])
    }

    pub(super) fn outer_third(&self) -> Vec<Cell> {
        around(&self.line[self.line.len() * 2 / 3..])
    }
}

/// The cells of a line and those beside them, each once.
fn around(line: &[Cell]) -> Vec<Cell> {
    let square = |cell: &Cell| Rect::new(Cell::new(cell.x - 1, cell.y - 1), 3, 3).cells();
    let mut cells: Vec<Cell> = line.iter().flat_map(square).collect();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();
    cells
}
