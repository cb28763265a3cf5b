//! One tick of the world: the list of its phases, and the report to the game.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use throng_cooperative::{PlanEvent, UnitRecord};
use throng_grid::kit::mix;
use throng_model::{Budget, Cell, Effort, Interrupt, Tick, UnitId};

use crate::phases::marches::March;
use crate::phases::{
    arrivals, attention, bypasses, crossings, density, detours, exchange, exits, gates,
    jam_planning, marches, routes, sides, yielding,
};
use crate::shares::by_shares;
use crate::state::State;
use crate::step::{Heading, Progress, Step};
use crate::unit::{Assignment, Crowding, UnitStatus, Yield};
use crate::{Event, Order, World};

/// What happened in a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TickReport {
    /// The current tick.
    pub tick: Tick,
    /// The events, in order. [`World::steps`] lists where units are.
    pub events: Vec<Event>,
    /// A hash of the state: equal worlds have equal hashes.
    pub hash: u64,
    /// Nodes expanded, routes included.
    pub expanded: u64,
    /// Whether the interrupt of [`World::tick_within`] ended planning early. Then the same
    /// commands can lead to another state next time.
    pub is_interrupted: bool,
}

impl World {
    /// Plans for the units that are due, and moves every unit by one tick.
    ///
    /// The report is owned: orders can be given while its events are read.
    ///
    /// Planning ends when [`WorldOptions::expansions_per_tick`](crate::WorldOptions) is spent.
    /// Units that have not planned by then come first in the next tick.
    pub fn tick(&mut self) -> TickReport {
        self.tick_by(None)
    }

    /// The same as [`tick`](Self::tick), but planning also ends when the interrupt says so: for
    /// limits in milliseconds, which only the caller can measure. Every unit still moves, and no
    /// two collide. The report says whether the interrupt came; then the tick is not
    /// reproducible.
    pub fn tick_within(&mut self, interrupt: Interrupt<'_>) -> TickReport {
        let is_interrupted = AtomicBool::new(false);
        let once = || {
            if !is_interrupted.load(Relaxed) {
                is_interrupted.fetch_or(interrupt(), Relaxed);
            }
            is_interrupted.load(Relaxed)
        };
        let report = self.tick_by(Some(&once));
        TickReport { is_interrupted: is_interrupted.load(Relaxed), ..report }
    }

    fn tick_by(&mut self, interrupt: Option<Interrupt<'_>>) -> TickReport {
        let Self { options, state, searchers, planners, crowd, .. } = self;
        let budget = options.expansions_per_tick.unwrap_or(u64::MAX);
        let threads = searchers.threads();
        let part = |expansions: u64| Budget { expansions: Some(expansions.max(1)), interrupt };
        let mut expanded = exits::run(state, searchers, part(budget / 4));
        expanded += crossings::run(state, searchers);
        detours::look_ahead(state);
        expanded += bypasses::run(state, searchers);
        attention::run(state);
        marches::run(state);
        crowd.density.count(state);
        expanded += routes::run(state, searchers, &crowd.density, part(budget / 2));
        // Units on their way must be able to replan, even if routes took the whole budget.
        let for_plans = budget.saturating_sub(expanded).max(budget / 2);
        let searched = state.units.expanded();
        let unlimited = &mut Effort::unlimited();
        density::run(state, &crowd.density, threads);
        gates::run(state, &mut crowd.turns);
        sides::run(state);
        state.plan_due(planners, part(for_plans));
        density::add_failed(state);
        crowd.run(state, planners);
        state.units.advance(&state.terrain.spaces, &mut state.distances, unlimited);
        expanded += state.units.expanded() - searched;
        detours::watch(state, threads);
        report_plan_events(state);
        arrivals::run(state, threads);
        expanded += yielding::run(state, searchers, &mut crowd.yielding);
        expanded += exchange::run(state, searchers, part(budget / 4));
        expanded += jam_planning::run(state, budget / 4);
        routes::reroute_lost(state);
        self.expanded = expanded;
        report_steps(&self.state, threads, &mut self.steps);
        note_steps(&mut self.state, &self.steps);
        self.hash = state_hash(&self.state, threads);
        let events = std::mem::take(&mut self.state.events);
        let (tick, hash) = (self.now(), self.hash);
        TickReport { tick, events, hash, expanded, is_interrupted: false }
    }
}

