//! Guide paths: one path per unit, drawn before the search, that spread the crowd.
//!
//! K. Okumura, "Engineering LaCAM*: towards real-time, large-scale, and near-optimal multi-agent
//! pathfinding" (AAMAS 2024), where it is called SUO. Each path is at most a margin longer than
//! the shortest, and clashes as little as possible with those drawn so far: on a cell, on an edge
//! in the opposite direction, or with a unit at rest on its goal. From the second pass on, a path
//! also avoids units that were drawn after it in the pass before.
//!
//! The search closes cells, not pairs of cell and tick: it does not wait, and it is not optimal
//! in clashes. It is ordered by clashes, then by length, then newest first.

use throng_grid::kit::mix;
use throng_model::Effort;

use crate::{Graph, TrueDistances, Vertex};

/// Slots of the occupancy table per step of a path, where the table is not exact.
const SLOTS_PER_STEP: usize = 16;
/// Tables of up to this many slots are exact: one slot per cell and tick.
const EXACT_SLOTS_MAX: usize = 1 << 23;
/// No table has more slots: 150 MB.
const SLOTS_MAX: usize = 1 << 24;

/// The guide paths of all units.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guides {
    paths: Vec<Vec<Vertex>>,
    /// Where on its path each unit was seen last.
    cursors: Vec<u32>,
    /// Steps drawn in all passes.
    pub(crate) work: u64,
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuideOptions {
    pub(crate) passes: u32,
    pub(crate) margin: u32,
    pub(crate) seed: u64,
}

impl Guides {
    /// Draws a path for every unit whose goal is reachable; `None` when the effort ends.
    pub(crate) fn draw<D: TrueDistances>(
        graph: &Graph,
        ends: (&[Vertex], &[Vertex]),
        distances: &mut D,
        options: GuideOptions,
        effort: &mut Effort<'_>,
    ) -> Option<Self> {
        let (starts, goals) = ends;
        let lengths = starts.iter().enumerate().map(|(unit, &at)| distances.get(unit, at));
        let lengths: Vec<u32> = lengths.collect();
        let mut drawing = Drawing::new(graph, goals, &lengths, options);
        let mut guides =
            Self { paths: vec![Vec::new(); starts.len()], cursors: vec![0; starts.len()], work: 0 };
        let mut order: Vec<u32> = (0..starts.len() as u32).collect();
        for pass in 0..options.passes {
            let salt = mix(options.seed ^ u64::from(pass) << 48);
            order.sort_by_cached_key(|&unit| mix(salt ^ u64::from(unit)));
            for &unit in &order {
                let unit = unit as usize;
                let path = &mut guides.paths[unit];
                drawing.erase(path);
                drawing.find(unit, starts[unit], lengths[unit], distances, path);
                drawing.enter(path);
                guides.work += path.len() as u64;
                if !pay(effort, path.len() as u64) {
                    return None;
                }
            }
        }
        Some(guides)
    }

    /// Whether no path was drawn.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.iter().all(Vec::is_empty)
    }

    /// The next cell of a unit's path if the unit stands on it; otherwise [`Vertex::NONE`].
    #[inline]
    pub(crate) fn hint(&mut self, unit: usize, at: Vertex) -> Vertex {
        let Some(path) = self.paths.get(unit) else { return Vertex::NONE };
        let cursor = self.cursors[unit] as usize;
        let near = [cursor + 1, cursor, cursor.wrapping_sub(1)];
        let found = near.into_iter().find(|&place| path.get(place) == Some(&at));
        let found = found.or_else(|| path.iter().position(|&cell| cell == at));
        let Some(place) = found else { return Vertex::NONE };
        self.cursors[unit] = place as u32;
        path.get(place + 1).copied().unwrap_or(Vertex::NONE)
    }
}

/// Counts that many expansions; whether all may be made.
pub(crate) fn pay(effort: &mut Effort<'_>, mut due: u64) -> bool {
    while due > 0 {
        match effort.expand_many(due) {
            0 => return false,
            granted => due -= granted,
        }
    }
    true
}

/// An open cell of the search.
#[derive(Clone, Copy, Debug)]
struct Open {
    at: Vertex,
    from: Vertex,
    tick: u32,
    clashes: u32,
}

/// The paths drawn so far as counts, and the scratch memory of the search.
struct Drawing<'g> {
    graph: &'g Graph,
    goals: &'g [Vertex],
    margin: u32,
    /// Slots between a cell at one tick and the next.
    stride: usize,
    mask: usize,
    /// Paths by cell and tick.
    cells: Vec<u8>,
    /// Paths by cell, tick of arrival and neighbour from which they come.
    edges: Vec<u8>,
    /// Entries of `edges` per slot: most neighbours that a cell has.
    sides: usize,
    /// The tick from which a unit rests on its goal.
    rests: Vec<u32>,
    buckets: Vec<Vec<Open>>,
    /// The predecessor of each closed cell, valid where the stamp is that of the search.
    parents: Vec<Vertex>,
    stamps: Vec<u32>,
    stamp: u32,
}

