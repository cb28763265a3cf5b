//! Grid level (GR): A* by moving the ghost player around.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "Movement and pathfinding"; Hart, Nilsson, Raphael:
//! *A Formal Basis for the Heuristic Determination of Minimum Cost Paths* (1968).
//!
//! Complete on the lattice. Ties between nodes of equal f go to the larger g, then to the node
//! that was generated first.
//!
//! A path cache adds a focal list (figure 5). Where a cached path leads near the target, its end
//! and the nodes reached from there are expanded first, as long as the whole path can stay within
//! the cache's slack of the best f. So a path exceeds the one without a cache by at most that
//! slack.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{GhostMove, GhostNode, ZoneId};

use super::Location;
use super::cached_ghost::CachedGhost;
use super::lattice::{diagonal_distance, key, location, straight_distance};
use super::node_index::NodeIndex;
use super::path_cache::PathCache;

/// The target of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// Exactly a lattice node.
    Node(GhostNode),
    /// A location beside the lattice, reached by a last straight step.
    Location(Location),
}

/// The input of a search.
pub(crate) struct SearchRequest<'a> {
    pub(crate) from: GhostNode,
    pub(crate) to: Target,
    /// Zones that were left: the ghost does not enter them.
    pub(crate) blocked: &'a [ZoneId],
    pub(crate) nodes_max: u32,
    /// Longer paths are not wanted, in millionths.
    pub(crate) length_max: u64,
}

/// A path along the lattice. The length includes the last step to a location beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GhostPath {
    /// The lattice nodes, each with the length of the step to it.
    pub(crate) steps: Vec<GhostMove>,
    pub(crate) length_millionths: u64,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchOutcome {
    Found(GhostPath),
    /// Every lattice node that can be reached was expanded, or the length limit was passed.
    Exhausted,
    BudgetSpent,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    node: GhostNode,
    length: u64,
    /// The length of the step from the parent. The parent's length may fall after this node was
    /// generated, so the difference of the two lengths is not the step.
    step: u64,
    parent: u32,
    /// The cached path from the parent, unless a single step leads here.
    cached_path: u32,
    closed: bool,
    /// Whether it was reached along a cached path.
    focused: bool,
}

/// The best end of a path so far.
#[derive(Clone, Copy, Debug)]
struct Finish {
    length: u64,
    /// The length of the last step.
    step: u64,
    parent: u32,
}

const NO_PARENT: u32 = u32::MAX;
const NO_CACHED_PATH: u32 = u32::MAX;
/// Most cached paths that one search follows.
const CACHED_PATHS_MAX: usize = 4;
/// Stands for the target in the open list.
const TARGET: u32 = u32::MAX;

/// A* at grid level. Its memory fits the largest search so far and is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct GhostSearch {
    index: NodeIndex,
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    /// The open nodes that were reached along a cached path.
    focus: BinaryHeap<Open>,
    cached_paths: Vec<Vec<GhostMove>>,
    moves: Vec<GhostMove>,
    finish: Option<Finish>,
}

/// f, g (larger first), slot.
type Open = Reverse<(u64, Reverse<u64>, u32)>;

impl GhostSearch {
    /// A path to the target; with a path cache it may be longer by the cache's slack.
    pub(crate) fn find(
        &mut self,
        cached: &mut CachedGhost<'_>,
        request: &SearchRequest<'_>,
        mut cache: Option<&mut PathCache>,
    ) -> SearchOutcome {
        let goal = request.to.location(cached);
        self.start(request.from, diagonal_distance(location(&cached.ghost, request.from), goal));
        cached.metrics.searches += 1;
        if let Some(cache) = &mut cache {
            cache.begin();
        }
        let mut expanded = 0;
        while let Some(Reverse((estimate, _, slot))) = self.pop(cache.as_deref()) {
            if slot == TARGET {
                return self.finished(cached, request, cache);
            }
            if std::mem::replace(&mut self.nodes[slot as usize].closed, true) {
                continue;
            }
            if estimate > request.length_max {
                break;
            }
            if expanded == request.nodes_max {
                return SearchOutcome::BudgetSpent;
            }
            expanded += 1;
            cached.metrics.nodes += 1;
            if self.is_blocked(cached, request, slot) {
                continue;
            }
            self.expand(cached, request, slot, goal);
            if let Some(cache) = &mut cache {
                self.follow_cache(cached, request, slot, cache.most(estimate), cache);
            }
        }
        cached.metrics.path_misses += u64::from(cache.is_some());
        SearchOutcome::Exhausted
    }

    /// The nodes that the last search expanded, in the order in which they were reached.
    pub(crate) fn expanded(&self) -> impl Iterator<Item = GhostNode> {
        self.nodes.iter().filter(|node| node.closed).map(|node| node.node)
    }

    fn start(&mut self, from: GhostNode, estimate: u64) {
        self.index.clear();
        self.nodes.clear();
        self.open.clear();
        self.focus.clear();
        self.cached_paths.clear();
        self.finish = None;
        self.index.slot(key(from), 0);
        let (parent, cached_path) = (NO_PARENT, NO_CACHED_PATH);
        self.nodes.push(Node {
            node: from,
            length: 0,
            step: 0,
            parent,
            cached_path,
            closed: false,
            focused: false,
        });
        self.open.push(Reverse((estimate, Reverse(0), 0)));
    }

