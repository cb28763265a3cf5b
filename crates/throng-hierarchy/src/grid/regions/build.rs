//! How regions are built: pieces, then what joins them, then gates and the ways between.

use throng_model::Cell;

use super::block::Block;
use super::gates::{self, Pair};
use super::region::{Exit, Place, Region};
use super::widths::SIDE;
use super::{RegionId, Regions, marked};
use crate::grid::plane::{DIRECTIONS, Steps};

impl Regions {
    /// Divides a block into pieces; if they are others now, marks it, and adds the regions
    /// that had a part in it.
    pub(super) fn divide(&mut self, block: usize, touched: &mut [bool], lost: &mut Vec<RegionId>) {
        let (left, top) = self.origin(block);
        let before = lost.len();
        lost.extend(self.blocks[block].pieces.iter().map(|piece| piece.region));
        if self.blocks[block].divide(&self.plane, left, top) {
            touched[block] = true;
        } else {
            lost.truncate(before);
        }
    }

    /// Finds what touches the pieces of a block across its right line and its lower one.
    pub(super) fn find_seams(&mut self, block: usize) {
        let (left, top) = self.origin(block);
        let mut seams = [Vec::new(), Vec::new()];
        let (own, side) = (&self.blocks[block], SIDE as usize);
        if left + SIDE < self.plane.width {
            let pairs = (0..side).map(|y| (y * side + side - 1, y * side));
            seams[0] = own.find_seams(&self.blocks[block + 1], pairs);
        }
        if top + SIDE < self.plane.height {
            let pairs = (0..side).map(|x| ((side - 1) * side + x, x));
            seams[1] = own.find_seams(&self.blocks[block + self.blocks_wide as usize], pairs);
        }
        self.blocks[block].seams = seams;
    }

    /// Builds the regions in the blocks that were touched, those that lost cells there, and
    /// the gates of those beside.
    pub(super) fn rebuild(&mut self, mut touched: Vec<bool>, mut lost: Vec<RegionId>) {
        self.join(&mut touched, &mut lost);
        let changed = self.changed(&touched, lost);
        let mut before = self.take_stale(&changed, &touched);
        // A region reaches two blocks further at most.
        let cells = self.number_cells(&changed, &self.around(&self.around(&touched)));
        for (&region, cells) in changed.iter().zip(&cells) {
            let known = before.binary_search_by_key(&cells.first(), |(first, _)| Some(first)).ok();
            let known = known.map(|at| std::mem::take(&mut before[at].1));
            let places = cells.iter().map(|&cell| self.place(region, cell)).collect();
            let built = self.build(region, places, known.unwrap_or_default());
            let regions = &mut self.blocks[region.block()].regions;
            match regions.get_mut(region.index()) {
                Some(place) => *place = built,
                None => regions.push(built),
            }
        }
        for region in self.regions_beside(&touched, &changed) {
            self.rebuild_gates(region);
        }
        self.number_nodes();
        self.least_factor = self.plane.least_factor().into();
    }

