//! Breadth-first search on maps of at most 64 columns, a row of the map per machine word.
//!
//! All cells of a row advance at once by shifts. Distances are kept as bits too: bit k of all
//! distances of a row is a word. Whenever bit k of the current distance changes, the words of
//! cells that are not reached yet change. So no step looks at single cells, until all distances
//! are written at the end. Each step looks at the rows between the first and the last that was
//! reached; other rows make up for it when they come in.

use std::ops::Range;

use throng_model::Cell;

use crate::distances::Distance;
use crate::{Graph, Vertex};

const COLUMNS: usize = 64;
/// Bits of a distance: more than a map of 64 columns has cells.
const BITS_MAX: usize = 22;

/// The free cells of each row as bits. Positions are numbered row by row.
#[derive(Clone, Debug)]
pub(crate) struct BitRows {
    free: Vec<u64>,
}

/// Scratch memory of floods.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitScratch {
    unseen: Vec<u64>,
    /// The cells reached last, with an empty row above and below.
    front: Vec<u64>,
    next: Vec<u64>,
    /// By bit: the words of all rows.
    planes: Vec<Vec<u64>>,
    /// By row: the distance up to which the planes are right.
    updated: Vec<u32>,
    /// The rows that the next step looks at.
    rows: Range<usize>,
}

impl BitRows {
    /// For four-connected graphs of at most 64 columns.
    pub(crate) fn new(graph: &Graph) -> Option<Self> {
        if graph.has_diagonals() || graph.width() as usize > COLUMNS {
            return None;
        }
        let rows = graph.height() as usize;
        let mut bits = Self { free: vec![0; rows] };
        for number in 0..graph.len() as u32 {
            let Cell { x, y } = graph.cell(Vertex(number));
            bits.free[usize::from(y)] |= 1 << x;
        }
        Some(bits)
    }

    /// Writes the distance of every position from a goal into a table, and
    /// [`Distance::UNKNOWN`] where there is no path; whether all distances fit.
    pub(crate) fn flood<D: Distance>(
        &self,
        goal: Cell,
        scratch: &mut BitScratch,
        table: &mut [D],
    ) -> bool {
        scratch.begin(&self.free, goal);
        let mut longest = 0;
        while scratch.advance(longest) {
            longest += 1;
        }
        let fits = D::of(longest).is_some();
        let mut rest = table;
        for (row, &free) in self.free.iter().enumerate() {
            let (cells, below) = rest.split_at_mut(free.count_ones() as usize);
            rest = below;
            if fits {
                scratch.write_row(row, free, longest, cells);
            }
        }
        fits
    }
}

impl BitScratch {
    /// Only the goal is reached, at distance 0.
    fn begin(&mut self, free: &[u64], goal: Cell) {
        let (row, bit) = (usize::from(goal.y), 1 << goal.x);
        self.unseen.clear();
        self.unseen.extend_from_slice(free);
        self.unseen[row] &= !bit;
        for front in [&mut self.front, &mut self.next] {
            front.clear();
            front.resize(free.len() + 2, 0);
        }
        self.front[row + 1] = bit;
        self.planes.resize_with(BITS_MAX, Vec::new);
        for plane in &mut self.planes {
            plane.clear();
            plane.resize(free.len(), 0);
        }
        self.updated.clear();
        self.updated.resize(free.len(), 0);
        self.rows = row..row;
        self.set_rows(row..row + 1, 0);
    }

    /// Reaches the cells beside those at this distance; whether there are any.
    fn advance(&mut self, distance: u32) -> bool {
        let rows = self.rows.clone();
        self.flip(rows.clone(), distance ^ (distance + 1));
        let [above, own, below] = [0, 1, 2].map(|by| &self.front[rows.start + by..rows.end + by]);
        let around = above.iter().zip(own).zip(below);
        let next = &mut self.next[rows.start + 1..=rows.end];
        for ((next, unseen), ((above, own), below)) in
            next.iter_mut().zip(&mut self.unseen[rows.clone()]).zip(around)
        {
            let reached = (above | below | own << 1 | own >> 1) & *unseen;
            *next = reached;
            *unseen ^= reached;
        }
        let Some(first) = next.iter().position(|&word| word != 0) else { return false };
        let last = next.iter().rposition(|&word| word != 0).unwrap_or(first);
        std::mem::swap(&mut self.front, &mut self.next);
        self.set_rows(rows.start + first..rows.start + last + 1, distance + 1);
        true
    }

    /// Changes some bits of the distances of all cells in some rows that are not reached yet.
    fn flip(&mut self, rows: Range<usize>, bits: u32) {
        let mut rest = bits;
        while rest != 0 {
            let plane = &mut self.planes[rest.trailing_zeros() as usize % BITS_MAX];
            rest &= rest - 1;
            for (word, unseen) in plane[rows.clone()].iter_mut().zip(&self.unseen[rows.clone()]) {
                *word ^= unseen;
            }
        }
    }

