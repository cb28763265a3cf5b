//! The map: a grid of terrain that can be edited.

use crate::limits::{MAP_SIDE_MAX, TERRAIN_CLASSES_MAX};
use crate::{Cell, CellIndex, Factor, Rect, TerrainClass, TerrainId};

/// The number of edits of a map. Data derived from a map stores it to notice missed edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u64);

/// A grid of cells, each with a terrain class.
///
/// Invariant: 1 to 4096 cells per side, and every cell's class exists.
///
/// ```
/// use throng_model::{Cell, Map};
/// let mut map = Map::empty(8, 4)?;
/// let change = map.set(Cell::new(3, 2), Map::WALL)?;
/// assert_eq!(change.cells.len(), 1);
/// assert!(!map.is_passable(Cell::new(3, 2)));
/// # Ok::<(), throng_model::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    width: u16,
    height: u16,
    classes: Vec<TerrainClass>,
    cells: Vec<TerrainId>,
    revision: Revision,
}

/// Why a map could not be made or edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// A side is zero or too long.
    #[error("a map of {width} x {height} cells: each side must be 1 to {MAP_SIDE_MAX}")]
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
    /// The number of cells does not match the size.
    #[error("{given} cells given for a map of {width} x {height}: give width times height")]
    CellCount {
        /// Cells given.
        given: usize,
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A terrain class that is not in the map's table.
    #[error("terrain class {} does not exist: the map has {classes}; add it first", .terrain.0)]
    NoSuchTerrain {
        /// The class used.
        terrain: TerrainId,
        /// How many classes the map has.
        classes: usize,
    },
    /// No room for another terrain class.
    #[error("a map has at most {TERRAIN_CLASSES_MAX} terrain classes")]
    TooManyClasses,
    /// A cell beyond the edge.
    #[error("cell {cell} is off the map: it has columns 0..{width} and rows 0..{height}")]
    OffMap {
        /// The cell.
        cell: Cell,
        /// Columns of the map.
        width: u16,
        /// Rows of the map.
        height: u16,
    },
}

/// The cells whose terrain an edit changed, in the order of the edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The map's revision before the edit.
    pub before: Revision,
    /// The map's revision after it.
    pub after: Revision,
    /// The cells that differ now.
    pub cells: Vec<CellChange>,
}

/// One cell's change of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellChange {
    /// The cell.
    pub cell: Cell,
    /// Its terrain before.
    pub old: TerrainId,
    /// Its terrain now.
    pub new: TerrainId,
}

impl Map {
    /// The class of plain ground in maps made by [`Map::empty`].
    pub const GROUND: TerrainId = TerrainId(0);
    /// The class of walls in maps made by [`Map::empty`].
    pub const WALL: TerrainId = TerrainId(1);

    /// A map of plain ground (`.`), with walls (`@`) as second class.
    ///
    /// # Errors
    /// When a side is zero or above the limit.
    pub fn empty(width: u32, height: u32) -> Result<Self, MapError> {
        let classes = vec![
            TerrainClass::passable("ground", '.', Factor::ONE),
            TerrainClass::blocked("wall", '@'),
        ];
        let (w, h) = Self::checked_size(u64::from(width), u64::from(height))?;
        Self::new(w, h, classes, vec![Self::GROUND; usize::from(w) * usize::from(h)])
    }

    /// A map from its parts; `cells` row by row.
    ///
    /// # Errors
    /// When the size is out of bounds, the cells do not fill it, or a class does not exist.
    pub fn new(
        width: u16,
        height: u16,
        classes: Vec<TerrainClass>,
        cells: Vec<TerrainId>,
    ) -> Result<Self, MapError> {
        Self::checked_size(u64::from(width), u64::from(height))?;
        if classes.len() > TERRAIN_CLASSES_MAX {
            return Err(MapError::TooManyClasses);
        }
        if cells.len() != usize::from(width) * usize::from(height) {
            return Err(MapError::CellCount { given: cells.len(), width, height });
        }
        if let Some(&terrain) = cells.iter().find(|t| t.get() >= classes.len()) {
            return Err(MapError::NoSuchTerrain { terrain, classes: classes.len() });
        }
        Ok(Self { width, height, classes, cells, revision: Revision(0) })
    }

    /// Width and height as the map stores them, if they are within the limits. Parsers call
    /// this before they allocate.
    ///
    /// # Errors
    /// When a side is zero or above the limit.
    pub fn checked_size(width: u64, height: u64) -> Result<(u16, u16), MapError> {
        let fits = |side: u64| {
            let side = u16::try_from(side).ok()?;
            (side > 0 && u32::from(side) <= MAP_SIDE_MAX).then_some(side)
        };
        fits(width).zip(fits(height)).ok_or(MapError::Size { width, height })
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The number of edits so far.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The terrain classes, by [`TerrainId`].
    #[must_use]
    pub fn classes(&self) -> &[TerrainClass] {
        &self.classes
    }

    /// Every cell's terrain, row by row.
    #[must_use]
    pub fn terrain(&self) -> &[TerrainId] {
        &self.cells
    }

    /// Whether the cell is on the map.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The cell's index, if it is on the map.
    #[must_use]
    pub fn index(&self, cell: Cell) -> Option<CellIndex> {
        let row = u32::from(cell.y) * u32::from(self.width);
        self.contains(cell).then_some(CellIndex(row + u32::from(cell.x)))
    }

    /// The cell at an index that this map made.
    #[must_use]
    pub fn cell(&self, index: CellIndex) -> Cell {
        let width = u32::from(self.width);
        Cell::new((index.0 % width) as u16, (index.0 / width) as u16)
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        Rect::new(Cell::new(0, 0), self.width, self.height).cells()
    }

    /// The terrain of a cell, if it is on the map.
    #[must_use]
    pub fn terrain_at(&self, cell: Cell) -> Option<TerrainId> {
        self.index(cell).map(|i| self.cells[i.get()])
    }

    /// The class of a cell, if it is on the map.
    #[must_use]
    pub fn class_at(&self, cell: Cell) -> Option<&TerrainClass> {
        self.terrain_at(cell).map(|t| &self.classes[t.get()])
    }

    /// Whether a unit without overrides may stand on the cell.
    #[must_use]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.class_at(cell).is_some_and(|class| class.factor.is_some())
    }

