//! Grid level (GR): A* by moving the ghost player around.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "MovementProfile and pathfinding"; Hart, Nilsson, Raphael:
//! *A Formal Basis for the Heuristic Determination of Minimum Cost Paths* (1968).
//!
//! Complete on the lattice. Of nodes with the same estimate the one farther from the start
//! comes first, then the one that was reached first.
//!
//! A path cache focuses it (figure 5): where a known way leads near the target, its end and
//! what is reached from there comes first, as long as the whole may still be as short as the
//! rest of the search allows, within the cache's slack. So a path is at most that slack
//! longer than without a cache.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{GhostMove, GhostNode, ZoneId};

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
    /// A longer way is of no use, in millionths.
    pub(crate) length_max: u64,
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
    /// How long the step from the parent is. The parent's length may fall after this node was
    /// reached, so that the difference says nothing.
    step: u64,
    parent: u32,
    /// The known way from the parent, when it is no single step.
    leap: u32,
    closed: bool,
    /// Whether it was reached by a known way.
    focused: bool,
}

/// The best end of the way so far.
#[derive(Clone, Copy, Debug)]
struct Finish {
    length: u64,
    /// How long the last step is.
    step: u64,
    parent: u32,
}

const NO_PARENT: u32 = u32::MAX;
const NO_LEAP: u32 = u32::MAX;
/// So many known ways may focus one search.
const LEAPS_MAX: usize = 4;
/// Stands for the target in the open list.
const TARGET: u32 = u32::MAX;

/// A* at grid level. Its memory is what the largest search explored, and is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct GhostSearch {
    index: NodeIndex,
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    /// What was reached by a known way.
    focus: BinaryHeap<Open>,
    leaps: Vec<Vec<GhostMove>>,
    moves: Vec<GhostMove>,
    finish: Option<Finish>,
}

