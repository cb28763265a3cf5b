//! Makes a path exact within a band around itself.
//!
//! A path over gates bends where the gates are. The best path is seldom far from it: it is
//! searched for among the cells that lie within a few steps of it, and only as long as it
//! can still be shorter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::Cell;

use super::plane::{Plane, STRAIGHT};

/// How far from the path the band reaches, in cells.
const REACH: i32 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    cost: u32,
    /// The window for which it was marked as part of the band.
    round: u32,
    /// The direction in which the search came, 8: none yet.
    arrival: u8,
}

const NO_ARRIVAL: u8 = 8;
const OFFSETS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// The search and its memory: a rectangle around the path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    nodes: Vec<Node>,
    round: u32,
    left: i32,
    top: i32,
    stride: i32,
    open: BinaryHeap<Reverse<u64>>,
    pub(crate) expanded: u64,
}

impl Band {
    /// Replaces the path by the best one inside of its band, with the same ends.
    pub(crate) fn improve(&mut self, plane: &Plane, path: &mut Vec<Cell>) {
        let (Some(&start), Some(&goal)) = (path.first(), path.last()) else { return };
        if path.len() < 3 || !self.mark(plane, path) {
            return;
        }
        let known = cost(plane, path);
        if self.search(plane, start, goal, known) {
            self.trace(start, goal, path);
        }
    }

    /// Marks the band; false if the path is too long for it.
    fn mark(&mut self, plane: &Plane, path: &[Cell]) -> bool {
        let columns = || path.iter().map(|cell| i32::from(cell.x));
        let rows = || path.iter().map(|cell| i32::from(cell.y));
        let limit = |value: Option<i32>| value.unwrap_or(0);
        // One more on each side, so that no neighbour is outside.
        self.left = limit(columns().min()) - REACH - 1;
        self.top = limit(rows().min()) - REACH - 1;
        self.stride = limit(columns().max()) + REACH + 2 - self.left;
        let height = limit(rows().max()) + REACH + 2 - self.top;
        let size = (self.stride * height) as usize;
        if size > 1 << INDEX_BITS {
            return false;
        }
        if self.round == u32::MAX {
            self.nodes.clear();
            self.round = 0;
        }
        self.round += 1;
        if self.nodes.len() < size {
            self.nodes.resize(size, Node::default());
        }
        for cell in path {
            self.mark_around(plane, *cell);
        }
        true
    }

    /// Marks a cross around a cell: those of all cells of a path make a band.
    fn mark_around(&mut self, plane: &Plane, cell: Cell) {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let fresh = Node { cost: u32::MAX, round: self.round, arrival: NO_ARRIVAL };
        for step in -REACH..=REACH {
            for (x, y) in [(x + step, y), (x, y + step)] {
                if plane.factor(x, y) != 0 {
                    let at = self.at(x, y);
                    self.nodes[at] = fresh;
                }
            }
        }
    }

    #[inline]
    fn at(&self, x: i32, y: i32) -> usize {
        ((y - self.top) * self.stride + x - self.left) as usize
    }

    fn search(&mut self, plane: &Plane, start: Cell, goal: Cell, known: u32) -> bool {
        let factor = plane.least_factor();
        let to = (i32::from(goal.x), i32::from(goal.y));
        let estimate =
            |x: i32, y: i32| (plane.rules.estimate(x.abs_diff(to.0), y.abs_diff(to.1)) * factor) as u32;
        let (first, last) =
            (self.at(i32::from(start.x), i32::from(start.y)), self.at(to.0, to.1));
        self.open.clear();
        self.nodes[first].cost = 0;
        self.open.push(key(0, 0, first));
        while let Some(Reverse(packed)) = self.open.pop() {
            let at = (packed & INDEX_MASK) as usize;
            if at == last {
                return true;
            }
            let (x, y) = (at as i32 % self.stride + self.left, at as i32 / self.stride + self.top);
            let cost = self.nodes[at].cost;
            let rest = estimate(x, y);
            if at != first && packed >> (2 * INDEX_BITS) != u64::from(cost + rest) {
                continue; // A shorter way here was found since.
            }
            self.expanded += 1;
            for direction in 0..if plane.rules.has_diagonals { 8 } else { 4 } {
                let (dx, dy) = OFFSETS[direction];
                let next = self.at(x + dx, y + dy);
                let node = self.nodes[next];
                if node.round != self.round {
                    continue;
                }
                let base = if direction < 4 { STRAIGHT } else { plane.rules.diagonal };
                let total = cost + base * u32::from(plane.factor(x + dx, y + dy));
                if total >= node.cost {
                    continue;
                }
                if direction >= 4 {
                    let beside = [plane.factor(x + dx, y) != 0, plane.factor(x, y + dy) != 0];
                    if !plane.rules.passes(beside) {
                        continue;
                    }
                }
                let rest = estimate(x + dx, y + dy);
                if total + rest <= known {
                    self.nodes[next] =
                        Node { cost: total, round: self.round, arrival: direction as u8 };
                    self.open.push(key(total + rest, rest, next));
                }
            }
        }
        false
    }

    fn trace(&self, start: Cell, goal: Cell, path: &mut Vec<Cell>) {
        path.clear();
        let (mut x, mut y) = (i32::from(goal.x), i32::from(goal.y));
        loop {
            path.push(Cell::new(x as u16, y as u16));
            let arrival = self.nodes[self.at(x, y)].arrival;
            if arrival == NO_ARRIVAL || (x, y) == (i32::from(start.x), i32::from(start.y)) {
                break;
            }
            let (dx, dy) = OFFSETS[usize::from(arrival)];
            (x, y) = (x - dx, y - dy);
        }
        path.reverse();
    }
}

/// Bits of a key for the place in the rectangle, and again for the rest of the way.
const INDEX_BITS: u32 = 20;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;

/// Orders by the whole way, then the rest of it, then the place.
fn key(whole: u32, rest: u32, at: usize) -> Reverse<u64> {
    let rest = u64::from(rest).min(INDEX_MASK);
    Reverse(u64::from(whole) << (2 * INDEX_BITS) | rest << INDEX_BITS | at as u64)
}

/// What a path costs, in the hierarchy's own measure.
fn cost(plane: &Plane, path: &[Cell]) -> u32 {
    path.windows(2)
        .map(|step| {
            let diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
            let base = if diagonal { plane.rules.diagonal } else { STRAIGHT };
            base * u32::from(plane.factor(i32::from(step[1].x), i32::from(step[1].y)))
        })
        .sum()
}