/// Adds the events of plans to the report.
fn report_plan_events(state: &mut State) {
    for &event in state.units.events() {
        state.events.extend(match event {
            PlanEvent::Promoted { unit } => Some(Event::Promoted { unit }),
            PlanEvent::Overridden { unit, by } => Some(Event::Overridden { unit, by }),
            PlanEvent::Blocked { unit } if state.units.blocked_ticks(unit) == 1 => {
                Some(Event::Blocked { unit })
            }
            _ => None,
        });
    }
}

/// Lists the step of every unit on the map since the steps that were noted last.
pub(crate) fn report_steps(state: &State, threads: usize, steps: &mut Vec<Step>) {
    let found = by_shares(threads, state.units.slots(), |slots| {
        let step = |(unit, record): (UnitId, &UnitRecord<Assignment>)| {
            let (at, heading) = state.location(unit)?;
            let (assignment, ticks) = (&record.activity, state.step_ticks(unit, record));
            let from = assignment.reported_at.unwrap_or(at);
            let is_teleport = assignment.is_teleported;
            let walked = if is_teleport { at } else { from };
            let progress = progress(walked, (at, heading), ticks);
            Some(Step { unit, from, at, heading, progress, is_teleport })
        };
        state.units.iter_slots(slots).filter_map(step).collect::<Vec<_>>()
    });
    steps.clear();
    steps.extend(found.iter().flatten());
}

/// How far a unit came in a tick, by a step of this many ticks.
fn progress(from: Cell, (at, heading): (Cell, Option<Heading>), ticks: u32) -> Progress {
    match heading {
        Some(Heading { to, ticks_left, .. }) => {
            Progress { from: at, to, done: ticks.saturating_sub(ticks_left).max(1), ticks }
        }
        None if from == at => Progress::standing(at),
        None => Progress { from, to: at, done: ticks, ticks },
    }
}

/// Notes that steps were reported.
fn note_steps(state: &mut State, steps: &[Step]) {
    for step in steps.iter().filter(|step| step.from != step.at || step.is_teleport) {
        if let Some(assignment) = state.assignment_mut(step.unit) {
            assignment.reported_at = Some(step.at);
            assignment.is_teleported = false;
        }
    }
}

/// A hash of tick, map, links, turns at narrow places, and each unit's location, destination, plan, the
/// unit it yields to, the crowd it is in and how long it has stood.
pub(crate) fn state_hash(state: &State, threads: usize) -> u64 {
    let grounds = state.terrain.spaces.iter().map(|space| space.ground().fingerprint());
    let start = grounds.fold(u64::from(state.now().0), fold);
    let standing = &state.distances.standing;
    let start = fold(fold(start, standing.viewed_profiles()), standing.opened.0.into());
    let start = fold(start, state.teams.hash());
    let start = places_hash(state, start);
    let batches = state.batches.iter().fold(start, |hash, batch| {
        let [low, high] = batch.mouths.map(|mouth| u64::from(mouth.0));
        let hash = fold(hash, low << 32 | high) ^ u64::from(batch.plane);
        let hash = fold(hash, u64::from(batch.since.0) << 1 | u64::from(batch.side));
        fold(hash, batch.both_at.0.into())
    });
    let marches = state.marches.iter().flat_map(March::values);
    let batches = marches.fold(batches, fold);
    let attempt = state.jam_attempt.as_ref().map_or(0, |attempt| attempt.hash());
    let jams = fold(fold(batches, state.jam_credit), attempt);
    let gates = state.gates.iter().fold(jams, |hash, gate| {
        let turn = u64::from(gate.since.0) << 1 | u64::from(gate.from_low);
        fold(fold(hash, pack(gate.cell) | u64::from(gate.plane) << 32), turn)
    });
    let hashes = by_shares(threads, state.units.slots(), |slots| {
        let units = state.units.iter_slots(slots);
        units.map(|(unit, record)| unit_hash(state, unit, record)).collect::<Vec<_>>()
    });
    hashes.iter().flatten().fold(gates, |hash, &unit| fold(hash, unit))
}

/// Adds the links and the capacities of buildings, if there are any.
fn places_hash(state: &State, start: u64) -> u64 {
    let hash = (0..).zip(&state.links).fold(start, |hash, (number, link)| {
        let Some(link) = link else { return fold(hash, number) };
        let capacity = u64::from(link.capacity.unwrap_or(0));
        let rest = u64::from(link.ticks) << 8 | u64::from(link.layer.0);
        [pack(link.from), pack(link.to), rest, capacity].into_iter().fold(hash, fold)
    });
    (0..).zip(&state.capacities).fold(hash, |hash, (number, capacity)| match capacity {
        Some(known) => {
            fold(hash, u64::from(known.units) << 32 | number << 8 | known.when_full as u64)
        }
        None => hash,
    })
}

