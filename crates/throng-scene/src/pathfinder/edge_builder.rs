//! Edges between waypoints, computed before any query: the paper's "precalculation of efficient
//! cross-zone paths".

use crate::{Bounds, Ghost, GhostNode};

use super::cached_ghost::CachedGhost;
use super::ghost_search::{GhostPath, GhostSearch, SearchOutcome, SearchRequest, Target};
use super::lattice::{diagonal_distance, location};
use super::waypoints::{Edge, EdgeRule, Via, Waypoints};

/// Most nodes of a search for a path between two waypoints.
const NODES_MAX: u32 = 4000;
/// A path between two waypoints may be this many times the least possible length, plus two
/// units. Longer detours go through other waypoints instead.
const DETOUR_MAX: u64 = 2;
/// An edit this near to two unconnected waypoints may connect them, in units.
const AROUND: f64 = 2.0;

/// Searches paths between waypoints and makes edges of them.
pub(crate) struct EdgeBuilder<'s, 'a> {
    pub(crate) cached: &'s mut CachedGhost<'a>,
    pub(crate) search: &'s mut GhostSearch,
}

impl<'a> EdgeBuilder<'_, 'a> {
    pub(crate) fn ghost(&self) -> Ghost<'a> {
        self.cached.ghost
    }

    /// A path along the lattice on one level, not much longer than the least possible length.
    pub(crate) fn path(&mut self, from: GhostNode, to: GhostNode) -> Option<GhostPath> {
        let ghost = &self.cached.ghost;
        let least = diagonal_distance(location(ghost, from), location(ghost, to));
        let request = SearchRequest {
            from,
            to: Target::Node(to),
            blocked: &[],
            nodes_max: NODES_MAX,
            length_max: least * DETOUR_MAX + 2_000_000,
        };
        let SearchOutcome::Found(path) = self.search.find(self.cached, &request, None) else {
            return None;
        };
        path.steps.iter().all(|step| step.to.level == from.level).then_some(path)
    }

    /// The edge from one waypoint to another. A straight edge needs a lattice path too, so that
    /// all methods reach the same locations.
    pub(crate) fn edge(&mut self, graph: &Waypoints, from: u32, to: u32, rule: EdgeRule) -> Edge {
        let (a, b) = (&graph.waypoints[from as usize], &graph.waypoints[to as usize]);
        let ends = Bounds::of(a.location.at, b.location.at);
        let level = a.location.level;
        let closed = Edge {
            to,
            length_millionths: 0,
            via: Via::Closed,
            bounds: ends.grown(AROUND),
            level,
            rule,
            is_stale: false,
        };
        let (Some(start), Some(end)) = (a.node, b.node) else { return closed };
        let is_straight = rule != EdgeRule::LatticePath
            && a.location.level == b.location.level
            && self.cached.ghost.can_step(a.location.at, b.location.at, level);
        let straight_millionths = crate::length_millionths(a.location.at.distance(b.location.at));
        match rule {
            EdgeRule::Visible | EdgeRule::Straight if !is_straight => return closed,
            EdgeRule::Visible => {
                let length_millionths = straight_millionths;
                return Edge { length_millionths, via: Via::Visible, bounds: ends, ..closed };
            }
            EdgeRule::Straight | EdgeRule::StraightOrAround | EdgeRule::LatticePath => {}
        }
        let Some(path) = self.path(start, end) else { return closed };
        let bounds = path.steps.iter().fold(ends, |bounds, step| {
            let at = self.cached.ghost.point(step.to);
            Bounds::of(Bounds::of(bounds.min, at).min, Bounds::of(bounds.max, at).max)
        });
        if is_straight {
            let length_millionths = straight_millionths;
            return Edge { length_millionths, via: Via::Straight, bounds, ..closed };
        }
        let length_millionths = path.length_millionths;
        Edge { length_millionths, via: Via::Known(path), bounds, ..closed }
    }

    /// Adds the edge between two waypoints to the graph, in both directions.
    pub(crate) fn join(&mut self, graph: &mut Waypoints, a: u32, b: u32, rule: EdgeRule) {
        for (from, to) in [(a, b), (b, a)] {
            let edge = self.edge(graph, from, to, rule);
            let edges = &mut graph.edges[from as usize];
            match edges.iter_mut().find(|known| known.to == to) {
                Some(known) => *known = edge,
                None => edges.push(edge),
            }
        }
    }

    /// Recomputes the edges from a waypoint that edits have touched.
    pub(crate) fn refresh(&mut self, graph: &mut Waypoints, from: u32) {
        for number in 0..graph.edges[from as usize].len() {
            let edge = &graph.edges[from as usize][number];
            if edge.is_stale {
                let edge = self.edge(graph, from, edge.to, edge.rule);
                graph.edges[from as usize][number] = edge;
            }
        }
    }
}
