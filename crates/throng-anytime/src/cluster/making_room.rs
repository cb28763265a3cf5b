//! A unit walks to its goal, and the units on its path make room first.
//!
//! The path is the cheapest one where entering the body of another unit has a price. A unit on it
//! goes to the nearest place beside it. If others are in its way there, they make room for it
//! first, beside both paths. The unit itself may have to: then it lets the others pass and walks
//! after them.

use throng_grid::kit::StampedArray;

use super::board::{Units, members};
use super::pairs::Table;
use super::region::Step;
use super::search::Search;
use super::walks::{Manner, Path};

/// Units make room for units that make room, and so on, to this depth.
const DEPTH_MAX: u32 = 6;

/// So many paths of a unit are tried, each around the units that could not leave those before.
const DETOURS_MAX: u32 = 3;

/// A unit that makes room goes to one of so many places.
const EXITS_MAX: u64 = 32;

/// A pair is brought to its goals by at most so many walks.
const WALKS_MAX: u32 = 64;

/// The entries that have to become free. Those marked last are unmarked first.
#[derive(Clone, Debug, Default)]
pub(super) struct Area {
    marks: StampedArray<bool>,
    marked: Vec<u32>,
}

impl Area {
    fn begin(&mut self, entries: usize) {
        self.marks.begin(entries);
        self.marked.clear();
    }

    fn contains(&self, entry: u32) -> bool {
        self.marks.get(entry as usize) == Some(true)
    }

    /// Marks entries. Returns what [`unmark`](Self::unmark) needs.
    fn mark(&mut self, entries: &[u32]) -> usize {
        let before = self.marked.len();
        for &entry in entries {
            if !self.contains(entry) {
                self.marks.set(entry as usize, true);
                self.marked.push(entry);
            }
        }
        before
    }

    fn unmark(&mut self, before: usize) {
        for entry in self.marked.drain(before..) {
            self.marks.set(entry as usize, false);
        }
    }
}

