//! A* from door to door.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::Cell;

use super::region::Exit;
use super::{RegionId, Regions};

/// What the search knows of a door by which a region is entered.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The search that wrote it: what an earlier one wrote means nothing.
    round: u32,
    is_closed: bool,
    cost: u64,
    region: RegionId,
    row: u16,
    /// The row of the door by which the region before was left.
    via: u16,
    origin: Origin,
}

/// Where the search came to a door from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Start(u32),
    Node(u32),
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    cost: u64,
    node: u32,
    goal: Cell,
}

/// The way through one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) region: RegionId,
    /// The row of the door by which it comes in; the first leg begins at the start.
    pub(super) from: Option<u16>,
    /// The row of the door by which it goes out, and the cell beyond; the last leg ends at
    /// the goal.
    pub(super) out: Option<(u16, Cell)>,
}

/// The way from region to region.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    pub(super) start: Cell,
    pub(super) legs: Vec<Leg>,
    pub(super) goal: Cell,
}

/// A search for a route, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteSearch {
    round: u32,
    nodes: Vec<Node>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    starts: Vec<Cell>,
    /// Sorted by region.
    goals: Vec<(RegionId, Cell)>,
    /// The corners of the rectangle around all goals: no way is shorter than that to it.
    aim: (Cell, Cell),
    best: Option<Arrival>,
    steps: Vec<Cell>,
    pub(super) expanded: u64,
}

const UNKNOWN: Node = Node {
    round: 0,
    is_closed: false,
    cost: u64::MAX,
    region: RegionId(0),
    row: 0,
    via: 0,
    origin: Origin::Start(0),
};

impl RouteSearch {
    /// Sets up a search. False if a start lies in a goal's region, where doors are no help.
    pub(super) fn begin(&mut self, regions: &Regions, starts: &[Cell], goals: &[Cell]) -> bool {
        self.reset(regions.node_count());
        self.starts.extend_from_slice(starts);
        let named = goals.iter().filter_map(|&goal| Some((regions.region_of(goal)?, goal)));
        self.goals.extend(named);
        self.goals.sort_unstable();
        let (columns, rows) = (goals.iter().map(|goal| goal.x), goals.iter().map(|goal| goal.y));
        let low = Cell::new(columns.clone().min().unwrap_or(0), rows.clone().min().unwrap_or(0));
        self.aim = (low, Cell::new(columns.max().unwrap_or(0), rows.max().unwrap_or(0)));
        for (index, &start) in starts.iter().enumerate() {
            let Some(region) = regions.region_of(start) else { continue };
            if self.goals_in(region).next().is_some() {
                return false;
            }
            self.leave(regions, index as u32, start, region);
        }
        true
    }

    fn reset(&mut self, nodes: usize) {
        if self.nodes.len() != nodes || self.round == u32::MAX {
            self.nodes.clear();
            self.nodes.resize(nodes, UNKNOWN);
            self.round = 0;
        }
        self.round += 1;
        self.open.clear();
        self.starts.clear();
        self.goals.clear();
        self.best = None;
        self.expanded = 0;
    }

    fn goals_in(&self, region: RegionId) -> impl Iterator<Item = Cell> {
        let first = self.goals.partition_point(|&(home, _)| home < region);
        self.goals[first..].iter().take_while(move |(home, _)| *home == region).map(|goal| goal.1)
    }

    /// Leaves a start's region by all of its exits.
    fn leave(&mut self, regions: &Regions, index: u32, start: Cell, region: RegionId) {
        let Some(home) = regions.get(region) else { return };
        let mut steps = std::mem::take(&mut self.steps);
        let costs: Vec<Option<u64>> = (0..home.doors.len())
            .map(|row| regions.cost_out(home, row, start, &mut steps))
            .collect();
        self.steps = steps;
        for exit in &home.exits {
            if let Some(cost) = costs[usize::from(exit.row)] {
                self.improve(regions, exit, cost, Origin::Start(index));
            }
        }
    }

