//! A* from cluster to cluster.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::Cell;

use super::crossings::Gate;
use super::hierarchy::GridHierarchy;
use super::lanes::{self, FAR, Field};
use super::plane::{Plane, SIDE};
use super::tile::{self, CELLS, Tile};

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

#[derive(Clone, Copy, Debug)]
struct Node {
    cost: u64,
    origin: Origin,
    /// The search that wrote it.
    round: u32,
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
    cost: u64,
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
    fn estimate(&self, plane: &Plane, x: u32, y: u32) -> u64 {
        let dx = x.abs_diff(x.clamp(self.left, self.right));
        let dy = y.abs_diff(y.clamp(self.top, self.bottom));
        plane.rules.estimate(dx, dy) * self.factor
    }
}

/// The search and its memory.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    nodes: Vec<Node>,
    round: u32,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    links: Vec<Link>,
    aim: Aim,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    best: Option<Arrival>,
    field: Box<Field<u32, 1>>,
    pub(crate) expanded: u64,
}

impl Default for Overlay {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            round: 0,
            open: BinaryHeap::new(),
            links: Vec::new(),
            aim: Aim::default(),
            starts: Vec::new(),
            goals: Vec::new(),
            best: None,
            field: Box::new([[0]; CELLS]),
            expanded: 0,
        }
    }
}

impl Overlay {
    /// Sets up a search between cells that can be stood on.
    pub(crate) fn begin(&mut self, hierarchy: &GridHierarchy, starts: &[Cell], goals: &[Cell]) {
        let blank = Node { cost: u64::MAX, origin: Origin(0), round: 0 };
        let size = hierarchy.clusters.len() * super::crossings::PLACES as usize;
        if self.nodes.len() != size || self.round == u32::MAX {
            self.nodes.clear();
            self.nodes.resize(size, blank);
            self.round = 0;
        }
        self.round += 1;
        self.open.clear();
        self.links.clear();
        self.best = None;
        self.expanded = 0;
        self.aim = Aim::new(&hierarchy.plane, goals);
        (self.starts.clear(), self.goals.clear());
        self.starts.extend_from_slice(starts);
        self.goals.extend_from_slice(goals);
        (0..goals.len()).for_each(|goal| self.link_goal(hierarchy, goal));
        self.links.sort_unstable();
        (0..starts.len()).for_each(|start| self.link_start(hierarchy, start));
    }

    fn link_goal(&mut self, hierarchy: &GridHierarchy, goal: usize) {
        let (cluster, at) = locate(&hierarchy.plane, self.goals[goal]);
        let tile = Tile::new(&hierarchy.plane, cluster);
        lanes::fill::<u32, 1, true>(&tile, hierarchy.plane.rules, &[at], &mut self.field);
        for (_, exit) in &hierarchy.clusters[cluster as usize].exits {
            let (x, y) = exit.from.within();
            let cost = self.field[tile::at(x, y)][0];
            if cost != FAR {
                self.links.push(Link { gate: exit.from, goal: goal as u32, cost });
            }
        }
    }

    fn link_start(&mut self, hierarchy: &GridHierarchy, start: usize) {
        let plane = &hierarchy.plane;
        let (cluster, at) = locate(plane, self.starts[start]);
        let tile = Tile::new(plane, cluster);
        lanes::fill::<u32, 1, false>(&tile, plane.rules, &[at], &mut self.field);
        let origin = Origin::start(start);
        for goal in 0..self.goals.len() {
            let (of_goal, cell) = locate(plane, self.goals[goal]);
            let cost = self.field[cell][0];
            if of_goal == cluster && cost != FAR {
                self.arrive(Arrival { cost: u64::from(cost), origin, goal: goal as u32 });
            }
        }
        for (_, exit) in &hierarchy.clusters[cluster as usize].exits {
            let (x, y) = exit.from.within();
            let cost = self.field[tile::at(x, y)][0];
            if cost != FAR {
                self.improve(plane, exit.to, u64::from(cost) + u64::from(exit.cost), origin);
            }
        }
    }

    /// Expands gates until the best way is known or so many were expanded.
    pub(crate) fn run(&mut self, hierarchy: &GridHierarchy, most: u64) -> Progress {
        let limit = self.expanded.saturating_add(most);
        while let Some(&Reverse((f, gate))) = self.open.peek() {
            if self.best.is_some_and(|best| best.cost <= f) {
                break;
            }
            if self.expanded >= limit {
                return Progress::Running;
            }
            self.open.pop();
            self.expand(hierarchy, f, Gate(gate));
        }
        if self.best.is_some() { Progress::Found } else { Progress::Exhausted }
    }

    fn expand(&mut self, hierarchy: &GridHierarchy, f: u64, gate: Gate) {
        let plane = &hierarchy.plane;
        let cost = self.nodes[gate.0 as usize].cost;
        let (x, y) = position(plane, gate);
        if cost + self.aim.estimate(plane, x, y) < f {
            return; // A shorter way here was found since.
        }
        self.expanded += 1;
        self.arrive_from(gate, cost);
        let cluster = &hierarchy.clusters[gate.cluster() as usize];
        let distances = cluster.distances(gate.place());
        for &(row, exit) in &cluster.exits {
            match distances.get(usize::from(row)) {
                Some(&within) if within != FAR => {
                    let cost = cost + u64::from(within) + u64::from(exit.cost);
                    self.improve(plane, exit.to, cost, Origin(gate.0));
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn improve(&mut self, plane: &Plane, gate: Gate, cost: u64, origin: Origin) {
        let node = &mut self.nodes[gate.0 as usize];
        if node.round == self.round && node.cost <= cost {
            return;
        }
        *node = Node { cost, origin, round: self.round };
        let (x, y) = position(plane, gate);
        self.open.push(Reverse((cost + self.aim.estimate(plane, x, y), gate.0)));
    }

    fn arrive_from(&mut self, gate: Gate, cost: u64) {
        let first = self.links.partition_point(|link| link.gate < gate);
        for link in first..self.links.len() {
            let Link { gate: at, goal, cost: rest } = self.links[link];
            if at != gate {
                break;
            }
            self.arrive(Arrival { cost: cost + u64::from(rest), origin: Origin(gate.0), goal });
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
                    origin = self.nodes[gate.0 as usize].origin;
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

/// The cluster of a cell, and where the cell is in its tile.
pub(crate) fn locate(plane: &Plane, cell: Cell) -> (u32, usize) {
    let (x, y) = (u32::from(cell.x), u32::from(cell.y));
    (plane.cluster_of(cell), tile::at(x % SIDE, y % SIDE))
}

/// Column and row of a gate on the map.
#[inline]
pub(crate) fn position(plane: &Plane, gate: Gate) -> (u32, u32) {
    let (left, top) = plane.origin(gate.cluster());
    let (x, y) = gate.within();
    (left + x, top + y)
}
