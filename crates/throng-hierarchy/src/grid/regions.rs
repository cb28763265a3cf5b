//! Regions that follow the map: rooms and corridors, divided where it is narrow.
//!
//! Two definitions are usual. A watershed of the distance to the walls (as navigation meshes
//! are made: P. Haumont and others, "Volumetric cell-and-portal generation", 2003) knows no
//! corridors, and one cell can move a shed far away. Squares (`GridHierarchy`) know no rooms.
//! Here a cell's width is the side of the largest free square around it, in a few classes;
//! cells of one class that hang together are a region. What is narrow and short is a door
//! and part of a room; what lies along something wide is its rim and part of it.
//!
//! Why an edit can be taken over exactly and soon: a width depends on the cells within 15 of
//! it; cells are put together only within blocks of 32 x 32; rooms that a line between
//! blocks cuts are joined again by a rule that looks at the pieces on both sides only
//! (`joins`). So one edit touches at most four blocks and what was joined with them, and
//! everything is a function of the ground as it is. (Which pieces are joined, and the numbers
//! of doors, are gone through for the whole map, but that is little.) The same blocks keep a
//! huge field from being one region.
//!
//! Which to pick: for paths alone the clusters of [`GridHierarchy`](crate::GridHierarchy).
//! On game maps and cities both answer equally fast, three times faster than A* on plain
//! ground and six to thirteen times on weighted terrain, and regions' paths are 0.2% to 0.7%
//! longer than the best (clusters: 0.1% to 0.3%); among a thousand small rooms clusters are
//! 1.7 times faster, and where walls are strewn at random there are no rooms: regions are
//! thousands and slower than A*. Regions take two to three times as long to build, and an edit less
//! than a hundredth of that, because the distances between a region's doors are found anew
//! (`examples/compare_regions.rs`). What regions have is a meaning: rooms to name, doors to
//! guard, neighbours to know, and the search then costs nothing more.

mod block;
mod build;
mod distances;
mod gates;
mod joins;
mod region;
mod route;
mod search;
mod walk;
mod widths;

use throng_grid::Ground;
use throng_model::{Cell, Change, Rect, Revision};

use super::plane::Plane;
use block::Block;
use distances::Distances;
use joins::Joins;
use region::Region;
pub use search::{RegionMemory, RegionSearch};
use widths::{MARGIN, SIDE};

/// Names a region. Names depend on the ground only; an edit changes those of regions near
/// it, no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);

impl RegionId {
    /// No region yet.
    const NONE: Self = Self(u32::MAX);
    /// More than any block has regions.
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

    /// The name as a number, for tables of one's own. Numbers have gaps.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

/// An opening between two regions, seen from the first: cells side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The regions that it joins.
    pub regions: [RegionId; 2],
    /// The cells in its middle, one of each region: a legal step.
    pub middle: [Cell; 2],
    /// How many cells can pass side by side.
    pub width: u32,
}

/// A ground divided into rooms and corridors, with the gates between them.
///
/// It answers queries through a [`RegionSearch`]. Like
/// [`GridHierarchy`](crate::GridHierarchy) it depends on the ground as it is now and on
/// nothing else, and follows edits.
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
/// let [door] = regions.gates(west) else { return Err("more doors than one".into()) };
/// assert_eq!((door.width, door.middle[1].y), (1, 4));
///
/// let change = map.set(Cell::new(10, 4), Map::WALL)?;
/// ground.apply(&map, &change);
/// regions.apply(&ground, &change);
/// assert!(regions.gates(west).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regions {
    plane: Plane,
    blocks_wide: u32,
    blocks_high: u32,
    blocks: Vec<Block>,
    /// The node of each block's first door, and how many there are.
    first_nodes: Vec<u32>,
    /// The smallest factor of any position: estimates count with it.
    least_factor: u64,
    joins: Joins,
    distances: Distances,
    revision: Revision,
    fingerprint: u64,
}

/// What users ask.
impl Regions {
    /// Divides a ground.
    #[must_use]
    pub fn new(ground: &Ground) -> Self {
        let plane = Plane::new(ground);
        let (blocks_wide, blocks_high) = (plane.width.div_ceil(SIDE), plane.height.div_ceil(SIDE));
        let count = (blocks_wide * blocks_high) as usize;
        let mut regions = Self {
            blocks_wide,
            blocks_high,
            blocks: vec![Block::default(); count],
            first_nodes: Vec::new(),
            least_factor: 1,
            joins: Joins::default(),
            distances: Distances::default(),
            plane,
            revision: ground.revision(),
            fingerprint: ground.fingerprint(),
        };
        let mut touched = vec![true; count];
        (0..count).for_each(|block| regions.divide(block, &mut touched, &mut Vec::new()));
        (0..count).for_each(|block| regions.find_seams(block));
        regions.rebuild(touched, Vec::new());
        regions
    }

