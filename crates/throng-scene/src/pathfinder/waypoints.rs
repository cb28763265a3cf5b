//! The graph of an upper layer: waypoints, the regions they lie in, and edges between them.

use crate::{Bounds, GhostNode, Level, SceneChange, ZoneId};

use super::Location;
use super::ghost_search::GhostPath;
use super::lattice::diagonal_distance;

/// A waypoint.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub(crate) location: Location,
    /// Its lattice node; `None` when the body does not fit.
    pub(crate) node: Option<GhostNode>,
    pub(crate) zone: Option<ZoneId>,
    /// The regions it joins; twice the same when it is inside one.
    pub(crate) regions: [u32; 2],
}

/// How an edge is walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// Through a gate: searched at grid level; the near side need not be visited.
    Gate,
    /// Visible, and searched at grid level whenever it is walked.
    Visible,
    /// In a straight line, which is known to be free.
    Straight,
    /// Along a precomputed path.
    Known(GhostPath),
    /// Known to be impassable.
    Closed,
}

/// Which kind of edge is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeRule {
    /// One whose ends see each other; the path is searched when it is walked.
    Visible,
    /// One that can be walked in a straight line.
    Straight,
    /// A straight line or, failing that, a detour.
    StraightOrAround,
    /// The shortest path on the lattice.
    LatticePath,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) length_millionths: u64,
    pub(crate) via: Via,
    /// An edit that touches this box makes the edge stale.
    pub(crate) bounds: Bounds,
    pub(crate) level: Level,
    /// The kind of edge to look for when it is recomputed.
    pub(crate) rule: EdgeRule,
    /// Whether an edit touched it since it was computed. It is recomputed when a search reaches
    /// it.
    pub(crate) is_stale: bool,
}

impl Edge {
    /// Applies an edit.
    pub(crate) fn apply(&mut self, change: &SceneChange, margin: f64) {
        self.is_stale |= self.via != Via::Gate
            && change.level == self.level
            && change.bounds.grown(margin).touches(self.bounds);
    }
}

/// The graph of an upper layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waypoints {
    pub(crate) waypoints: Vec<Waypoint>,
    /// The waypoints of every region.
    pub(crate) members: Vec<Vec<u32>>,
    /// Whether any two waypoints of a region count as joined, at their diagonal distance;
    /// otherwise only edges join them.
    pub(crate) is_open: Vec<bool>,
    pub(crate) edges: Vec<Vec<Edge>>,
}

impl Waypoints {
    pub(crate) fn with_regions(regions: usize) -> Self {
        let members = vec![Vec::new(); regions];
        Self { members, is_open: vec![true; regions], ..Self::default() }
    }

    pub(crate) fn add(&mut self, waypoint: Waypoint) -> u32 {
        // The scene's limits keep the count far below the range.
        let number = self.waypoints.len() as u32;
        let [first, second] = waypoint.regions;
        for region in if first == second { vec![first] } else { vec![first, second] } {
            if let Some(members) = self.members.get_mut(region as usize) {
                members.push(number);
            }
        }
        self.waypoints.push(waypoint);
        self.edges.push(Vec::new());
        number
    }

    pub(crate) fn members(&self, region: u32) -> &[u32] {
        self.members.get(region as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn location(&self, waypoint: u32) -> Location {
        self.waypoints[waypoint as usize].location
    }

    /// The edge between two waypoints, unless it is stale.
    pub(crate) fn edge(&self, from: u32, to: u32) -> Option<&Edge> {
        self.edges.get(from as usize)?.iter().find(|edge| edge.to == to && !edge.is_stale)
    }

    /// Calls `next` with every adjacent waypoint and its distance.
    pub(crate) fn for_each_next(&self, from: u32, mut next: impl FnMut(u32, u64)) {
        for edge in self.edges[from as usize].iter().filter(|edge| edge.via != Via::Closed) {
            next(edge.to, edge.length_millionths);
        }
        let Waypoint { location, regions: [first, second], .. } = self.waypoints[from as usize];
        self.for_each_member(first, location, &mut next);
        if second != first {
            self.for_each_member(second, location, &mut next);
        }
    }

    fn for_each_member(&self, region: u32, from: Location, next: &mut impl FnMut(u32, u64)) {
        if self.is_open.get(region as usize) == Some(&true) {
            for &to in self.members(region) {
                next(to, diagonal_distance(from, self.location(to)));
            }
        }
    }
}
