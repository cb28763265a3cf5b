//! Breadth-first search on maps of at most 64 columns, a row of the map per machine word.
//!
//! All cells of a row advance at once by shifts. On a map of 64 x 64 cells this takes a third of
//! the time of a queue.

use throng_model::Cell;

use crate::{Graph, Vertex};

/// The free cells of each row as bits, with a wall row above and below.
#[derive(Clone, Debug)]
pub(crate) struct BitRows {
    free: Vec<u64>,
    /// The position of each bit.
    vertices: Vec<Vertex>,
}

/// Scratch memory of floods.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitScratch {
    unseen: Vec<u64>,
    front: Vec<u64>,
}

const COLUMNS: usize = 64;

impl BitRows {
    /// For four-connected graphs of at most 64 columns.
    pub(crate) fn new(graph: &Graph) -> Option<Self> {
        if graph.has_diagonals() || graph.width() as usize > COLUMNS {
            return None;
        }
        let rows = graph.height() as usize + 2;
        let mut bits = Self { free: vec![0; rows], vertices: vec![Vertex::NONE; rows * COLUMNS] };
        for number in 0..graph.len() as u32 {
            let Cell { x, y } = graph.cell(Vertex(number));
            let (x, row) = (usize::from(x), usize::from(y) + 1);
            bits.free[row] |= 1 << x;
            bits.vertices[row * COLUMNS + x] = Vertex(number);
        }
        Some(bits)
    }

    /// Calls `reach` with every position that is connected with the goal and its distance,
    /// the nearest first; ends early when that says no.
    pub(crate) fn flood(
        &self,
        goal: Cell,
        scratch: &mut BitScratch,
        mut reach: impl FnMut(Vertex, u32) -> bool,
    ) {
        let BitScratch { unseen, front } = scratch;
        unseen.clone_from(&self.free);
        front.clear();
        front.resize(self.free.len(), 0);
        let row = usize::from(goal.y) + 1;
        let bit = 1 << goal.x;
        front[row] = bit;
        unseen[row] &= !bit;
        if !reach(self.vertices[row * COLUMNS + usize::from(goal.x)], 0) {
            return;
        }
        let (mut top, mut bottom) = (row, row);
        for distance in 1.. {
            top = (top - 1).max(1);
            bottom = (bottom + 1).min(self.free.len() - 2);
            let mut above = 0;
            let mut reached = (usize::MAX, 0);
            for row in top..=bottom {
                let own = front[row];
                let next = (above | front[row + 1] | own << 1 | own >> 1) & unseen[row];
                above = own;
                front[row] = next;
                if next == 0 {
                    continue;
                }
                unseen[row] &= !next;
                reached = (reached.0.min(row), row);
                if !self.report(row, next, distance, &mut reach) {
                    return;
                }
            }
            // The row past the last may hold an old front: the range was clipped by walls only.
            if reached.0 == usize::MAX {
                return;
            }
            (top, bottom) = reached;
        }
    }

    #[inline]
    fn report(
        &self,
        row: usize,
        mut bits: u64,
        distance: u32,
        reach: &mut impl FnMut(Vertex, u32) -> bool,
    ) -> bool {
        let vertices = &self.vertices[row * COLUMNS..(row + 1) * COLUMNS];
        while bits != 0 {
            let column = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if !reach(vertices[column], distance) {
                return false;
            }
        }
        true
    }
}
