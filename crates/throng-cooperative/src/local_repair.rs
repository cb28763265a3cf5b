//! **LRA***: A* with local repair, what games did in 2005, and many still do.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Local Repair A*". Each unit finds a path and
//! ignores all others but its neighbours. When it is about to move into an occupied place it
//! finds another path instead, and is more agitated each time: noise in proportion is added to
//! its heuristic.

use throng_model::{Effort, UnitId};
use throng_spacetime::{Entry, Move, Position, Space};

use crate::agitated::{AgitatedAStar, NoisyQuery};
use crate::distances::{Distances, Keep};
use crate::held::Held;
use crate::{Heuristic, Instance, LocalRepair, Simulation};

const NO_UNIT: u32 = u32::MAX;

/// An instance under LRA*, turn by turn.
#[derive(Clone, Debug)]
pub struct LocalRepairSimulation<'a, S> {
    instance: Held<'a, Instance<S>>,
    seed: u64,
    units: Vec<UnitState>,
    positions: Vec<Position>,
    /// Where each unit is to go.
    goals: Vec<Position>,
    /// By entry, the unit whose body is there.
    occupied: Vec<u32>,
    search: AgitatedAStar,
    /// To know whether there is a path at all; the planner itself does without.
    distances: Distances,
}

#[derive(Clone, Debug, Default)]
struct UnitState {
    /// Where it will go, the next position last.
    route: Vec<Position>,
    has_route: bool,
    agitation: u32,
    /// Where it was when the turn began.
    before: Option<Position>,
    /// The move it is in, where that began, and the turns until it ends.
    moving: Option<(Move, Position, u32)>,
}

impl LocalRepair {
    /// The instance under this planner, before any unit has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        instance: &'a Instance<S>,
        seed: u64,
    ) -> LocalRepairSimulation<'a, S> {
        LocalRepairSimulation::new(Held::Borrowed(instance), seed)
    }

    /// The same with an instance of its own, for a simulation that is kept.
    #[must_use]
    pub fn simulate_owned<S: Space>(
        &self,
        instance: Instance<S>,
        seed: u64,
    ) -> LocalRepairSimulation<'static, S> {
        LocalRepairSimulation::new(Held::Owned(Box::new(instance)), seed)
    }
}

