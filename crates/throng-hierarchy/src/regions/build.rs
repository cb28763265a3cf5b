//! How regions are built: pieces of blocks, then the pieces that join, then doorways.

use throng_grid::{Ground, OFFSETS};
use throng_model::{Cell, CellIndex};

use super::block::Block;
use super::doorways::{Pair, find_doorways};
use super::region::Region;
use super::widths::SIDE;
use super::{Doorway, RegionId, Regions, marked};

impl Regions {
    /// Divides a block into pieces. If they have changed, marks the block and adds the regions
    /// that had a piece in it.
    pub(super) fn divide(
        &mut self,
        ground: &Ground,
        block: usize,
        touched: &mut [bool],
        lost: &mut Vec<RegionId>,
    ) {
        let (left, top) = self.origin(block);
        let before = lost.len();
        lost.extend(self.blocks[block].pieces.iter().map(|piece| piece.region));
        if self.blocks[block].divide(ground, left, top) {
            touched[block] = true;
        } else {
            lost.truncate(before);
        }
    }

    /// Finds the pieces that touch those of a block across its right and its lower edge.
    pub(super) fn find_seams(&mut self, block: usize) {
        let (left, top) = self.origin(block);
        let mut seams = [Vec::new(), Vec::new()];
        let (own, side) = (&self.blocks[block], SIDE as usize);
        if left + SIDE < self.width {
            let pairs = (0..side).map(|y| (y * side + side - 1, y * side));
            seams[0] = own.find_seams(&self.blocks[block + 1], pairs);
        }
        if top + SIDE < self.height {
            let pairs = (0..side).map(|x| ((side - 1) * side + x, x));
            seams[1] = own.find_seams(&self.blocks[block + self.blocks_wide as usize], pairs);
        }
        self.blocks[block].seams = seams;
    }

    /// Builds the regions in touched blocks, those that lost cells there, and the doorways of
    /// the regions next to them.
    pub(super) fn rebuild(
        &mut self,
        ground: &Ground,
        mut touched: Vec<bool>,
        mut lost: Vec<RegionId>,
    ) {
        self.join(&mut touched, &mut lost);
        let changed = self.changed(&touched, lost);
        for block in marked(&touched) {
            self.blocks[block].regions.clear();
        }
        // A region reaches at most two blocks further.
        let cells = self.collect_cells(&changed, &self.around(&self.around(&touched)));
        for (&region, cells) in changed.iter().zip(cells) {
            let built = Region { doorways: self.find_doorways(ground, region, &cells), cells };
            let regions = &mut self.blocks[region.block()].regions;
            match regions.get_mut(region.index()) {
                Some(place) => *place = built,
                None => regions.push(built),
            }
        }
        for region in self.regions_beside(&touched, &changed) {
            self.rebuild_doorways(ground, region);
        }
    }

