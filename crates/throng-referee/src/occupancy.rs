//! Who holds which cell at the current tick: a list of units for each cell, in flat arrays
//! that are never cleared.

use throng_model::{Conflicts, Map};

use crate::Violation;
use crate::presence::Presence;

/// The units of one tick, and the holders of every cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupancy {
    width: u16,
    height: u16,
    /// Counts the ticks; a cell with an older stamp is empty.
    now: u32,
    stamp: Vec<u32>,
    /// The cell's first entry.
    first: Vec<u32>,
    entries: Vec<Entry>,
    presences: Vec<Presence>,
    /// Scratch of [`Occupancy::judge_meetings`].
    neighbours: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Entry {
    number: u32,
    next: u32,
}

/// Ends a cell's list.
const NONE: u32 = u32::MAX;

impl Occupancy {
    /// Forgets the last tick, and takes the units of the next one.
    pub(crate) fn begin_tick(&mut self, map: &Map) {
        let same_size = (self.width, self.height) == (map.width(), map.height());
        if !same_size || self.now == u32::MAX {
            let cells = map.terrain().len();
            (self.width, self.height) = (map.width(), map.height());
            (self.stamp, self.first, self.now) = (vec![0; cells], vec![0; cells], 0);
        }
        self.now += 1;
        self.entries.clear();
        self.presences.clear();
    }

    /// How many units have come in at this tick.
    pub(crate) fn len(&self) -> usize {
        self.presences.len()
    }

    /// Takes in a unit, which holds cells of the tick's map. Later units come first in the
    /// lists.
    pub(crate) fn enter(&mut self, presence: Presence) {
        let number = self.presences.len() as u32;
        for point in presence.held.points() {
            let index = self.index(point);
            let next = if self.stamp[index] == self.now { self.first[index] } else { NONE };
            self.stamp[index] = self.now;
            self.first[index] = self.entries.len() as u32;
            self.entries.push(Entry { number, next });
        }
        self.presences.push(presence);
    }

    /// The row-major index of a point on the map.
    fn index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * usize::from(self.width) + x as usize
    }

    /// Reports what is wrong between the unit that came in as `number` and all later ones.
    pub(crate) fn judge_meetings(
        &mut self,
        number: usize,
        tick: usize,
        conflicts: Conflicts,
        violations: &mut Vec<Violation>,
    ) {
        let mut neighbours = std::mem::take(&mut self.neighbours);
        let presence = &self.presences[number];
        self.find_neighbours(number, presence, &mut neighbours);
        let others = neighbours.iter().map(|&other| &self.presences[other]);
        violations.extend(others.filter_map(|other| presence.meet(other, tick, conflicts)));
        self.neighbours = neighbours;
    }

    /// Collects the units after `number` that hold a cell within its reach, in order.
    fn find_neighbours(&self, number: usize, presence: &Presence, found: &mut Vec<usize>) {
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