impl<'a, S: Space> LocalRepairSimulation<'a, S> {
    fn new(instance: Held<'a, Instance<S>>, seed: u64) -> Self {
        let entries = instance.spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut simulation = LocalRepairSimulation {
            seed,
            units: vec![UnitState::default(); instance.units.len()],
            positions: instance.units.iter().map(|spec| spec.start).collect(),
            goals: instance.units.iter().map(|spec| spec.goal).collect(),
            occupied: vec![NO_UNIT; entries],
            search: AgitatedAStar::default(),
            distances: Distances::new(
                &instance.spaces,
                &instance.units,
                Heuristic::TrueDistance,
                Keep::ONCE,
            ),
            instance,
        };
        let instance = &simulation.instance;
        for unit in 0..instance.units.len() {
            let (space, start) = (instance.space(unit), instance.units[unit].start);
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
    /// The instance, with the starts and goals of the beginning.
    #[must_use]
    pub fn instance(&self) -> &Instance<S> {
        &self.instance
    }

    /// Sends a unit to another goal. It plans in the next turn, and is no longer agitated.
    pub fn send(&mut self, unit: usize, goal: Position) {
        self.goals[unit] = goal;
        let state = &mut self.units[unit];
        (state.has_route, state.agitation) = (false, 0);
        // The end of a step in progress is taken from the route.
        if state.moving.is_none() {
            state.route.clear();
        }
    }

    /// The step that a unit is in: where it ends, the turns left and the turns in all.
    #[must_use]
    pub fn step_in_progress(&self, unit: usize) -> Option<(Position, u32, u32)> {
        self.units[unit].moving.map(|(step, _, left)| (step.to, left, step.ticks))
    }

    /// The positions that a unit means to visit, in order.
    pub fn route(&self, unit: usize) -> impl Iterator<Item = Position> {
        self.units[unit].route.iter().rev().copied()
    }

    /// How many times a unit found another unit in its way since it was sent.
    #[must_use]
    pub fn agitation(&self, unit: usize) -> u32 {
        self.units[unit].agitation
    }

    /// Finds a path around the neighbours of the moment.
    fn reroute(&mut self, unit: usize, effort: &mut Effort<'_>) {
        let space = self.instance.space(unit);
        let state = &mut self.units[unit];
        let mut neighbours = Vec::new();
        let occupied = &self.occupied;
        space.for_each_move(self.positions[unit], |step| {
            let free = |entry: Entry| is_free(occupied, entry, unit);
            if !space.standing(step.to, free) {
                neighbours.push(step.to);
            }
        });
        let query = NoisyQuery {
            start: self.positions[unit],
            goal: self.goals[unit],
            agitation: u64::from(state.agitation) * space.pause_cost(),
            seed: self.seed ^ (unit as u64) << 32 ^ u64::from(state.agitation) << 52,
        };
        let mut route = std::mem::take(&mut state.route);
        let blocked = |at: Position| neighbours.contains(&at);
        state.has_route = self.search.find(space, query, blocked, &mut route, effort);
        self.units[unit].route = route;
    }

    /// The move that leads to the next position of the route.
    fn next_move(&self, unit: usize) -> Option<Move> {
        let to = *self.units[unit].route.last()?;
        let mut found = None;
        self.instance.space(unit).for_each_move(self.positions[unit], |step| {
            if step.to == to {
                found = Some(step);
            }
        });
        found
    }

    /// Whether no unit is where the move leads, and none passes.
    fn is_clear(&self, unit: usize, step: Move) -> bool {
        let (space, from) = (self.instance.space(unit), self.positions[unit]);
        space.footprint(from, step.action, |entry, _| is_free(&self.occupied, entry, unit))
            && space.passings(from, step.action, |before, after| {
                let other = self.occupied[after.get()];
                other == NO_UNIT || other as usize == unit || !self.was_at(other, before)
            })
    }

    /// Whether the unit held an entry when the turn began.
    fn was_at(&self, unit: u32, entry: Entry) -> bool {
        let space = self.instance.space(unit as usize);
        let before = self.units[unit as usize].before;
        before.is_some_and(|before| !space.standing(before, |held| held != entry))
    }

    fn act(&mut self, unit: usize, effort: &mut Effort<'_>) {
        if let Some((step, from, left)) = self.units[unit].moving {
            return self.go_on(unit, step, from, left - 1);
        }
        if self.positions[unit] == self.goals[unit] {
            return;
        }
        if !self.units[unit].has_route {
            self.reroute(unit, effort);
        }
        let Some(step) = self.next_move(unit) else {
            self.units[unit].has_route = false;
            return;
        };
        if !self.is_clear(unit, step) {
            // "It instead recalculates the remainder of its route": the turn is gone.
            self.units[unit].agitation += 1;
            self.reroute(unit, effort);
            return;
        }
        self.begin(unit, step);
    }

    fn begin(&mut self, unit: usize, step: Move) {
        let (space, from) = (self.instance.space(unit), self.positions[unit]);
        let occupied = &mut self.occupied;
        space.footprint(from, step.action, |entry, _| {
            occupied[entry.get()] = unit as u32;
            true
        });
        self.go_on(unit, step, from, step.ticks - 1);
    }

    fn go_on(&mut self, unit: usize, step: Move, from: Position, left: u32) {
        if left > 0 {
            self.units[unit].moving = Some((step, from, left));
            return;
        }
        let space = self.instance.space(unit);
        self.units[unit].moving = None;
        self.units[unit].route.pop();
        self.positions[unit] = step.to;
        let occupied = &mut self.occupied;
        occupy(occupied, space, from, NO_UNIT);
        space.footprint(from, step.action, |entry, _| {
            occupied[entry.get()] = NO_UNIT;
            true
        });
        occupy(occupied, space, step.to, unit as u32);
    }
}

fn is_free(occupied: &[u32], entry: Entry, unit: usize) -> bool {
    let holder = occupied[entry.get()];
    holder == NO_UNIT || holder as usize == unit
}

impl<S: Space> Simulation for LocalRepairSimulation<'_, S> {
    fn prepare(&mut self, effort: &mut Effort<'_>) {
        (0..self.units.len()).for_each(|unit| self.reroute(unit, effort));
    }

    fn turn(&mut self, effort: &mut Effort<'_>) {
        for (state, &at) in self.units.iter_mut().zip(&self.positions) {
            state.before = Some(at);
        }
        (0..self.units.len()).for_each(|unit| self.act(unit, effort));
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn is_any_moving(&self) -> bool {
        self.units.iter().any(|state| state.moving.is_some())
    }

    fn expanded(&self) -> u64 {
        self.search.expanded + self.distances.expanded()
    }

    fn generated(&self) -> u64 {
        self.search.generated + self.distances.generated()
    }

    fn shortest(&mut self, unit: UnitId, effort: &mut Effort<'_>) -> Option<u64> {
        self.distances.start_distance(&self.instance.spaces, unit, effort)
    }

    fn peak_open(&self) -> u64 {
        self.search.peak_open as u64
    }
}
