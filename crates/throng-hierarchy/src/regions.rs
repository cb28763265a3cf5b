//! Regions that follow the map: rooms and corridors, divided where the map is narrow.
//!
//! Two definitions are usual. A watershed of the distance to the walls (as for navigation
//! meshes: P. Haumont and others, "Volumetric cell-and-portal generation", 2003) knows no
//! corridors, and one cell can move a shed far away. Squares (`GridHierarchy`) know no rooms.
//! Here a cell's width is the side of the largest free square around it, in a few classes.
//! Connected cells of one class are a region. A short narrow passage is a door and part of a
//! room; narrow cells along a wide part are its rim and part of it.
//!
//! An edit can be followed exactly and fast, because everything is local. A width depends on
//! the cells within 15 of it. Cells are put together within blocks of 32 x 32 cells. Rooms cut
//! by a block's edge are joined by a rule that looks at the pieces on both sides (`joins`). So
//! an edit touches at most four blocks and the regions joined with them. Blocks also keep a
//! huge field from being one region. (`docs/decisions/regions.md`)
//!
//! Regions are a view for rules and games: rooms to name, doorways to guard, neighbours to
//! know. Paths are faster over the clusters of [`GridHierarchy`](crate::GridHierarchy).

mod block;
mod build;
mod doorways;
mod joins;
mod region;
mod widths;

use throng_grid::Ground;
use throng_model::{Cell, Change, MovementProfile, Rect, Revision};

use crate::hierarchy::covering_positions;
use block::Block;
use joins::Joins;
use region::Region;
use widths::{MARGIN, SIDE};

/// Identifies a region. Ids depend on the ground alone; an edit changes the ids of nearby
/// regions only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);

impl RegionId {
    /// No region yet.
    const NONE: Self = Self(u32::MAX);
    /// A block has at most two to the power of this many regions.
    const PER_BLOCK_LOG2: u32 = 10;

    fn new(block: usize, index: usize) -> Self {
        Self((block as u32) << Self::PER_BLOCK_LOG2 | index as u32)
    }

    fn block(self) -> usize {
        (self.0 >> Self::PER_BLOCK_LOG2) as usize
    }

    fn index(self) -> usize {
        self.0 as usize % (1 << Self::PER_BLOCK_LOG2)
    }

    /// The id as a number, for tables of your own. Numbers have gaps.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

/// An opening between two regions, seen from the first: cells side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doorway {
    /// The regions that it joins.
    pub regions: [RegionId; 2],
    /// The cells in its middle, one in each region: a legal step.
    pub middle: [Cell; 2],
    /// How many cells lie side by side in it.
    pub width: u32,
}

/// A ground divided into rooms and corridors, with the doorways between them.
///
/// Like [`GridHierarchy`](crate::GridHierarchy) it depends on the ground as it is now alone,
/// and follows edits.
///
/// ```
/// use throng_hierarchy::Regions;
/// use throng_model::{Cell, Map, MovementProfile, Rect};
/// use throng_grid::Ground;
/// let mut map = Map::empty(21, 9)?;
/// map.fill(Rect::new(Cell::new(10, 0), 1, 9), Map::WALL)?;
/// map.set(Cell::new(10, 4), Map::GROUND)?;
/// let mut ground = Ground::new(&map, MovementProfile::eight_connected())?;
/// let mut regions = Regions::new(&ground);
/// assert_eq!(regions.count(), 2);
/// let west = regions.region_of(Cell::new(0, 0)).ok_or("a wall")?;
/// let [doorway] = regions.doorways(west) else { return Err("not one doorway".into()) };
/// assert_eq!((doorway.width, doorway.middle[1].y), (1, 4));
///
/// let change = map.set(Cell::new(10, 4), Map::WALL)?;
/// ground.apply(&map, &change);
/// regions.apply(&ground, &change);
/// assert!(regions.doorways(west).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regions {
    movement: MovementProfile,
    diagonals_pass_walls: bool,
    width: u32,
    height: u32,
    blocks_wide: u32,
    blocks_high: u32,
    blocks: Vec<Block>,
    joins: Joins,
    revision: Revision,
    fingerprint: u64,
}

/// What users ask.
impl Regions {
    /// Divides a ground.
    #[must_use]
    pub fn new(ground: &Ground) -> Self {
        let (width, height) = (ground.width(), ground.height());
        let (blocks_wide, blocks_high) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
        let count = (blocks_wide * blocks_high) as usize;
        let mut regions = Self {
            movement: ground.movement().clone(),
            diagonals_pass_walls: block::diagonals_pass_walls(ground.movement()),
            width,
            height,
            blocks_wide,
            blocks_high,
            blocks: vec![Block::default(); count],
            joins: Joins::default(),
            revision: ground.revision(),
            fingerprint: ground.fingerprint(),
        };
        let mut touched = vec![true; count];
        (0..count).for_each(|block| regions.divide(ground, block, &mut touched, &mut Vec::new()));
        (0..count).for_each(|block| regions.find_seams(block));
        regions.rebuild(ground, touched, Vec::new());
        regions
    }

    /// Follows an edit of the map that the ground has already followed. If edits were missed,
    /// everything is divided again.
    pub fn apply(&mut self, ground: &Ground, change: &Change) {
        if change.before != self.revision || change.after != ground.revision() {
            *self = Self::new(ground);
            return;
        }
        self.update(ground, change.cells.iter().map(|changed| changed.cell));
    }

