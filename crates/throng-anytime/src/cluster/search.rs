//! The search over configurations: greedy best-first, with two open lists.

use throng_grid::kit::mix;

use super::board::{Board, UNITS_MAX};
use super::making_room::Area;
use super::nodes::Nodes;
use super::pairs::Pairs;
use super::region::Region;
use super::walks::{Manner, Walks};

/// The estimate counts so much for a unit that is not on its goal, in steps.
const AWAY: u32 = 8;
/// The estimate counts so much for a unit that stands on another's way, in steps.
const BLOCKED: u32 = 12;
/// A node for which room was made comes back with a key that is higher by this.
const RETRY: u32 = 12;

/// The first expansions, times the part of single moves, all go into making room.
const HEAD: u64 = 4000;

/// A random walk ends at one of so many positions that are nearest.
const SHUFFLE_POSITIONS: u64 = 160;

/// The memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) board: Board,
    pub(super) walks: Walks,
    pub(super) nodes: Nodes,
    pub(super) area: Area,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All units are on their goals at this node.
    Solved(u32),
    /// All configurations that can be reached were seen.
    Exhausted,
    /// The limit of expansions or nodes was reached.
    Spent,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The expansions that went into making room, and into single moves.
    work: [u64; 2],
    /// The first node at which all units are on their goals.
    solved: Option<u32>,
    has_begun: bool,
}

/// How to go on from a configuration.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// A unit is brought to its goal.
    Alone(usize),
    /// The two units of a table are brought to their goals.
    Together(usize),
}

/// One search from the configuration on the board.
pub(super) struct Search<'a> {
    pub(super) region: &'a Region,
    /// By unit: the goal.
    pub(super) goals: &'a [Option<u32>],
    /// By unit and position: the steps to the goal if no other unit is there.
    pub(super) distances: &'a [&'a [u32]],
    /// The steps of pairs, if they lead to the goals of this search.
    pub(super) pairs: Option<&'a Pairs>,
    /// The estimate counts so much for a step that a pair needs more than both units alone.
    pub(super) weight: u32,
    pub(super) memory: &'a mut Memory,
    /// What a path costs through another unit, in steps.
    pub(super) price: u32,
    /// Whether paths keep to where they close few places to other bodies.
    pub(super) pays_tolls: bool,
    /// Whether units that make room go to random places, by random paths.
    pub(super) is_loose: bool,
    pub(super) seed: u64,
    /// Where the count of expansions ends.
    pub(super) limit: u64,
    /// How the work is divided between making room and single moves.
    pub(super) parts: [u64; 2],
    /// So many walks of random units come first.
    pub(super) shuffles: u64,
    pub(super) progress: Progress,
}

