//! CA* and HCA* for complete plans: one search through space-time a unit, and whoever has
//! arrived holds its goal for ever.
//!
//! D. Silver, "Cooperative pathfinding" (2005). The paper lets a unit that has arrived
//! become an obstacle; here a unit arrives when nobody has plans for its goal any more, and
//! parks there, so that the plan needs no repair. If a unit finds no way, the planner begins
//! anew with that unit ahead of those it failed behind, now and then in quite another order.
//! If it runs out of orders, `salvage.rs` makes the best of those that it has tried.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use throng_model::{Budget, Effort, Observer, Progress, SearchStatus, Tick};
use throng_spacetime::{Position, SafeIntervalSearch, Space, TimedPath};

use crate::considerate::{Considerate, Goals};
use crate::distances::{Distances, Keep};
use crate::leash::Leash;
use crate::order::{order, shuffle};
use crate::salvage::Salvage;
use crate::{Claim, CooperativeAStar, Fleet, Priority, Reservations};

/// What came of planning for a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FleetOutcome {
    /// Every unit ends and stays on its goal.
    Solved(Vec<Vec<Position>>),
    /// This unit cannot reach its goal, even alone.
    Unreachable(u32),
    /// The budget ran out: where every unit was at each tick in the best attempt, if any
    /// unit moved.
    BudgetSpent(Option<Vec<Vec<Position>>>),
    /// Some units did not arrive: where everybody was at each tick.
    Partial(Vec<Vec<Position>>),
}

/// The outcome for a fleet, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetReport {
    /// What came of it.
    pub outcome: FleetOutcome,
    /// Nodes expanded, of all searches together.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Most nodes open at once.
    pub peak_open: u64,
    /// What each unit's way costs without the others, where that was found.
    pub shortest: Vec<Option<u64>>,
    /// Whether the planner was interrupted: then the outcome may be another next time.
    pub interrupted: bool,
}

struct Attempt<'a, S> {
    fleet: &'a Fleet<S>,
    distances: Distances,
    search: SafeIntervalSearch,
    table: Reservations,
    paths: Vec<TimedPath>,
    shortest: Vec<Option<u64>>,
}

pub(crate) fn plan_parked<S: Space>(
    fleet: &Fleet<S>,
    options: &CooperativeAStar,
    seed: u64,
    leash: &Leash<'_>,
    observer: &mut dyn Observer,
) -> FleetReport {
    let mut attempt = Attempt {
        fleet,
        distances: Distances::new(&fleet.spaces, &fleet.riders, options.heuristic, Keep::ONCE),
        search: SafeIntervalSearch::default(),
        table: Reservations::new(fleet.spaces.iter().map(Space::entries).max().unwrap_or(0)),
        paths: vec![TimedPath::default(); fleet.riders.len()],
        shortest: vec![None; fleet.riders.len()],
    };
    let outcome = attempt.run(options, seed, leash, observer);
    FleetReport {
        outcome,
        expanded: attempt.expanded(),
        generated: attempt.search.generated() + attempt.distances.generated(),
        peak_open: attempt.search.peak_open(),
        shortest: attempt.shortest,
        interrupted: leash.interrupted(),
    }
}

