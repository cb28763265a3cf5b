//! The connected components of the ground, updated with every edit.
//!
//! A flat array of labels would not do: a wall in one corridor of a maze can split the map in
//! halves, and relabelling one half costs as much as labelling everything. The labels
//! therefore form a pyramid. The grid is divided into blocks of 32 x 32 cells, each with
//! labels for the components of its own cells. Four neighbouring blocks form a larger one:
//! components that touch across the seams are united and get a new label. This repeats until
//! one block covers the map. A larger block reads only the rims of the blocks below. A
//! component that does not reach the rim of its block is complete and has no label above.
//!
//! An edit relabels the blocks above one cell, and stops at the first block whose rim did not
//! change. The time grows with the sides of those blocks: at most a small multiple of the
//! map's side, never its area. Most edits change no block: if the free neighbours of the
//! edited cell are connected to each other without it, nothing is joined or split.
//!
//! Finding the component of a cell takes at most eight steps up the pyramid.

mod block;
mod pyramid;

use throng_model::CellIndex;

use block::{Block, SIDE};
use pyramid::{Buffers, Level};

/// Which neighbours belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connectivity {
    /// Cells that share an edge.
    Four,
    /// Cells that share an edge or a corner.
    Eight,
}

impl Connectivity {
    /// How far beyond its own columns a cell reaches into the next row.
    fn reach(self) -> usize {
        match self {
            Self::Four => 0,
            Self::Eight => 1,
        }
    }
}

/// The id of a connected component. Valid until the next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(u32);

/// The connected components of a grid.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_grid::Ground;
/// let mut map = Map::empty(5, 1)?;
/// let change = map.set(Cell::new(1, 0), Map::WALL)?;
/// let ground = Ground::new(&map, MovementProfile::four_connected())?;
/// let parts = ground.components();
/// assert_eq!(parts.count(), 2);
/// assert_eq!(ground.index(Cell::new(4, 0)).map(|at| parts.size_of(at)), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    width: u32,
    connectivity: Connectivity,
    /// For each set of free neighbours of a cell: whether they are connected without it.
    stay_connected: Box<[bool; 256]>,
    blocks: Vec<Block>,
    /// From the smallest blocks up to the one that covers the map.
    levels: Vec<Level>,
    count: usize,
    buffers: Buffers,
}

impl Components {
    /// Labels the components of a grid, to which the cells belong where `standable` is not 0.
    pub(crate) fn new(
        width: u32,
        height: u32,
        connectivity: Connectivity,
        standable: &[u8],
    ) -> Self {
        let levels = pyramid::levels(width, height);
        let stay_connected = Box::new(std::array::from_fn(|around| {
            block::stay_connected(connectivity, around as u8)
        }));
        let mut components = Self {
            width,
            connectivity,
            stay_connected,
            blocks: block::cut(width, standable, levels[0].across),
            levels,
            count: 0,
            buffers: Buffers::default(),
        };
        for block in 0..components.blocks.len() {
            components.label_components(block);
        }
        for level in 1..components.levels.len() {
            for node in 0..components.levels[level].nodes.len() {
                components.join(level, node);
            }
        }
        components
    }

    /// Adds a cell to the grid.
    pub(crate) fn insert(&mut self, at: CellIndex) {
        let (block, x, y) = self.locate(at);
        if self.blocks[block].is_free(x, y) {
            return;
        }
        self.blocks[block].set(x, y, true);
        match self.only_component_around(block, x, y) {
            Some(name) => {
                self.blocks[block].set_label(x, y, name);
                self.grow(0, block, name, 1);
            }
            None => self.renew(block),
        }
    }

    /// Removes a cell from the grid.
    pub(crate) fn remove(&mut self, at: CellIndex) {
        let (block, x, y) = self.locate(at);
        if !self.blocks[block].is_free(x, y) {
            return;
        }
        self.blocks[block].set(x, y, false);
        let part = self.only_component_around(block, x, y);
        self.blocks[block].set_label(x, y, 0);
        match part {
            Some(name) => self.grow(0, block, name, -1),
            None => self.renew(block),
        }
    }

    /// A number that all cells of a component share, until the next edit; 0 for cells
    /// outside.
    pub(crate) fn label(&self, at: CellIndex) -> u32 {
        self.component_of(at).map_or(0, |part| part.0)
    }

    /// Whether a path joins the two cells.
    #[must_use]
    pub fn connected(&self, a: CellIndex, b: CellIndex) -> bool {
        let part = self.component_of(a);
        part.is_some() && part == self.component_of(b)
    }

    /// The component of a cell; `None` where no unit can stand.
    #[must_use]
    pub fn component_of(&self, at: CellIndex) -> Option<ComponentId> {
        let (level, node, name) = self.top_of(at)?;
        let number = self.levels[level].first_number + node as u32;
        // Both fit in 16 bits: a map has at most 22,000 blocks of all sizes, and a block at
        // most 17,000 components.
        Some(ComponentId(number << 16 | u32::from(name)))
    }

