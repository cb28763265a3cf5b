//! A* over the waypoints of an upper layer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Place;
use super::crossings::Surveyor;
use super::lattice::diagonal_distance;
use super::waypoints::Waypoints;

/// A waypoint near an end of the way, and how far it is.
pub(crate) type Near = (u32, u64);

/// Both ends of a way, as the layer sees them.
pub(crate) struct Ends {
    pub(crate) near_start: Vec<Near>,
    pub(crate) near_goal: Vec<Near>,
    /// How long the way without a waypoint is, when that is sensible.
    pub(crate) direct: Option<u64>,
    pub(crate) goal: Place,
}

const UNREACHED: u64 = u64::MAX;
const START: u32 = u32::MAX;

/// A* over waypoints, with memory that is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteSearch {
    length: Vec<u64>,
    parent: Vec<u32>,
    /// How far the goal is from the waypoints near it.
    last: Vec<u64>,
    open: BinaryHeap<Reverse<(u64, Reverse<u64>, u32)>>,
    pub(crate) expanded: u64,
}

impl RouteSearch {
    /// The waypoints to pass; none when the direct way is the shortest or the only one.
    pub(crate) fn find(
        &mut self,
        graph: &mut Waypoints,
        surveyor: &mut Surveyor<'_, '_>,
        ends: &Ends,
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
            surveyor.refresh(graph, at);
            graph.for_each_next(at, |to, step| self.reach(graph, to, length + step, at, goal));
        }
        self.route(best.1)
    }

    fn start(&mut self, graph: &Waypoints, ends: &Ends) {
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

    fn reach(&mut self, graph: &Waypoints, to: u32, length: u64, parent: u32, goal: Place) {
        if length < self.length[to as usize] {
            self.length[to as usize] = length;
            self.parent[to as usize] = parent;
            let estimate = length + diagonal_distance(graph.place(to), goal);
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
