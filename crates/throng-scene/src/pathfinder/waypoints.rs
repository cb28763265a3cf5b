//! The graph of an upper layer: waypoints, the cells they lie in, and edges between them.

use crate::{Bounds, GhostNode, Level, SceneChange, ZoneId};

use super::Place;
use super::ghost_search::GhostPath;
use super::lattice::diagonal_distance;

/// A waypoint.
#[derive(Clone, Debug)]
pub(crate) struct Waypoint {
    pub(crate) place: Place,
    /// Where it stands on the lattice; `None` when there is no room for the body.
    pub(crate) node: Option<GhostNode>,
    pub(crate) zone: Option<ZoneId>,
    /// The cells it joins; twice the same when it is inside of one.
    pub(crate) cells: [u32; 2],
}

/// How an edge is walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// Through a gate: searched at grid level, the near side need not be touched.
    Gate,
    /// Straight ahead: known to be free.
    Straight,
    /// Along a way that is known.
    Known(GhostPath),
    /// It is known that nobody passes.
    Closed,
}

/// What kind of edge is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// One that can be walked straight ahead.
    Straight,
    /// Straight ahead or, if need be, a way around.
    StraightOrAround,
    /// The shortest way of the lattice.
    Way,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) length_millionths: u64,
    pub(crate) via: Via,
    /// What an edit must touch to make the edge stale.
    pub(crate) bounds: Bounds,
    pub(crate) level: Level,
    /// What was looked for, and will be again.
    pub(crate) wanted: Wanted,
    /// Whether an edit touched it since it was looked at: it is looked at again when somebody
    /// comes there.
    pub(crate) is_stale: bool,
}

impl Edge {
    /// Takes note of an edit.
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
    /// The waypoints of every cell.
    pub(crate) members: Vec<Vec<u32>>,
    /// Whether any two waypoints of a cell count as joined, as far as they are apart; else
    /// only edges join.
    pub(crate) is_open: Vec<bool>,
    pub(crate) edges: Vec<Vec<Edge>>,
}

impl Waypoints {
    pub(crate) fn with_cells(cells: usize) -> Self {
        let members = vec![Vec::new(); cells];
        Self { members, is_open: vec![true; cells], ..Self::default() }
    }

    pub(crate) fn add(&mut self, waypoint: Waypoint) -> u32 {
        // A scene's limits keep the count far below.
        let number = self.waypoints.len() as u32;
        let [first, second] = waypoint.cells;
        for cell in if first == second { vec![first] } else { vec![first, second] } {
            if let Some(members) = self.members.get_mut(cell as usize) {
                members.push(number);
            }
        }
        self.waypoints.push(waypoint);
        self.edges.push(Vec::new());
        number
    }

    pub(crate) fn members(&self, cell: u32) -> &[u32] {
        self.members.get(cell as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn place(&self, waypoint: u32) -> Place {
        self.waypoints[waypoint as usize].place
    }

    /// The edge between two waypoints, unless it is stale.
    pub(crate) fn edge(&self, from: u32, to: u32) -> Option<&Edge> {
        self.edges.get(from as usize)?.iter().find(|edge| edge.to == to && !edge.is_stale)
    }

    /// Calls with every waypoint that is next to one, and how far it is.
    pub(crate) fn for_each_next(&self, from: u32, mut next: impl FnMut(u32, u64)) {
        for edge in self.edges[from as usize].iter().filter(|edge| edge.via != Via::Closed) {
            next(edge.to, edge.length_millionths);
        }
        let Waypoint { place, cells: [first, second], .. } = self.waypoints[from as usize];
        self.for_each_member(first, place, &mut next);
        if second != first {
            self.for_each_member(second, place, &mut next);
        }
    }

    fn for_each_member(&self, cell: u32, from: Place, next: &mut impl FnMut(u32, u64)) {
        if self.is_open.get(cell as usize) == Some(&true) {
            for &to in self.members(cell) {
                next(to, diagonal_distance(from, self.place(to)));
            }
        }
    }
}
