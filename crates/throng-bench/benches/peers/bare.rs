//! The simplest code for fields and component labels, as a baseline.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::{Cell, DIAGONAL, Map, STRAIGHT};

/// A cell that is free and not reached yet.
const UNSEEN: u32 = u32::MAX;
/// Larger than any distance.
const WALL: u32 = u32::MAX - 1;

/// A flat grid of 32-bit numbers with a border of walls.
pub(crate) struct Bare {
    stride: usize,
    /// The initial values: every cell unseen or wall.
    blank: Vec<u32>,
    values: Vec<u32>,
    queue: Vec<u32>,
}

impl Bare {
    pub(crate) fn new(map: &Map) -> Self {
        let stride = usize::from(map.width()) + 2;
        let blank = vec![WALL; stride * (usize::from(map.height()) + 2)];
        let mut bare = Self { stride, values: blank.clone(), blank, queue: Vec::new() };
        for cell in map.cells().filter(|&cell| map.is_passable(cell)) {
            let at = bare.at(cell);
            bare.blank[at] = UNSEEN;
        }
        bare
    }

    fn at(&self, cell: Cell) -> usize {
        (usize::from(cell.y) + 1) * self.stride + usize::from(cell.x) + 1
    }

    /// The value of a cell; `None` if it was not reached.
    pub(crate) fn value(&self, cell: Cell) -> Option<u32> {
        Some(self.values[self.at(cell)]).filter(|&value| value < WALL)
    }

    /// Breadth-first search from the goal, 4-connected.
    pub(crate) fn sweep(&mut self, goal: Cell) {
        self.values.copy_from_slice(&self.blank);
        let start = self.at(goal);
        self.values[start] = 0;
        self.queue.clear();
        self.queue.push(start as u32);
        let mut head = 0;
        while head < self.queue.len() {
            let at = self.queue[head] as usize;
            head += 1;
            let next = self.values[at] + 1;
            for reached in [at - self.stride, at - 1, at + 1, at + self.stride] {
                if self.values[reached] == UNSEEN {
                    self.values[reached] = next;
                    self.queue.push(reached as u32);
                }
            }
        }
    }

    /// Labels the 4-connected components. Returns their number.
    pub(crate) fn label(&mut self) -> u32 {
        self.values.copy_from_slice(&self.blank);
        let mut parts = 0;
        for first in 0..self.values.len() {
            if self.values[first] == UNSEEN {
                self.fill(first, parts);
                parts += 1;
            }
        }
        parts
    }

    fn fill(&mut self, first: usize, label: u32) {
        self.values[first] = label;
        self.queue.push(first as u32);
        while let Some(at) = self.queue.pop() {
            let at = at as usize;
            for reached in [at - self.stride, at - 1, at + 1, at + self.stride] {
                if self.values[reached] == UNSEEN {
                    self.values[reached] = label;
                    self.queue.push(reached as u32);
                }
            }
        }
    }

    /// Dijkstra's algorithm with a binary heap, eight-connected, no corners cut.
    pub(crate) fn dijkstra(&mut self, goal: Cell) {
        self.values.copy_from_slice(&self.blank);
        let mut heap = BinaryHeap::new();
        let start = self.at(goal);
        self.values[start] = 0;
        heap.push(Reverse((0, start as u32)));
        while let Some(Reverse((distance, at))) = heap.pop() {
            let at = at as usize;
            if self.values[at] < distance {
                continue;
            }
            for (reached, cost) in self.steps(at) {
                let offer = distance + cost;
                // No step ends on a wall, and unseen values are larger than any offer.
                if offer < self.values[reached] {
                    self.values[reached] = offer;
                    heap.push(Reverse((offer, reached as u32)));
                }
            }
        }
    }

    fn steps(&self, at: usize) -> impl Iterator<Item = (usize, u32)> + use<> {
        let (up, down) = (at - self.stride, at + self.stride);
        let free = |at: usize| self.blank[at] == UNSEEN;
        let (north, south, west, east) = (free(up), free(down), free(at - 1), free(at + 1));
        let (straight, diagonal) = (STRAIGHT as u32, DIAGONAL as u32);
        [
            (north, up, straight),
            (south, down, straight),
            (west, at - 1, straight),
            (east, at + 1, straight),
            (north && west && free(up - 1), up - 1, diagonal),
            (north && east && free(up + 1), up + 1, diagonal),
            (south && west && free(down - 1), down - 1, diagonal),
            (south && east && free(down + 1), down + 1, diagonal),
        ]
        .into_iter()
        .filter_map(|(legal, reached, cost)| legal.then_some((reached, cost)))
    }
}
