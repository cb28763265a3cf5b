//! A phase of the tick: small groups of units that block each other get a plan of their own.
//!
//! Priority inheritance decides one step at a time. Large bodies between walls can need several
//! steps back before one can pass; then the same steps repeat forever. A unit in a crowd that
//! came no nearer to its destination for a while is stuck. The units around it and on its path
//! form a *jam*, and [`ClusterPlanner`] looks for a sequence of moves of single units that brings
//! them to their destinations. If there is none, the next attempt has a larger group, a larger
//! area and more effort, until all are as large as the planner can handle.
//!
//! Attempts are paid for by a credit that grows in every tick, so that the work per tick is
//! bounded. An attempt that needs more goes on in the next ticks, and its units stand meanwhile.
//! One attempt is under way at a time: that of the jam with the fewest attempts, and of these the
//! unit that is stuck for longest.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
use throng_grid::kit::mix;
use throng_model::{Cell, CellIndex, Map, Rect, Tick, UnitId};
use throng_spacetime::{Entry, GridSpace, Position};

use super::jam_group::{Cluster, Reach, Wanted, area, gather};
use super::jams::{self, UNITS_MAX};
use crate::state::State;
use crate::unit::UnitStatus;

/// A unit of one tick per step is stuck after so many ticks; a slow one after more.
const STUCK: u32 = 40;
/// A unit of one cell and one tick per step is stuck after so many ticks. It can wait as long in a
/// queue, and priority inheritance brings it to its destination nearly everywhere.
const STUCK_AGILE: u32 = 160;
/// A unit of one tick per step that came nearer to its destination in the last so many ticks is in
/// a flow.
const FLOWS: u32 = 12;
/// By attempt: how far from a body others belong to its jam, and how far beyond the bodies and
/// destinations of a jam its units may go, in cells.
const REACHES: [(u16, u16); 5] = [(2, 5), (3, 8), (4, 12), (6, 18), (8, 24)];
/// From this attempt on fewer units may be wanted on their destinations, if there is no plan for all.
/// Such a plan moves the others to places from which a plan for all is harder to find: of nine hard
/// scenes three settled with 0, and four to six with 3.
const FEWER_FROM: u32 = 3;
/// Expansions for the first attempt; by attempt, how many times they are doubled.
const EXPANSIONS: u64 = 12_000;
const DOUBLINGS: [u32; 6] = [0, 1, 3, 5, 7, 8];
/// The ticks until the next attempt: doubled after each of the first attempts, and again with each
/// attempt that is late.
const RETRY: u32 = 24;
const RETRY_DOUBLINGS: u32 = 3;
const LATE: u32 = 8;
const RETRY_DOUBLINGS_MAX: u32 = 10;
/// A unit on its destination forgets attempts that were so many ticks ago.
const FORGET: u32 = 2048;
/// What a position of the area costs before the search begins, in expansions.
const PER_POSITION: u64 = 3;
/// Expansions that are earned per tick: by each unit, and at least.
const EARNED_PER_UNIT: u64 = 10;
const EARNED_MIN: u64 = 8_000;
/// The most expansions of a tick, if not more are earned.
const CREDIT_MAX: u64 = 16_000;

/// What a unit remembers of the attempts to resolve its jam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempts {
    count: u32,
    /// Not again before this tick.
    next: Tick,
}

impl Attempts {
    fn budget(self) -> u64 {
        EXPANSIONS << DOUBLINGS[(self.count as usize).min(DOUBLINGS.len() - 1)]
    }

    /// The same after this attempt.
    fn after(self, now: Tick) -> Self {
        let late = self.count.saturating_sub(LATE);
        let doublings = (self.count.min(RETRY_DOUBLINGS) + late).min(RETRY_DOUBLINGS_MAX);
        let next = Tick(now.0.saturating_add(RETRY << doublings));
        Self { count: self.count.saturating_add(1), next }
    }

    /// Whether so many attempts have failed that the unit asks no other to make room any more. It
    /// goes on where there is room. Otherwise units that had arrived would be pushed off their
    /// destinations for ever where there is no plan, or none is found.
    pub(crate) fn are_hopeless(self) -> bool {
        self.count > LATE
    }

