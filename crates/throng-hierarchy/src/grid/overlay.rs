//! A* from cluster to cluster.

use throng_model::Cell;

use super::cluster::{Back, Cluster, EXITS_MAX, FAR, Landing};
use super::crossings::{Crossing, Gate};
use super::hierarchy::GridHierarchy;
use super::plane::Plane;
use super::queue::Buckets;
use super::refine::{Inner, Sense, walk};

/// A way out of a cluster: the node of the search. Whoever took it stands at the gate behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit(u32);

impl Exit {
    fn new(cluster: u32, index: usize) -> Self {
        Self(cluster * EXITS_MAX + index as u32)
    }

    fn cluster(self) -> u32 {
        self.0 / EXITS_MAX
    }

    fn at(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn crossing(self, hierarchy: &GridHierarchy) -> &Crossing {
        let exits = &hierarchy.clusters[self.cluster() as usize].exits;
        &exits[(self.0 % EXITS_MAX) as usize].1
    }
}

/// What the search did before it took an exit: it took another, or stood at a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin(u32);

impl Origin {
    /// Exits are fewer: those of 2^16 clusters.
    const FIRST_START: u32 = 1 << 31;

    fn start(index: usize) -> Self {
        Self(Self::FIRST_START + index as u32)
    }

    fn exit(self) -> Result<Exit, usize> {
        if self.0 < Self::FIRST_START {
            Ok(Exit(self.0))
        } else {
            Err((self.0 - Self::FIRST_START) as usize)
        }
    }
}

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

/// The way over the clusters: where it starts, the exits that it takes, where it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) start: Cell,
    pub(crate) exits: Vec<Exit>,
    pub(crate) goal: Cell,
}

/// The rectangle in which all goals lie: no way is shorter than that to it.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    /// What a cell along the longer side of the way costs at least.
    along: u32,
    /// The same for the shorter side.
    aside: u32,
}

impl Aim {
    fn new(plane: &Plane, goals: &[Cell]) -> Self {
        let columns = || goals.iter().map(|goal| u32::from(goal.x));
        let rows = || goals.iter().map(|goal| u32::from(goal.y));
        let factor = u32::from(plane.least_factor());
        let [along, aside] = plane.rules.least_costs();
        Self {
            left: columns().min().unwrap_or(0),
            right: columns().max().unwrap_or(0),
            top: rows().min().unwrap_or(0),
            bottom: rows().max().unwrap_or(0),
            along: along * factor,
            aside: aside * factor,
        }
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let dx = self.left.saturating_sub(x) + x.saturating_sub(self.right);
        let dy = self.top.saturating_sub(y) + y.saturating_sub(self.bottom);
        dx.max(dy) * self.along + dx.min(dy) * self.aside
    }
}

/// An exit to be expanded, with what that needs: where it leads, and at what cost.
#[derive(Clone, Copy, Debug)]
struct Open {
    exit: Exit,
    gate: Gate,
    back: Back,
    cost: u32,
}