impl<S: Space> Attempt<'_, S> {
    fn run(
        &mut self,
        options: &CooperativeAStar,
        seed: u64,
        leash: &Leash<'_>,
        observer: &mut dyn Observer,
    ) -> FleetOutcome {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut units = order(&self.fleet.spaces, options.order, seed, &mut self.distances);
        let mut salvage = Salvage::default();
        for restart in 0..=options.restarts {
            match self.all(&units, leash, observer) {
                Ok(()) => return FleetOutcome::Solved(self.positions()),
                Err(Failure::Budget(rank)) => {
                    salvage.take(self.fleet, &self.table, &self.paths, &units[..rank]);
                    return FleetOutcome::BudgetSpent(salvage.best(self.fleet));
                }
                Err(Failure::NoPath(rank)) => {
                    let unit = units[rank];
                    if !self.distances.is_reachable(&self.fleet.spaces, unit) {
                        leash.note(self.expanded());
                        return match leash.is_spent() {
                            true => FleetOutcome::BudgetSpent(salvage.best(self.fleet)),
                            false => FleetOutcome::Unreachable(unit),
                        };
                    }
                    salvage.take(self.fleet, &self.table, &self.paths, &units[..rank]);
                    if restart % SHUFFLE_EVERY == SHUFFLE_EVERY - 1 {
                        shuffle(&mut units, &mut rng);
                    } else {
                        units[..=rank].rotate_right(1);
                    }
                }
            }
        }
        FleetOutcome::Partial(salvage.positions(self.fleet))
    }

    fn all(
        &mut self,
        units: &[u32],
        leash: &Leash<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        self.table = Reservations::new(self.table.entries());
        let (fleet, distances) = (self.fleet, &mut self.distances);
        for unit in 0..fleet.riders.len() {
            let start = waiting_at_start(fleet, unit);
            let claim = Claim { unit: unit as u32, priority: Priority(0) };
            self.table.claim_path(fleet.space(unit), &start, Tick(0), claim, &mut Vec::new());
        }
        let mut goals = Goals::new(fleet, |unit| {
            let pause_cost = fleet.space(unit as usize).pause_cost().max(1);
            let ticks = distances.rough(&fleet.spaces, unit) / pause_cost;
            u32::try_from(ticks).unwrap_or(u32::MAX)
        });
        for (rank, &unit) in units.iter().enumerate() {
            leash.note(self.expanded());
            if leash.is_spent() {
                return Err(Failure::Budget(rank));
            }
            let ended = self.one(unit, &mut goals, leash);
            let expanded = self.expanded();
            let progress = Progress { expanded, units_done: rank + 1, ..Progress::default() };
            observer.progress(progress);
            match ended {
                SearchStatus::Found => {}
                status if status.is_stopped() => return Err(Failure::Budget(rank)),
                _ => return Err(Failure::NoPath(rank)),
            }
        }
        Ok(())
    }

    /// Plans for one unit and claims its path, and its goal for ever.
    fn one(&mut self, unit: u32, goals: &mut Goals, leash: &Leash<'_>) -> SearchStatus {
        let (fleet, distances) = (self.fleet, &mut self.distances);
        let rider = &fleet.riders[unit as usize];
        let space = fleet.space(unit as usize);
        let start = (rider.start, Tick(0));
        self.table.release_path(space, &waiting_at_start(fleet, unit as usize), Tick(0), unit);
        let considerate = Considerate { view: self.table.view_of_stranger(), goals, unit };
        let effort = &mut Effort::new(Budget::expansions(leash.left()));
        let ended = {
            let mut distance = distances.of_unit(space, unit);
            self.search.run(space, &considerate, start, rider.goal, &mut distance, effort)
        };
        self.search.path_into(space, &mut self.paths[unit as usize]);
        let shortest = distances.get(&fleet.spaces, unit, rider.start);
        if leash.is_spent() {
            return SearchStatus::BudgetSpent;
        }
        if distances.is_exact() {
            self.shortest[unit as usize] = shortest;
        }
        if ended == SearchStatus::Found {
            let path = &self.paths[unit as usize];
            let claim = Claim { unit, priority: Priority(0) };
            self.table.claim_path(space, path, Tick(0), claim, &mut Vec::new());
            goals.done(fleet, unit);
            Reservations::for_each_claim(space, path, Tick(0), |entry, tick| {
                goals.pass(entry, tick);
            });
            let end = path.end.map_or(Tick(0), |(_, tick)| tick);
            space.standing(rider.goal, |entry| {
                self.table.park(entry, end, claim);
                true
            });
        }
        ended
    }

    fn expanded(&self) -> u64 {
        self.search.expanded() + self.distances.expanded()
    }

    fn positions(&self) -> Vec<Vec<Position>> {
        self.paths.iter().map(TimedPath::positions).collect()
    }
}

/// What a unit holds that has not planned yet: those that have planned cannot be there
/// before it can be gone.
fn waiting_at_start<S: Space>(fleet: &Fleet<S>, unit: usize) -> TimedPath {
    let start = fleet.riders[unit].start;
    crate::settle::pauses(start, Tick(0), fleet.space(unit).ticks_to_clear())
}

/// After so many restarts the whole order is drawn anew.
const SHUFFLE_EVERY: u32 = 8;

enum Failure {
    /// The budget ran out before the unit at this place in the order had a path.
    Budget(usize),
    /// The unit at this place in the order found no way.
    NoPath(usize),
}
