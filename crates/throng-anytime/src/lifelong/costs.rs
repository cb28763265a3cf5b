//! Costs to the goals: one backward search per unit, resumed as far as they are asked for.
//!
//! The search is A* towards the unit (reverse resumable A*, D. Silver 2005) over steps whose costs
//! depend on the traffic at the time of expansion. Labels grow along the search, so every labelled
//! state has a neighbour with a smaller label: no local minimum traps a unit. Ties are broken
//! newest first.
//!
//! A state is a position, or a position with a heading for units that turn: then a quarter turn
//! costs as much as a step without traffic.

use std::cmp::Reverse;

use super::headings::{Compass, turns};
use super::traffic::{STEP_COST, STEP_COST_MAX, Traffic};
use crate::{Graph, TrueDistances, UNREACHED, Vertex};

/// One more than the largest difference of f between a node and its successor.
const BUCKETS: usize = (STEP_COST + STEP_COST_MAX + 1) as usize;
/// Set in labels that are final.
const SETTLED: u32 = 1 << 31;

/// The search of one unit.
#[derive(Clone, Debug)]
struct Backward {
    /// Where the unit was when the search began.
    start: Vertex,
    /// The f of the current bucket.
    level: u32,
    /// Entries in all buckets.
    open: usize,
    /// States by f modulo the number of buckets.
    buckets: Vec<Vec<u32>>,
    /// States with labels.
    touched: Vec<u32>,
}

/// What the searches of all units read.
#[derive(Clone, Debug)]
struct Ground<'g> {
    graph: &'g Graph,
    compass: Option<Compass>,
    traffic: Option<Traffic>,
    /// States per position: 1, or 4 headings.
    headings: u32,
}

/// The costs of all units to their goals.
#[derive(Clone, Debug)]
pub(super) struct Costs<'g> {
    ground: Ground<'g>,
    /// States per unit.
    states: usize,
    /// A table per unit: the label plus 1, 0 where there is none.
    labels: Vec<u32>,
    searches: Vec<Backward>,
    /// Where units are and how they are turned: from there steps are judged.
    places: Vec<(Vertex, u8)>,
    /// States expanded so far.
    pub(super) expanded: u64,
}

impl<'g> Costs<'g> {
    /// Labels that the tables of some units take.
    pub(super) fn size(graph: &Graph, units: usize, turning: bool) -> usize {
        graph.len().saturating_mul(if turning { 4 } else { 1 }).saturating_mul(units)
    }

    pub(super) fn new(graph: &'g Graph, starts: &[Vertex], turning: bool, guided: bool) -> Self {
        let search = Backward {
            start: Vertex(0),
            level: 0,
            open: 0,
            buckets: vec![Vec::new(); BUCKETS],
            touched: Vec::new(),
        };
        let ground = Ground {
            graph,
            compass: turning.then(|| Compass::new(graph)),
            traffic: guided.then(|| Traffic::new(graph)),
            headings: if turning { 4 } else { 1 },
        };
        Self {
            states: Self::size(graph, 1, turning),
            ground,
            // Zeroed memory comes from the system untouched.
            labels: vec![0; Self::size(graph, starts.len(), turning)],
            searches: vec![search; starts.len()],
            places: starts.iter().map(|&at| (at, 0)).collect(),
            expanded: 0,
        }
    }

    /// The directions, for units that turn.
    pub(super) fn compass(&self) -> Option<&Compass> {
        self.ground.compass.as_ref()
    }

    /// Says where a unit is and how it is turned.
    pub(super) fn set_place(&mut self, unit: usize, at: Vertex, heading: u8) {
        self.places[unit] = (at, heading);
    }

    /// Begins the search from a unit's goal to where it is.
    pub(super) fn set_goal(&mut self, unit: usize, goal: Vertex) {
        let labels = &mut self.labels[unit * self.states..(unit + 1) * self.states];
        let search = &mut self.searches[unit];
        for state in search.touched.drain(..) {
            labels[state as usize] = 0;
        }
        search.buckets.iter_mut().for_each(Vec::clear);
        search.start = self.places[unit].0;
        search.level = estimate(self.ground.graph, search.start, goal);
        search.open = 0;
        for heading in 0..self.ground.headings {
            search.label(&self.ground, labels, goal.0 * self.ground.headings + heading, 1);
        }
    }

