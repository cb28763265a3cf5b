//! Where a ghost can get: a flood that remembers only what it has seen.

use std::collections::BTreeSet;

use crate::{Ghost, GhostNode};

/// The lattice nodes that a ghost reaches from a start, nearest (in steps) first, at most
/// `places_max` of them. Memory grows with what is explored, never with the map.
#[must_use]
pub fn explore(ghost: &Ghost<'_>, start: GhostNode, places_max: usize) -> Vec<GhostNode> {
    let mut seen = BTreeSet::from([start]);
    let mut reached = vec![start];
    let mut moves = Vec::new();
    let mut next = 0;
    while next < reached.len() {
        ghost.moves(reached[next], &mut moves);
        next += 1;
        for step in &moves {
            if reached.len() < places_max && seen.insert(step.to) {
                reached.push(step.to);
            }
        }
    }
    reached
}
