//! What is known beforehand about the way from a waypoint to another: the paper's "precalculation
//! of efficient cross-zone paths".

use crate::{Bounds, Ghost, GhostNode};

use super::feet::Feet;
use super::ghost_search::{Errand, Found, GhostPath, GhostSearch, Target};
use super::lattice::{diagonal_distance, place};
use super::waypoints::{Edge, Via, Wanted, Waypoints};

/// Most nodes of a search for a way between two waypoints.
const NODES_MAX: u32 = 4000;
/// A way between two waypoints is at most so many times as long as it could be, and two
/// units: whoever has to walk farther goes by other waypoints.
const STRETCH: u64 = 2;
/// Around waypoints without a way, an edit this near may open one, in units.
const AROUND: f64 = 2.0;

/// Who looks at ways before anybody asks.
pub(crate) struct Surveyor<'s, 'a> {
    pub(crate) feet: &'s mut Feet<'a>,
    pub(crate) search: &'s mut GhostSearch,
}

impl<'a> Surveyor<'_, 'a> {
    pub(crate) fn ghost(&self) -> Ghost<'a> {
        self.feet.ghost
    }

    /// A way along the lattice on one level, not much longer than it could be.
    pub(crate) fn way(&mut self, from: GhostNode, to: GhostNode) -> Option<GhostPath> {
        let ghost = &self.feet.ghost;
        let least = diagonal_distance(place(ghost, from), place(ghost, to));
        let errand = Errand {
            from,
            to: Target::Node(to),
            blocked: &[],
            nodes_max: NODES_MAX,
            length_max: least * STRETCH + 2_000_000,
        };
        let Found::Path(path) = self.search.find(self.feet, &errand, None) else {
            return None;
        };
        path.steps.iter().all(|step| step.to.level == from.level).then_some(path)
    }

    /// The edge from a waypoint to another. A straight one also has a way along the lattice,
    /// so that no method gets where another cannot.
    pub(crate) fn edge(&mut self, graph: &Waypoints, from: u32, to: u32, wanted: Wanted) -> Edge {
        let (a, b) = (&graph.waypoints[from as usize], &graph.waypoints[to as usize]);
        let ends = Bounds::of(a.place.at, b.place.at);
        let level = a.place.level;
        let closed = Edge {
            to,
            length_millionths: 0,
            via: Via::Closed,
            bounds: ends.grown(AROUND),
            level,
            wanted,
            is_stale: false,
        };
        let (Some(start), Some(end)) = (a.node, b.node) else { return closed };
        let is_straight = wanted != Wanted::Way
            && a.place.level == b.place.level
            && self.feet.ghost.can_step(a.place.at, b.place.at, level);
        if !is_straight && wanted == Wanted::Straight {
            return closed;
        }
        let Some(path) = self.way(start, end) else { return closed };
        let bounds = path.steps.iter().fold(ends, |bounds, step| {
            let at = self.feet.ghost.point(step.to);
            Bounds::of(Bounds::of(bounds.min, at).min, Bounds::of(bounds.max, at).max)
        });
        if is_straight {
            let length_millionths = crate::length_millionths(a.place.at.distance(b.place.at));
            return Edge {
                to,
                length_millionths,
                via: Via::Straight,
                bounds,
                level,
                wanted,
                is_stale: false,
            };
        }
        let length_millionths = path.length_millionths;
        Edge {
            to,
            length_millionths,
            via: Via::Known(path),
            bounds,
            level,
            wanted,
            is_stale: false,
        }
    }

    /// Puts the edge between two waypoints into the graph, both ways.
    pub(crate) fn join(&mut self, graph: &mut Waypoints, a: u32, b: u32, wanted: Wanted) {
        for (from, to) in [(a, b), (b, a)] {
            let edge = self.edge(graph, from, to, wanted);
            let edges = &mut graph.edges[from as usize];
            match edges.iter_mut().find(|known| known.to == to) {
                Some(known) => *known = edge,
                None => edges.push(edge),
            }
        }
    }

    /// Looks again at the edges from a waypoint that edits have touched.
    pub(crate) fn refresh(&mut self, graph: &mut Waypoints, from: u32) {
        for number in 0..graph.edges[from as usize].len() {
            let edge = &graph.edges[from as usize][number];
            if edge.is_stale {
                let edge = self.edge(graph, from, edge.to, edge.wanted);
                graph.edges[from as usize][number] = edge;
            }
        }
    }
}
