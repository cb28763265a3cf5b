//! A phase of the tick: small groups of units that block each other get a plan of their own.
//!
//! Priority inheritance decides one step at a time. Large bodies between walls can need several
//! steps back before one can pass; then the same steps repeat forever. A unit in a crowd that
//! came no nearer to its destination for a while is stuck. The units around it and on its path
//! form a *jam*, and [`ClusterPlanner`] looks for a sequence of moves of single units that brings
//! them to their destinations. If there is none, the next attempt has a larger group and a larger
//! area, until both are as large as the planner can handle.
//!
//! Attempts are paid for by a credit that grows in every tick, so that the work per unit and tick
//! is bounded on average. The unit that is stuck for longest is first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
use throng_cooperative::{Activity, Role};
use throng_model::{Cell, CellIndex, Rect, Tick, UnitId};
use throng_spacetime::{Entry, GridSpace, Position, Space};

use super::jams::{self, UNITS_MAX};
use crate::state::State;
use crate::unit::UnitStatus;

/// A unit of one tick per step is stuck after so many ticks; a slow one after more.
const STUCK: u32 = 40;
/// A unit of one cell and one tick per step is stuck after so many ticks. It can wait as long in a
/// queue, and priority inheritance brings it to its destination nearly everywhere.
const STUCK_AGILE: u32 = 160;
/// In a queue a unit has to be stuck for so many times as long.
const LONG: u32 = 12;
/// For each so many units on their way in its jam, the unit has to be stuck for that time once more.
const CROWD: u32 = 8;
/// A unit of one tick per step that came nearer to its destination in the last so many ticks is in
/// a flow.
const FLOWS: u32 = 12;
/// How many steps of a unit's path are looked at.
const PATH_MAX: usize = 32;
/// By level: how far from a body others belong to its jam, and how far beyond the bodies and
/// destinations of a jam its units may go, in cells.
const REACHES: [(u16, u16); 5] = [(2, 5), (3, 8), (4, 12), (6, 18), (8, 24)];
/// The longest side of the area of a jam, in cells, not counting what lies beyond its bodies.
const SIDE_MAX: u16 = 40;
/// Expansions for the first attempt; each later one has twice as many, this often.
const EXPANSIONS: u64 = 12_000;
const DOUBLINGS: u32 = 5;
/// The ticks until the next attempt, doubled with each.
const RETRY: u32 = 24;
/// What a position of the area costs before the search begins, in expansions.
const PER_POSITION: u64 = 3;
/// Expansions that are earned per tick: by each unit, and at least.
const EARNED_PER_UNIT: u64 = 10;
const EARNED_MIN: u64 = 2_000;

/// What a unit remembers of the attempts to resolve its jam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempts {
    count: u32,
    /// Not again before this tick.
    next: Tick,
}

impl Attempts {
    fn doublings(self) -> u32 {
        self.count.min(DOUBLINGS)
    }

    fn budget(self) -> u64 {
        EXPANSIONS << self.doublings()
    }

    /// How far from a body others belong to the jam, and how far beyond its units may go.
    fn reach(self) -> (u16, u16) {
        REACHES[(self.count as usize).min(REACHES.len() - 1)]
    }
}

/// Which units of a jam have to be on their destinations in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// All.
    All,
    /// The stuck unit, and those that had arrived.
    Arrived,
    /// The stuck unit.
    Stuck,
}

