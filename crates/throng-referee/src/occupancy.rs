//! Who holds which cell at the current tick: a list of units for each cell, in flat arrays
//! that are never cleared.

use throng_model::Map;

use crate::walker::Walker;

/// The holders of every cell at one tick.
pub(crate) struct Occupancy {
    /// The tick for which `first` is meant, plus one; an older stamp means an empty cell.
    stamp: Vec<u32>,
    /// The cell's first entry.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

struct Entry {
    walker: u32,
    next: u32,
}

/// Ends a cell's list.
const NONE: u32 = u32::MAX;

impl Occupancy {
    pub(crate) fn new(map: &Map) -> Self {
        let cells = map.terrain().len();
        Self { stamp: vec![0; cells], first: vec![0; cells], entries: Vec::new() }
    }

    /// Enters all walkers at the tick. Later walkers come first in the lists.
    pub(crate) fn fill(&mut self, tick: usize, walkers: &[Walker<'_>]) {
        let stamp = (tick as u32).saturating_add(1);
        self.entries.clear();
        for (number, walker) in walkers.iter().enumerate() {
            let held = walker.extent().points().filter(|&point| walker.holds(point));
            for index in held.filter_map(|(x, y)| walker.ground.index(x, y)) {
                self.enter(index, stamp, number as u32);
            }
        }
    }

    fn enter(&mut self, index: usize, stamp: u32, walker: u32) {
        let next = if self.stamp[index] == stamp { self.first[index] } else { NONE };
        self.stamp[index] = stamp;
        self.first[index] = self.entries.len() as u32;
        self.entries.push(Entry { walker, next });
    }

    /// Collects the walkers after `number` that hold a cell within its reach, in order.
    pub(crate) fn neighbours(
        &self,
        tick: usize,
        number: usize,
        walker: &Walker<'_>,
        found: &mut Vec<usize>,
    ) {
        let stamp = (tick as u32).saturating_add(1);
        found.clear();
        let points = walker.reach().points();
        for index in points.filter_map(|(x, y)| walker.ground.index(x, y)) {
            if self.stamp[index] == stamp {
                self.collect_after(number, self.first[index], found);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn collect_after(&self, number: usize, first: u32, found: &mut Vec<usize>) {
        let mut next = first;
        while let Some(entry) = self.entries.get(next as usize) {
            if entry.walker as usize <= number {
                return;
            }
            found.push(entry.walker as usize);
            next = entry.next;
        }
    }
}
