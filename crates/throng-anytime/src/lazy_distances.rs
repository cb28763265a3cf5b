//! True distances in ticks, computed only as far as they are asked for.
//!
//! One search per goal runs back from the goal towards the unit's start: A* in buckets of equal f
//! (D. Silver's RRA*, with the buckets of R. Dial). It can be resumed when a position is asked for
//! that it has not settled. With unit steps and a consistent heuristic, f of a neighbour is at
//! most two more, so three buckets are enough.

use std::thread;

use throng_model::{Budget, Cell};

use crate::{Graph, TrueDistances, UNREACHED, Vertex};

/// The bit of an entry whose distance is final. Entries are the distance plus 1; 0 is unknown.
const SETTLED: u16 = 1 << 15;
/// Largest distance that an entry can hold.
const DISTANCE_MAX: u32 = (SETTLED - 2) as u32;
/// Buckets of the open list.
const BUCKETS: usize = 3;

/// The search of one goal.
#[derive(Clone, Debug)]
struct Backward {
    goal: Vertex,
    /// Towards which it searches.
    start: Vertex,
    /// The f of the current bucket.
    level: u32,
    /// By f modulo the number of buckets.
    buckets: [Vec<Vertex>; BUCKETS],
}

/// How many ticks units alone need to their goals, by resumable searches.
///
/// Time and touched memory grow with the part of the map that is asked for. Untouched parts of
/// the tables are never written.
#[derive(Clone, Debug)]
pub(crate) struct LazyDistances<'g> {
    graph: &'g Graph,
    /// One table per unit.
    entries: Vec<u16>,
    searches: Vec<Backward>,
}

impl<'g> LazyDistances<'g> {
    /// Whether every distance of the graph fits into an entry.
    pub(crate) fn fits(graph: &Graph) -> bool {
        graph.len() < DISTANCE_MAX as usize || diameter_bound(graph) < DISTANCE_MAX
    }

    /// Searches for all units until their starts are settled, and all positions on paths that
    /// are at most `margin` ticks longer; `None` when interrupted.
    pub(crate) fn compute(
        graph: &'g Graph,
        ends: (&[Vertex], &[Vertex]),
        margin: u32,
        threads: usize,
        budget: Budget<'_>,
    ) -> Option<Self> {
        let pairs = ends.0.iter().zip(ends.1);
        let searches = pairs.map(|(&start, &goal)| Backward::new(graph, start, goal)).collect();
        // Zeroed memory comes from the system untouched.
        let entries = vec![0; ends.1.len() * graph.len()];
        let mut distances = Self { graph, entries, searches };
        distances.search_all(margin, threads, budget).then_some(distances)
    }

    fn search_all(&mut self, margin: u32, threads: usize, budget: Budget<'_>) -> bool {
        let (graph, positions) = (self.graph, self.graph.len().max(1));
        let share = self.searches.len().div_ceil(threads.max(1)).max(1);
        let run = |(searches, entries): (&mut [Backward], &mut [u16])| {
            let mut pairs = searches.iter_mut().zip(entries.chunks_mut(positions));
            pairs.all(|(search, table)| {
                search.begin(graph, table, margin);
                !budget.is_interrupted()
            })
        };
        let run = &run;
        let mut batches =
            self.searches.chunks_mut(share).zip(self.entries.chunks_mut(share * positions));
        let own = batches.next();
        thread::scope(|scope| {
            let workers: Vec<_> = batches.map(|batch| scope.spawn(move || run(batch))).collect();
            let mut done = own.is_none_or(run);
            for worker in workers {
                match worker.join() {
                    Ok(ended) => done &= ended,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        })
    }

    #[cold]
    fn resume(&mut self, unit: usize, vertex: Vertex) -> u32 {
        let positions = self.graph.len();
        let table = &mut self.entries[unit * positions..(unit + 1) * positions];
        self.searches[unit].settle(self.graph, table, vertex);
        match table[vertex.get()] {
            entry if entry & SETTLED != 0 => u32::from(entry & !SETTLED) - 1,
            _ => UNREACHED,
        }
    }
}

impl TrueDistances for LazyDistances<'_> {
    #[inline]
    fn get(&mut self, unit: usize, vertex: Vertex) -> u32 {
        let entry = self.entries[unit * self.graph.len() + vertex.get()];
        if entry & SETTLED != 0 {
            return u32::from(entry & !SETTLED) - 1;
        }
        self.resume(unit, vertex)
    }
}

impl Backward {
    fn new(graph: &Graph, start: Vertex, goal: Vertex) -> Self {
        let level = estimate(graph, graph.cell(start), goal);
        let mut buckets = [const { Vec::new() }; BUCKETS];
        buckets[level as usize % BUCKETS].push(goal);
        Self { goal, start, level, buckets }
    }