/// Estimate, how far from the start (farther first), slot.
type Open = Reverse<(u64, Reverse<u64>, u32)>;

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
        }
        let mut expanded = 0;
        while let Some(Reverse((estimate, _, slot))) = self.pop(cache.as_deref()) {
            if slot == TARGET {
                return self.finished(feet, errand, cache);
            }
            if std::mem::replace(&mut self.nodes[slot as usize].closed, true) {
                continue;
            }
            if estimate > errand.length_max {
                break;
            }
            if expanded == errand.nodes_max {
                return Found::BudgetSpent;
            }
            expanded += 1;
            feet.metrics.nodes += 1;
            if self.is_blocked(feet, errand, slot) {
                continue;
            }
            self.expand(feet, errand, slot, goal);
            if let Some(cache) = &mut cache {
                self.leap(feet, errand, slot, cache.most(estimate), cache);
            }
        }
        feet.metrics.path_misses += u64::from(cache.is_some());
        Found::NoWay
    }

    fn start(&mut self, from: GhostNode, estimate: u64) {
        self.index.clear();
        self.nodes.clear();
        self.open.clear();
        self.focus.clear();
        self.leaps.clear();
        self.finish = None;
        self.index.slot(key(from), 0);
        let (parent, leap) = (NO_PARENT, NO_LEAP);
        self.nodes.push(Node {
            node: from,
            length: 0,
            step: 0,
            parent,
            leap,
            closed: false,
            focused: false,
        });
        self.open.push(Reverse((estimate, Reverse(0), 0)));
    }

    /// The next node: the best in focus, unless the best of all promises so much more.
    fn pop(&mut self, cache: Option<&PathCache>) -> Option<Open> {
        let Some(Reverse((in_focus, ..))) = self.focus.peek() else { return self.open.pop() };
        let least = self.open.peek().map_or(u64::MAX, |Reverse((estimate, ..))| *estimate);
        let most = cache.map_or(least, |cache| cache.most(least));
        if *in_focus <= most { self.focus.pop() } else { self.open.pop() }
    }

    fn is_blocked(&self, feet: &Feet<'_>, errand: &Errand<'_>, slot: u32) -> bool {
        if errand.blocked.is_empty() || slot == 0 {
            return false;
        }
        let zone = feet.ghost.zone(self.nodes[slot as usize].node);
        zone.is_some_and(|zone| errand.blocked.contains(&zone))
    }

    /// Reaches whatever is next to a node, the target perhaps.
    fn expand(&mut self, feet: &mut Feet<'_>, errand: &Errand<'_>, slot: u32, goal: Place) {
        let Node { node, length, focused, .. } = self.nodes[slot as usize];
        feet.moves(node, &mut self.moves);
        if let Some(step) = errand.to.last_step(feet, node) {
            self.offer(Finish { length: length + step, step, parent: slot }, focused);
        }
        let mut moves = std::mem::take(&mut self.moves);
        for GhostMove { to: node, length_millionths: step } in moves.drain(..) {
            let length = length + step;
            let (parent, leap) = (slot, NO_LEAP);
            let reached = Node { node, length, step, parent, leap, closed: false, focused };
            self.reach(feet, reached, goal);
        }
        self.moves = moves;
    }

    /// Keeps an end of the way when it is the best.
    fn offer(&mut self, finish: Finish, focused: bool) {
        if self.finish.is_none_or(|best| finish.length < best.length) {
            let entry = Reverse((finish.length, Reverse(finish.length), TARGET));
            self.finish = Some(finish);
            if focused { self.focus.push(entry) } else { self.open.push(entry) }
        }
    }

    fn reach(&mut self, feet: &Feet<'_>, reached: Node, goal: Place) {
        let slot = self.index.slot(key(reached.node), self.nodes.len() as u32);
        match self.nodes.get_mut(slot as usize) {
            Some(known) if known.length <= reached.length => return,
            Some(known) => *known = reached,
            None => self.nodes.push(reached),
        }
        let estimate = reached.length + diagonal_distance(place(&feet.ghost, reached.node), goal);
        let entry = Reverse((estimate, Reverse(reached.length), slot));
        if reached.focused { self.focus.push(entry) } else { self.open.push(entry) }
    }

    /// Leaps to the end of a known way when the whole may be at most `most` long.
    fn leap(
        &mut self,
        feet: &mut Feet<'_>,
        errand: &Errand<'_>,
        slot: u32,
        most: u64,
        cache: &mut PathCache,
    ) {
        let Node { node, length, .. } = self.nodes[slot as usize];
        let Some(left) = most.checked_sub(length) else { return };
        if self.leaps.len() >= LEAPS_MAX {
            return;
        }
        let Some(way) = cache.way(feet, node, errand.to, left) else { return };
        let Some(end) = way.steps.last() else { return };
        let (parent, leap) = (slot, self.leaps.len() as u32);
        let (node, step) = (end.to, way.length_millionths);
        let length = length + step;
        let reached = Node { node, length, step, parent, leap, closed: false, focused: true };
        self.leaps.push(way.steps);
        self.reach(feet, reached, errand.to.place(feet));
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
        let mut hits = 0;
        while let Some(node) = self.nodes.get(slot as usize) {
            slot = node.parent;
            if let Some(leap) = self.leaps.get(node.leap as usize) {
                steps.extend(leap.iter().rev());
                hits = 1;
                continue;
            }
            steps.push(GhostMove { to: node.node, length_millionths: node.step });
        }
        steps.reverse();
        let length = steps.iter().map(|step| step.length_millionths).sum::<u64>();
        let mut path = GhostPath { steps, length_millionths: length + finish.step };
        if hits > 0 {
            self.cut_loops(&mut path);
        }
        if let Some(cache) = cache {
            feet.metrics.path_hits += hits;
            feet.metrics.path_misses += 1 - hits;
            cache.learn(feet, &path, errand.to);
        }
        Found::Path(path)
    }
}

impl GhostSearch {
    /// Where a known way crosses the way to it or from it, cuts out what lies between: no
    /// place is passed twice.
    fn cut_loops(&mut self, path: &mut GhostPath) {
        self.index.clear();
        let mut cut: Vec<GhostMove> = Vec::with_capacity(path.steps.len());
        for &step in &path.steps {
            let kept = cut.len() as u32;
            let seen = self.index.slot(key(step.to), kept) as usize;
            // What was cut out may come again: its number is then not its place any more.
            match cut.get(seen).is_some_and(|known| known.to == step.to) {
                true => {
                    let loops = cut.drain(seen + 1..).chain([step]);
                    path.length_millionths -= loops.map(|step| step.length_millionths).sum::<u64>();
                }
                false if seen == cut.len() => cut.push(step),
                false => {
                    self.index.set(key(step.to), kept);
                    cut.push(step);
                }
            }
        }
        path.steps = cut;
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
