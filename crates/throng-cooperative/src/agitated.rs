//! A* with noise in its estimate, for units that lose their nerve.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_grid::kit::StampedArray;
use throng_spacetime::{Position, Space};

/// A* whose estimate is noisy in proportion to the unit's agitation (Silver 2005, "Local
/// Repair A*"). Owns its memory.
#[derive(Clone, Debug)]
pub(crate) struct AgitatedAStar {
    /// By position: the cost, and the position before.
    nodes: StampedArray<(u64, Position)>,
    open: BinaryHeap<Reverse<(u64, u64, Position)>>,
    /// Once so many nodes are expanded, no way is found any more.
    pub(crate) limit: u64,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) peak_open: usize,
}

impl Default for AgitatedAStar {
    fn default() -> Self {
        Self {
            nodes: StampedArray::default(),
            open: BinaryHeap::new(),
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
        self.nodes.set(errand.start.get(), (0, errand.start));
        self.open.push(Reverse((0, 0, errand.start)));
        while let Some(Reverse((_, cost, at))) = self.open.pop() {
            if at == errand.goal {
                self.trace(errand, route);
                return true;
            }
            if self.nodes.get(at.get()).is_some_and(|(best, _)| cost > best) {
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
        self.nodes.begin(positions);
        self.open.clear();
    }

    fn offer(&mut self, from: Position, to: Position, cost: u64, estimate: u64) {
        self.generated += 1;
        if self.nodes.get(to.get()).is_none_or(|(best, _)| cost < best) {
            self.nodes.set(to.get(), (cost, from));
            self.open.push(Reverse((cost + estimate, cost, to)));
        }
    }

    fn trace(&self, errand: Errand, route: &mut Vec<Position>) {
        let mut at = errand.goal;
        while at != errand.start {
            route.push(at);
            at = self.nodes.get(at.get()).map_or(errand.start, |(_, before)| before);
        }
    }
}

/// The noise at a position: the same within one search.
fn noise(errand: Errand, at: Position) -> u64 {
    let mixed = (errand.seed ^ u64::from(at.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
    mixed % (errand.agitation + 1)
}