    /// Settles the start, and all positions whose f is at most `margin` above the start's.
    fn begin(&mut self, graph: &Graph, table: &mut [u16], margin: u32) {
        table[self.goal.get()] = 1;
        self.settle(graph, table, self.start);
        let last = self.level.saturating_add(margin);
        while self.level <= last && self.expand_level(graph, table, None) {
            self.level += 1;
        }
    }

    /// Goes on until a position is settled or all are.
    fn settle(&mut self, graph: &Graph, table: &mut [u16], target: Vertex) {
        while table[target.get()] & SETTLED == 0 {
            if !self.expand_level(graph, table, Some(target)) {
                return;
            }
            if table[target.get()] & SETTLED == 0 {
                self.level += 1;
            }
        }
    }

    /// Expands the current bucket, until the target is settled; whether any bucket was filled.
    fn expand_level(&mut self, graph: &Graph, table: &mut [u16], target: Option<Vertex>) -> bool {
        let start = graph.cell(self.start);
        let current = self.level as usize % BUCKETS;
        let filled = self.buckets.iter().any(|bucket| !bucket.is_empty());
        while let Some(at) = self.buckets[current].pop() {
            let entry = table[at.get()];
            if entry & SETTLED != 0 {
                continue;
            }
            table[at.get()] = entry | SETTLED;
            for &to in graph.neighbours(at) {
                let known = table[to.get()];
                if known == 0 || (known & SETTLED == 0 && entry + 1 < known) {
                    table[to.get()] = entry + 1;
                    let f = u32::from(entry) + estimate(graph, start, to);
                    self.buckets[f as usize % BUCKETS].push(to);
                }
            }
            if Some(at) == target {
                break;
            }
        }
        filled
    }
}

/// A consistent estimate of the ticks between a cell and a position.
#[inline]
fn estimate(graph: &Graph, from: Cell, to: Vertex) -> u32 {
    let to = graph.cell(to);
    let (dx, dy) = (u32::from(from.x.abs_diff(to.x)), u32::from(from.y.abs_diff(to.y)));
    if graph.has_diagonals() { dx.max(dy) } else { dx + dy }
}

/// At least the longest distance within a component: twice the greatest distance from one of
/// its positions.
fn diameter_bound(graph: &Graph) -> u32 {
    let mut distances = vec![UNREACHED; graph.len()];
    let (mut queue, mut furthest) = (Vec::new(), 0);
    for first in 0..graph.len() as u32 {
        if distances[first as usize] != UNREACHED {
            continue;
        }
        distances[first as usize] = 0;
        queue.clear();
        queue.push(Vertex(first));
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            let distance = distances[at.get()];
            furthest = furthest.max(distance);
            for &to in graph.neighbours(at) {
                if distances[to.get()] == UNREACHED {
                    distances[to.get()] = distance + 1;
                    queue.push(to);
                }
            }
        }
    }
    furthest * 2
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::MovementProfile;
    use throng_testkit::case;

    use super::*;
    use crate::Distances;

    #[test]
    fn distances_are_those_of_full_tables_in_any_order() {
        for seed in 0..200 {
            let case = case(seed);
            let graph = Graph::new(&case.map, &MovementProfile { footprint: 1, ..case.movement });
            let graph = graph.unwrap();
            let at = |cells: &[Cell]| cells.iter().filter_map(|&c| graph.vertex(c)).collect();
            let (starts, goals): (Vec<Vertex>, Vec<Vertex>) = (at(&case.starts), at(&case.goals));
            let units = starts.len().min(goals.len());
            let ends = (&starts[..units], &goals[..units]);
            let full = Distances::new(&graph, ends.1);
            let threads = 1 + seed as usize % 3;
            let lazy =
                LazyDistances::compute(&graph, ends, seed as u32 % 5, threads, Budget::unlimited());
            let mut lazy = lazy.unwrap();
            assert!(LazyDistances::fits(&graph));
            let mut rng = throng_testkit::rng(seed);
            for _ in 0..if units == 0 { 0 } else { 500 } {
                let unit = rng.random_range(0..units as u32) as usize;
                let vertex = Vertex(rng.random_range(0..graph.len() as u32));
                assert_eq!(lazy.get(unit, vertex), full.get(unit, vertex), "case {seed}");
            }
        }
    }
}
