//! The ghost with its collision cache: what the grid-level search expands nodes with.

use crate::{Ghost, GhostMove, GhostNode};

use super::Location;
use super::change_map::ChangeMap;
use super::collision_cache::CollisionCache;
use super::lattice::reach;
use super::metrics::WalkMetrics;

/// A ghost, its collision cache, and the counters of the present walk.
pub(crate) struct CachedGhost<'a> {
    pub(crate) ghost: Ghost<'a>,
    pub(crate) collisions: Option<&'a mut CollisionCache>,
    pub(crate) changes: &'a ChangeMap,
    pub(crate) metrics: &'a mut WalkMetrics,
}

impl CachedGhost<'_> {
    /// The steps that the ghost can take.
    pub(crate) fn moves(&mut self, from: GhostNode, moves: &mut Vec<GhostMove>) {
        match &mut self.collisions {
            Some(cache) => cache.moves(&self.ghost, self.changes, from, moves, self.metrics),
            None => self.ghost.moves(from, moves),
        }
    }

    /// Whether a node can be the last of a path: one straight step leads from it to the location.
    pub(crate) fn reaches(&self, from: GhostNode, location: Location) -> bool {
        let at = self.ghost.point(from);
        from.level == location.level
            && at.distance_squared(location.at) <= reach(&self.ghost).powi(2)
            && self.ghost.can_step(at, location.at, location.level)
    }
}
