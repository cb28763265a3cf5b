//! True distances in ticks: breadth-first search back from every goal, all of it.

use std::thread;

use throng_model::Budget;

use crate::bit_flood::{BitRows, BitScratch};
use crate::{Graph, TrueDistances, Vertex};

/// The distance of a position from which the goal is unreachable.
pub const UNREACHED: u32 = u32::MAX;

/// How many ticks a unit alone needs from every position to its goal.
///
/// Complete tables, one per distinct goal: time and memory are goals times positions. Tables
/// do not depend on the number of threads.
///
/// ```
/// use throng_anytime::{Distances, Graph};
/// use throng_model::{Cell, Map, MovementProfile};
/// let graph = Graph::new(&Map::empty(3, 2)?, &MovementProfile::four_connected())?;
/// let corners = [Cell::new(0, 0), Cell::new(2, 1)].map(|cell| graph.vertex(cell));
/// let [Some(first), Some(last)] = corners else { return Err("a wall".into()) };
/// let distances = Distances::new(&graph, &[last]);
/// assert_eq!(distances.get(0, first), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distances {
    tables: Tables,
    /// Where the table of each unit begins.
    first: Vec<usize>,
    positions: usize,
}

/// Flat tables, `positions` entries each. The largest value means unreached.
#[derive(Clone, Debug)]
enum Tables {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// The distances of one unit. The largest value means unreached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table<'a> {
    Narrow(&'a [u16]),
    Wide(&'a [u32]),
}

impl Distances {
    /// The distances of each unit to its goal, on one thread.
    #[must_use]
    pub fn new(graph: &Graph, goals: &[Vertex]) -> Self {
        let (distinct, first) = distinct(graph, goals);
        let positions = graph.len();
        let tables = flood(graph, &distinct, 1, Budget::unlimited());
        let tables = tables.unwrap_or(Tables::Narrow(Vec::new()));
        Self { tables, first, positions }
    }

    /// The distances of each unit to its goal, on some threads; `None` when the interrupt
    /// said stop. Expansions are not counted.
    #[must_use]
    pub fn compute(
        graph: &Graph,
        goals: &[Vertex],
        threads: usize,
        budget: Budget<'_>,
    ) -> Option<Self> {
        let (distinct, first) = distinct(graph, goals);
        let tables = flood(graph, &distinct, threads, budget)?;
        Some(Self { tables, first, positions: graph.len() })
    }

    /// Ticks from a position to the goal of the unit with this index; [`UNREACHED`] if there
    /// is no path.
    #[inline]
    #[must_use]
    pub fn get(&self, unit: usize, vertex: Vertex) -> u32 {
        let at = self.first[unit] + vertex.get();
        match &self.tables {
            Tables::Narrow(table) => widened(table[at]),
            Tables::Wide(table) => table[at],
        }
    }

    /// The distances of one unit by position, for inner loops.
    pub(crate) fn table(&self, unit: usize) -> Table<'_> {
        let range = self.first[unit]..self.first[unit] + self.positions;
        match &self.tables {
            Tables::Narrow(table) => Table::Narrow(&table[range]),
            Tables::Wide(table) => Table::Wide(&table[range]),
        }
    }

    /// Positions per table.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables = match &self.tables {
            Tables::Narrow(table) => table.capacity() * size_of::<u16>(),
            Tables::Wide(table) => table.capacity() * size_of::<u32>(),
        };
        tables + self.first.capacity() * size_of::<usize>()
    }
}

impl TrueDistances for Distances {
    #[inline]
    fn get(&mut self, unit: usize, vertex: Vertex) -> u32 {
        Self::get(self, unit, vertex)
    }
}

#[inline]
fn widened(distance: u16) -> u32 {
    if distance == u16::MAX { UNREACHED } else { u32::from(distance) }
}

/// The distinct goals in order of appearance, and where each unit's table begins.
fn distinct(graph: &Graph, goals: &[Vertex]) -> (Vec<Vertex>, Vec<usize>) {
    let mut table_of = vec![usize::MAX; graph.len()];
    let (mut distinct, mut first) = (Vec::new(), Vec::with_capacity(goals.len()));
    for &goal in goals {
        if table_of[goal.get()] == usize::MAX {
            table_of[goal.get()] = distinct.len() * graph.len();
            distinct.push(goal);
        }
        first.push(table_of[goal.get()]);
    }
    (distinct, first)
}

/// All tables, narrow if the distances allow it; `None` when interrupted.
fn flood(graph: &Graph, goals: &[Vertex], threads: usize, budget: Budget<'_>) -> Option<Tables> {
    let mut narrow = vec![u16::MAX; goals.len() * graph.len()];
    match flood_all(graph, goals, threads, budget, &mut narrow) {
        Flooded::Done => return Some(Tables::Narrow(narrow)),
        Flooded::Interrupted => return None,
        Flooded::TooFar => drop(narrow),
    }
    let mut wide = vec![u32::MAX; goals.len() * graph.len()];
    match flood_all(graph, goals, threads, budget, &mut wide) {
        Flooded::Done => Some(Tables::Wide(wide)),
        _ => None,
    }
}

/// How a flood ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Flooded {
    Done,
    /// A distance does not fit into an entry.
    TooFar,
    Interrupted,
}