/// Plans the jam of the unit that is stuck for longest; the nodes expanded. One attempt per tick.
pub(crate) fn run(state: &mut State) -> u64 {
    if state.terrain.planes.list().len() > 1 {
        return 0;
    }
    let earned = EARNED_MIN.max(EARNED_PER_UNIT * state.units.slots() as u64);
    let most = EXPANSIONS << DOUBLINGS;
    state.jam_credit = state.jam_credit.saturating_add(earned).min(most);
    let stuck =
        state.units.units().filter_map(|unit| Some((Reverse(stuck_for(state, unit)?), unit)));
    let Some((_, unit)) = stuck.min() else { return 0 };
    let Some(attempts) = state.assignment(unit).map(|assignment| assignment.crowding.attempts)
    else {
        return 0;
    };
    if state.jam_credit < attempts.budget() {
        return 0;
    }
    let units = gather(state, unit, attempts.reach());
    let units = units.filter(|units| !units.iter().any(|&unit| flows(state, unit)));
    let now = state.now();
    if let Some(assignment) = state.assignment_mut(unit) {
        let next = Tick(now.0 + (RETRY << attempts.doublings()));
        let count = attempts.count + u32::from(units.is_some());
        assignment.crowding.attempts = Attempts { count, next };
    }
    let spent = units.map_or(UNITS_MAX as u64, |units| plan_jam(state, unit, &units, attempts));
    state.jam_credit = state.jam_credit.saturating_sub(spent);
    spent
}

