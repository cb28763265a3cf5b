//! The ghost with its collision cache: what the search at grid level walks with.

use crate::{Ghost, GhostMove, GhostNode};

use super::Place;
use super::collision_cache::CollisionCache;
use super::freshness::Freshness;
use super::lattice::reach;
use super::metrics::WalkMetrics;

/// A ghost, what it remembers of collisions, and what it has cost.
pub(crate) struct Feet<'a> {
    pub(crate) ghost: Ghost<'a>,
    pub(crate) collisions: Option<&'a mut CollisionCache>,
    pub(crate) freshness: &'a Freshness,
    pub(crate) metrics: &'a mut WalkMetrics,
}

impl Feet<'_> {
    /// The steps that the ghost can take.
    pub(crate) fn moves(&mut self, from: GhostNode, moves: &mut Vec<GhostMove>) {
        match &mut self.collisions {
            Some(cache) => cache.moves(&self.ghost, self.freshness, from, moves, self.metrics),
            None => self.ghost.moves(from, moves),
        }
    }

    /// Whether the last step of a way, from the lattice to a place beside it, can be made.
    pub(crate) fn reaches(&self, from: GhostNode, place: Place) -> bool {
        let at = self.ghost.point(from);
        from.level == place.level
            && at.distance_squared(place.at) <= reach(&self.ghost).powi(2)
            && self.ghost.can_step(at, place.at, place.level)
    }
}