impl<'g> Drawing<'g> {
    fn new(graph: &'g Graph, goals: &'g [Vertex], lengths: &[u32], options: GuideOptions) -> Self {
        let longest = lengths.iter().copied().max().unwrap_or(0) + options.margin;
        let exact = (longest as usize + 2) * graph.len();
        let steps: usize = lengths.iter().map(|&length| length as usize + 1).sum();
        let sides = if graph.has_diagonals() { 8 } else { 4 };
        let slots = if exact <= EXACT_SLOTS_MAX { exact } else { steps * SLOTS_PER_STEP };
        let slots = slots.next_power_of_two().min(SLOTS_MAX);
        Self {
            graph,
            goals,
            margin: options.margin,
            stride: graph.len() | 1,
            mask: slots - 1,
            cells: vec![0; slots],
            edges: vec![0; slots * sides],
            sides,
            rests: vec![u32::MAX; graph.len()],
            buckets: Vec::new(),
            parents: vec![Vertex::NONE; graph.len()],
            stamps: vec![0; graph.len()],
            stamp: 0,
        }
    }

    #[inline]
    fn slot(&self, at: Vertex, tick: u32) -> usize {
        (tick as usize * self.stride + at.get()) & self.mask
    }

    fn enter(&mut self, path: &[Vertex]) {
        self.count(path, 1);
        if let Some(goal) = path.last() {
            self.rests[goal.get()] = path.len() as u32 - 1;
        }
    }

    fn erase(&mut self, path: &[Vertex]) {
        self.count(path, 1_u8.wrapping_neg());
        if let Some(goal) = path.last() {
            self.rests[goal.get()] = u32::MAX;
        }
    }

    fn count(&mut self, path: &[Vertex], by: u8) {
        for (tick, &at) in path.iter().enumerate() {
            let slot = self.slot(at, tick as u32);
            self.cells[slot] = self.cells[slot].wrapping_add(by);
        }
        for (tick, step) in path.windows(2).enumerate() {
            let slot = self.slot(step[1], tick as u32 + 1);
            let edge = slot * self.sides + self.side(step[1], step[0]);
            self.edges[edge] = self.edges[edge].wrapping_add(by);
        }
    }

    /// The place of a neighbour in a cell's list.
    fn side(&self, at: Vertex, neighbour: Vertex) -> usize {
        self.graph.neighbours(at).iter().position(|&to| to == neighbour).unwrap_or(0)
    }

    /// Finds the path of a unit with the fewest clashes.
    fn find<D: TrueDistances>(
        &mut self,
        unit: usize,
        start: Vertex,
        length: u32,
        distances: &mut D,
        path: &mut Vec<Vertex>,
    ) {
        self.stamp += 1;
        self.buckets.iter_mut().for_each(Vec::clear);
        self.push(0, Open { at: start, from: Vertex::NONE, tick: 0, clashes: 0 });
        let goal = self.goals[unit];
        let mut key = 0;
        while key < self.buckets.len() {
            let Some(open) = self.buckets[key].pop() else {
                key += 1;
                continue;
            };
            if self.stamps[open.at.get()] == self.stamp {
                continue;
            }
            self.stamps[open.at.get()] = self.stamp;
            self.parents[open.at.get()] = open.from;
            if open.at == goal {
                break;
            }
            self.expand(unit, open, length, distances);
        }
        self.trace(goal, path);
    }

    fn expand<D: TrueDistances>(
        &mut self,
        unit: usize,
        open: Open,
        length: u32,
        distances: &mut D,
    ) {
        let tick = open.tick + 1;
        let opposite = self.slot(open.at, tick) * self.sides;
        let graph = self.graph;
        for (side, &to) in graph.neighbours(open.at).iter().enumerate() {
            if self.stamps[to.get()] == self.stamp {
                continue;
            }
            let excess = (tick + distances.get(unit, to)).saturating_sub(length);
            if excess > self.margin {
                continue;
            }
            let mut clashes = open.clashes + u32::from(self.cells[self.slot(to, tick)]);
            clashes +=
                u32::from(self.edges[opposite + side]) + u32::from(self.rests[to.get()] <= tick);
            let key = clashes * (self.margin + 1) + excess;
            self.push(key as usize, Open { at: to, from: open.at, tick, clashes });
        }
    }

    #[inline]
    fn push(&mut self, key: usize, open: Open) {
        if key >= self.buckets.len() {
            self.buckets.resize_with(key + 1, Vec::new);
        }
        self.buckets[key].push(open);
    }

    fn trace(&self, goal: Vertex, path: &mut Vec<Vertex>) {
        path.clear();
        let mut at = goal;
        while at != Vertex::NONE && self.stamps[at.get()] == self.stamp {
            path.push(at);
            at = self.parents[at.get()];
        }
        path.reverse();
    }
}
