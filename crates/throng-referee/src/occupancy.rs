//! Who holds which cell at the current tick: a list of units for each cell, in flat arrays
//! that are never cleared.

use throng_model::Map;

use crate::presence::Presence;

/// The holders of every cell at one tick.
#[derive(Default)]
pub(crate) struct Occupancy {
    width: u16,
    height: u16,
    /// Counts the ticks; a cell with an older stamp is empty.
    now: u32,
    stamp: Vec<u32>,
    /// The cell's first entry.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

struct Entry {
    number: u32,
    next: u32,
}

/// Ends a cell's list.
const NONE: u32 = u32::MAX;

impl Occupancy {
    /// Enters all units of the next tick, which hold cells of the map. Later units come first
    /// in the lists.
    pub(crate) fn fill(&mut self, map: &Map, presences: &[Presence]) {
        self.begin_tick(map);
        for (number, presence) in presences.iter().enumerate() {
            for point in presence.held.points() {
                self.enter(self.index(point), number as u32);
            }
        }
    }

    fn begin_tick(&mut self, map: &Map) {
        let same_size = (self.width, self.height) == (map.width(), map.height());
        if !same_size || self.now == u32::MAX {
            let cells = map.terrain().len();
            (self.width, self.height) = (map.width(), map.height());
            (self.stamp, self.first, self.now) = (vec![0; cells], vec![0; cells], 0);
        }
        self.now += 1;
        self.entries.clear();
    }

    /// The row-major index of a point on the map.
    fn index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * usize::from(self.width) + x as usize
    }

    fn enter(&mut self, index: usize, number: u32) {
        let next = if self.stamp[index] == self.now { self.first[index] } else { NONE };
        self.stamp[index] = self.now;
        self.first[index] = self.entries.len() as u32;
        self.entries.push(Entry { number, next });
    }

    /// Collects the units after `number` that hold a cell within its reach, in order.
    pub(crate) fn neighbours(&self, number: usize, presence: &Presence, found: &mut Vec<usize>) {
        found.clear();
        for index in presence.reach().points().map(|point| self.index(point)) {
            if self.stamp[index] == self.now {
                self.collect_after(number, self.first[index], found);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn collect_after(&self, number: usize, first: u32, found: &mut Vec<usize>) {
        let mut next = first;
        while let Some(entry) = self.entries.get(next as usize) {
            if entry.number as usize <= number {
                return;
            }
            found.push(entry.number as usize);
            next = entry.next;
        }
    }
}
