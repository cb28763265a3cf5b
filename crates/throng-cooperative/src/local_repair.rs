//! **LRA***: A* with local repair, what games did in 2005, and many still do.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Local Repair A*". Each unit finds a way and
//! ignores all others but its neighbours. When it is about to move into an occupied place it
//! finds another way instead, and is more agitated each time: noise in proportion is added
//! to its estimate.

use throng_spacetime::{Entry, Move, Position, Space};

use crate::agitated::{AgitatedAStar, Errand};
use crate::distances::{Distances, Keep};
use crate::{Fleet, Heuristic, LocalRepair, Simulation};

const NOBODY: u32 = u32::MAX;

/// A fleet under LRA*, turn by turn.
#[derive(Clone, Debug)]
pub struct LocalRepairSimulation<'a, S> {
    fleet: &'a Fleet<S>,
    seed: u64,
    units: Vec<Walker>,
    positions: Vec<Position>,
    /// By entry, whose body is there.
    occupied: Vec<u32>,
    search: AgitatedAStar,
    /// To know whether there is a way at all; the planner itself does without.
    distances: Distances,
}

#[derive(Clone, Debug, Default)]
struct Walker {
    /// Where it will go, the next position last.
    route: Vec<Position>,
    has_route: bool,
    agitation: u32,
    /// Where it was when the turn began.
    before: Option<Position>,
    /// The move it is in, where that began, and the turns until it ends.
    under_way: Option<(Move, Position, u32)>,
}

impl LocalRepair {
    /// The fleet under this planner, before anyone has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        fleet: &'a Fleet<S>,
        seed: u64,
    ) -> LocalRepairSimulation<'a, S> {
        let entries = fleet.spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut simulation = LocalRepairSimulation {
            fleet,
            seed,
            units: vec![Walker::default(); fleet.riders.len()],
            positions: fleet.riders.iter().map(|rider| rider.start).collect(),
            occupied: vec![NOBODY; entries],
            search: AgitatedAStar::default(),
            distances: Distances::new(
                &fleet.spaces,
                &fleet.riders,
                Heuristic::TrueDistance,
                Keep::ONCE,
            ),
        };
        for unit in 0..fleet.riders.len() {
            let (space, start) = (fleet.space(unit), fleet.riders[unit].start);
            occupy(&mut simulation.occupied, space, start, unit as u32);
        }
        simulation
    }
}

fn occupy<S: Space>(occupied: &mut [u32], space: &S, at: Position, unit: u32) {
    space.standing(at, |entry| {
        occupied[entry.get()] = unit;
        true
    });
}

impl<S: Space> LocalRepairSimulation<'_, S> {
    /// Finds a way around the neighbours of the moment.
    fn reroute(&mut self, unit: usize) {
        let (rider, space) = (self.fleet.riders[unit], self.fleet.space(unit));
        let walker = &mut self.units[unit];
        let mut neighbours = Vec::new();
        let occupied = &self.occupied;
        space.for_each_move(self.positions[unit], |step| {
            let free = |entry: Entry| is_free(occupied, entry, unit);
            if !space.standing(step.to, free) {
                neighbours.push(step.to);
            }
        });
        let errand = Errand {
            start: self.positions[unit],
            goal: rider.goal,
            agitation: u64::from(walker.agitation) * space.pause_cost(),
            seed: self.seed ^ (unit as u64) << 32 ^ u64::from(walker.agitation) << 52,
        };
        let mut route = std::mem::take(&mut walker.route);
        let blocked = |at: Position| neighbours.contains(&at);
        walker.has_route = self.search.find(space, errand, blocked, &mut route);
        self.units[unit].route = route;
    }

    /// The move that leads to the next position of the route.
    fn next_move(&self, unit: usize) -> Option<Move> {
        let to = *self.units[unit].route.last()?;
        let mut found = None;
        self.fleet.space(unit).for_each_move(self.positions[unit], |step| {
            if step.to == to {
                found = Some(step);
            }
        });
        found
    }

    /// Whether nobody is where the move leads, and nobody passes.
    fn is_clear(&self, unit: usize, step: Move) -> bool {
        let (space, from) = (self.fleet.space(unit), self.positions[unit]);
        space.footprint(from, step.action, |entry, _| is_free(&self.occupied, entry, unit))
            && space.passings(from, step.action, |before, after| {
                let other = self.occupied[after.get()];
                other == NOBODY || other as usize == unit || !self.was_at(other, before)
            })
    }

    /// Whether the unit held an entry when the turn began.
    fn was_at(&self, unit: u32, entry: Entry) -> bool {
        let space = self.fleet.space(unit as usize);
        let before = self.units[unit as usize].before;
        before.is_some_and(|before| !space.standing(before, |held| held != entry))
    }

    fn act(&mut self, unit: usize) {
        if let Some((step, from, left)) = self.units[unit].under_way {
            return self.go_on(unit, step, from, left - 1);
        }
        if self.positions[unit] == self.fleet.riders[unit].goal {
            return;
        }
        if !self.units[unit].has_route {
            self.reroute(unit);
        }
        let Some(step) = self.next_move(unit) else {
            self.units[unit].has_route = false;
            return;
        };
        if !self.is_clear(unit, step) {
            // "It instead recalculates the remainder of its route": the turn is gone.
            self.units[unit].agitation += 1;
            self.reroute(unit);
            return;
        }
        self.begin(unit, step);
    }

    fn begin(&mut self, unit: usize, step: Move) {
        let (space, from) = (self.fleet.space(unit), self.positions[unit]);
        let occupied = &mut self.occupied;
        space.footprint(from, step.action, |entry, _| {
            occupied[entry.get()] = unit as u32;
            true
        });
        self.go_on(unit, step, from, step.ticks - 1);
    }

    fn go_on(&mut self, unit: usize, step: Move, from: Position, left: u32) {
        if left > 0 {
            self.units[unit].under_way = Some((step, from, left));
            return;
        }
        let space = self.fleet.space(unit);
        self.units[unit].under_way = None;
        self.units[unit].route.pop();
        self.positions[unit] = step.to;
        let occupied = &mut self.occupied;
        occupy(occupied, space, from, NOBODY);
        space.footprint(from, step.action, |entry, _| {
            occupied[entry.get()] = NOBODY;
            true
        });
        occupy(occupied, space, step.to, unit as u32);
    }
}

fn is_free(occupied: &[u32], entry: Entry, unit: usize) -> bool {
    let holder = occupied[entry.get()];
    holder == NOBODY || holder as usize == unit
}

impl<S: Space> Simulation for LocalRepairSimulation<'_, S> {
    fn prepare(&mut self) {
        (0..self.units.len()).for_each(|unit| self.reroute(unit));
    }

    fn turn(&mut self) {
        for (walker, &at) in self.units.iter_mut().zip(&self.positions) {
            walker.before = Some(at);
        }
        (0..self.units.len()).for_each(|unit| self.act(unit));
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn is_under_way(&self) -> bool {
        self.units.iter().any(|walker| walker.under_way.is_some())
    }

    fn expanded(&self) -> u64 {
        self.search.expanded + self.distances.expanded()
    }

    fn generated(&self) -> u64 {
        self.search.generated + self.distances.generated()
    }

    fn shortest(&mut self, unit: u32) -> Option<u64> {
        self.distances.get(&self.fleet.spaces, unit, self.fleet.riders[unit as usize].start)
    }

    fn limit(&mut self, expansions: u64) {
        self.search.limit = self.search.expanded.saturating_add(expansions);
    }

    fn peak_open(&self) -> u64 {
        self.search.peak_open as u64
    }
}