    /// A unit is on its destination, and there was no attempt for long: the next jam is another one.
    pub(crate) fn forget(&mut self, now: Tick) {
        if self.count > 0 && now.0.saturating_sub(self.next.0) >= FORGET {
            *self = Self::default();
        }
    }

    fn reach(self) -> Reach {
        let (near, margin) = REACHES[(self.count as usize).min(REACHES.len() - 1)];
        Reach { near, margin, is_whole: self.count > 0 }
    }
}

/// An attempt to plan the moves of a jam, which can take several ticks. Its units stand meanwhile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JamAttempt {
    stuck: UnitId,
    /// The units, each with its destination.
    pub(crate) units: Vec<(UnitId, Option<Position>)>,
    area: Rect,
    /// The cells of the area that other units hold.
    closed: Vec<u32>,
    /// A hash of the map.
    map: u64,
    attempts: Attempts,
    seed: u64,
    /// What is searched for, the units as the planner sees them, and the expansions so far.
    wanted: Wanted,
    cluster: Vec<ClusterUnit>,
    spent: u64,
    /// It follows from the above, and is not stored.
    #[serde(skip)]
    planner: Option<Box<ClusterPlanner>>,
}

/// Goes on with the attempt that is under way, or begins one, with about this budget; the nodes
/// expanded.
pub(crate) fn run(state: &mut State, budget: u64) -> u64 {
    let earned = EARNED_MIN.max(EARNED_PER_UNIT * state.units.slots() as u64);
    state.jam_credit = state.jam_credit.saturating_add(earned).min(earned.max(CREDIT_MAX));
    let under_way = state.jam_attempt.take();
    let is_new = under_way.is_none();
    let attempt = match under_way {
        Some(attempt) if attempt.is_valid(state) => Some(attempt),
        Some(attempt) => {
            attempt.release(state);
            None
        }
        None => begin(state),
    };
    let Some(mut attempt) = attempt else { return 0 };
    let (is_over, spent) = attempt.go_on(state, state.jam_credit.min(budget));
    if !is_over {
        if is_new {
            attempt.units.iter().for_each(|&(unit, _)| jams::stop(state, unit));
        }
        state.jam_attempt = Some(attempt);
    }
    state.jam_credit = state.jam_credit.saturating_sub(spent);
    spent
}

/// Begins an attempt for the unit with the fewest attempts that is stuck for longest.
fn begin(state: &mut State) -> Option<JamAttempt> {
    if state.jam_credit < EXPANSIONS {
        return None;
    }
    let stuck = state.units.units().filter_map(|unit| {
        let (attempts, stalled) = stuck_for(state, unit)?;
        Some((attempts.count, Reverse(stalled), unit))
    });
    let (_, _, unit) = stuck.min()?;
    let attempts = state.assignment(unit)?.crowding.attempts;
    let units = gather(state, unit, attempts.reach());
    let units = units.filter(|units| !units.iter().any(|&unit| flows(state, unit)));
    let now = state.now();
    let after = attempts.after(now);
    let after = if units.is_some() { after } else { Attempts { count: attempts.count, ..after } };
    state.assignment_mut(unit)?.crowding.attempts = after;
    Some(JamAttempt::new(state, unit, &units?, attempts))
}

/// The attempts of a unit, and for how many ticks it came no nearer, if it is stuck and its jam may
/// be planned now.
fn stuck_for(state: &State, unit: UnitId) -> Option<(Attempts, u32)> {
    let record = state.units.get(unit)?;
    let crowding = &record.activity.crowding;
    let stalled = crowding.waiting.stalled().max(crowding.displaced);
    // A unit behind one on hold has to wait for that one.
    let is_held_up = record.activity.detour.is_some_and(|detour| detour.failures > 0);
    let is_stuck = !crowding.is_jammed
        && !is_held_up
        && !crowding.waits_for_turn
        && stalled >= stuck_after(state.space(record))
        && state.now() >= crowding.attempts.next
        && record.is_on_map()
        && (crowding.waiting.ticks() > 0 || !state.is_home(unit));
    is_stuck.then_some((crowding.attempts, stalled))
}