    /// Replaces a unit's path in the traffic by a cheapest one from where it is, empty if there
    /// is none; how many ticks it takes.
    pub(super) fn renew_path(&mut self, unit: usize, goal: Vertex, path: &mut Vec<Vertex>) -> u32 {
        let graph = self.ground.graph;
        if let Some(traffic) = &mut self.ground.traffic {
            traffic.remove(graph, path);
        }
        self.set_goal(unit, goal);
        let ticks = self.follow(unit, path);
        if let Some(traffic) = &mut self.ground.traffic {
            traffic.add(graph, path);
        }
        ticks
    }

    /// Follows a cheapest path of a unit: its cells, and how many ticks it takes.
    fn follow(&mut self, unit: usize, path: &mut Vec<Vertex>) -> u32 {
        path.clear();
        let mut ticks = 0;
        let (mut at, mut heading) = self.places[unit];
        let mut cost = self.state_cost(unit, at, heading);
        if cost == UNREACHED {
            return ticks;
        }
        path.push(at);
        while cost > 0 {
            let (least, to, turned) = self.best_move(unit, at, heading);
            if least >= cost {
                return ticks;
            }
            ticks += 1;
            if to != at {
                path.push(to);
            }
            (cost, at, heading) = (least, to, turned);
        }
        ticks
    }

    /// The successor of a state with the smallest label; the first of equal ones.
    fn best_move(&mut self, unit: usize, at: Vertex, heading: u8) -> (u32, Vertex, u8) {
        let graph = self.ground.graph;
        let Some(ahead) = self.ground.compass.as_ref().map(|c| c.ahead(at, heading)) else {
            let moves =
                graph.neighbours(at).iter().map(|&to| (self.state_cost(unit, to, 0), to, 0));
            return moves.min_by_key(|&(cost, ..)| cost).unwrap_or((UNREACHED, at, 0));
        };
        let moves = [(ahead, heading), (at, (heading + 1) % 4), (at, (heading + 3) % 4)];
        let legal = moves.into_iter().filter(|&(to, _)| to != Vertex::NONE);
        let costs = legal.map(|(to, turned)| (self.state_cost(unit, to, turned), to, turned));
        costs.min_by_key(|&(cost, ..)| cost).unwrap_or((UNREACHED, at, heading))
    }

    /// What it costs a unit to get from where it is to its goal.
    pub(super) fn cost_left(&mut self, unit: usize) -> u32 {
        let (at, heading) = self.places[unit];
        self.state_cost(unit, at, heading)
    }

    /// The cost of a state; the heading is 0 for units that do not turn.
    #[inline]
    fn state_cost(&mut self, unit: usize, at: Vertex, heading: u8) -> u32 {
        let state = at.0 * self.ground.headings + u32::from(heading);
        let label = self.labels[unit * self.states + state as usize];
        if label & SETTLED != 0 {
            return (label & !SETTLED) - 1;
        }
        self.resume(unit, state)
    }

    #[cold]
    fn resume(&mut self, unit: usize, target: u32) -> u32 {
        let labels = &mut self.labels[unit * self.states..(unit + 1) * self.states];
        let search = &mut self.searches[unit];
        while search.open > 0 {
            let Some(state) = search.buckets[search.level as usize % BUCKETS].pop() else {
                search.level += 1;
                continue;
            };
            search.open -= 1;
            let label = labels[state as usize];
            if label & SETTLED != 0 {
                continue;
            }
            labels[state as usize] = label | SETTLED;
            self.expanded += 1;
            search.expand(&self.ground, labels, state, label);
            if state == target {
                return label - 1;
            }
        }
        UNREACHED
    }