    /// The regions in these blocks, and of those that lost cells there what is left.
    fn changed(&self, touched: &[bool], mut lost: Vec<RegionId>) -> Vec<RegionId> {
        // Where nothing was touched, names are what they were.
        lost.retain(|region| touched.get(region.block()) == Some(&false));
        let mut changed = lost;
        for block in marked(touched) {
            changed.extend(self.blocks[block].pieces.iter().map(|piece| piece.region));
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The regions that touch a cell of these blocks and have none there.
    fn regions_beside(&self, touched: &[bool], changed: &[RegionId]) -> Vec<RegionId> {
        let side = i64::from(SIDE);
        let (width, height) = (i64::from(self.plane.width), i64::from(self.plane.height));
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

    /// Finds the gates of a region anew whose cells are as they were.
    fn rebuild_gates(&mut self, region: RegionId) {
        let place = self.blocks[region.block()].regions.get_mut(region.index());
        let Some(mut before) = place.map(std::mem::take) else { return };
        let places = before.places.clone();
        before.first_node = 0;
        let built = self.build(region, places, before);
        self.blocks[region.block()].regions[region.index()] = built;
    }

    /// Finds the region of each piece; marks the blocks in which that is another one now, and
    /// adds the one that it was.
    fn join(&mut self, touched: &mut [bool], lost: &mut Vec<RegionId>) {
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
                let before = std::mem::replace(&mut piece.region, name);
                if before != name {
                    touched[block] = true;
                    lost.push(before);
                }
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

    /// A cell of a region, and the steps from it that stay in there.
    fn place(&self, region: RegionId, cell: Cell) -> Place {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let Steps { legal, factor } = self.plane.steps(x, y);
        let mut inside = 0;
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            let is_inside = legal >> direction & 1 != 0
                && self.region_at(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
                    == Some(region);
            inside |= u8::from(is_inside) << direction;
        }
        Place { cell, inside: Steps { legal: inside, factor } }
    }

    /// A region of these cells. What is still right of it as it was before is kept.
    fn build(&mut self, region: RegionId, places: Vec<Place>, before: Region) -> Region {
        let mut built = Region::new(places);
        let mut pairs = Vec::new();
        built.places.iter().for_each(|place| self.find_pairs(place, &mut pairs));
        let mut crossings = Vec::new();
        gates::find_gates(&mut pairs, |run| {
            built.gates.extend(gates::gate(region, run));
            gates::crossings(run, |pair| crossings.push((pair.own, pair.beyond)));
        });
        self.find_exits(&mut built, &crossings);
        self.find_ways(&mut built, before);
        built
    }

    /// Adds the doors of a region and the exits by them, of which both cells are given.
    fn find_exits(&self, built: &mut Region, crossings: &[(Cell, Cell)]) {
        let number = |cell: Cell| self.number_at(u32::from(cell.x), u32::from(cell.y));
        built.doors.extend(crossings.iter().map(|&(own, _)| number(own)));
        built.doors.sort_unstable();
        built.doors.dedup();
        let mut exits_of = vec![0; built.doors.len()];
        for &(own, to) in crossings {
            let row = built.doors.binary_search(&number(own)).unwrap_or_default();
            exits_of[row] += 1;
            let cost = self.plane.cost_within(&[own, to]);
            built.exits.push(Exit { row: row as u16, to, cost, is_alone: false });
        }
        for exit in &mut built.exits {
            exit.is_alone = exits_of[usize::from(exit.row)] == 1;
        }
    }

    /// Adds the steps from a cell that lead out of its region.
    fn find_pairs(&self, place: &Place, pairs: &mut Vec<Pair>) {
        let Place { cell: own, inside: Steps { legal: inside, factor } } = *place;
        let (x, y) = (i32::from(own.x), i32::from(own.y));
        let legal = self.plane.steps(x as u32, y as u32).legal;
        let mut out = legal & !inside;
        while out != 0 {
            let direction = out.trailing_zeros() as usize;
            out &= out - 1;
            let (x, y) = (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1);
            let Some(other) = self.region_at(x as u32, y as u32) else { continue };
            if self.is_gate(legal, direction) {
                let beyond = Cell::new(x as u16, y as u16);
                let factors = u16::from(factor) + u16::from(self.plane.factor(x, y));
                pairs.push(Pair { other, own, beyond, factors });
            }
        }
    }

    /// Whether a step between regions is worth a gate: a diagonal one is only where nothing
    /// beside it can be stood on.
    fn is_gate(&self, legal: u8, direction: usize) -> bool {
        let beside = 1 << (direction % 4) | 1 << ((direction + 1) % 4);
        direction < 4 || self.plane.rules.corners_join() && legal & beside == 0
    }

    fn find_ways(&mut self, built: &mut Region, before: Region) {
        let mut distances = std::mem::take(&mut self.distances);
        let number_of = |x: i32, y: i32| self.number_at(x as u32, y as u32);
        built.find_ways(before, &mut distances, self.plane.rules, number_of);
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