/// For how many ticks a unit came no nearer, if it is stuck and its jam may be planned now.
fn stuck_for(state: &State, unit: UnitId) -> Option<u32> {
    let record = state.units.get(unit)?;
    let crowding = &record.activity.crowding;
    let stalled = crowding.waiting.stalled().max(crowding.displaced);
    // A unit behind one on hold has to wait for that one.
    let is_held_up = record.activity.detour.is_some_and(|detour| detour.failures > 0);
    let is_stuck = !crowding.is_jammed
        && !is_held_up
        && !crowding.waits_for_turn
        && crowding.waiting.ticks() > 0
        && stalled >= stuck_after(state.space(record))
        && state.now() >= crowding.attempts.next
        && record.is_on_map();
    is_stuck.then_some(stalled)
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
fn stuck_after(space: &GridSpace) -> u32 {
    let movement = space.ground().movement();
    let is_agile = movement.footprint == 1 && movement.pace == 1;
    if is_agile { STUCK_AGILE } else { STUCK * (1 + u32::from(movement.pace)) / 2 }
}

fn plan_jam(state: &mut State, unit: UnitId, units: &[UnitId], attempts: Attempts) -> u64 {
    // A new planner each time: what it finds must not depend on what it was asked before.
    let mut planner = ClusterPlanner::default();
    let area = area(state, units, attempts.reach().1);
    let (table, now, map) = (state.units.table(), state.now(), state.terrain.map());
    let is_open = |Entry(entry): Entry| {
        let Cell { x, y } = map.cell(CellIndex(entry));
        let Rect { origin, width, height } = area;
        let inside = x.wrapping_sub(origin.x) < width && y.wrapping_sub(origin.y) < height;
        let holder = table.holder(Entry(entry), now);
        inside && holder.is_none_or(|claim| units.contains(&claim.unit))
    };
    // What it costs to number the positions of the area.
    let profiles: BTreeSet<_> =
        units.iter().filter_map(|&unit| Some(state.units.get(unit)?.space)).collect();
    let cells = u64::from(area.width) * u64::from(area.height);
    let mut spent = PER_POSITION * cells * profiles.len() as u64;
    let mut tried = Vec::new();
    for wanted in [Wanted::All, Wanted::Arrived, Wanted::Stuck] {
        let cluster = Cluster { state, area, stuck: unit, wanted }.describe(units);
        if cluster == tried {
            continue;
        }
        let seed = u64::from(now.0);
        let budget = if wanted == Wanted::All { attempts.budget() } else { EXPANSIONS };
        let outcome = planner.plan(&state.terrain.spaces, &cluster, is_open, budget, seed);
        spent += planner.expansions();
        if let ClusterOutcome::Solved(steps) = outcome {
            let steps = steps.into_iter().map(|step| (step.unit, step.action)).collect();
            jams::begin(state, units, &cluster, steps);
            break;
        }
        tried = cluster;
    }
    spent
}

/// The units of the jam that a unit is in; `None` if it is too early for a plan. A queue is no jam:
/// the more units are on their way, the longer priority inheritance has time to resolve it.
fn gather(state: &mut State, unit: UnitId, (near, margin): (u16, u16)) -> Option<Vec<UnitId>> {
    let mut units = vec![unit];
    let mut next = 0;
    let mut is_cut = false;
    while let Some(&unit) = units.get(next) {
        next += 1;
        for other in met_by(state, unit, near) {
            if !units.contains(&other) && is_free(state, other) {
                units.push(other);
            }
        }
        is_cut |= units.len() > UNITS_MAX;
        units.truncate(UNITS_MAX);
    }
    let record = state.units.get(unit)?;
    let patience = stuck_after(state.space(record));
    let crowding = &record.activity.crowding;
    let stalled = crowding.displaced.max(crowding.waiting.stalled());
    let going = units.iter().filter(|&&unit| !state.is_home(unit)).count() as u32;
    let is_queue = is_cut && going > CROWD;
    if stalled < patience * (1 + going / CROWD) * if is_queue { LONG } else { 1 } {
        return None;
    }
    if near > REACHES[0].0 {
        add_units_within(state, &mut units, margin);
    }
    units.sort_unstable();
    Some(units)
}

fn is_free(state: &State, unit: UnitId) -> bool {
    state.assignment(unit).is_some_and(|assignment| !assignment.crowding.is_jammed)
}

/// Adds the other units in the area of a jam, those with the lowest numbers first.
fn add_units_within(state: &State, units: &mut Vec<UnitId>, margin: u16) {
    let area = area(state, units, margin);
    for (other, record) in state.units.iter() {
        let Some(at) = state.units.free_at(other) else { continue };
        let cell = state.space(record).cell(at);
        let inside = cell.x.wrapping_sub(area.origin.x) < area.width
            && cell.y.wrapping_sub(area.origin.y) < area.height;
        if inside && units.len() < UNITS_MAX && !units.contains(&other) && is_free(state, other) {
            units.push(other);
        }
    }
}

/// The units near a unit's body and on its path.
fn met_by(state: &mut State, unit: UnitId, reach: u16) -> Vec<UnitId> {
    let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
        return Vec::new();
    };
    let space = &state.terrain.spaces[record.space];
    let side = u16::from(space.ground().movement().footprint);
    let is_home = record.destination() == Some(at) || !record.activity.follows_route();
    let path = if is_home {
        vec![at]
    } else {
        let source = (unit, &record.activity.source);
        state.distances.path_ahead(space, source, at, PATH_MAX)
    };
    let (map, table, now) = (state.terrain.map(), state.units.table(), state.now());
    let mut met = Vec::new();
    for (step, &place) in path.iter().enumerate() {
        let (cell, near) = (space.cell(place), if step == 0 { reach } else { 0 });
        for y in cell.y.saturating_sub(near)..(cell.y + side + near).min(map.height()) {
            for x in cell.x.saturating_sub(near)..(cell.x + side + near).min(map.width()) {
                let entry = map.index(Cell::new(x, y)).map(|CellIndex(index)| Entry(index));
                met.extend(
                    entry.and_then(|entry| table.holder(entry, now)).map(|claim| claim.unit),
                );
            }
        }
    }
    met.sort_unstable();
    met.dedup();
    met
}

