//! Grid level (GR): A* by moving the ghost player around.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "Movement and pathfinding"; Hart, Nilsson, Raphael:
//! *A Formal Basis for the Heuristic Determination of Minimum Cost Paths* (1968).
//!
//! Complete on the lattice. Of nodes with the same estimate the one farther from the start
//! comes first, then the one that was reached first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_scene::{GhostMove, GhostNode, ZoneId};

use super::Place;
use super::feet::Feet;
use super::lattice::{diagonal_distance, key, place, straight_distance};
use super::node_index::NodeIndex;
use super::path_cache::PathCache;

/// Where a search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// Exactly to a place of the lattice.
    Node(GhostNode),
    /// To a place beside the lattice, by a last straight step.
    Place(Place),
}

/// What a search is asked for.
pub(crate) struct Errand<'a> {
    pub(crate) from: GhostNode,
    pub(crate) to: Target,
    /// Zones that were left behind: the ghost does not walk there.
    pub(crate) blocked: &'a [ZoneId],
    pub(crate) nodes_max: u32,
}

/// A way along the lattice. The length includes the last step to a place beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GhostPath {
    /// The places of the lattice, each with the length of the step to it.
    pub(crate) steps: Vec<GhostMove>,
    pub(crate) length_millionths: u64,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Path(GhostPath),
    NoWay,
    BudgetSpent,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    node: GhostNode,
    length: u64,
    parent: u32,
    closed: bool,
}

/// The best end of the way so far: a node, and the rest after it.
#[derive(Clone, Debug)]
struct Finish {
    length: u64,
    parent: u32,
    rest: Vec<GhostMove>,
}

const NO_PARENT: u32 = u32::MAX;
/// Stands for the target in the open list.
const TARGET: u32 = u32::MAX;

/// A* at grid level. Its memory is what the largest search explored, and is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct GhostSearch {
    index: NodeIndex,
    nodes: Vec<Node>,
    /// Estimate, how far from the start (farther first), slot.
    open: BinaryHeap<Reverse<(u64, Reverse<u64>, u32)>>,
    moves: Vec<GhostMove>,
    finish: Option<Finish>,
}

impl GhostSearch {
    /// The way to the target; with a path cache, up to its slack longer.
    pub(crate) fn find(
        &mut self,
        feet: &mut Feet<'_>,
        errand: &Errand<'_>,
        mut cache: Option<&mut PathCache>,
    ) -> Found {
        let goal = errand.to.place(feet);
        self.start(errand.from, diagonal_distance(place(&feet.ghost, errand.from), goal));
        feet.metrics.searches += 1;
        if let Some(cache) = &mut cache {
            cache.begin();
            feet.metrics.path_misses += 1;
        }
        let mut expanded = 0;
        while let Some(Reverse((estimate, _, slot))) = self.open.pop() {
            if slot == TARGET {
                return self.finished(feet, errand, cache);
            }
            if std::mem::replace(&mut self.nodes[slot as usize].closed, true) {
                continue;
            }
            if expanded == errand.nodes_max {
                return Found::BudgetSpent;
            }
            expanded += 1;
            feet.metrics.nodes += 1;
            if self.is_blocked(feet, errand, slot) {
                continue;
            }
            if self.expand(feet, errand, slot, estimate, cache.as_deref_mut()) {
                feet.metrics.path_hits += 1;
                feet.metrics.path_misses -= 1;
                return self.finished(feet, errand, cache);
            }
            self.relax_all(feet, slot, goal);
        }
        Found::NoWay
    }

    fn start(&mut self, from: GhostNode, estimate: u64) {
        self.index.clear();
        self.nodes.clear();
        self.open.clear();
        self.finish = None;
        self.index.slot(key(from), 0);
        self.nodes.push(Node { node: from, length: 0, parent: NO_PARENT, closed: false });
        self.open.push(Reverse((estimate, Reverse(0), 0)));
    }