    /// Follows changes of some cells, by edits of the map or by obstacles on the ground. All
    /// changed cells must be among them.
    pub fn update(&mut self, ground: &Ground, cells: impl IntoIterator<Item = Cell>) {
        if !self.fits(ground) {
            *self = Self::new(ground);
            return;
        }
        let footprint = ground.movement().footprint;
        let positions = cells.into_iter().flat_map(|cell| covering_positions(cell, footprint));
        let changed: Vec<Cell> =
            positions.filter(|&position| ground.index(position).is_some()).collect();
        (self.revision, self.fingerprint) = (ground.revision(), ground.fingerprint());
        if changed.is_empty() {
            return;
        }
        // The blocks of changed positions, and those that a step leads to from there.
        let (mut touched, mut lost) = (self.blocks_near(&changed, 1), Vec::new());
        for block in marked(&self.blocks_near(&changed, MARGIN)) {
            self.divide(ground, block, &mut touched, &mut lost);
        }
        for block in marked(&self.around(&touched)) {
            self.find_seams(block);
        }
        self.rebuild(ground, touched, lost);
    }

    /// Whether the regions can be of this ground at some time.
    fn fits(&self, ground: &Ground) -> bool {
        (ground.width(), ground.height()) == (self.width, self.height)
            && *ground.movement() == self.movement
    }

    /// Whether it describes this ground as it is now.
    #[must_use]
    pub fn is_current(&self, ground: &Ground) -> bool {
        self.fingerprint == ground.fingerprint()
    }

    /// The region of a cell; `None` where the unit cannot stand.
    #[must_use]
    pub fn region_of(&self, cell: Cell) -> Option<RegionId> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.width && y < self.height).then(|| self.region_at(x, y))?
    }

    /// How many regions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.regions.len()).sum()
    }

    /// All regions, from the top of the map on.
    pub fn iter(&self) -> impl Iterator<Item = RegionId> {
        self.blocks.iter().enumerate().flat_map(|(block, content)| {
            (0..content.regions.len()).map(move |index| RegionId::new(block, index))
        })
    }

    /// The cells of a region; none if the region does not exist any more.
    pub fn cells(&self, region: RegionId) -> impl ExactSizeIterator<Item = Cell> {
        self.get(region).map_or(&[][..], |region| &region.cells).iter().copied()
    }

    /// The smallest rectangle around a region.
    #[must_use]
    pub fn bounds(&self, region: RegionId) -> Option<Rect> {
        let first = self.cells(region).next()?;
        let (mut low, mut high) = (first, first);
        for cell in self.cells(region) {
            low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
            high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
        }
        Some(Rect::new(low, high.x - low.x + 1, high.y - low.y + 1))
    }

    /// The doorways of a region. Each is also one of the region beyond, seen from there.
    #[must_use]
    pub fn doorways(&self, region: RegionId) -> &[Doorway] {
        self.get(region).map_or(&[], |region| &region.doorways)
    }

    /// The regions to which doorways lead, each once.
    #[must_use]
    pub fn neighbours(&self, region: RegionId) -> Vec<RegionId> {
        let mut found: Vec<RegionId> =
            self.doorways(region).iter().map(|doorway| doorway.regions[1]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// About how many bytes of memory it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cells = (self.width * self.height) as usize;
        let regions = self.blocks.iter().flat_map(|block| &block.regions);
        3 * cells + regions.map(Region::bytes).sum::<usize>()
    }
}

/// Where things are.
impl Regions {
    fn get(&self, region: RegionId) -> Option<&Region> {
        self.blocks.get(region.block())?.regions.get(region.index())
    }

    #[inline]
    fn place_of(&self, x: u32, y: u32) -> (usize, usize) {
        let block = y / SIDE * self.blocks_wide + x / SIDE;
        (block as usize, (y % SIDE * SIDE + x % SIDE) as usize)
    }

    /// The region of a cell of the map.
    #[inline]
    fn region_at(&self, x: u32, y: u32) -> Option<RegionId> {
        let (block, local) = self.place_of(x, y);
        let block = &self.blocks[block];
        Some(block.pieces.get(usize::from(block.labels[local]))?.region)
    }

    /// The top-left cell of a block.
    fn origin(&self, block: usize) -> (u32, u32) {
        (block as u32 % self.blocks_wide * SIDE, block as u32 / self.blocks_wide * SIDE)
    }

    /// Marks the blocks with cells within `reach` columns and rows of these.
    fn blocks_near(&self, cells: &[Cell], reach: u32) -> Vec<bool> {
        let mut near = vec![false; self.blocks.len()];
        for cell in cells {
            let (x, y) = (u32::from(cell.x), u32::from(cell.y));
            let last = ((x + reach) / SIDE, (y + reach) / SIDE);
            for row in y.saturating_sub(reach) / SIDE..=last.1.min(self.blocks_high - 1) {
                for column in x.saturating_sub(reach) / SIDE..=last.0.min(self.blocks_wide - 1) {
                    near[(row * self.blocks_wide + column) as usize] = true;
                }
            }
        }
        near
    }

    /// Marks these blocks and the eight around each.
    fn around(&self, blocks: &[bool]) -> Vec<bool> {
        let first_cells = marked(blocks).map(|block| {
            let (x, y) = self.origin(block);
            Cell::new(x as u16, y as u16)
        });
        self.blocks_near(&first_cells.collect::<Vec<_>>(), SIDE)
    }
}

/// The same pieces, regions and doorways.
impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.movement == other.movement
            && self.blocks == other.blocks
    }
}

/// The blocks that are marked.
fn marked(blocks: &[bool]) -> impl Iterator<Item = usize> {
    blocks.iter().enumerate().filter(|&(_, &marked)| marked).map(|(block, _)| block)
}