/// Whether a unit on its way has come nearer to its destination a short time ago. A group with
/// such a unit is a queue: to stop it for a plan of its own would cost more than it gains.
fn flows(state: &State, unit: UnitId) -> bool {
    state.units.get(unit).is_some_and(|record| {
        let pace = u32::from(state.space(record).ground().movement().pace);
        let crowding = &record.activity.crowding;
        record.activity.status() == UnitStatus::Going
            && !crowding.waits_for_turn
            && crowding.waiting.stalled() < FLOWS * pace
    })
}

/// The ticks after which a unit that comes no nearer is stuck.
pub(super) fn stuck_after(space: &GridSpace) -> u32 {
    let movement = space.ground().movement();
    let is_agile = movement.footprint == 1 && movement.pace == 1;
    if is_agile { STUCK_AGILE } else { STUCK * (1 + u32::from(movement.pace)) / 2 }
}

/// A hash of the map as all movement profiles see it.
fn map_hash(state: &State) -> u64 {
    let grounds = state.terrain.spaces.iter().map(|space| space.ground().fingerprint());
    grounds.fold(0, |hash, ground| mix(hash ^ ground))
}

impl JamAttempt {
    fn new(state: &State, stuck: UnitId, units: &[UnitId], attempts: Attempts) -> Self {
        let (area, wanted) = (area(state, units, attempts.reach().margin), Wanted::All);
        let (planes, now, map) = (&state.terrain.planes, state.now(), state.terrain.map());
        let plane = state.plane_of(stuck);
        let is_held = |&cell: &u32| {
            // Units of other sides are obstacles where they are seen.
            let holder = state.holder(planes.entry(plane, CellIndex(cell)), now);
            holder.is_some_and(|claim| !units.contains(&claim.unit))
        };
        let (right, bottom) = (area.origin.x + area.width, area.origin.y + area.height);
        let rows = area.origin.y..bottom;
        let cells = rows.flat_map(|y| (area.origin.x..right).map(move |x| Cell::new(x, y)));
        let cells = cells.filter_map(|cell| map.index(cell).map(|CellIndex(index)| index));
        let closed = cells.filter(is_held).collect();
        let destination =
            |&unit: &UnitId| (unit, state.units.get(unit).and_then(|record| record.destination()));
        Self {
            stuck,
            units: units.iter().map(destination).collect(),
            area,
            closed,
            map: map_hash(state),
            attempts,
            seed: now.0.into(),
            wanted,
            cluster: Cluster { state, area, stuck, wanted }.describe(units),
            spent: 0,
            planner: None,
        }
    }

    /// Whether map and units are as they were when it began.
    fn is_valid(&self, state: &State) -> bool {
        let is_there = |(&(unit, destination), place): (&(UnitId, _), &ClusterUnit)| {
            let record = state.units.get(unit);
            record.is_some_and(|record| record.destination() == destination)
                && state.units.free_at(unit) == Some(place.at)
        };
        self.map == map_hash(state) && self.units.iter().zip(&self.cluster).all(is_there)
    }

    /// Its units need not stand any more.
    fn release(&self, state: &mut State) {
        for &(unit, _) in &self.units {
            if let Some(assignment) = state.assignment_mut(unit) {
                assignment.crowding.is_jammed = false;
            }
            state.units.plan_again(unit);
        }
    }

    /// Goes on for about so many expansions. Returns whether it is over, and the expansions.
    fn go_on(&mut self, state: &mut State, slice: u64) -> (bool, u64) {
        let mut spent = 0;
        while spent < slice {
            let (outcome, expanded) = self.search(state, slice - spent);
            spent += expanded;
            match outcome {
                None => return (false, spent),
                Some(ClusterOutcome::Solved(steps)) => {
                    let steps = steps.into_iter().map(|step| (step.unit, step.action)).collect();
                    jams::begin(state, &self.units, &self.cluster, steps);
                    return (true, spent);
                }
                Some(_) if !self.want_less(state) => {
                    self.release(state);
                    return (true, spent);
                }
                Some(_) => {}
            }
        }
        (false, spent)
    }

