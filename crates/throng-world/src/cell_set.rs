//! A set of cells, for the question whether one of them is in a box.
//!
//! The cells are bits of tiles of 32 x 32. A directory finds the tile of a cell in constant time,
//! so that the question costs the same for one cell and for a million. A set costs what is in it,
//! and a word for each 1024 cells of the map.

use throng_model::{Cell, Map, Rect};

/// Cells per side of a tile: a row is one word.
const SIDE: u16 = u32::BITS as u16;

/// A box of cells, first and last included. The default is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellBox {
    least: Cell,
    most: Cell,
}

impl Default for CellBox {
    fn default() -> Self {
        Self { least: Cell::new(u16::MAX, u16::MAX), most: Cell::new(0, 0) }
    }
}

impl From<Cell> for CellBox {
    fn from(cell: Cell) -> Self {
        Self { least: cell, most: cell }
    }
}

impl CellBox {
    /// Grows until it includes the cell.
    pub(crate) fn add(&mut self, cell: Cell) {
        self.least = Cell::new(self.least.x.min(cell.x), self.least.y.min(cell.y));
        self.most = Cell::new(self.most.x.max(cell.x), self.most.y.max(cell.y));
    }

    /// A square with its first cell and this many cells per side, at least one.
    pub(crate) fn square(least: Cell, side: u16) -> Self {
        Self::from(least).grown(0, side.saturating_sub(1))
    }

    /// The box with this many more columns and rows before and after it.
    pub(crate) fn grown(self, before: u16, after: u16) -> Self {
        let Self { least, most } = self;
        Self {
            least: Cell::new(least.x.saturating_sub(before), least.y.saturating_sub(before)),
            most: Cell::new(most.x.saturating_add(after), most.y.saturating_add(after)),
        }
    }

    /// Whether part of a rectangle is in the box.
    pub(crate) fn meets(self, rect: Rect) -> bool {
        let Rect { origin, width, height } = rect;
        let last = |at: u16, size: u16| at.saturating_add(size).saturating_sub(1);
        let most = Cell::new(last(origin.x, width), last(origin.y, height));
        width > 0 && height > 0 && !self.common(Self { least: origin, most }).is_empty()
    }

    /// The cells both in this box and in another.
    fn common(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            least: Cell::new(a.least.x.max(b.least.x), a.least.y.max(b.least.y)),
            most: Cell::new(a.most.x.min(b.most.x), a.most.y.min(b.most.y)),
        }
    }

    fn is_empty(self) -> bool {
        self.least.x > self.most.x || self.least.y > self.most.y
    }

    /// Steps, straight or diagonal, from this box to another; 0 if they have a cell in common.
    fn steps_to(self, other: Self) -> u16 {
        let gap =
            |a: (u16, u16), b: (u16, u16)| b.0.saturating_sub(a.1).max(a.0.saturating_sub(b.1));
        let columns = gap((self.least.x, self.most.x), (other.least.x, other.most.x));
        columns.max(gap((self.least.y, self.most.y), (other.least.y, other.most.y)))
    }

    /// The cell of the box that is nearest to a cell. The box must not be empty.
    pub(crate) fn nearest(self, to: Cell) -> Cell {
        let Self { least, most } = self;
        Cell::new(to.x.max(least.x).min(most.x), to.y.max(least.y).min(most.y))
    }
}

/// The cells of the set in one tile.
#[derive(Clone, Debug)]
struct Tile {
    origin: Cell,
    bounds: CellBox,
    rows: [u32; SIDE as usize],
}

impl Tile {
    fn new(x: u16, y: u16) -> Self {
        let origin = Cell::new(x * SIDE, y * SIDE);
        Self { origin, bounds: CellBox::default(), rows: [0; SIDE as usize] }
    }

    fn add(&mut self, cell: Cell) {
        self.bounds.add(cell);
        self.rows[usize::from(cell.y - self.origin.y)] |= 1 << (cell.x - self.origin.x);
    }

    fn meets(&self, query: CellBox) -> bool {
        let common = self.bounds.common(query);
        if common.is_empty() {
            return false;
        }
        let [left, right] = [common.least.x, common.most.x].map(|x| x - self.origin.x);
        let [top, bottom] = [common.least.y, common.most.y].map(|y| usize::from(y - self.origin.y));
        let mask = u32::MAX << left & u32::MAX >> (SIDE - 1 - right);
        self.rows[top..=bottom].iter().any(|row| row & mask != 0)
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..SIDE).flat_map(move |y| {
            let row = self.rows[usize::from(y)];
            let columns = (0..SIDE).filter(move |x| row >> x & 1 != 0);
            columns.map(move |x| Cell::new(self.origin.x + x, self.origin.y + y))
        })
    }
}