    /// The number of components.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of cells in the component of a cell; 0 where no unit can stand.
    #[must_use]
    pub fn size_of(&self, at: CellIndex) -> u32 {
        self.top_of(at).map_or(0, |(level, node, name)| {
            self.levels[level].nodes[node].sizes[usize::from(name) - 1]
        })
    }

    /// A cell's block, and its column and row in it.
    fn locate(&self, at: CellIndex) -> (usize, usize, usize) {
        let (x, y) = ((at.0 % self.width) as usize, (at.0 / self.width) as usize);
        (y / SIDE * self.levels[0].across + x / SIDE, x % SIDE, y % SIDE)
    }

    /// The highest block that has a label for a cell's component: level, index of the block in
    /// the level, and label.
    fn top_of(&self, at: CellIndex) -> Option<(usize, usize, u16)> {
        let (mut node, x, y) = self.locate(at);
        let mut name = self.blocks.get(node)?.label(x, y);
        for (height, level) in self.levels.iter().enumerate() {
            let here = &level.nodes[node];
            if name == 0 || name > here.open || height + 1 == self.levels.len() {
                return (name != 0).then_some((height, node, name));
            }
            name = here.up[usize::from(name) - 1];
            node = level.parent(node);
        }
        None
    }

    /// The label of the only component that touches a cell, if its cells around the cell are
    /// connected without it. `None` on the rim of a block, where neighbours are in other blocks.
    fn only_component_around(&self, block: usize, x: usize, y: usize) -> Option<u16> {
        let inside = 1..SIDE - 1;
        if !inside.contains(&x) || !inside.contains(&y) {
            return None;
        }
        let around = self.blocks[block].around(x, y);
        let is_only = self.stay_connected[usize::from(around)];
        is_only.then(|| self.blocks[block].label_beside(x, y, self.connectivity))
    }

    /// Changes the size of a component in a block and in all blocks above it.
    fn grow(&mut self, level: usize, node: usize, name: u16, by: i32) {
        let (mut node, mut name) = (node, name);
        for level in &mut self.levels[level..] {
            let parent = level.parent(node);
            let here = &mut level.nodes[node];
            let size = &mut here.sizes[usize::from(name) - 1];
            *size = size.saturating_add_signed(by);
            if name > here.open {
                return;
            }
            // Above the topmost block there is none.
            let Some(&above) = here.up.get(usize::from(name) - 1) else { return };
            (node, name) = (parent, above);
        }
    }

    /// Relabels a block and those above it, up to the first block whose rim does not change.
    fn renew(&mut self, block: usize) {
        let mut node = block;
        let mut rim_changed = self.label_components(block);
        for level in 1..self.levels.len() {
            if !rim_changed {
                return self.propagate_sizes(level, node);
            }
            node = self.levels[level - 1].parent(node);
            rim_changed = self.join(level, node);
        }
    }

    /// Adds the changes in size of a block's components to the blocks above. `level` is the
    /// level above the block.
    fn propagate_sizes(&mut self, level: usize, node: usize) {
        let parent = self.levels[level - 1].parent(node);
        for part in 0..usize::from(self.levels[level - 1].nodes[node].open) {
            let here = &self.levels[level - 1].nodes[node];
            let by = here.sizes[part] as i32 - self.buffers.old_sizes[part] as i32;
            if by != 0 {
                let name = here.up[part];
                self.grow(level, parent, name, by);
            }
        }
    }

    /// Relabels the components of a block. Returns whether its rim changed.
    fn label_components(&mut self, block: usize) -> bool {
        let is_top = self.levels.len() == 1;
        let level = &mut self.levels[0];
        self.count -= level.nodes[block].complete(is_top);
        let (node, rim) = level.node_and_rim(block);
        std::mem::swap(&mut node.sizes, &mut self.buffers.old_sizes);
        node.open = self.blocks[block].label_components(
            self.connectivity.reach(),
            &mut self.buffers.runs,
            &mut node.sizes,
        );
        let changed = self.blocks[block].copy_rim(rim);
        self.count += level.nodes[block].complete(is_top);
        changed
    }

    /// Joins the four blocks below a block. Returns whether its rim changed.
    fn join(&mut self, level: usize, node: usize) -> bool {
        let is_top = level + 1 == self.levels.len();
        let (below, above) = self.levels.split_at_mut(level);
        let (lower, upper) = (&mut below[level - 1], &mut above[0]);
        self.count -= upper.nodes[node].complete(is_top);
        let changed = pyramid::join(lower, upper, node, self.connectivity, &mut self.buffers);
        self.count += upper.nodes[node].complete(is_top);
        changed
    }
}

#[cfg(test)]
mod tests;