fn flood_all<D: Distance>(
    graph: &Graph,
    goals: &[Vertex],
    threads: usize,
    budget: Budget<'_>,
    tables: &mut [D],
) -> Flooded {
    let share = goals.len().div_ceil(threads.max(1)).max(1);
    let positions = graph.len().max(1);
    let mut batches = goals.chunks(share).zip(tables.chunks_mut(share * positions));
    let own = batches.next();
    let flooder = Flooder { graph, rows: BitRows::new(graph), budget };
    let run = |(goals, tables): (&[Vertex], &mut [D])| flooder.flood_batch(goals, tables);
    let run = &run;
    thread::scope(|scope| {
        let workers: Vec<_> = batches.map(|batch| scope.spawn(move || run(batch))).collect();
        let mut worst = own.map_or(Flooded::Done, run);
        for worker in workers {
            match worker.join() {
                Ok(ended) => worst = worst.max(ended),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        worst
    })
}

/// Fills tables.
struct Flooder<'a> {
    graph: &'a Graph,
    rows: Option<BitRows>,
    budget: Budget<'a>,
}

impl Flooder<'_> {
    fn flood_batch<D: Distance>(&self, goals: &[Vertex], tables: &mut [D]) -> Flooded {
        let (mut queue, mut bits) = (Vec::new(), BitScratch::default());
        for (&goal, table) in goals.iter().zip(tables.chunks_mut(self.graph.len().max(1))) {
            if self.budget.is_interrupted() {
                return Flooded::Interrupted;
            }
            let fits = match &self.rows {
                Some(rows) => rows.flood(self.graph.cell(goal), &mut bits, table),
                None => self.flood_one(goal, table, &mut queue),
            };
            if !fits {
                return Flooded::TooFar;
            }
        }
        Flooded::Done
    }

    /// Fills one table with a queue; whether all distances fit.
    fn flood_one<D: Distance>(
        &self,
        goal: Vertex,
        table: &mut [D],
        queue: &mut Vec<Vertex>,
    ) -> bool {
        queue.clear();
        queue.push(goal);
        table[goal.get()] = D::ZERO;
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            let Some(distance) = table[at.get()].next() else { return false };
            for &to in self.graph.neighbours(at) {
                if table[to.get()] == D::UNKNOWN {
                    table[to.get()] = distance;
                    queue.push(to);
                }
            }
        }
        true
    }
}

/// An entry of a table.
pub(crate) trait Distance: Copy + From<u8> + PartialEq + Send {
    const ZERO: Self;
    const UNKNOWN: Self;
    /// One tick more; `None` if that does not fit.
    fn next(self) -> Option<Self>;
    /// A number of ticks; `None` if that does not fit.
    fn of(ticks: u32) -> Option<Self>;
}

impl Distance for u16 {
    const ZERO: Self = 0;
    const UNKNOWN: Self = Self::MAX;
    #[inline]
    fn next(self) -> Option<Self> {
        (self < Self::MAX - 1).then(|| self + 1)
    }
    #[inline]
    fn of(ticks: u32) -> Option<Self> {
        Self::try_from(ticks).ok().filter(|&ticks| ticks != Self::UNKNOWN)
    }
}

impl Distance for u32 {
    const ZERO: Self = 0;
    const UNKNOWN: Self = Self::MAX;
    #[inline]
    fn next(self) -> Option<Self> {
        (self < Self::MAX - 1).then(|| self + 1)
    }
    #[inline]
    fn of(ticks: u32) -> Option<Self> {
        (ticks != Self::UNKNOWN).then_some(ticks)
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Cell, Map, MovementProfile, STRAIGHT};
    use throng_testkit::{case, oracle};

    use super::*;

    #[test]
    fn distances_are_those_of_the_oracle_for_any_number_of_threads() {
        for seed in 0..60 {
            let case = case(seed);
            let movement = MovementProfile { footprint: 1, ..case.movement }.by_time(&case.map);
            let graph = Graph::new(&case.map, &movement).unwrap();
            let goals: Vec<Vertex> = case.goals.iter().filter_map(|&c| graph.vertex(c)).collect();
            let one = Distances::new(&graph, &goals);
            let three = Distances::compute(&graph, &goals, 3, Budget::unlimited()).unwrap();
            for (unit, &goal) in goals.iter().enumerate() {
                let costs = oracle::costs_from(&case.map, &movement, &[graph.cell(goal)]);
                for (cell, cost) in case.map.cells().zip(costs) {
                    let Some(vertex) = graph.vertex(cell) else { continue };
                    let expected = cost.map_or(UNREACHED, |cost| (cost / STRAIGHT) as u32);
                    assert_eq!(one.get(unit, vertex), expected);
                    assert_eq!(three.get(unit, vertex), expected);
                }
            }
        }
    }

    #[test]
    fn distances_beyond_16_bits_are_exact() {
        // One corridor that winds through the map.
        let side = 400_u16;
        let mut map = Map::empty(u32::from(side), u32::from(side)).unwrap();
        let open =
            |c: &Cell| c.y.is_multiple_of(2) || c.x == if c.y % 4 == 1 { side - 1 } else { 0 };
        let walls: Vec<Cell> = map.cells().filter(|cell| !open(cell)).collect();
        map.paint(&walls, Map::WALL).unwrap();
        let graph = Graph::new(&map, &MovementProfile::four_connected()).unwrap();
        let first = graph.vertex(Cell::new(0, 0)).unwrap();
        let distances = Distances::new(&graph, &[first, first]);
        let furthest = (0..graph.len() as u32).map(|v| distances.get(1, Vertex(v))).max();
        assert_eq!(furthest, Some(graph.len() as u32 - 1));
        assert_eq!(distances.bytes(), graph.len() * 4 + 16, "one table for one goal");
    }

    #[test]
    fn an_interrupt_ends_the_work() {
        let graph = Graph::new(&Map::empty(4, 4).unwrap(), &MovementProfile::four_connected());
        let stop = || true;
        let budget = Budget::unlimited().with_interrupt(&stop);
        assert!(Distances::compute(&graph.unwrap(), &[Vertex(0)], 2, budget).is_none());
    }
}