fn fold(hash: u64, value: u64) -> u64 {
    mix(hash ^ value)
}

fn unit_hash(state: &State, unit: UnitId, record: &UnitRecord<Assignment>) -> u64 {
    let (at, heading) = state.location(unit).map_or((u64::MAX, 0), |(at, heading)| {
        let step = heading
            .map_or(0, |heading| 1 + (pack(heading.to) << 8 | u64::from(heading.ticks_left)));
        (pack(at), step)
    });
    let status = match record.activity.status() {
        UnitStatus::Idle => 1,
        UnitStatus::Holding => 2,
        UnitStatus::Routing => 3,
        UnitStatus::Going => 4,
        UnitStatus::Arrived => 5,
        UnitStatus::Unreachable => 6,
        UnitStatus::Inside(building) => 7 | u64::from(building.to_bits()) << 8,
        UnitStatus::NoRoom => 8,
        UnitStatus::Near => 9,
        UnitStatus::Halted => 10,
        UnitStatus::Crossing(link) => 11 | (link.index() as u64) << 8,
    };
    let destination = record.destination().map_or(0, |to| 1 + u64::from(to.0));
    let planned =
        record.plan_end().map_or(0, |(at, tick)| u64::from(at.0) << 32 | u64::from(tick.0));
    let yielding = record.activity.doing.yielding().map_or(0, yield_hash);
    let crowding = crowding_hash(&record.activity.crowding);
    let stand = stand_hash(&record.activity);
    let values = [at, heading, status, destination, planned, yielding, crowding, stand];
    let hash = values.into_iter().fold(unit.index() as u64, fold);
    let (assignment, layer) = (&record.activity, state.terrain.plane(record.space).layer);
    let kind = u64::from(assignment.team.0) << 16 | u64::from(layer.0) << 8;
    let hash = fold(hash, kind | u64::from(assignment.is_halted));
    let crossing = assignment.crossing().map(|crossing| u64::from(crossing.until.0));
    let via = assignment.via.map(|link| 1 << 32 | link.index() as u64);
    let hash = crossing.into_iter().chain(via).fold(hash, fold);
    fold(hash, order_hash(&assignment.order, assignment.queue.len()))
}

/// The target of an order, and how many orders follow.
fn order_hash(order: &Order, queued: usize) -> u64 {
    let target = order
        .track()
        .map_or(0, |track| 1 + (u64::from(track.unit.to_bits()) << 16 | u64::from(track.distance)));
    let goal = order.cells().first().map_or(0, |&cell| 1 + pack(cell));
    fold(fold(queued as u64, target), goal)
}

fn crowding_hash(crowding: &Crowding) -> u64 {
    let flags = u64::from(crowding.is_crowded) << 1 | u64::from(crowding.is_jammed);
    fold(flags << 32 | u64::from(crowding.until.0), u64::from(crowding.waiting.ticks()))
}

/// What a unit costs for routes follows from how long it has stood.
fn stand_hash(assignment: &Assignment) -> u64 {
    let Assignment { stand, detour, bypass, .. } = assignment;
    let standing = (stand.wall as u64) << 32 | u64::from(stand.since.0);
    let bypass = bypass.map(|bypass| u64::from(bypass.searches) << 32 | u64::from(bypass.next.0));
    let standing = bypass.into_iter().fold(standing, fold);
    let Some(detour) = detour else { return standing };
    let flags = u64::from(detour.is_around) << 1 | u64::from(detour.is_wanted);
    let tried = u64::from(detour.tried.0) << 32 | u64::from(detour.next.0);
    fold(fold(standing, flags << 32 | u64::from(detour.failures)), tried)
}

fn yield_hash(yielding: Yield) -> u64 {
    let rest = fold(u64::from(yielding.home.0), u64::from(yielding.until.0));
    fold(rest, (yielding.for_unit.index() as u64) << 32 | u64::from(yielding.to.0))
}

fn pack(cell: Cell) -> u64 {
    u64::from(cell.x) << 16 | u64::from(cell.y)
}
