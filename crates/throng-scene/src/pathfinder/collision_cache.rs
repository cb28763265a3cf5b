//! The collision cache (CC): which of the eight steps from a lattice node are free.
//!
//! Lanctot et al. (2006), "Movement and pathfinding": every move at grid level needs a collision
//! check; the answers for the static environment are kept.

use crate::{Ghost, GhostMove, GhostNode};
use throng_model::Revision;

use super::bounded_cache::BoundedCache;
use super::change_map::ChangeMap;
use super::lattice::key;
use super::metrics::WalkMetrics;

#[derive(Clone, Copy, Debug)]
struct Steps {
    /// A bit for every direction that is free.
    free: u16,
    revision: Revision,
}

/// One entry per lattice node, because a search needs all eight steps of a node together.
#[derive(Clone, Debug)]
pub(crate) struct CollisionCache {
    steps: BoundedCache<u64, Steps>,
}

impl CollisionCache {
    pub(crate) fn new(entries_max: usize) -> Self {
        Self { steps: BoundedCache::new(entries_max) }
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// As [`Ghost::moves`], but tests only the steps of unknown nodes.
    pub(crate) fn moves(
        &mut self,
        ghost: &Ghost<'_>,
        changes: &ChangeMap,
        from: GhostNode,
        moves: &mut Vec<GhostMove>,
        metrics: &mut WalkMetrics,
    ) {
        let at = ghost.point(from);
        let known = self.steps.get(key(from));
        if let Some(steps) = known.filter(|k| changes.is_unchanged(at, from.level, k.revision)) {
            metrics.collision_hits += 8;
            ghost.moves_if(from, |from, to| steps.free & bit(from, to) != 0, moves);
            return;
        }
        metrics.collision_misses += 8;
        let mut free = 0;
        let test = |from: GhostNode, to: GhostNode| {
            let is_free = ghost.can_move(from, to);
            free |= if is_free { bit(from, to) } else { 0 };
            is_free
        };
        ghost.moves_if(from, test, moves);
        self.steps.insert(key(from), Steps { free, revision: changes.now() });
    }
}

/// The bit of the direction from one node to another.
fn bit(from: GhostNode, to: GhostNode) -> u16 {
    let (dx, dy) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    1 << ((dy + 1) * 3 + dx + 1)
}