/// A set of cells of one map.
#[derive(Clone, Debug)]
pub(crate) struct CellSet {
    width: u16,
    height: u16,
    bounds: CellBox,
    /// Tiles per row of the map.
    across: usize,
    /// For each tile of the map, 0 or one more than its index in `tiles`.
    directory: Vec<u32>,
    tiles: Vec<Tile>,
}

impl CellSet {
    pub(crate) fn new(map: &Map) -> Self {
        let (width, height) = (map.width(), map.height());
        let across = usize::from(width.div_ceil(SIDE));
        let directory = vec![0; across * usize::from(height.div_ceil(SIDE))];
        Self { width, height, bounds: CellBox::default(), across, directory, tiles: Vec::new() }
    }

    pub(crate) fn with(map: &Map, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::new(map);
        cells.into_iter().for_each(|cell| set.add(cell));
        set
    }

    /// Adds a cell; one off the map is ignored.
    pub(crate) fn add(&mut self, cell: Cell) {
        if cell.x >= self.width || cell.y >= self.height {
            return;
        }
        let (x, y) = (cell.x / SIDE, cell.y / SIDE);
        let number = &mut self.directory[usize::from(y) * self.across + usize::from(x)];
        if *number == 0 {
            self.tiles.push(Tile::new(x, y));
            *number = self.tiles.len() as u32;
        }
        self.tiles[*number as usize - 1].add(cell);
        self.bounds.add(cell);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// The smallest box with all cells.
    pub(crate) fn bounds(&self) -> CellBox {
        self.bounds
    }

    /// Whether a cell of the set is in the box.
    pub(crate) fn meets(&self, query: CellBox) -> bool {
        let query = self.bounds.common(query);
        if query.is_empty() {
            return false;
        }
        let [left, right] = [query.least.x, query.most.x].map(|x| usize::from(x / SIDE));
        let [top, bottom] = [query.least.y, query.most.y].map(|y| usize::from(y / SIDE));
        if (right - left + 1) * (bottom - top + 1) > self.tiles.len() {
            return self.tiles.iter().any(|tile| tile.meets(query));
        }
        (top..=bottom).any(|y| {
            let row = &self.directory[y * self.across + left..=y * self.across + right];
            row.iter().any(|&tile| tile != 0 && self.tiles[tile as usize - 1].meets(query))
        })
    }

    /// A lower bound of the steps, straight or diagonal, from a box to the set; 0 only if a
    /// cell of it is in the box.
    pub(crate) fn steps_at_least(&self, from: CellBox) -> u16 {
        let steps = from.steps_to(self.bounds);
        if steps > 0 {
            return steps;
        }
        if self.meets(from) {
            return 0;
        }
        // Between cells that are far apart.
        if self.meets(from.grown(SIDE, SIDE)) { 1 } else { SIDE + 1 }
    }

    /// Whether a cell of the set passes a test. `box_may` says whether any cell of a box can pass.
    pub(crate) fn any(
        &self,
        box_may: impl Fn(CellBox) -> bool,
        cell_does: impl Fn(Cell) -> bool,
    ) -> bool {
        !self.is_empty()
            && box_may(self.bounds)
            && self.tiles.iter().any(|tile| box_may(tile.bounds) && tile.cells().any(&cell_does))
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_testkit::rng;

    use super::*;

    /// All questions have the answers of a loop over all cells.
    #[test]
    fn answers_are_those_of_a_loop_over_all_cells() {
        let mut rng = rng(1);
        for round in 0..200 {
            let (width, height) = (rng.random_range(1..150), rng.random_range(1..150));
            let map = Map::empty(width, height).unwrap();
            let (width, height) = (map.width(), map.height());
            let count = rng.random_range(1..if round % 2 == 0 { 5 } else { 200_u32 });
            let mut any = || Cell::new(rng.random_range(0..width), rng.random_range(0..height));
            let cells: Vec<Cell> = (0..count).map(|_| any()).collect();
            let set = CellSet::with(&map, cells.iter().copied());
            for _ in 0..50 {
                let (a, size) = (any(), any());
                let rect = Rect::new(a, 1 + size.x % 40, 1 + size.y % 40);
                let inside = rect.cells().any(|cell| cells.contains(&cell));
                let mut query = CellBox::default();
                rect.cells().for_each(|cell| query.add(cell));
                assert_eq!(set.meets(query), inside);
                let steps = cells.iter().map(|&cell| query.steps_to(cell.into())).min();
                let bound = set.steps_at_least(query);
                assert!(steps.is_none_or(|steps| bound <= steps && (bound == 0) == inside));
                let overlaps = |other: CellBox| !other.common(query).is_empty();
                assert_eq!(set.any(overlaps, |cell| overlaps(cell.into())), inside);
            }
            assert!(!set.meets(CellBox::default()));
        }
    }
}
