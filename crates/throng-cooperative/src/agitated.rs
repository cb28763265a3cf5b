//! A* with noise in its estimate, for units that lose their nerve.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_spacetime::{Position, Space};

/// A* whose estimate is noisy in proportion to the unit's agitation (Silver 2005, "Local
/// Repair A*"). Owns its memory.
#[derive(Clone, Debug)]
pub(crate) struct AgitatedAStar {
    /// By position: which search, the cost, the position before.
    nodes: Vec<(u32, u64, Position)>,
    open: BinaryHeap<Reverse<(u64, u64, Position)>>,
    stamp: u32,
    /// Once so many nodes are expanded, no way is found any more.
    pub(crate) limit: u64,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) peak_open: usize,
}

impl Default for AgitatedAStar {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            stamp: 0,
            limit: u64::MAX,
            expanded: 0,
            generated: 0,
            peak_open: 0,
        }
    }
}

/// What a search is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errand {
    pub(crate) start: Position,
    pub(crate) goal: Position,
    /// Most noise.
    pub(crate) agitation: u64,
    /// Decides the noise.
    pub(crate) seed: u64,
}

impl AgitatedAStar {
    /// Writes the way to the goal, the next position last; whether there is one.
    pub(crate) fn find<S: Space>(
        &mut self,
        space: &S,
        errand: Errand,
        is_blocked: impl Fn(Position) -> bool,
        route: &mut Vec<Position>,
    ) -> bool {
        route.clear();
        self.begin(space.positions());
        self.nodes[errand.start.get()] = (self.stamp, 0, errand.start);
        self.open.push(Reverse((0, 0, errand.start)));
        while let Some(Reverse((_, cost, at))) = self.open.pop() {
            if at == errand.goal {
                self.trace(errand, route);
                return true;
            }
            if cost > self.nodes[at.get()].1 {
                continue;
            }
            if self.expanded >= self.limit {
                return false;
            }
            self.expanded += 1;
            self.peak_open = self.peak_open.max(self.open.len());
            space.for_each_move(at, |step| {
                if !is_blocked(step.to) {
                    let estimate = space.estimate(step.to, errand.goal) + noise(errand, step.to);
                    self.offer(at, step.to, cost + step.cost, estimate);
                }
            });
        }
        false
    }

    fn begin(&mut self, positions: usize) {
        if self.nodes.len() != positions || self.stamp == u32::MAX {
            self.nodes.clear();
            self.nodes.resize(positions, (0, 0, Position(0)));
            self.stamp = 0;
        }
        self.stamp += 1;
        self.open.clear();
    }

    fn offer(&mut self, from: Position, to: Position, cost: u64, estimate: u64) {
        self.generated += 1;
        let node = &mut self.nodes[to.get()];
        if node.0 != self.stamp || cost < node.1 {
            *node = (self.stamp, cost, from);
            self.open.push(Reverse((cost + estimate, cost, to)));
        }
    }

    fn trace(&self, errand: Errand, route: &mut Vec<Position>) {
        let mut at = errand.goal;
        while at != errand.start {
            route.push(at);
            at = self.nodes[at.get()].2;
        }
    }
}

/// The noise at a position: the same within one search.
fn noise(errand: Errand, at: Position) -> u64 {
    let mixed = (errand.seed ^ u64::from(at.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
    mixed % (errand.agitation + 1)
}