    /// Expands doors until the best route is known, or so many were expanded: then false.
    pub(super) fn run(&mut self, regions: &Regions, most: u64) -> bool {
        let limit = self.expanded.saturating_add(most);
        while let Some(&Reverse((estimate, node))) = self.open.peek() {
            if self.best.is_some_and(|best| best.cost <= estimate) {
                break;
            }
            if self.expanded >= limit {
                return false;
            }
            self.open.pop();
            if !self.nodes[node as usize].is_closed {
                self.expand(regions, node);
            }
        }
        true
    }

    fn expand(&mut self, regions: &Regions, index: u32) {
        self.expanded += 1;
        self.nodes[index as usize].is_closed = true;
        let Node { cost, region, row, .. } = self.nodes[index as usize];
        self.arrive(regions, index);
        let Some(content) = regions.get(region) else { return };
        let ways = content.ways(usize::from(row));
        for exit in &content.exits {
            let out = cost + u64::from(ways[usize::from(exit.row)]);
            // Whoever came in by that door has come from over there, and for less: what this
            // way could reach was reached on that side already.
            let door = &self.nodes[(index - u32::from(row) + u32::from(exit.row)) as usize];
            if exit.is_alone && door.round == self.round && door.cost <= out {
                continue;
            }
            self.improve(regions, exit, out, Origin::Node(index));
        }
    }

    /// `cost`: what it costs to come to the exit's door.
    #[inline]
    fn improve(&mut self, regions: &Regions, exit: &Exit, cost: u64, origin: Origin) {
        let Some((region, row, index)) = regions.node(exit.to) else { return };
        let cost = cost + u64::from(exit.cost);
        let node = &mut self.nodes[index as usize];
        if node.round == self.round && node.cost <= cost {
            return;
        }
        let (round, via) = (self.round, exit.row);
        *node = Node { round, is_closed: false, cost, region, row, via, origin };
        self.open.push(Reverse((cost + self.estimate(regions, exit.to), index)));
    }

    fn estimate(&self, regions: &Regions, cell: Cell) -> u64 {
        let (low, high) = self.aim;
        let beyond = |at: u16, low: u16, high: u16| {
            u32::from(low.saturating_sub(at).max(at.saturating_sub(high)))
        };
        let (dx, dy) = (beyond(cell.x, low.x, high.x), beyond(cell.y, low.y, high.y));
        regions.plane.rules.estimate(dx, dy) * regions.least_factor
    }

    /// Goes from a door to the goals in its region.
    fn arrive(&mut self, regions: &Regions, index: u32) {
        let Node { cost, region, row, .. } = self.nodes[index as usize];
        let Some(content) = regions.get(region) else { return };
        let (mut steps, mut best) = (std::mem::take(&mut self.steps), self.best);
        for goal in self.goals_in(region) {
            let within = regions.cost_in(content, usize::from(row), goal, &mut steps);
            let Some(cost) = within.map(|within| cost + within) else { continue };
            if best.is_none_or(|best| cost < best.cost) {
                best = Some(Arrival { cost, node: index, goal });
            }
        }
        (self.steps, self.best) = (steps, best);
    }

    /// Writes the best route; false while there is none.
    pub(super) fn route(&self, regions: &Regions, route: &mut Route) -> bool {
        route.legs.clear();
        let Some(Arrival { mut node, goal, .. }) = self.best else { return false };
        route.goal = goal;
        let mut out = None;
        loop {
            let Node { region, row, via, origin, .. } = self.nodes[node as usize];
            route.legs.push(Leg { region, from: Some(row), out });
            let entered = regions.get(region).and_then(|content| content.door(usize::from(row)));
            out = entered.map(|cell| (via, cell));
            match origin {
                Origin::Node(before) => node = before,
                Origin::Start(start) => {
                    route.start = self.starts[start as usize];
                    let Some(region) = regions.region_of(route.start) else { return false };
                    route.legs.push(Leg { region, from: None, out });
                    route.legs.reverse();
                    return true;
                }
            }
        }
    }
}