impl Search<'_> {
    /// Searches until the count of expansions is at the pause; `None` if the search is not over
    /// then. Where it pauses does not change what it finds.
    pub(super) fn run(&mut self, pause: u64) -> Option<End> {
        if !std::mem::replace(&mut self.progress.has_begun, true) {
            self.memory.nodes.clear(self.goals.len());
            self.record(0, 0);
            self.shuffle();
        }
        loop {
            if let Some(node) = self.progress.solved {
                return Some(End::Solved(node));
            }
            if self.is_spent() || self.memory.nodes.is_full() {
                return Some(End::Spent);
            }
            let before = self.memory.walks.expansions;
            if before >= pause {
                return None;
            }
            let work = self.progress.work;
            let is_room_next = work[0] * self.parts[1] <= work[1] * self.parts[0] + HEAD;
            if is_room_next && let Some(node) = self.memory.nodes.rooms.pop() {
                self.make_room(node);
                self.progress.work[0] += self.memory.walks.expansions - before;
            } else if let Some(node) = self.memory.nodes.steps.pop() {
                self.step(node);
                self.progress.work[1] += self.memory.walks.expansions - before;
            } else {
                return Some(End::Exhausted);
            }
        }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.memory.walks.expansions >= self.limit
    }

    /// A random number, by counter.
    pub(super) fn draw(&self, counter: u64) -> u64 {
        mix(self.seed ^ mix(counter))
    }

    /// The node of the configuration on the board, which a move of a unit has led to.
    pub(super) fn record(&mut self, parent: u32, mover: usize) -> u32 {
        let memory = &mut *self.memory;
        if let Some(node) = memory.nodes.find(&memory.board) {
            return node;
        }
        memory.walks.expansions += 1 + self.goals.len() as u64;
        let node = memory.nodes.insert(&memory.board, parent, mover);
        let estimate = self.estimate();
        let nodes = &mut self.memory.nodes;
        let Some(estimate) = estimate else { return node };
        nodes.node_mut(node).estimate = estimate;
        nodes.steps.push(u64::from(estimate), node);
        if estimate == 0 {
            self.progress.solved.get_or_insert(node);
        } else {
            nodes.rooms.push(u64::from(estimate), node);
        }
        node
    }

    /// How far the configuration on the board is from the goal. Zero: all are there. `None`: it
    /// never gets there.
    fn estimate(&self) -> Option<u32> {
        let away = |unit: &usize| self.distance(*unit) > 0;
        let of = |unit| AWAY + self.distance(unit) + BLOCKED * self.blockers_ahead(unit);
        let alone: u32 = (0..self.goals.len()).filter(away).map(of).sum();
        let pairs = self.pairs.map_or(Some(0), |pairs| {
            pairs.excess(self.memory.board.places(), |unit| self.distance(unit))
        });
        pairs.map(|excess| alone + self.weight * excess)
    }

    /// The steps to the unit's goal, which it can always reach if alone.
    fn distance(&self, unit: usize) -> u32 {
        match self.goals[unit] {
            Some(_) => self.distances[unit][self.memory.board.place(unit) as usize],
            None => 0,
        }
    }

    /// How many units stand on a shortest path to the unit's goal.
    fn blockers_ahead(&self, unit: usize) -> u32 {
        let (board, distances) = (&self.memory.board, &self.distances[unit]);
        let kind = &self.region.kinds()[board.kind(unit)];
        let (mut at, mut met) = (board.place(unit), 0);
        loop {
            let nearer = distances[at as usize].wrapping_sub(1);
            let ahead = kind.steps(at).iter().filter(|step| distances[step.to as usize] == nearer);
            let next = ahead
                .map(|step| (board.blockers(self.region, unit, step), step.to))
                .min_by_key(|(blockers, _)| (blockers & !met).count_ones());
            let Some((blockers, to)) = next else { return met.count_ones() };
            met |= blockers;
            at = to;
            if nearer == 0 {
                return met.count_ones();
            }
        }
    }

    /// Random units walk to random places near them. Room is made from the last configuration
    /// only: a way that the estimate does not lead to can be short from there. Single moves are made
    /// from all, so that the search stays complete.
    fn shuffle(&mut self) {
        let mut node = 0;
        for walk in 0..self.shuffles {
            let unit = self.draw(2 * walk) as usize % self.goals.len();
            let mut left = 1 + self.draw(2 * walk + 1) % SHUFFLE_POSITIONS;
            let is_target = |_| {
                left -= 1;
                left == 0
            };
            let found = self.find(Manner::around(unit), |_| 0, is_target);
            if let Some(&to) = found.as_ref().and_then(|path| path.places.last()) {
                self.walk(&mut node, unit, to);
            }
        }
        if node > 0 {
            let nodes = &mut self.memory.nodes;
            nodes.rooms.clear();
            nodes.rooms.push(0, node);
        }
    }

    /// Brings one more unit, or pair of units, to its goal from a node.
    fn make_room(&mut self, node: u32) {
        let memory = &mut *self.memory;
        memory.board.set(self.region, memory.nodes.places(node));
        let tried = usize::from(memory.nodes.node(node).tried);
        memory.nodes.node_mut(node).tried += 1;
        let ways = self.ways();
        if tried + 1 < ways.len() {
            let key = self.memory.nodes.node(node).estimate + RETRY * (tried as u32 + 1);
            self.memory.nodes.rooms.push(u64::from(key), node);
        }
        match ways.get(tried) {
            Some(&Way::Alone(unit)) => self.bring(node, unit),
            Some(&Way::Together(table)) => self.bring_together(node, table),
            None => {}
        }
    }

    /// The ways to go on from the configuration on the board, in a random order.
    fn ways(&self) -> Vec<Way> {
        let away = (0..self.goals.len()).filter(|&unit| self.distance(unit) > 0);
        let mut ways: Vec<Way> = away.map(Way::Alone).collect();
        let tables = self.pairs.map_or(&[][..], |pairs| pairs.tables());
        for (number, table) in tables.iter().enumerate() {
            let steps = table.steps(table.units.map(|unit| self.memory.board.place(unit)));
            let alone: u32 = table.units.iter().map(|&unit| self.distance(unit)).sum();
            ways.extend(steps.filter(|&steps| steps > alone).map(|_| Way::Together(number)));
        }
        let hash = self.memory.board.hash();
        ways.sort_by_cached_key(|&way| {
            self.draw(match way {
                Way::Alone(unit) => hash ^ unit as u64,
                Way::Together(table) => hash ^ (UNITS_MAX + table) as u64,
            })
        });
        ways
    }

    /// Generates all single moves from a node.
    fn step(&mut self, node: u32) {
        let memory = &mut *self.memory;
        memory.board.set(self.region, memory.nodes.places(node));
        memory.walks.expansions += 1 + self.goals.len() as u64;
        for unit in 0..self.goals.len() {
            let from = self.memory.board.place(unit);
            let kind = &self.region.kinds()[self.memory.board.kind(unit)];
            for step in kind.steps(from) {
                let memory = &*self.memory;
                if memory.board.blockers(self.region, unit, step) == 0
                    && !memory.nodes.is_known(&memory.board, unit, step.to)
                {
                    self.memory.board.relocate(self.region, unit, step.to);
                    self.record(node, unit);
                    self.memory.board.relocate(self.region, unit, from);
                }
            }
        }
    }
}