    /// Goes on with the search; the outcome if it is over, and the expansions.
    fn search(&mut self, state: &State, slice: u64) -> (Option<ClusterOutcome>, u64) {
        let known = self.planner.take();
        let is_first = known.is_none() && self.spent == 0;
        let mut planner = known.unwrap_or_else(|| Box::new(self.new_planner(state)));
        let outcome = planner.resume(slice);
        let spent = planner.expansions() - std::mem::replace(&mut self.spent, planner.expansions());
        self.planner = outcome.is_none().then_some(planner);
        let profiles: BTreeSet<_> = self.cluster.iter().map(|unit| unit.space).collect();
        let cells = u64::from(self.area.width) * u64::from(self.area.height);
        let numbered = if is_first { PER_POSITION * cells * profiles.len() as u64 } else { 0 };
        (outcome, spent + numbered)
    }

    /// A planner that is as far as this attempt: what it finds does not depend on whether the
    /// world was restored meanwhile.
    fn new_planner(&self, state: &State) -> ClusterPlanner {
        let (map, spaces) = (state.terrain.map(), &state.terrain.spaces);
        let is_open = |entry: Entry| {
            // All units of a jam are of one layer and side.
            let cell = state.terrain.planes.cell(map, entry);
            let Cell { x, y } = cell;
            let Rect { origin, width, height } = self.area;
            let is_inside = x.wrapping_sub(origin.x) < width && y.wrapping_sub(origin.y) < height;
            let index = map.index(cell).map(|CellIndex(index)| index);
            is_inside && index.is_some_and(|index| self.closed.binary_search(&index).is_err())
        };
        let mut planner = ClusterPlanner::default();
        planner.begin(spaces, &self.cluster, is_open, self.budget(), self.seed);
        if self.spent > 0 {
            planner.resume(self.spent);
        }
        planner
    }

    /// Wants fewer units to be on their destinations; `false` if that was tried already.
    fn want_less(&mut self, state: &mut State) -> bool {
        let after = self.attempts.after(state.now());
        for &(unit, _) in self.units.iter().filter(|_| self.wanted == Wanted::All) {
            // Its other units need as much effort.
            let known =
                state.assignment_mut(unit).map(|assignment| &mut assignment.crowding.attempts);
            if let Some(known) = known.filter(|known| known.count <= after.count) {
                *known = after;
            }
        }
        let units: Vec<UnitId> = self.units.iter().map(|&(unit, _)| unit).collect();
        while self.attempts.count >= FEWER_FROM
            && let Some(wanted) = self.wanted.next()
        {
            let (area, stuck) = (self.area, self.stuck);
            let cluster = Cluster { state, area, stuck, wanted }.describe(&units);
            self.wanted = wanted;
            if cluster != self.cluster {
                (self.cluster, self.spent) = (cluster, 0);
                return true;
            }
        }
        false
    }

    fn budget(&self) -> u64 {
        match self.wanted {
            Wanted::All | Wanted::Arrived => self.attempts.budget(),
            Wanted::Stuck => EXPANSIONS,
        }
    }

    /// The same without what follows from it.
    pub(crate) fn to_store(&self) -> Self {
        let Self { units, closed, cluster, .. } = self;
        let (units, closed, cluster) = (units.clone(), closed.clone(), cluster.clone());
        Self { units, closed, cluster, planner: None, ..*self }
    }

    /// A hash of how far it is.
    pub(crate) fn hash(&self) -> u64 {
        let wanted = u64::from(self.wanted != Wanted::All) << 32;
        mix(self.spent ^ mix(self.seed ^ mix(wanted | self.stuck.index() as u64)))
    }

    /// Whether a world of this map could have made it.
    pub(crate) fn check(&self, map: &Map) -> Result<(), String> {
        let Rect { origin, width, height } = self.area;
        let fits = |at: u16, length: u16, all: u16| u32::from(at) + u32::from(length) <= all.into();
        let is_known = self.units.iter().any(|&(unit, _)| unit == self.stuck);
        if !is_known || self.units.len() > UNITS_MAX || self.units.len() != self.cluster.len() {
            return Err("its units are not those of a jam".to_owned());
        }
        if !fits(origin.x, width, map.width()) || !fits(origin.y, height, map.height()) {
            return Err("its area is not on the map".to_owned());
        }
        // The search ends within an expansion of many positions after its budget.
        let spent_max = 2 * self.budget();
        let is_late = self.spent > spent_max || !self.closed.is_sorted();
        if is_late { Err("its search has had too much effort".to_owned()) } else { Ok(()) }
    }
}
