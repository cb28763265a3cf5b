//! A* from cluster to cluster.

use throng_model::Cell;

use super::crossings::{Crossing, Gate, PLACES};
use super::hierarchy::GridHierarchy;
use super::plane::Plane;
use super::queue::Buckets;
use super::refine::{Inner, Sense, walk};

/// Where the search came to a gate from: another gate, or a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin(u32);

impl Origin {
    /// Gates are fewer: 2^16 clusters of 2^6 places.
    const FIRST_START: u32 = 1 << 31;

    fn start(index: usize) -> Self {
        Self(Self::FIRST_START + index as u32)
    }

    fn gate(self) -> Result<Gate, usize> {
        if self.0 < Self::FIRST_START {
            Ok(Gate(self.0))
        } else {
            Err((self.0 - Self::FIRST_START) as usize)
        }
    }
}

/// What a search knows of a cluster besides the costs at its gates.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    /// The search that wrote the costs: those of an earlier one mean nothing.
    round: u32,
    /// A bit for each gate that was expanded.
    expanded: u64,
}

/// Not reached, or so dear that nobody would walk there.
const UNREACHED: u32 = u32::MAX;

/// From a gate to a goal inside of its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    gate: Gate,
    goal: u32,
    cost: u32,
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    cost: u32,
    origin: Origin,
    goal: u32,
}

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Running,
    Found,
    Exhausted,
}

/// The way over the clusters: where it starts, the gates by which it comes in, where it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) start: Cell,
    pub(crate) gates: Vec<Gate>,
    pub(crate) goal: Cell,
}

/// The rectangle in which all goals lie: no way is shorter than that to it.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    factor: u64,
}

impl Aim {
    fn new(plane: &Plane, goals: &[Cell]) -> Self {
        let columns = || goals.iter().map(|goal| u32::from(goal.x));
        let rows = || goals.iter().map(|goal| u32::from(goal.y));
        Self {
            left: columns().min().unwrap_or(0),
            right: columns().max().unwrap_or(0),
            top: rows().min().unwrap_or(0),
            bottom: rows().max().unwrap_or(0),
            factor: plane.least_factor(),
        }
    }

    #[inline]
    fn estimate(&self, plane: &Plane, cell: Cell) -> u64 {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let dx = x.abs_diff(x.clamp(self.left, self.right));
        let dy = y.abs_diff(y.clamp(self.top, self.bottom));
        plane.rules.estimate(dx, dy) * self.factor
    }
}

/// The search and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    visits: Vec<Visit>,
    /// For each gate what it costs to come in there.
    costs: Vec<u32>,
    /// For each gate where the way there came from.
    origins: Vec<Origin>,
    round: u32,
    open: Buckets,
    links: Vec<Link>,
    goal_clusters: Vec<u32>,
    aim: Aim,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    best: Option<Arrival>,
    inner: Inner,
    pub(crate) expanded: u64,
}

/// Ways whose costs differ by less than two to the power of this are taken in any order.
const BUCKET_WIDTH_LOG2: u32 = 4;

impl Overlay {
    /// Sets up a search between cells that can be stood on.
    pub(crate) fn begin(&mut self, hierarchy: &GridHierarchy, starts: &[Cell], goals: &[Cell]) {
        self.fit(hierarchy.clusters.len());
        self.links.clear();
        self.goal_clusters.clear();
        self.goal_clusters.extend(goals.iter().map(|&goal| hierarchy.plane.cluster_of(goal)));
        self.goal_clusters.dedup();
        self.best = None;
        self.expanded = 0;
        self.aim = Aim::new(&hierarchy.plane, goals);
        self.starts.clear();
        self.starts.extend_from_slice(starts);
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        let least = starts.iter().map(|&start| self.aim.estimate(&hierarchy.plane, start)).min();
        self.open.reset(least.unwrap_or(0), BUCKET_WIDTH_LOG2);
        (0..goals.len()).for_each(|goal| self.link_goal(hierarchy, goal));
        self.links.sort_unstable();
        (0..starts.len()).for_each(|start| self.link_start(hierarchy, start));
    }