    /// The next step looks at the rows reached at this distance and those beside them. Notes how
    /// far the others are, and empties their fronts.
    fn set_rows(&mut self, reached: Range<usize>, distance: u32) {
        let old = self.rows.clone();
        let new = reached.start.saturating_sub(1)..(reached.end + 1).min(self.unseen.len());
        for row in (old.start..new.start).chain(new.end..old.end) {
            self.updated[row] = distance;
            self.next[row + 1] = 0;
            self.front[row + 1] = 0;
        }
        for row in (new.start..old.start).chain(old.end..new.end) {
            self.flip(row..row + 1, self.updated[row] ^ distance);
        }
        self.rows = new;
    }

    /// Writes the distances of the free cells of a row, none longer than `longest`.
    fn write_row<D: Distance>(&self, row: usize, free: u64, longest: u32, cells: &mut [D]) {
        let mut low = [0; COLUMNS];
        spread(&self.planes[..8], row, &mut low);
        let mut rest = free;
        for cell in &mut *cells {
            let column = rest.trailing_zeros() as usize % COLUMNS;
            rest &= rest - 1;
            *cell = D::from(low[column]);
        }
        if longest > u32::from(u8::MAX) || free & self.unseen[row] != 0 {
            self.write_exactly(row, free, cells);
        }
    }

    /// The same for distances of any length and cells that were not reached.
    fn write_exactly<D: Distance>(&self, row: usize, free: u64, cells: &mut [D]) {
        let mut rest = free;
        for cell in cells {
            let column = rest.trailing_zeros();
            rest &= rest - 1;
            let planes = self.planes.iter().enumerate();
            let bits = planes.map(|(bit, plane)| ((plane[row] >> column & 1) as u32) << bit);
            let is_reached = self.unseen[row] >> column & 1 == 0;
            let distance = is_reached.then(|| D::of(bits.sum()));
            *cell = distance.flatten().unwrap_or(D::UNKNOWN);
        }
    }
}

/// Adds a row of eight planes up to a byte per column.
#[inline]
fn spread(planes: &[Vec<u64>], row: usize, bytes: &mut [u8; COLUMNS]) {
    let mut words = [0_u64; 8];
    for (bit, plane) in planes.iter().enumerate() {
        for (word, byte) in words.iter_mut().zip(plane[row].to_le_bytes()) {
            *word |= SPREAD[usize::from(byte)] << bit;
        }
    }
    for (eight, word) in bytes.chunks_exact_mut(8).zip(words) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
}

/// By byte: its bits as the lowest bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{Map, MovementProfile};

    use super::*;

    /// The distances of a graph by breadth-first search with a queue.
    fn by_queue(graph: &Graph, goal: Vertex) -> Vec<u32> {
        let mut table = vec![u32::MAX; graph.len()];
        table[goal.get()] = 0;
        let (mut queue, mut next) = (vec![goal], 0);
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &to in graph.neighbours(at) {
                if table[to.get()] == u32::MAX {
                    table[to.get()] = table[at.get()] + 1;
                    queue.push(to);
                }
            }
        }
        table
    }

    fn check(map: &Map, goals: u32, seed: u64) {
        let graph = Graph::new(map, &MovementProfile::four_connected()).unwrap();
        let rows = BitRows::new(&graph).unwrap();
        let (mut scratch, mut table) = (BitScratch::default(), vec![0_u32; graph.len()]);
        let mut rng = throng_testkit::rng(seed);
        for _ in 0..goals {
            let goal = Vertex(rng.random_range(0..graph.len() as u32));
            assert!(rows.flood(graph.cell(goal), &mut scratch, &mut table));
            assert_eq!(table, by_queue(&graph, goal), "from {:?}", graph.cell(goal));
        }
    }

    #[test]
    fn floods_of_random_maps_are_those_of_a_queue() {
        for seed in 0..40 {
            let mut rng = throng_testkit::rng(seed);
            let (width, height) = (rng.random_range(1..65), rng.random_range(1..200));
            let mut map = Map::empty(width, height).unwrap();
            let walls: Vec<Cell> = map.cells().filter(|_| rng.random_range(0..100) < 38).collect();
            map.paint(&walls[1.min(walls.len())..], Map::WALL).unwrap();
            if map.cells().any(|cell| !walls.contains(&cell)) {
                check(&map, 5, seed);
            }
        }
    }

    #[test]
    fn rows_that_come_in_again_make_up_for_what_they_missed() {
        // Corridors that wind up and down: fronts leave rows and come back much later.
        let mut map = Map::empty(63, 50).unwrap();
        let is_wall = |c: &Cell| c.x % 2 == 1 && c.y != if c.x % 4 == 1 { 0 } else { 49 };
        let walls: Vec<Cell> = map.cells().filter(is_wall).collect();
        map.paint(&walls, Map::WALL).unwrap();
        check(&map, 20, 7);
    }
}