    /// The next node: the best of the focal list, if it is within the slack of the best overall.
    fn pop(&mut self, cache: Option<&PathCache>) -> Option<Open> {
        let Some(Reverse((in_focus, ..))) = self.focus.peek() else { return self.open.pop() };
        let least = self.open.peek().map_or(u64::MAX, |Reverse((estimate, ..))| *estimate);
        let most = cache.map_or(least, |cache| cache.most(least));
        if *in_focus <= most { self.focus.pop() } else { self.open.pop() }
    }

    fn is_blocked(&self, cached: &CachedGhost<'_>, request: &SearchRequest<'_>, slot: u32) -> bool {
        if request.blocked.is_empty() || slot == 0 {
            return false;
        }
        let zone = cached.ghost.zone(self.nodes[slot as usize].node);
        zone.is_some_and(|zone| request.blocked.contains(&zone))
    }

    /// Generates the successors of a node, and the target if it is one step away.
    fn expand(
        &mut self,
        cached: &mut CachedGhost<'_>,
        request: &SearchRequest<'_>,
        slot: u32,
        goal: Location,
    ) {
        let Node { node, length, focused, .. } = self.nodes[slot as usize];
        cached.moves(node, &mut self.moves);
        if let Some(step) = request.to.last_step(cached, node) {
            self.offer(Finish { length: length + step, step, parent: slot }, focused);
        }
        let mut moves = std::mem::take(&mut self.moves);
        for GhostMove { to: node, length_millionths: step } in moves.drain(..) {
            let length = length + step;
            let (parent, cached_path) = (slot, NO_CACHED_PATH);
            let reached = Node { node, length, step, parent, cached_path, closed: false, focused };
            self.reach(cached, reached, goal);
        }
        self.moves = moves;
    }

    /// Keeps an end of the path if it is the best.
    fn offer(&mut self, finish: Finish, focused: bool) {
        if self.finish.is_none_or(|best| finish.length < best.length) {
            let entry = Reverse((finish.length, Reverse(finish.length), TARGET));
            self.finish = Some(finish);
            if focused { self.focus.push(entry) } else { self.open.push(entry) }
        }
    }

    fn reach(&mut self, cached: &CachedGhost<'_>, reached: Node, goal: Location) {
        let slot = self.index.slot(key(reached.node), self.nodes.len() as u32);
        match self.nodes.get_mut(slot as usize) {
            Some(known) if known.length <= reached.length => return,
            Some(known) => *known = reached,
            None => self.nodes.push(reached),
        }
        let estimate =
            reached.length + diagonal_distance(location(&cached.ghost, reached.node), goal);
        let entry = Reverse((estimate, Reverse(reached.length), slot));
        if reached.focused { self.focus.push(entry) } else { self.open.push(entry) }
    }

    /// Generates the end of a cached path if the whole can be at most `most` long.
    fn follow_cache(
        &mut self,
        cached: &mut CachedGhost<'_>,
        request: &SearchRequest<'_>,
        slot: u32,
        most: u64,
        cache: &mut PathCache,
    ) {
        let Node { node, length, .. } = self.nodes[slot as usize];
        let Some(left) = most.checked_sub(length) else { return };
        if self.cached_paths.len() >= CACHED_PATHS_MAX {
            return;
        }
        let Some(way) = cache.path(cached, node, request.to, left) else { return };
        let Some(end) = way.steps.last() else { return };
        let (parent, cached_path) = (slot, self.cached_paths.len() as u32);
        let (node, step) = (end.to, way.length_millionths);
        let length = length + step;
        let reached =
            Node { node, length, step, parent, cached_path, closed: false, focused: true };
        self.cached_paths.push(way.steps);
        self.reach(cached, reached, request.to.location(cached));
    }

    /// The path that was found; the cache learns it.
    fn finished(
        &mut self,
        cached: &mut CachedGhost<'_>,
        request: &SearchRequest<'_>,
        cache: Option<&mut PathCache>,
    ) -> SearchOutcome {
        let Some(finish) = self.finish.take() else { return SearchOutcome::Exhausted };
        let mut steps = Vec::new();
        let mut slot = finish.parent;
        let mut hits = 0;
        while let Some(node) = self.nodes.get(slot as usize) {
            slot = node.parent;
            if let Some(cached_path) = self.cached_paths.get(node.cached_path as usize) {
                steps.extend(cached_path.iter().rev());
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
            cached.metrics.path_hits += hits;
            cached.metrics.path_misses += 1 - hits;
            cache.learn(cached, &path, request.to);
        }
        SearchOutcome::Found(path)
    }
}

impl GhostSearch {
    /// Removes loops: where a cached path crosses the path to it or from it, the part between is
    /// cut out, so that no node is visited twice.
    fn cut_loops(&mut self, path: &mut GhostPath) {
        self.index.clear();
        let mut cut: Vec<GhostMove> = Vec::with_capacity(path.steps.len());
        for &step in &path.steps {
            let kept = cut.len() as u32;
            let seen = self.index.slot(key(step.to), kept) as usize;
            // A node that was cut out may occur again; its recorded position is then outdated.
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
    pub(crate) fn location(self, cached: &CachedGhost<'_>) -> Location {
        match self {
            Self::Node(node) => location(&cached.ghost, node),
            Self::Location(location) => location,
        }
    }

    /// The length of the last step from a node, if there is one.
    pub(crate) fn last_step(self, cached: &CachedGhost<'_>, from: GhostNode) -> Option<u64> {
        match self {
            Self::Node(node) => (node == from).then_some(0),
            Self::Location(location) => cached
                .reaches(from, location)
                .then(|| straight_distance(cached.ghost.point(from), location.at)),
        }
    }
}