impl Search<'_> {
    /// From the configuration of a node, which is on the board: brings a unit to its goal, or
    /// does a part of what is needed. Each walk leads to a node of its own. If a unit on the path
    /// cannot make room, a path around it is tried.
    pub(super) fn bring(&mut self, node: u32, unit: usize) {
        let mut node = node;
        let mut closed = 0;
        for _ in 0..DETOURS_MAX {
            self.memory.area.begin(self.region.entries());
            let manner = Manner {
                unit,
                price: self.price,
                closed,
                pays_tolls: self.pays_tolls,
                noise: self.noise(),
            };
            let Some(path) = self.path_to_goal(manner) else { return };
            self.memory.area.mark(&path.entries);
            let Err(stays) = self.clear(&mut node, unit, path.blockers, 0, 0) else {
                break;
            };
            closed |= stays;
        }
        if let Some(goal) = self.goals[unit]
            && self.path_to_goal(Manner::around(unit)).is_some()
        {
            self.walk(&mut node, unit, goal);
        }
    }

    /// From the configuration of a node, which is on the board: brings two units to their goals
    /// by the table of their steps, and others make room.
    pub(super) fn bring_together(&mut self, node: u32, table: usize) {
        let Some(table) = self.pairs.map(|pairs| &pairs.tables()[table]) else { return };
        let mut node = node;
        for _ in 0..WALKS_MAX {
            let Some((unit, partner, path)) = self.walk_of_pair(table) else { return };
            let to = path.places[path.places.len() - 1];
            self.memory.area.begin(self.region.entries());
            self.memory.area.mark(&path.entries);
            if self.clear(&mut node, unit, path.blockers, 1 << partner, 0).is_err()
                || self.find(Manner::around(unit), |_| 0, |at| at == to).is_none()
            {
                return;
            }
            self.walk(&mut node, unit, to);
        }
    }

    /// The next walk of one of two units that has no superfluous step; that unit, and the other.
    fn walk_of_pair(&self, table: &Table) -> Option<(usize, usize, Path)> {
        let mut places = table.units.map(|unit| self.memory.board.place(unit));
        let (mut path, mut movers) = (Path::default(), &[0, 1][..]);
        while let Some((mover, step, blockers)) = self.step_of_pair(table, places, movers) {
            let kind = &self.region.kinds()[self.memory.board.kind(table.units[mover])];
            path.blockers |= blockers;
            path.places.push(step.to);
            path.entries.extend(kind.standing(step.to).iter().chain(kind.extras(step)));
            places[mover] = step.to;
            movers = if mover == 0 { &[0] } else { &[1] };
        }
        let &[mover] = movers else { return None };
        Some((table.units[mover], table.units[1 - mover], path))
    }

    /// A step of one of these two units that brings the pair nearer to its goals, with the fewest
    /// others in its way.
    fn step_of_pair(
        &self,
        table: &Table,
        places: [u32; 2],
        movers: &[usize],
    ) -> Option<(usize, &Step, Units)> {
        let board = &self.memory.board;
        let nearer = table.steps(places)?.checked_sub(1)?;
        let steps = movers.iter().flat_map(|&mover| {
            let unit = table.units[mover];
            let steps = self.region.kinds()[board.kind(unit)].steps(places[mover]);
            steps.iter().map(move |step| (mover, step, board.blockers(self.region, unit, step)))
        });
        let leads_nearer = |&(mover, step, blockers): &(usize, &Step, Units)| {
            let mut next = places;
            next[mover] = step.to;
            let is_past = blockers & 1 << table.units[1 - mover] == 0;
            is_past && table.steps(next) == Some(nearer)
        };
        steps.filter(leads_nearer).min_by_key(|&(mover, step, blockers)| {
            (blockers.count_ones(), self.draw(u64::from(step.to) << 1 | mover as u64))
        })
    }

    fn path_to_goal(&mut self, manner: Manner) -> Option<Path> {
        let (goal, distances) = (self.goals[manner.unit]?, &self.distances[manner.unit]);
        let heuristic = |at: u32| distances[at as usize];
        self.find(manner, heuristic, |at| at == goal)
    }

    pub(super) fn find(
        &mut self,
        manner: Manner,
        heuristic: impl Fn(u32) -> u32,
        is_target: impl FnMut(u32) -> bool,
    ) -> Option<Path> {
        let memory = &mut *self.memory;
        let found = memory.walks.find(self.region, &memory.board, manner, heuristic, is_target)?;
        Some(memory.walks.path(self.region, &memory.board, manner.unit, found))
    }

    /// A unit walks where the others leave it a way.
    pub(super) fn walk(&mut self, node: &mut u32, unit: usize, to: u32) {
        self.memory.board.relocate(self.region, unit, to);
        *node = self.record(*node, unit);
    }

    /// Makes these units leave the area; an error with the first that cannot.
    fn clear(
        &mut self,
        node: &mut u32,
        unit: usize,
        blockers: Units,
        waiting: Units,
        depth: u32,
    ) -> Result<(), Units> {
        let first = self.draw(u64::from(*node) << 8 | unit as u64) as usize % 32;
        let (early, late) = (blockers >> first << first, blockers & !(blockers >> first << first));
        let mut in_turn = members(early).chain(members(late));
        let stays = in_turn.find(|&blocker| !self.leave(node, blocker, waiting, depth));
        stays.map_or(Ok(()), |blocker| Err(1 << blocker))
    }

    /// Makes a unit leave the area. Waiting units have asked and stay where they are.
    fn leave(&mut self, node: &mut u32, unit: usize, waiting: Units, depth: u32) -> bool {
        if self.is_outside(unit, self.memory.board.place(unit)) {
            return true;
        }
        if depth > DEPTH_MAX || self.is_spent() {
            return false;
        }
        if let Some(goal) = self.goals[unit]
            && depth < 2
            && self.is_outside(unit, goal)
            && self.path_to_goal(Manner::around(unit)).is_some()
        {
            self.walk(node, unit, goal);
            return true;
        }
        let Some(path) = self.path_out(unit, waiting) else { return false };
        let to = path.places[path.places.len() - 1];
        if path.blockers != 0 {
            let before = self.memory.area.mark(&path.entries);
            let is_clear = self.clear(node, unit, path.blockers, waiting | 1 << unit, depth + 1);
            self.memory.area.unmark(before);
            if is_clear.is_err() || self.find(Manner::around(unit), |_| 0, |at| at == to).is_none()
            {
                return false;
            }
        }
        self.walk(node, unit, to);
        true
    }

    /// A path out of the area: the cheapest, or a random longer one.
    fn path_out(&mut self, unit: usize, waiting: Units) -> Option<Path> {
        let draw = self.draw(self.memory.walks.expansions);
        let skipped =
            if self.is_loose && draw.is_multiple_of(2) { draw / 2 % EXITS_MAX } else { 0 };
        let path = self.path_to_exit(unit, waiting, skipped);
        if path.is_some() || skipped == 0 { path } else { self.path_to_exit(unit, waiting, 0) }
    }

    /// The cheapest path to a place outside the area, not counting the first so many places.
    fn path_to_exit(&mut self, unit: usize, waiting: Units, mut skipped: u64) -> Option<Path> {
        let (price, pays_tolls) = (self.price, self.pays_tolls);
        let manner = Manner { unit, price, closed: waiting, pays_tolls, noise: self.noise() };
        let memory = &mut *self.memory;
        let (area, kind) = (&memory.area, &self.region.kinds()[memory.board.kind(unit)]);
        let is_target = |at| {
            let is_exit = kind.standing(at).iter().all(|&entry| !area.contains(entry));
            let is_first = skipped == 0;
            skipped = skipped.saturating_sub(u64::from(is_exit));
            is_exit && is_first
        };
        let (region, board) = (self.region, &memory.board);
        let found = memory.walks.find(region, board, manner, |_| 0, is_target)?;
        Some(memory.walks.path(region, board, unit, found))
    }

    /// Where paths avoid places at random: other ones each time.
    fn noise(&self) -> u64 {
        if self.is_loose { self.draw(self.memory.walks.expansions) | 1 } else { 0 }
    }

    fn is_outside(&self, unit: usize, at: u32) -> bool {
        let kind = &self.region.kinds()[self.memory.board.kind(unit)];
        kind.standing(at).iter().all(|&entry| !self.memory.area.contains(entry))
    }
}