    /// Takes over an edit of the map that the ground has taken over already. If edits were
    /// missed, everything is derived anew.
    pub fn apply(&mut self, ground: &Ground, change: &Change) {
        if change.before != self.revision || change.after != ground.revision() {
            *self = Self::new(ground);
            return;
        }
        self.update(ground, change.cells.iter().map(|changed| changed.cell));
    }

    /// Takes over what has become of some cells since, be it by edits of the map or by
    /// obstacles on the ground. All that have changed must be among them.
    pub fn update(&mut self, ground: &Ground, cells: impl IntoIterator<Item = Cell>) {
        if !self.plane.fits(ground) {
            *self = Self::new(ground);
            return;
        }
        let mut changed = Vec::new();
        for cell in cells {
            self.plane.update(ground, cell, |position| changed.push(position));
        }
        (self.revision, self.fingerprint) = (ground.revision(), ground.fingerprint());
        if changed.is_empty() {
            return;
        }
        // What has changed inside, and what a step from there leads to.
        let (mut touched, mut lost) = (self.blocks_near(&changed, 1), Vec::new());
        for block in marked(&self.blocks_near(&changed, MARGIN)) {
            self.divide(block, &mut touched, &mut lost);
        }
        for block in marked(&self.around(&touched)) {
            self.find_seams(block);
        }
        self.rebuild(touched, lost);
    }

    /// Whether it shows this ground as it is now.
    #[must_use]
    pub fn is_current(&self, ground: &Ground) -> bool {
        self.fingerprint == ground.fingerprint()
    }

    /// The region in which a cell lies; `None` where no unit can stand.
    #[must_use]
    pub fn region_of(&self, cell: Cell) -> Option<RegionId> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.plane.width && y < self.plane.height).then(|| self.region_at(x, y))?
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

    /// The cells of a region; none if there is no such region (any more).
    pub fn cells(&self, region: RegionId) -> impl ExactSizeIterator<Item = Cell> {
        let places = self.get(region).map_or(&[][..], |region| &region.places);
        places.iter().map(|place| place.cell)
    }

    /// The least rectangle around a region.
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

    /// The gates of a region. Each is also one of the region beyond, seen from there.
    #[must_use]
    pub fn gates(&self, region: RegionId) -> &[Gate] {
        self.get(region).map_or(&[], |region| &region.gates)
    }

    /// The regions to which gates lead, each once.
    #[must_use]
    pub fn neighbours(&self, region: RegionId) -> Vec<RegionId> {
        let mut found: Vec<RegionId> =
            self.gates(region).iter().map(|gate| gate.regions[1]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// About how much memory it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cells = (self.plane.width * self.plane.height) as usize;
        let regions = self.blocks.iter().flat_map(|block| &block.regions);
        7 * cells + regions.map(Region::bytes).sum::<usize>()
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

    /// The number of a cell of the map within its region.
    #[inline]
    fn number_at(&self, x: u32, y: u32) -> u16 {
        let (block, local) = self.place_of(x, y);
        self.blocks[block].numbers[local]
    }

    /// A door by its cell: its region, its row there, and its node in searches.
    #[inline]
    fn node(&self, cell: Cell) -> Option<(RegionId, u16, u32)> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let region = self.region_at(x, y)?;
        let content = self.get(region)?;
        let row = content.row(self.number_at(x, y))?;
        let node = self.first_nodes[region.block()] + content.first_node + row as u32;
        Some((region, row as u16, node))
    }

    fn node_count(&self) -> usize {
        self.first_nodes.last().map_or(0, |&count| count as usize)
    }

    /// The top-left cell of a block.
    fn origin(&self, block: usize) -> (u32, u32) {
        (block as u32 % self.blocks_wide * SIDE, block as u32 / self.blocks_wide * SIDE)
    }

    /// Marks the blocks with cells within so many columns and rows of these.
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

/// The same pieces, regions, gates and distances.
impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.plane == other.plane
            && self.blocks == other.blocks
            && self.first_nodes == other.first_nodes
    }
}

/// The blocks that are marked.
fn marked(blocks: &[bool]) -> impl Iterator<Item = usize> {
    blocks.iter().enumerate().filter(|&(_, &marked)| marked).map(|(block, _)| block)
}