    /// Forgets the search before.
    fn fit(&mut self, clusters: usize) {
        let gates = clusters * PLACES as usize;
        if self.visits.len() != clusters || self.round == u32::MAX {
            self.visits.clear();
            self.visits.resize(clusters, Visit::default());
            self.costs.resize(gates, UNREACHED);
            self.origins.resize(gates, Origin(0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// What is known of a cluster, which is nothing when it is come to first.
    #[inline]
    fn visit(&mut self, cluster: u32) -> &mut Visit {
        let visit = &mut self.visits[cluster as usize];
        if visit.round != self.round {
            *visit = Visit { round: self.round, expanded: 0 };
            let first = cluster as usize * PLACES as usize;
            self.costs[first..first + PLACES as usize].fill(UNREACHED);
        }
        visit
    }

    fn link_goal(&mut self, hierarchy: &GridHierarchy, goal: usize) {
        let cell = self.goals[goal];
        let cluster = hierarchy.plane.cluster_of(cell);
        for &door in hierarchy.clusters[cluster as usize].doors() {
            let gate = Gate::of(cluster, door);
            if let Some(cost) = walk(hierarchy, cell, gate, Sense::Inwards, |_| {}) {
                self.links.push(Link { gate, goal: goal as u32, cost });
            }
        }
    }

    fn link_start(&mut self, hierarchy: &GridHierarchy, start: usize) {
        let (plane, cell) = (&hierarchy.plane, self.starts[start]);
        let cluster = plane.cluster_of(cell);
        let origin = Origin::start(start);
        for goal in 0..self.goals.len() {
            let to = self.goals[goal];
            let found = if plane.cluster_of(to) == cluster {
                self.inner.find(plane, cell, to, &mut Vec::new())
            } else {
                None
            };
            if let Some(cost) = found {
                self.arrive(Arrival { cost, origin, goal: goal as u32 });
            }
        }
        self.visit(cluster);
        for (_, exit) in &hierarchy.clusters[cluster as usize].exits {
            if let Some(cost) = walk(hierarchy, cell, exit.from, Sense::Outwards, |_| {}) {
                self.improve(plane, exit, cost.saturating_add(exit.cost), origin);
            }
        }
    }

    /// Expands gates until the best way is known or so many were expanded.
    pub(crate) fn run(&mut self, hierarchy: &GridHierarchy, most: u64) -> Progress {
        let limit = self.expanded.saturating_add(most);
        while self.expanded < limit {
            let bound = self.best.map_or(u64::MAX, |best| u64::from(best.cost));
            let Some(gate) = self.open.pop_below(bound) else {
                return if self.best.is_some() { Progress::Found } else { Progress::Exhausted };
            };
            self.expand(hierarchy, Gate(gate));
        }
        Progress::Running
    }

    fn expand(&mut self, hierarchy: &GridHierarchy, gate: Gate) {
        let (visit, bit) = (&mut self.visits[gate.cluster() as usize], 1 << gate.place());
        if visit.expanded & bit != 0 {
            return;
        }
        visit.expanded |= bit;
        let cost = self.costs[gate.0 as usize];
        self.expanded += 1;
        if self.goal_clusters.contains(&gate.cluster()) {
            self.arrive_from(gate, cost);
        }
        let cluster = &hierarchy.clusters[gate.cluster() as usize];
        for (&way, (_, exit)) in cluster.ways_out(gate.place()).iter().zip(&cluster.exits) {
            // What is too far stays so.
            let cost = cost.saturating_add(way);
            self.improve(&hierarchy.plane, exit, cost, Origin(gate.0));
        }
    }

    #[inline(always)]
    fn improve(&mut self, plane: &Plane, exit: &Crossing, cost: u32, origin: Origin) {
        // Whoever came in there has come from over there, and for less: what this way could
        // reach was reached on that side already.
        if exit.is_alone && self.costs[exit.from.0 as usize] <= cost {
            return;
        }
        self.visit(exit.to.cluster());
        if self.costs[exit.to.0 as usize] <= cost {
            return;
        }
        self.visits[exit.to.cluster() as usize].expanded &= !(1 << exit.to.place());
        self.costs[exit.to.0 as usize] = cost;
        self.origins[exit.to.0 as usize] = origin;
        self.open.push(u64::from(cost) + self.aim.estimate(plane, exit.cell), exit.to.0);
    }

    fn arrive_from(&mut self, gate: Gate, cost: u32) {
        let first = self.links.partition_point(|link| link.gate < gate);
        for link in first..self.links.len() {
            let Link { gate: at, goal, cost: rest } = self.links[link];
            if at != gate {
                break;
            }
            let cost = cost.saturating_add(rest);
            self.arrive(Arrival { cost, origin: Origin(gate.0), goal });
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        if self.best.is_none_or(|best| arrival.cost < best.cost) {
            self.best = Some(arrival);
        }
    }

    /// Writes the best way found; false while there is none.
    pub(crate) fn route(&self, route: &mut Route) -> bool {
        route.gates.clear();
        let Some(best) = self.best else { return false };
        route.goal = self.goals[best.goal as usize];
        let mut origin = best.origin;
        loop {
            match origin.gate() {
                Ok(gate) => {
                    route.gates.push(gate);
                    origin = self.origins[gate.0 as usize];
                }
                Err(start) => {
                    route.start = self.starts[start];
                    route.gates.reverse();
                    return true;
                }
            }
        }
    }
}
