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

mod path_counts;

use throng_grid::kit::mix;
use throng_model::Effort;

use path_counts::PathCounts;

use crate::{Graph, TrueDistances, Vertex};

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
                let is_shared = drawing.erase(path);
                if is_shared || !drawing.is_best(path, lengths[unit]) {
                    drawing.find(unit, starts[unit], lengths[unit], distances, path);
                }
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

/// The open list: a stack for each key, all in one array.
#[derive(Clone, Debug, Default)]
struct Stacks {
    /// By key: one more than the index of the newest entry; 0 for none.
    newest: Vec<u32>,
    /// Each with the entry below it, as in `newest`.
    entries: Vec<(Open, u32)>,
    /// No stack below this key has an entry.
    least: usize,
}

impl Stacks {
    fn clear(&mut self) {
        self.newest.clear();
        self.entries.clear();
        self.least = 0;
    }

    /// Keys are never below that of the last entry popped.
    #[inline]
    fn push(&mut self, key: usize, open: Open) {
        if key >= self.newest.len() {
            self.newest.resize(key + 1, 0);
        }
        self.entries.push((open, self.newest[key]));
        self.newest[key] = self.entries.len() as u32;
    }

    #[inline]
    fn pop(&mut self) -> Option<Open> {
        while *self.newest.get(self.least)? == 0 {
            self.least += 1;
        }
        let (open, below) = self.entries[self.newest[self.least] as usize - 1];
        self.newest[self.least] = below;
        Some(open)
    }
}

/// The paths drawn so far as counts, and the scratch memory of the search.
struct Drawing<'g> {
    graph: &'g Graph,
    goals: &'g [Vertex],
    margin: u32,
    counts: PathCounts<'g>,
    positions: Vec<Position>,
    open: Stacks,
    /// The number of the search.
    stamp: u32,
}

/// What a drawing knows of a position.
#[derive(Clone, Copy, Debug)]
struct Position {
    /// The search that closed it last.
    stamp: u32,
    /// Its predecessor in that search.
    parent: Vertex,
    /// The tick from which a unit rests on it.
    rest: u32,
}

impl<'g> Drawing<'g> {
    fn new(graph: &'g Graph, goals: &'g [Vertex], lengths: &[u32], options: GuideOptions) -> Self {
        let longest = lengths.iter().copied().max().unwrap_or(0) + options.margin;
        let steps = lengths.iter().map(|&length| length as usize + 1).sum();
        Self {
            graph,
            goals,
            margin: options.margin,
            counts: PathCounts::new(graph, steps, longest),
            positions: vec![
                Position { stamp: 0, parent: Vertex::NONE, rest: u32::MAX };
                graph.len()
            ],
            open: Stacks::default(),
            stamp: 0,
        }
    }

    fn enter(&mut self, path: &[Vertex]) {
        self.counts.enter(path);
        if let Some(goal) = path.last() {
            self.positions[goal.get()].rest = path.len() as u32 - 1;
        }
    }

    /// Takes a path out; whether it shares a cell with another one.
    fn erase(&mut self, path: &[Vertex]) -> bool {
        if let Some(goal) = path.last() {
            self.positions[goal.get()].rest = u32::MAX;
        }
        self.counts.erase(path)
    }

    /// Whether a path that was drawn before is as short as any and still meets no other.
    fn is_best(&self, path: &[Vertex], length: u32) -> bool {
        path.len() == length as usize + 1
            && path.windows(2).enumerate().all(|(tick, step)| {
                let tick = tick as u32 + 1;
                let rest = self.positions[step[1].get()].rest;
                rest > tick && self.counts.is_clear(step[0], step[1], tick)
            })
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
        self.open.clear();
        self.open.push(0, Open { at: start, from: Vertex::NONE, tick: 0, clashes: 0 });
        let goal = self.goals[unit];
        while let Some(open) = self.open.pop() {
            let position = &mut self.positions[open.at.get()];
            if position.stamp == self.stamp {
                continue;
            }
            position.stamp = self.stamp;
            position.parent = open.from;
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
        let departure = self.counts.departure(open.at, tick);
        let graph = self.graph;
        for (side, &to) in graph.neighbours(open.at).iter().enumerate() {
            let Position { stamp, rest, .. } = self.positions[to.get()];
            if stamp == self.stamp {
                continue;
            }
            let excess = (tick + distances.get(unit, to)).saturating_sub(length);
            if excess > self.margin {
                continue;
            }
            let clashes =
                open.clashes + self.counts.clashes(departure, side, to) + u32::from(rest <= tick);
            let key = clashes * (self.margin + 1) + excess;
            self.open.push(key as usize, Open { at: to, from: open.at, tick, clashes });
        }
    }

    fn trace(&self, goal: Vertex, path: &mut Vec<Vertex>) {
        path.clear();
        let mut at = goal;
        while at != Vertex::NONE && self.positions[at.get()].stamp == self.stamp {
            path.push(at);
            at = self.positions[at.get()].parent;
        }
        path.reverse();
    }
}