/// The area in which the units of a jam may move.
fn area(state: &State, units: &[UnitId], margin: u16) -> Rect {
    let mut bounds: Option<(Cell, Cell)> = None;
    let mut add = |cell: Cell, side: u16| {
        let (low, high) = bounds.get_or_insert((cell, cell));
        *low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        *high = Cell::new(high.x.max(cell.x + side), high.y.max(cell.y + side));
    };
    for &unit in units {
        let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
            continue;
        };
        let space = state.space(record);
        let (cell, side) = (space.cell(at), u16::from(space.ground().movement().footprint));
        add(cell, side);
        let destination = record.destination().map(|at| space.cell(at));
        let is_near = |to: &Cell| to.x.abs_diff(cell.x).max(to.y.abs_diff(cell.y)) < SIDE_MAX / 2;
        destination.filter(is_near).into_iter().for_each(|to| add(to, side));
    }
    let map = state.terrain.map();
    let (low, high) = bounds.unwrap_or((Cell::new(0, 0), Cell::new(1, 1)));
    let (left, top) = (low.x.saturating_sub(margin), low.y.saturating_sub(margin));
    let (right, bottom) = ((high.x + margin).min(map.width()), (high.y + margin).min(map.height()));
    Rect::new(Cell::new(left, top), right - left, bottom - top)
}

/// Describes the units of a jam to the planner.
struct Cluster<'a> {
    state: &'a State,
    area: Rect,
    stuck: UnitId,
    wanted: Wanted,
}

impl Cluster<'_> {
    /// The units as the planner sees them. Destinations within the area are goals. A unit that has
    /// its destination beyond the area goes as far along its route as the area reaches, where it
    /// is on no other unit's goal.
    fn describe(&self, units: &[UnitId]) -> Vec<ClusterUnit> {
        let mut goals = BTreeSet::new();
        let mut cluster: Vec<_> = units.iter().map(|&unit| self.unit(unit)).collect();
        for (unit, &id) in cluster.iter_mut().zip(units) {
            unit.goal = self.destination(id).filter(|&to| self.is_inside(unit.space, to));
            self.claim(unit, &mut goals);
        }
        for (unit, &id) in cluster.iter_mut().zip(units) {
            let Some(record) = self.state.units.get(id) else { continue };
            if unit.goal.is_none() && self.destination(id).is_some() {
                let ends = record.activity.source.cells().iter().rev().copied();
                unit.goal = ends
                    .filter(|&to| self.is_inside(unit.space, to))
                    .find(|&to| self.is_unclaimed(unit.space, to, &goals));
                self.claim(unit, &mut goals);
            }
        }
        cluster
    }

    fn unit(&self, unit: UnitId) -> ClusterUnit {
        let place = self.state.units.get(unit).zip(self.state.units.free_at(unit));
        let Some((record, at)) = place else {
            return ClusterUnit { space: usize::MAX, at: Position(0), goal: None, holds: true };
        };
        let holds = record.activity.role() == Role::Holding;
        ClusterUnit { space: record.space, at, goal: None, holds }
    }

    /// The destination that the unit has to get to, or nearer to.
    fn destination(&self, unit: UnitId) -> Option<Position> {
        let record = self.state.units.get(unit)?;
        let is_wanted = match self.wanted {
            Wanted::All => true,
            Wanted::Arrived => record.activity.status() == UnitStatus::Arrived,
            Wanted::Stuck => false,
        };
        record.destination().filter(|_| is_wanted || unit == self.stuck)
    }

    fn is_inside(&self, profile: usize, to: Position) -> bool {
        let space = &self.state.terrain.spaces[profile];
        let side = u16::from(space.ground().movement().footprint);
        let (Cell { x, y }, Rect { origin, width, height }) = (space.cell(to), self.area);
        x >= origin.x
            && y >= origin.y
            && x + side <= origin.x + width
            && y + side <= origin.y + height
    }

    fn is_unclaimed(&self, profile: usize, to: Position, goals: &BTreeSet<Entry>) -> bool {
        self.state.terrain.spaces[profile].standing(to, |entry| !goals.contains(&entry))
    }

    fn claim(&self, unit: &ClusterUnit, goals: &mut BTreeSet<Entry>) {
        let Some(goal) = unit.goal else { return };
        self.state.terrain.spaces[unit.space].standing(goal, |entry| {
            goals.insert(entry);
            true
        });
    }
}
