//! CA* and HCA* for complete plans: one search through space-time per unit, and a unit that has
//! arrived holds its goal forever.
//!
//! D. Silver, "Cooperative pathfinding" (2005). In the paper a unit that has arrived becomes an
//! obstacle. Here a unit arrives when no other has claimed its goal any more, and parks there, so
//! that the plan needs no repair. If a unit finds no path, the planner restarts with that unit
//! moved forward in the order, and from time to time with a shuffled order. When the restarts are
//! used up, `best_attempt.rs` returns the best partial plan.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use throng_model::{Effort, Observer, Progress, SearchStatus, Tick, UnitId};
use throng_spacetime::{Position, SafeIntervalSearch, Space, TimedPath};

use crate::best_attempt::BestAttempt;
use crate::distances::{Distances, Keep};
use crate::planning_order::{order, shuffle};
use crate::reservations::GoalIndex;
use crate::{Claim, CooperativeAStar, Instance, Priority, Reservations};

/// The outcome for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstanceOutcome {
    /// Every unit ends and stays on its goal.
    Solved(Vec<Vec<Position>>),
    /// This unit cannot reach its goal, even alone.
    Unreachable(UnitId),
    /// The budget ran out: where every unit was at each tick in the best attempt, if any unit
    /// moved.
    BudgetSpent(Option<Vec<Vec<Position>>>),
    /// Some units did not arrive: where every unit was at each tick.
    Partial(Vec<Vec<Position>>),
}

/// The outcome for an instance, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceReport {
    /// The outcome.
    pub outcome: InstanceOutcome,
    /// Nodes expanded, of all searches together.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Most nodes open at once.
    pub peak_open: u64,
    /// The cost of each unit's path without the others, where that was found.
    pub shortest: Vec<Option<u64>>,
    /// Whether the planner was interrupted: then the outcome is not reproducible.
    pub interrupted: bool,
}

struct Attempt<'a, S> {
    instance: &'a Instance<S>,
    distances: Distances,
    search: SafeIntervalSearch,
    table: Reservations,
    paths: Vec<TimedPath>,
    shortest: Vec<Option<u64>>,
}

pub(crate) fn plan_parked<S: Space>(
    instance: &Instance<S>,
    options: &CooperativeAStar,
    seed: u64,
    effort: &mut Effort<'_>,
    observer: &mut dyn Observer,
) -> InstanceReport {
    let mut attempt = Attempt {
        instance,
        distances: Distances::new(&instance.spaces, &instance.units, options.heuristic, Keep::ONCE),
        search: SafeIntervalSearch::default(),
        table: Reservations::new(instance.spaces.iter().map(Space::entries).max().unwrap_or(0)),
        paths: vec![TimedPath::default(); instance.units.len()],
        shortest: vec![None; instance.units.len()],
    };
    let outcome = attempt.run(options, seed, effort, observer);
    InstanceReport {
        outcome,
        expanded: attempt.expanded(),
        generated: attempt.search.generated() + attempt.distances.generated(),
        peak_open: attempt.search.peak_open(),
        shortest: attempt.shortest,
        interrupted: effort.stopped() == Some(SearchStatus::Interrupted),
    }
}

