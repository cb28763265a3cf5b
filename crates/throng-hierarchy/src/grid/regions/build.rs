//! How regions are built: pieces, then what joins them, then gates and the ways between.

use throng_model::Cell;

use super::block::Block;
use super::gates::{self, Pair};
use super::region::{Exit, Place, Region};
use super::widths::SIDE;
use super::{RegionId, Regions, marked};
use crate::grid::plane::{DIRECTIONS, Steps};

impl Regions {
    /// Divides a block into pieces; whether they are others now.
    pub(super) fn divide(&mut self, block: usize) -> bool {
        let (left, top) = self.origin(block);
        self.blocks[block].divide(&self.plane, left, top)
    }

    /// Finds what touches the pieces of a block across its right line and its lower one.
    pub(super) fn find_seams(&mut self, block: usize) {
        let (left, top) = self.origin(block);
        let mut seams = [Vec::new(), Vec::new()];
        if left + SIDE < self.plane.width {
            let pairs = self.blocks[block].column(SIDE - 1).zip(self.blocks[block + 1].column(0));
            seams[0] = Block::find_seams(pairs);
        }
        if top + SIDE < self.plane.height {
            let below = &self.blocks[block + self.blocks_wide as usize];
            seams[1] = Block::find_seams(self.blocks[block].row(SIDE - 1).zip(below.row(0)));
        }
        self.blocks[block].seams = seams;
    }

    /// Builds the regions in and around the blocks that were touched.
    pub(super) fn rebuild(&mut self, mut touched: Vec<bool>) {
        self.join(&mut touched);
        let near = self.around(&touched);
        let mut stale = Vec::new();
        for block in marked(&near) {
            stale.extend(self.blocks[block].pieces.iter().map(|piece| piece.region));
        }
        stale.sort_unstable();
        stale.dedup();
        let mut before = self.take_stale(&stale, &touched);
        let cells = self.number_cells(&stale, &self.around(&near));
        for (&region, cells) in stale.iter().zip(&cells) {
            let mut built = self.shape(region, cells);
            let known = before.binary_search_by_key(&cells.first(), |(first, _)| Some(first)).ok();
            let known = known.map(|at| std::mem::take(&mut before[at].1));
            self.find_ways(&mut built, known);
            let regions = &mut self.blocks[region.block()].regions;
            match regions.get_mut(region.index()) {
                Some(place) => *place = built,
                None => regions.push(built),
            }
        }
        self.number_nodes();
        self.least_factor = self.plane.least_factor();
    }

    /// Finds the region of each piece; marks the blocks in which that is another one now.
    fn join(&mut self, touched: &mut [bool]) {
        self.joins.find(&self.blocks, self.blocks_wide as usize);
        let mut names: Vec<RegionId> = Vec::new();
        for (block, content) in self.blocks.iter_mut().enumerate() {
            let mut count = 0;
            for (index, piece) in content.pieces.iter_mut().enumerate() {
                let root = self.joins.root(block, index);
                let name = match names.get(root as usize) {
                    Some(&name) => name,
                    None => {
                        count += 1;
                        RegionId::new(block, count - 1)
                    }
                };
                names.push(name);
                touched[block] |= piece.region != name;
                piece.region = name;
            }
        }
    }

    /// Takes out the regions that are built anew, sorted by their first cells. In blocks
    /// that were touched, where names may be others now, none is left.
    fn take_stale(&mut self, stale: &[RegionId], touched: &[bool]) -> Vec<(Cell, Region)> {
        let mut taken = Vec::new();
        for block in marked(touched) {
            taken.append(&mut self.blocks[block].regions);
        }
        for region in stale.iter().filter(|region| !touched[region.block()]) {
            let place = self.blocks[region.block()].regions.get_mut(region.index());
            taken.extend(place.map(std::mem::take));
        }
        let first = |region: &Region| region.places.first().map(|place| place.cell);
        let mut keyed: Vec<(Cell, Region)> =
            taken.into_iter().filter_map(|region| Some((first(&region)?, region))).collect();
        keyed.sort_unstable_by_key(|&(first, _)| first);
        keyed
    }

