//! Which units hold which cells at the current tick.
//!
//! Each cell has a linked list of units. The arrays are never cleared: a stamp says whether
//! a list belongs to the current tick.

use throng_model::{Conflicts, Map};

use crate::Violation;
use crate::occupant::Occupant;

/// The units of one tick, and for every cell the units that hold it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupancy {
    width: u16,
    height: u16,
    /// The stamp of the current tick; a cell with an older stamp is empty.
    now: u32,
    stamp: Vec<u32>,
    /// The first entry of each cell's list.
    first: Vec<u32>,
    entries: Vec<Entry>,
    occupants: Vec<Occupant>,
    /// Memory reused by [`Occupancy::report_conflicts`].
    neighbours: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// The unit, counted in the order of `enter`.
    number: u32,
    /// The next entry of the same cell.
    next: u32,
}

/// Ends a cell's list.
const NONE: u32 = u32::MAX;

impl Occupancy {
    /// Starts the next tick with no units.
    pub(crate) fn begin_tick(&mut self, map: &Map) {
        let same_size = (self.width, self.height) == (map.width(), map.height());
        if !same_size || self.now == u32::MAX {
            let cells = map.terrain().len();
            (self.width, self.height) = (map.width(), map.height());
            (self.stamp, self.first, self.now) = (vec![0; cells], vec![0; cells], 0);
        }
        self.now += 1;
        self.entries.clear();
        self.occupants.clear();
    }

    /// The number of units entered at this tick.
    pub(crate) fn len(&self) -> usize {
        self.occupants.len()
    }

    /// Adds a unit, which holds only cells of this tick's map. Later units come first in the
    /// lists.
    pub(crate) fn enter(&mut self, occupant: Occupant) {
        let number = self.occupants.len() as u32;
        for point in occupant.held.points() {
            let index = self.index(point);
            let next = if self.stamp[index] == self.now { self.first[index] } else { NONE };
            self.stamp[index] = self.now;
            self.first[index] = self.entries.len() as u32;
            self.entries.push(Entry { number, next });
        }
        self.occupants.push(occupant);
    }

    /// The row-major index of a point on the map.
    fn index(&self, (x, y): (i32, i32)) -> usize {
        y as usize * usize::from(self.width) + x as usize
    }

    /// Reports the conflicts of unit `number` with all units entered after it.
    pub(crate) fn report_conflicts(
        &mut self,
        number: usize,
        tick: usize,
        conflicts: Conflicts,
        violations: &mut Vec<Violation>,
    ) {
        let mut neighbours = std::mem::take(&mut self.neighbours);
        let occupant = &self.occupants[number];
        self.find_neighbours(number, occupant, &mut neighbours);
        let others = neighbours.iter().map(|&other| &self.occupants[other]);
        violations
            .extend(others.filter_map(|other| occupant.conflict_with(other, tick, conflicts)));
        self.neighbours = neighbours;
    }

    /// Collects the units after `number` that hold a cell within its reach, in ascending order.
    fn find_neighbours(&self, number: usize, occupant: &Occupant, found: &mut Vec<usize>) {
        found.clear();
        for index in occupant.reach().points().map(|point| self.index(point)) {
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