    /// The regions in touched blocks, and what is left of those that lost cells there.
    fn changed(&self, touched: &[bool], mut lost: Vec<RegionId>) -> Vec<RegionId> {
        // In untouched blocks, ids are what they were.
        lost.retain(|region| touched.get(region.block()) == Some(&false));
        let mut changed = lost;
        for block in marked(touched) {
            changed.extend(self.blocks[block].pieces.iter().map(|piece| piece.region));
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The regions that touch a cell of these blocks and have no cell in them.
    fn regions_beside(&self, touched: &[bool], changed: &[RegionId]) -> Vec<RegionId> {
        let side = i64::from(SIDE);
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let mut found = Vec::new();
        for block in marked(touched) {
            let (left, top) = self.origin(block);
            let (left, top) = (i64::from(left), i64::from(top));
            let along = (-1..=side).flat_map(|at| [(at, -1), (at, side), (-1, at), (side, at)]);
            let ring = along.map(|(x, y)| (left + x, top + y));
            let ring = ring.filter(|(x, y)| (0..width).contains(x) && (0..height).contains(y));
            found.extend(ring.filter_map(|(x, y)| self.region_at(x as u32, y as u32)));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|region| changed.binary_search(region).is_err());
        found
    }

    /// Finds the doorways again of a region whose cells are unchanged.
    fn rebuild_doorways(&mut self, ground: &Ground, region: RegionId) {
        let Some(content) = self.get(region) else { return };
        let doorways = self.find_doorways(ground, region, &content.cells);
        self.blocks[region.block()].regions[region.index()].doorways = doorways;
    }

    /// Finds the region of each piece. Marks the blocks of pieces whose region has changed,
    /// and adds their former regions.
    fn join(&mut self, touched: &mut [bool], lost: &mut Vec<RegionId>) {
        self.joins.find(&self.blocks, self.blocks_wide as usize);
        let mut ids: Vec<RegionId> = Vec::new();
        for (block, content) in self.blocks.iter_mut().enumerate() {
            let mut count = 0;
            for (index, piece) in content.pieces.iter_mut().enumerate() {
                let root = self.joins.root(block, index);
                let id = match ids.get(root as usize) {
                    Some(&id) => id,
                    None => {
                        count += 1;
                        RegionId::new(block, count - 1)
                    }
                };
                ids.push(id);
                let before = std::mem::replace(&mut piece.region, id);
                if before != id {
                    touched[block] = true;
                    lost.push(before);
                }
            }
        }
    }

    /// The cells of regions, all of whose pieces lie in the given blocks.
    fn collect_cells(&self, regions: &[RegionId], blocks: &[bool]) -> Vec<Vec<Cell>> {
        let mut cells = vec![Vec::new(); regions.len()];
        for block in marked(blocks) {
            let (left, top) = self.origin(block);
            let Block { pieces, labels, .. } = &self.blocks[block];
            for (label, piece) in pieces.iter().enumerate() {
                let Ok(at) = regions.binary_search(&piece.region) else { continue };
                for y in u32::from(piece.rows.0)..=u32::from(piece.rows.1) {
                    for x in u32::from(piece.columns.0)..=u32::from(piece.columns.1) {
                        if usize::from(labels[(y * SIDE + x) as usize]) == label {
                            cells[at].push(Cell::new((left + x) as u16, (top + y) as u16));
                        }
                    }
                }
            }
        }
        cells
    }

    fn find_doorways(&self, ground: &Ground, region: RegionId, cells: &[Cell]) -> Vec<Doorway> {
        let mut pairs = Vec::new();
        cells.iter().for_each(|&cell| self.find_pairs(ground, region, cell, &mut pairs));
        find_doorways(region, &mut pairs)
    }

    /// Adds the steps from a cell that lead out of its region.
    fn find_pairs(&self, ground: &Ground, region: RegionId, own: Cell, pairs: &mut Vec<Pair>) {
        let legal = ground.legal_steps(self.cell_index(own));
        for (direction, (dx, dy)) in OFFSETS.into_iter().enumerate() {
            let Some(beyond) = own.offset(dx, dy).filter(|_| legal >> direction & 1 != 0) else {
                continue;
            };
            let other = self.region_at(u32::from(beyond.x), u32::from(beyond.y));
            if let Some(other) = other.filter(|&other| other != region)
                && self.is_doorway(legal, direction)
            {
                pairs.push(Pair { other, own, beyond });
            }
        }
    }

    /// Whether a step between regions is part of a doorway: a diagonal one only where both
    /// cells next to it are walls.
    fn is_doorway(&self, legal: u8, direction: usize) -> bool {
        // A diagonal passes between the straight direction before it and the one after it.
        let beside = 1 << (direction % 4) | 1 << ((direction + 1) % 4);
        direction < 4 || self.diagonals_pass_walls && legal & beside == 0
    }

    fn cell_index(&self, cell: Cell) -> CellIndex {
        CellIndex(u32::from(cell.y) * self.width + u32::from(cell.x))
    }
}