    /// Numbers the cells of regions, of which all pieces lie in the blocks given.
    fn number_cells(&mut self, regions: &[RegionId], blocks: &[bool]) -> Vec<Vec<Cell>> {
        let mut cells = vec![Vec::new(); regions.len()];
        for block in marked(blocks) {
            let (left, top) = self.origin(block);
            let Block { pieces, labels, numbers, .. } = &mut self.blocks[block];
            for (label, piece) in pieces.iter().enumerate() {
                let Ok(at) = regions.binary_search(&piece.region) else { continue };
                for y in u32::from(piece.rows.0)..=u32::from(piece.rows.1) {
                    for x in u32::from(piece.columns.0)..=u32::from(piece.columns.1) {
                        let local = (y * SIDE + x) as usize;
                        if usize::from(labels[local]) == label {
                            numbers[local] = cells[at].len() as u16;
                            cells[at].push(Cell::new((left + x) as u16, (top + y) as u16));
                        }
                    }
                }
            }
        }
        cells
    }

    /// A region with all but the ways inside.
    fn shape(&self, region: RegionId, cells: &[Cell]) -> Region {
        let mut built = Region::default();
        let mut pairs = Vec::new();
        for &cell in cells {
            let inside = self.steps_inside(region, cell, &mut pairs);
            built.places.push(Place { cell, inside });
        }
        let mut crossings = Vec::new();
        gates::find_gates(&mut pairs, |run| {
            built.gates.extend(gates::gate(region, run));
            gates::crossings(run, |pair| crossings.push((pair.own, pair.beyond)));
        });
        let number = |cell: Cell| self.number_at(u32::from(cell.x), u32::from(cell.y));
        built.doors.extend(crossings.iter().map(|&(own, _)| number(own)));
        built.doors.sort_unstable();
        built.doors.dedup();
        for (own, to) in crossings {
            let row = built.doors.binary_search(&number(own)).unwrap_or_default() as u16;
            let cost = self.plane.cost_within(&[own, to]);
            built.exits.push(Exit { row, to, cost });
        }
        built
    }

    /// The steps from a cell that stay in its region; adds those that lead out of it.
    fn steps_inside(&self, region: RegionId, cell: Cell, pairs: &mut Vec<Pair>) -> Steps {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let Steps { legal, factor } = self.plane.steps(y as u32 * self.plane.width + x as u32);
        let mut inside = 0;
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            if legal >> direction & 1 == 0 {
                continue;
            }
            let Some(other) = self.region_at((x + dx) as u32, (y + dy) as u32) else { continue };
            if other == region {
                inside |= 1 << direction;
            } else if self.is_gate(legal, direction) {
                let beyond = Cell::new((x + dx) as u16, (y + dy) as u16);
                let factors = u16::from(factor) + u16::from(self.plane.factor(x + dx, y + dy));
                pairs.push(Pair { other, own: cell, beyond, factors });
            }
        }
        Steps { legal: inside, factor }
    }

    /// Whether a step between regions is worth a gate: a diagonal one is only where nothing
    /// beside it can be stood on.
    fn is_gate(&self, legal: u8, direction: usize) -> bool {
        let beside = 1 << (direction % 4) | 1 << ((direction + 1) % 4);
        direction < 4 || self.plane.rules.corners_join() && legal & beside == 0
    }

    fn find_ways(&mut self, built: &mut Region, known: Option<Region>) {
        let mut distances = std::mem::take(&mut self.distances);
        let number_of = |x: i32, y: i32| self.number_at(x as u32, y as u32);
        built.find_ways(known, &mut distances, self.plane.rules, number_of);
        self.distances = distances;
    }

    /// Numbers the doors of all regions as nodes of the search.
    fn number_nodes(&mut self) {
        self.first_nodes.clear();
        let mut all = 0;
        for block in &mut self.blocks {
            self.first_nodes.push(all);
            let mut within = 0;
            for region in &mut block.regions {
                region.first_node = within;
                within += region.doors.len() as u32;
            }
            all += within;
        }
        self.first_nodes.push(all);
    }
}