    fn is_blocked(&self, feet: &Feet<'_>, errand: &Errand<'_>, slot: u32) -> bool {
        if errand.blocked.is_empty() || slot == 0 {
            return false;
        }
        let zone = feet.ghost.zone(self.nodes[slot as usize].node);
        zone.is_some_and(|zone| errand.blocked.contains(&zone))
    }

    /// Finds a node's moves, and whether the target or a known rest of the way can be reached
    /// from it. True when the rest from the cache is good enough to stop here.
    fn expand(
        &mut self,
        feet: &mut Feet<'_>,
        errand: &Errand<'_>,
        slot: u32,
        estimate: u64,
        cache: Option<&mut PathCache>,
    ) -> bool {
        let Node { node, length, .. } = self.nodes[slot as usize];
        feet.moves(node, &mut self.moves);
        if let Some(last) = errand.to.last_step(feet, node) {
            self.offer(Finish { length: length + last, parent: slot, rest: Vec::new() });
        }
        let Some(cache) = cache else { return false };
        let most = cache.most(estimate);
        if self.finish.as_ref().is_some_and(|finish| finish.length <= most) {
            return false;
        }
        let Some(left) = most.checked_sub(length) else { return false };
        let Some(rest) = cache.rest(feet, node, &self.moves, errand.to, left) else { return false };
        let length = length + rest.length_millionths;
        self.finish = Some(Finish { length, parent: slot, rest: rest.steps });
        true
    }

    /// Keeps an end of the way when it is the best.
    fn offer(&mut self, finish: Finish) {
        if self.finish.as_ref().is_none_or(|best| finish.length < best.length) {
            self.open.push(Reverse((finish.length, Reverse(finish.length), TARGET)));
            self.finish = Some(finish);
        }
    }

    fn relax_all(&mut self, feet: &Feet<'_>, slot: u32, goal: Place) {
        let from = self.nodes[slot as usize].length;
        for step in &self.moves {
            let length = from + step.length_millionths;
            let next = self.nodes.len() as u32;
            let to = self.index.slot(key(step.to), next);
            let node = Node { node: step.to, length, parent: slot, closed: false };
            match self.nodes.get_mut(to as usize) {
                Some(known) if known.length <= length => continue,
                Some(known) => *known = node,
                None => self.nodes.push(node),
            }
            let estimate = length + diagonal_distance(place(&feet.ghost, step.to), goal);
            self.open.push(Reverse((estimate, Reverse(length), to)));
        }
    }

    /// The way that was found, told to the cache.
    fn finished(
        &mut self,
        feet: &mut Feet<'_>,
        errand: &Errand<'_>,
        cache: Option<&mut PathCache>,
    ) -> Found {
        let Some(finish) = self.finish.take() else { return Found::NoWay };
        let mut steps = Vec::new();
        let mut slot = finish.parent;
        while let Some(node) = self.nodes.get(slot as usize) {
            slot = node.parent;
            let before = self.nodes.get(slot as usize).map_or(0, |parent| parent.length);
            steps.push(GhostMove { to: node.node, length_millionths: node.length - before });
        }
        steps.reverse();
        steps.extend(finish.rest);
        let path = GhostPath { steps, length_millionths: finish.length };
        if let Some(cache) = cache {
            cache.learn(feet, &path, errand.to);
        }
        Found::Path(path)
    }
}

impl GhostPath {
    pub(crate) fn push(&mut self, step: GhostMove) {
        self.length_millionths += step.length_millionths;
        self.steps.push(step);
    }
}

impl Target {
    pub(crate) fn place(self, feet: &Feet<'_>) -> Place {
        match self {
            Self::Node(node) => place(&feet.ghost, node),
            Self::Place(place) => place,
        }
    }

    /// How long the last step from a node is, when there is one.
    pub(crate) fn last_step(self, feet: &Feet<'_>, from: GhostNode) -> Option<u64> {
        match self {
            Self::Node(node) => (node == from).then_some(0),
            Self::Place(place) => feet
                .reaches(from, place)
                .then(|| straight_distance(feet.ghost.point(from), place.at)),
        }
    }
}
