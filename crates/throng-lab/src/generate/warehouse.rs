//! Warehouses, as MovingAI's `warehouse-10-20-10-2-1`.

use throng_model::limits::MAP_SIDE_MAX;
use throng_model::{Map, TerrainClass};

use super::GenerateError;
use super::grid::Grid;

/// The measures of a warehouse, in shelves and cells.
///
/// The default is `warehouse-10-20-10-2-1`: 10 columns and 20 rows of shelves of 10 x 2
/// cells, with aisles of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warehouse {
    /// Shelves side by side.
    pub shelf_columns: u32,
    /// Shelves one below the other.
    pub shelf_rows: u32,
    /// Cells along a shelf.
    pub shelf_length: u32,
    /// Cells across a shelf.
    pub shelf_depth: u32,
    /// Width of the aisles between shelves, and above and below them.
    pub aisle: u32,
    /// Width of the open halls on the left and on the right.
    pub hall: u32,
}

impl Default for Warehouse {
    fn default() -> Self {
        Self {
            shelf_columns: 10,
            shelf_rows: 20,
            shelf_length: 10,
            shelf_depth: 2,
            aisle: 1,
            hall: 25,
        }
    }
}

impl Warehouse {
    fn check(&self) -> Result<(), GenerateError> {
        let parts = [
            ("the number of shelf columns", self.shelf_columns),
            ("the number of shelf rows", self.shelf_rows),
            ("the length of a shelf", self.shelf_length),
            ("the depth of a shelf", self.shelf_depth),
            ("the width of an aisle", self.aisle),
            ("the width of a hall", self.hall),
        ];
        parts
            .into_iter()
            .try_for_each(|(what, given)| GenerateError::check_part(what, given, MAP_SIDE_MAX))
    }

    /// Columns and rows of the map, outer walls included.
    fn size(&self) -> (u32, u32) {
        let shelves = self.shelf_columns * (self.shelf_length + self.aisle) - self.aisle;
        let rows = self.shelf_rows * (self.shelf_depth + self.aisle) + self.aisle;
        (2 + 2 * self.hall + shelves, 2 + rows)
    }
}

/// Rows of shelves between two halls, walled all around.
///
/// # Errors
/// When a measure is zero or the map would be too large.
pub fn warehouse(measures: &Warehouse) -> Result<Map, GenerateError> {
    measures.check()?;
    let (width, height) = measures.size();
    let mut grid = Grid::new(width, height, false)?;
    grid.fill(1, 1, (width as usize - 2, height as usize - 2), true);
    let Warehouse { shelf_length, shelf_depth, aisle, hall, .. } = *measures;
    for row in 0..measures.shelf_rows {
        for column in 0..measures.shelf_columns {
            let left = 1 + hall + column * (shelf_length + aisle);
            let top = 1 + aisle + row * (shelf_depth + aisle);
            let size = (shelf_length as usize, shelf_depth as usize);
            grid.fill(left as usize, top as usize, size, false);
        }
    }
    grid.into_map_with(TerrainClass::blocked("shelf", 'T'))
}
