//! Cells of a map, by column and row or by index, and rectangles of cells.

use std::fmt;

/// A cell of the map: `x` is the column, `y` the row, (0,0) is top-left.
///
/// Cells order by row, then column: the order of their [`CellIndex`] on any map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, counted from the left.
    pub x: u16,
    /// Row, counted from the top.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` of row `y`.
    #[must_use]
    pub const fn new(x: u16, y: u16) -> Self {
        Self { x, y }
    }

    /// The cell `dx` columns and `dy` rows away, if its coordinates are representable.
    #[must_use]
    pub fn offset(self, dx: i32, dy: i32) -> Option<Self> {
        let x = u16::try_from(i32::from(self.x).checked_add(dx)?).ok()?;
        let y = u16::try_from(i32::from(self.y).checked_add(dy)?).ok()?;
        Some(Self { x, y })
    }

    /// The cells around this one, itself first: ring by ring up to `reach` columns or rows away,
    /// the nearest of a ring first, then by row and column. Cells with coordinates that are not
    /// representable are left out.
    ///
    /// ```
    /// use throng_model::Cell;
    /// let near: Vec<Cell> = Cell::new(5, 5).rings(1).take(3).collect();
    /// assert_eq!(near, [Cell::new(5, 5), Cell::new(5, 4), Cell::new(4, 5)]);
    /// assert_eq!(Cell::new(0, 0).rings(1).count(), 4);
    /// ```
    pub fn rings(self, reach: u16) -> impl Iterator<Item = Self> {
        (0..=i32::from(reach)).flat_map(move |ring| {
            let side = (-ring..=ring).flat_map(move |dy| {
                let is_edge = dy.abs() == ring || ring == 0;
                let step = if is_edge { 1 } else { 2 * ring as usize };
                (-ring..=ring).step_by(step).map(move |dx| (dx, dy))
            });
            let mut cells: Vec<(i32, i32)> = side.collect();
            cells.sort_by_key(|&(dx, dy)| (dx * dx + dy * dy, dy, dx));
            cells.into_iter().filter_map(move |(dx, dy)| self.offset(dx, dy))
        })
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl From<(u16, u16)> for Cell {
    fn from((x, y): (u16, u16)) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// The index of a cell in the row-major arrays of one map.
///
/// It is valid only for the map whose [`Map::index`](crate::Map::index) returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellIndex(pub u32);

impl CellIndex {
    /// The index as array subscript.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A rectangle of cells: `width` columns and `height` rows from the top-left cell `origin`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rect {
    /// Top-left cell.
    pub origin: Cell,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Rect {
    /// The rectangle that starts at `origin`.
    #[must_use]
    pub const fn new(origin: Cell, width: u16, height: u16) -> Self {
        Self { origin, width, height }
    }

    /// The cells of the rectangle, row by row. Cells past the largest coordinate are left out.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let rows = 0..i32::from(self.height);
        rows.flat_map(move |dy| {
            (0..i32::from(self.width)).filter_map(move |dx| self.origin.offset(dx, dy))
        })
    }
}