impl<S: Space> Attempt<'_, S> {
    fn run(
        &mut self,
        options: &CooperativeAStar,
        seed: u64,
        effort: &mut Effort<'_>,
        observer: &mut dyn Observer,
    ) -> InstanceOutcome {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let spaces = &self.instance.spaces;
        let mut units = order(spaces, options.order, seed, &mut self.distances, effort);
        let mut best = BestAttempt::default();
        for restart in 0..=options.restarts {
            let (rank, is_stopped) = match self.plan_all(&units, effort, observer) {
                Ok(()) => return InstanceOutcome::Solved(self.positions()),
                Err(Failure::Budget(rank)) => (rank, true),
                Err(Failure::NoPath(rank)) => {
                    let unit = units[rank];
                    let is_reachable = self.distances.is_reachable(spaces, unit, effort);
                    if !is_reachable && effort.stopped().is_none() {
                        return InstanceOutcome::Unreachable(unit);
                    }
                    (rank, !is_reachable)
                }
            };
            best.consider(self.instance, &self.table, &self.paths, &units[..rank]);
            if is_stopped {
                return InstanceOutcome::BudgetSpent(best.best(self.instance));
            }
            if restart % SHUFFLE_EVERY == SHUFFLE_EVERY - 1 {
                shuffle(&mut units, &mut rng);
            } else {
                units[..=rank].rotate_right(1);
            }
        }
        InstanceOutcome::Partial(best.positions(self.instance))
    }

    fn plan_all(
        &mut self,
        units: &[UnitId],
        effort: &mut Effort<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        self.table = Reservations::new(self.table.entries());
        let (instance, distances) = (self.instance, &mut self.distances);
        let mut goals = GoalIndex::new(u32::MAX);
        for (unit, spec) in (0..).map(UnitId::new).zip(&instance.units) {
            let space = &instance.spaces[spec.space];
            let start = waiting_at_start(space, spec.start);
            let claim = Claim { unit, priority: Priority(0) };
            self.table.claim_path(space, &start, Tick(0), claim, &mut Vec::new());
            let length = distances.rough_length(&instance.spaces, unit, effort);
            let ready = u32::try_from(length / space.pause_cost().max(1)).unwrap_or(u32::MAX);
            goals.set(space, unit, spec.goal, Tick(ready));
        }
        for (rank, &unit) in units.iter().enumerate() {
            if effort.stopped().is_some() {
                return Err(Failure::Budget(rank));
            }
            let status = self.plan_one(unit, &mut goals, effort);
            let expanded = self.expanded();
            let progress = Progress { expanded, units_done: rank + 1, ..Progress::default() };
            observer.progress(progress);
            match status {
                SearchStatus::Found => {}
                status if status.is_stopped() => return Err(Failure::Budget(rank)),
                _ => return Err(Failure::NoPath(rank)),
            }
        }
        Ok(())
    }

    /// Plans for one unit and claims its path, and its goal forever.
    fn plan_one(
        &mut self,
        unit: UnitId,
        goals: &mut GoalIndex,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        let (instance, distances) = (self.instance, &mut self.distances);
        let spec = &instance.units[unit.index()];
        let space = &instance.spaces[spec.space];
        self.table.release_path(space, &waiting_at_start(space, spec.start), Tick(0), unit);
        let pause_cost = instance.spaces.first().map_or(1, Space::pause_cost);
        let view = self.table.view_of_all_claims().with_goal_penalty(unit, goals, pause_cost);
        let status = {
            let mut distance = distances.of_unit(space, unit);
            let start = (spec.start, Tick(0));
            self.search.run(space, &view, start, spec.goal, &mut distance, effort)
        };
        self.search.path_into(space, &mut self.paths[unit.index()]);
        let shortest = distances.get(space, unit, spec.start, effort);
        if let Some(stopped) = effort.stopped() {
            return stopped;
        }
        if distances.is_exact() {
            self.shortest[unit.index()] = shortest;
        }
        if status == SearchStatus::Found {
            self.claim_and_park(unit, goals);
        }
        status
    }

    fn claim_and_park(&mut self, unit: UnitId, goals: &mut GoalIndex) {
        let spec = &self.instance.units[unit.index()];
        let space = &self.instance.spaces[spec.space];
        let path = &self.paths[unit.index()];
        let claim = Claim { unit, priority: Priority(0) };
        self.table.claim_path(space, path, Tick(0), claim, &mut Vec::new());
        goals.clear(space, unit, spec.goal);
        Reservations::for_each_claim(space, path, Tick(0), |entry, tick| {
            goals.delay_owner(entry, tick);
        });
        let end = path.end.map_or(Tick(0), |(_, tick)| tick);
        space.standing(spec.goal, |entry| {
            self.table.park(entry, end, claim);
            true
        });
    }

    fn expanded(&self) -> u64 {
        self.search.expanded() + self.distances.expanded()
    }

    fn positions(&self) -> Vec<Vec<Position>> {
        self.paths.iter().map(TimedPath::positions).collect()
    }
}

/// What a unit holds that has not planned yet: units that have planned cannot be there before it
/// can be gone.
fn waiting_at_start<S: Space>(space: &S, start: Position) -> TimedPath {
    crate::store::resolve::pauses(start, Tick(0), space.ticks_to_clear())
}

/// After this many restarts the whole order is shuffled.
const SHUFFLE_EVERY: u32 = 8;

enum Failure {
    /// The budget ran out before the unit at this place in the order had a path.
    Budget(usize),
    /// The unit at this place in the order found no path.
    NoPath(usize),
}