    /// What it costs a unit that turns to go to a neighbour and on to its goal, or to stay for
    /// a tick.
    fn turning_cost(&mut self, unit: usize, to: Vertex) -> u32 {
        let (at, heading) = self.places[unit];
        let towards = self.ground.compass.as_ref().and_then(|compass| compass.heading(at, to));
        match towards {
            Some(towards) => {
                let step = self.ground.step_cost(at, to) + turns(heading, towards) * STEP_COST;
                self.state_cost(unit, to, towards).saturating_add(step)
            }
            None if to == at => self.state_cost(unit, at, heading).saturating_add(STEP_COST),
            None => self.get(unit, to),
        }
    }
}

impl Ground<'_> {
    #[inline]
    fn step_cost(&self, from: Vertex, to: Vertex) -> u32 {
        self.traffic.as_ref().map_or(STEP_COST, |traffic| traffic.cost(self.graph, from, to))
    }
}

impl Backward {
    /// Labels the states from which one action leads to this one.
    #[inline]
    fn expand(&mut self, ground: &Ground<'_>, labels: &mut [u32], state: u32, label: u32) {
        let Some(compass) = &ground.compass else {
            let at = Vertex(state);
            for &from in ground.graph.neighbours(at) {
                if labels[from.get()] & SETTLED == 0 {
                    self.label(ground, labels, from.0, label + ground.step_cost(from, at));
                }
            }
            return;
        };
        let (at, heading) = (Vertex(state / 4), (state % 4) as u8);
        for turned in [(heading + 1) % 4, (heading + 3) % 4] {
            self.label(ground, labels, at.0 * 4 + u32::from(turned), label + STEP_COST);
        }
        let from = compass.behind(at, heading);
        if from != Vertex::NONE {
            let new = label + ground.step_cost(from, at);
            self.label(ground, labels, from.0 * 4 + u32::from(heading), new);
        }
    }

    /// Gives a state a label unless it has a better one.
    #[inline]
    fn label(&mut self, ground: &Ground<'_>, labels: &mut [u32], state: u32, new: u32) {
        let known = labels[state as usize];
        if known != 0 && new >= known & !SETTLED {
            return;
        }
        if known == 0 {
            self.touched.push(state);
        }
        labels[state as usize] = new;
        let at = Vertex(state / ground.headings);
        let f = new - 1 + estimate(ground.graph, self.start, at);
        self.buckets[f as usize % BUCKETS].push(state);
        self.open += 1;
    }
}

impl TrueDistances for Costs<'_> {
    #[inline]
    fn get(&mut self, unit: usize, vertex: Vertex) -> u32 {
        let headings = 0..self.ground.headings as u8;
        headings.map(|heading| self.state_cost(unit, vertex, heading)).min().unwrap_or(UNREACHED)
    }

    #[inline]
    fn rank(&mut self, unit: usize, vertex: Vertex) -> u32 {
        if self.ground.compass.is_some() {
            return self.turning_cost(unit, vertex);
        }
        self.state_cost(unit, vertex, 0)
    }

    fn are_goals_renewed(&self) -> bool {
        true
    }

    /// A unit that turns keeps to the direction that it has begun to turn to: its turns break
    /// ties only.
    fn sort_away(&mut self, unit: usize, candidates: &mut [Vertex]) {
        let (at, heading) = self.places[unit];
        if self.ground.compass.is_none() {
            return candidates.reverse();
        }
        candidates.sort_by_cached_key(|&to| {
            let cost = self.get(unit, to);
            let towards = self.ground.compass.as_ref().and_then(|compass| compass.heading(at, to));
            (Reverse(cost), towards.map_or(0, |towards| turns(heading, towards)))
        });
    }
}

/// A consistent estimate of the cost between two positions.
#[inline]
fn estimate(graph: &Graph, from: Vertex, to: Vertex) -> u32 {
    let (from, to) = (graph.cell(from), graph.cell(to));
    let (dx, dy) = (u32::from(from.x.abs_diff(to.x)), u32::from(from.y.abs_diff(to.y)));
    STEP_COST * if graph.has_diagonals() { dx.max(dy) } else { dx + dy }
}
