//! A* with noise in its heuristic, for LRA*'s agitated units.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_grid::kit::StampedArray;
use throng_model::Effort;
use throng_spacetime::{Position, Space};

/// A* whose heuristic is noisy in proportion to the unit's agitation (Silver 2005, "Local Repair
/// A*"). Owns its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgitatedAStar {
    /// By position: the cost, and the position before.
    nodes: StampedArray<(u64, Position)>,
    open: BinaryHeap<Reverse<(u64, u64, Position)>>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) peak_open: usize,
}

/// What to search, and how noisily.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoisyQuery {
    pub(crate) start: Position,
    pub(crate) goal: Position,
    /// The highest noise.
    pub(crate) agitation: u64,
    /// Decides the noise.
    pub(crate) seed: u64,
}

impl AgitatedAStar {
    /// Writes the path to the goal, the next position last; whether there is one that the effort
    /// allows to find.
    pub(crate) fn find<S: Space>(
        &mut self,
        space: &S,
        query: NoisyQuery,
        is_blocked: impl Fn(Position) -> bool,
        route: &mut Vec<Position>,
        effort: &mut Effort<'_>,
    ) -> bool {
        route.clear();
        self.nodes.begin(space.positions());
        self.open.clear();
        self.nodes.set(query.start.get(), (0, query.start));
        self.open.push(Reverse((0, 0, query.start)));
        while let Some(Reverse((_, cost, at))) = self.open.pop() {
            if at == query.goal {
                self.trace(query, route);
                return true;
            }
            if self.nodes.get(at.get()).is_some_and(|(best, _)| cost > best) {
                continue;
            }
            if !effort.expand() {
                return false;
            }
            self.expanded += 1;
            self.peak_open = self.peak_open.max(self.open.len());
            space.for_each_move(at, |step| {
                if !is_blocked(step.to) {
                    let heuristic = space.estimate(step.to, query.goal) + noise(query, step.to);
                    self.offer(at, step.to, cost + step.cost, heuristic);
                }
            });
        }
        false
    }

    fn offer(&mut self, from: Position, to: Position, cost: u64, heuristic: u64) {
        self.generated += 1;
        if self.nodes.get(to.get()).is_none_or(|(best, _)| cost < best) {
            self.nodes.set(to.get(), (cost, from));
            self.open.push(Reverse((cost + heuristic, cost, to)));
        }
    }

    fn trace(&self, query: NoisyQuery, route: &mut Vec<Position>) {
        let mut at = query.goal;
        while at != query.start {
            route.push(at);
            at = self.nodes.get(at.get()).map_or(query.start, |(_, before)| before);
        }
    }
}

/// The noise at a position: the same within one search.
fn noise(query: NoisyQuery, at: Position) -> u64 {
    let mixed = (query.seed ^ u64::from(at.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
    mixed % (query.agitation + 1)
}