/// The search and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    round: u32,
    /// For each cluster the search that wrote what follows of its exits: what an earlier one
    /// wrote means nothing.
    rounds: Vec<u32>,
    /// For each exit what it costs to be behind it, by way of the door at which it leaves.
    ///
    /// Whoever stands at the door came from within, or from behind the exit: then what lies
    /// there is known already, and nobody need leave by it who comes to the door later.
    costs: Vec<u32>,
    /// For each exit that was taken what came before.
    origins: Vec<Origin>,
    open: Buckets<Open>,
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
        let least = starts.iter().map(|&start| self.aim.estimate(start)).min();
        self.open.reset(least.unwrap_or(0).into(), BUCKET_WIDTH_LOG2);
        (0..goals.len()).for_each(|goal| self.link_goal(hierarchy, goal));
        self.links.sort_unstable();
        (0..starts.len()).for_each(|start| self.link_start(hierarchy, start));
    }

    /// Forgets the search before.
    fn fit(&mut self, clusters: usize) {
        let exits = clusters * EXITS_MAX as usize;
        if self.rounds.len() != clusters || self.round == u32::MAX {
            self.rounds.clear();
            self.rounds.resize(clusters, 0);
            self.costs.resize(exits, FAR);
            self.origins.resize(exits, Origin(0));
            self.round = 0;
        }
        self.round += 1;
    }

    /// Forgets what an earlier search knew of a cluster.
    #[inline]
    fn visit(&mut self, hierarchy: &GridHierarchy, cluster: u32) {
        let round = &mut self.rounds[cluster as usize];
        if *round != self.round {
            *round = self.round;
            let count = hierarchy.clusters[cluster as usize].landings.len();
            let first = Exit::new(cluster, 0).at();
            self.costs[first..first + count].fill(FAR);
        }
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
        self.visit(hierarchy, cluster);
        let Cluster { exits, landings, .. } = &hierarchy.clusters[cluster as usize];
        for (index, ((_, crossing), &landing)) in exits.iter().zip(landings).enumerate() {
            let exit = Exit::new(cluster, index);
            let way = walk(hierarchy, cell, crossing.from, Sense::Outwards, |_| {});
            let cost = way.map_or(FAR, |cost| cost + crossing.cost);
            if cost < self.costs[exit.at()] {
                self.costs[exit.at()] = cost;
                self.take(exit, landing, cost, origin);
            }
        }
    }

    /// Expands exits until the best way is known or so many were expanded.
    pub(crate) fn run(&mut self, hierarchy: &GridHierarchy, most: u64) -> Progress {
        let limit = self.expanded.saturating_add(most);
        while self.expanded < limit {
            let bound = self.best.map_or(u64::MAX, |best| u64::from(best.cost));
            let Some(open) = self.open.pop_below(bound) else {
                return if self.best.is_some() { Progress::Found } else { Progress::Exhausted };
            };
            // Unless it was reached at less cost since.
            if self.costs[open.exit.at()] == open.cost {
                self.expand(hierarchy, open);
            }
        }
        Progress::Running
    }

    fn expand(&mut self, hierarchy: &GridHierarchy, Open { exit, gate, back, cost }: Open) {
        self.expanded += 1;
        let behind = gate.cluster();
        if self.goal_clusters.contains(&behind) {
            self.arrive_from(exit, gate, cost);
        }
        self.visit(hierarchy, behind);
        let cluster = &hierarchy.clusters[behind as usize];
        let exit_back = Exit::new(behind, cluster.exit_back(back)).at();
        // Since it was noted, the gate was come to from within.
        if self.costs[exit_back] <= cost + back.cost() {
            return;
        }
        self.costs[exit_back] = cost + back.cost();
        let first = Exit::new(behind, 0).at();
        for (index, &way) in cluster.ways_out(gate.place()).iter().enumerate() {
            let cost = cost + way;
            if cost < self.costs[first + index] {
                self.costs[first + index] = cost;
                let landing = cluster.landings[index];
                if !self.was_at(hierarchy, landing, cost) {
                    self.take(Exit::new(behind, index), landing, cost, Origin(exit.0));
                }
            }
        }
    }

    /// Whether the search has come to where an exit leads at no more cost: from within the
    /// cluster behind. Its ways out were noted then.
    #[inline]
    fn was_at(
        &self,
        hierarchy: &GridHierarchy,
        Landing { gate, back, .. }: Landing,
        cost: u32,
    ) -> bool {
        let at = gate.cluster();
        self.rounds[at as usize] == self.round && {
            let exit_back = hierarchy.clusters[at as usize].exit_back(back);
            self.costs[Exit::new(at, exit_back).at()] <= cost + back.cost()
        }
    }

    /// Notes how an exit was come to, for it to be expanded.
    #[inline]
    fn take(
        &mut self,
        exit: Exit,
        Landing { gate, cell, back }: Landing,
        cost: u32,
        origin: Origin,
    ) {
        self.origins[exit.at()] = origin;
        let estimate = self.aim.estimate(cell);
        self.open.push(u64::from(cost) + u64::from(estimate), Open { exit, gate, back, cost });
    }

    fn arrive_from(&mut self, exit: Exit, gate: Gate, cost: u32) {
        let first = self.links.partition_point(|link| link.gate < gate);
        for link in first..self.links.len() {
            let Link { gate: at, goal, cost: rest } = self.links[link];
            if at != gate {
                break;
            }
            let cost = cost + rest;
            self.arrive(Arrival { cost, origin: Origin(exit.0), goal });
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        if self.best.is_none_or(|best| arrival.cost < best.cost) {
            self.best = Some(arrival);
        }
    }

    /// Writes the best way found; false while there is none.
    pub(crate) fn route(&self, route: &mut Route) -> bool {
        route.exits.clear();
        let Some(best) = self.best else { return false };
        route.goal = self.goals[best.goal as usize];
        let mut origin = best.origin;
        loop {
            match origin.exit() {
                Ok(exit) => {
                    route.exits.push(exit);
                    origin = self.origins[exit.at()];
                }
                Err(start) => {
                    route.start = self.starts[start];
                    route.exits.reverse();
                    return true;
                }
            }
        }
    }
}
