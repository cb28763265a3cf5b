//! A* over the waypoints of an upper layer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Location;
use super::edge_builder::EdgeBuilder;
use super::lattice::diagonal_distance;
use super::waypoints::Waypoints;

/// A waypoint near one end of the path, and its distance.
pub(crate) type Near = (u32, u64);

/// Both ends of a path, as the layer connects them.
pub(crate) struct RouteEnds {
    pub(crate) near_start: Vec<Near>,
    pub(crate) near_goal: Vec<Near>,
    /// The length of the path without waypoints, where that is sensible.
    pub(crate) direct: Option<u64>,
    pub(crate) goal: Location,
}

const UNREACHED: u64 = u64::MAX;
const START: u32 = u32::MAX;

/// A* over waypoints. Its memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaypointSearch {
    length: Vec<u64>,
    parent: Vec<u32>,
    /// The distance to the goal from the waypoints near it.
    last: Vec<u64>,
    open: BinaryHeap<Reverse<(u64, Reverse<u64>, u32)>>,
    pub(crate) expanded: u64,
}

impl WaypointSearch {
    /// The waypoints to visit; none when the direct path is the shortest or the only one.
    pub(crate) fn find(
        &mut self,
        graph: &mut Waypoints,
        builder: &mut EdgeBuilder<'_, '_>,
        ends: &RouteEnds,
    ) -> Vec<u32> {
        let goal = ends.goal;
        self.start(graph, ends);
        let mut best = (ends.direct.unwrap_or(UNREACHED), START);
        while let Some(Reverse((estimate, Reverse(length), at))) = self.open.pop() {
            if estimate >= best.0 {
                break;
            }
            if length > self.length[at as usize] {
                continue;
            }
            self.expanded += 1;
            best = best.min((length.saturating_add(self.last[at as usize]), at));
            builder.refresh(graph, at);
            graph.for_each_next(at, |to, step| self.reach(graph, to, length + step, at, goal));
        }
        self.route(best.1)
    }

    fn start(&mut self, graph: &Waypoints, ends: &RouteEnds) {
        let count = graph.waypoints.len();
        self.length.clear();
        self.length.resize(count, UNREACHED);
        self.parent.clear();
        self.parent.resize(count, START);
        self.last.clear();
        self.last.resize(count, UNREACHED);
        self.open.clear();
        self.expanded = 0;
        for &(waypoint, length) in &ends.near_goal {
            self.last[waypoint as usize] = length;
        }
        for &(waypoint, length) in &ends.near_start {
            self.reach(graph, waypoint, length, START, ends.goal);
        }
    }

    fn reach(&mut self, graph: &Waypoints, to: u32, length: u64, parent: u32, goal: Location) {
        if length < self.length[to as usize] {
            self.length[to as usize] = length;
            self.parent[to as usize] = parent;
            let estimate = length + diagonal_distance(graph.location(to), goal);
            self.open.push(Reverse((estimate, Reverse(length), to)));
        }
    }

    fn route(&self, mut at: u32) -> Vec<u32> {
        let mut route = Vec::new();
        while let Some(parent) = self.parent.get(at as usize) {
            route.push(at);
            at = *parent;
        }
        route.reverse();
        route
    }
}