    /// The first class with this letter.
    #[must_use]
    pub fn class_by_symbol(&self, symbol: char) -> Option<TerrainId> {
        self.find_class(|class| class.symbol == symbol)
    }

    /// The first class with this name.
    #[must_use]
    pub fn class_by_name(&self, name: &str) -> Option<TerrainId> {
        self.find_class(|class| class.name == name)
    }

    fn find_class(&self, wanted: impl Fn(&TerrainClass) -> bool) -> Option<TerrainId> {
        self.classes.iter().position(wanted).map(|i| TerrainId(i as u8))
    }

    /// Adds a terrain class. Data derived from the map stays valid: no cell has the class yet.
    ///
    /// # Errors
    /// When there are 255 already.
    pub fn add_class(&mut self, class: TerrainClass) -> Result<TerrainId, MapError> {
        if self.classes.len() >= TERRAIN_CLASSES_MAX {
            return Err(MapError::TooManyClasses);
        }
        self.classes.push(class);
        Ok(TerrainId((self.classes.len() - 1) as u8))
    }

    /// Edits one cell.
    ///
    /// # Errors
    /// When the cell is off the map or the class does not exist; the map is then unchanged.
    pub fn set(&mut self, cell: Cell, terrain: TerrainId) -> Result<Change, MapError> {
        self.paint(&[cell], terrain)
    }

    /// Edits a rectangle of cells.
    ///
    /// # Errors
    /// When it reaches off the map or the class does not exist; the map is then unchanged.
    pub fn fill(&mut self, rect: Rect, terrain: TerrainId) -> Result<Change, MapError> {
        let last = rect.origin.offset(i32::from(rect.width) - 1, i32::from(rect.height) - 1);
        let empty = rect.width == 0 || rect.height == 0;
        match last {
            _ if empty => self.paint(&[], terrain),
            Some(last) if self.contains(last) => {
                self.paint(&rect.cells().collect::<Vec<_>>(), terrain)
            }
            _ => Err(self.off_map(last.unwrap_or(Cell::new(u16::MAX, u16::MAX)))),
        }
    }

    /// Edits any cells. This is one edit: it raises the revision by one, or not at all if no
    /// cell changes.
    ///
    /// # Errors
    /// When a cell is off the map or the class does not exist; the map is then unchanged.
    pub fn paint(&mut self, cells: &[Cell], terrain: TerrainId) -> Result<Change, MapError> {
        if terrain.get() >= self.classes.len() {
            return Err(MapError::NoSuchTerrain { terrain, classes: self.classes.len() });
        }
        if let Some(&cell) = cells.iter().find(|&&cell| !self.contains(cell)) {
            return Err(self.off_map(cell));
        }
        let before = self.revision;
        let changed: Vec<_> =
            cells.iter().filter_map(|&cell| self.replace(cell, terrain)).collect();
        self.revision.0 += u64::from(!changed.is_empty());
        Ok(Change { before, after: self.revision, cells: changed })
    }

    fn replace(&mut self, cell: Cell, new: TerrainId) -> Option<CellChange> {
        let index = self.index(cell)?;
        let old = std::mem::replace(&mut self.cells[index.get()], new);
        (old != new).then_some(CellChange { cell, old, new })
    }

    fn off_map(&self, cell: Cell) -> MapError {
        MapError::OffMap { cell, width: self.width, height: self.height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_bounds_are_refused_before_allocation() {
        for (w, h) in [(0, 5), (5, 0), (4097, 1), (1, u32::MAX)] {
            assert!(matches!(Map::empty(w, h), Err(MapError::Size { .. })), "{w} x {h}");
        }
        assert!(Map::empty(4096, 4096).is_ok());
    }

    #[test]
    fn an_edit_off_the_map_changes_nothing() {
        let mut map = Map::empty(4, 4).unwrap();
        let before = map.clone();
        let rect = Rect::new(Cell::new(2, 2), 3, 1);
        assert!(matches!(map.fill(rect, Map::WALL), Err(MapError::OffMap { .. })));
        assert!(map.paint(&[Cell::new(0, 0), Cell::new(9, 9)], Map::WALL).is_err());
        assert!(map.set(Cell::new(0, 0), TerrainId(7)).is_err());
        assert_eq!(map, before);
    }

    #[test]
    fn an_edit_reports_only_what_differs_and_raises_the_revision_once() {
        let mut map = Map::empty(4, 4).unwrap();
        map.set(Cell::new(1, 1), Map::WALL).unwrap();
        let change = map.fill(Rect::new(Cell::new(0, 0), 2, 2), Map::WALL).unwrap();
        assert_eq!(change.cells.len(), 3);
        assert_eq!((change.before, change.after), (Revision(1), Revision(2)));
        let nothing = map.fill(Rect::new(Cell::new(0, 0), 2, 2), Map::WALL).unwrap();
        assert_eq!((nothing.before, nothing.after), (Revision(2), Revision(2)));
    }
}
