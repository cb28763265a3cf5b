//! A phase of the tick: small groups of units that block each other get a plan of their own.
//!
//! Priority inheritance decides one step at a time. Large bodies between walls can need several
//! steps back before one can pass; then the same steps repeat forever. A unit in a crowd that
//! came no nearer to its destination for a while is stuck. The units around it and on its path
//! form a *jam*, and [`ClusterPlanner`] looks for a sequence of moves of single units that brings
//! them to their destinations. A unit of the jam begins its next move when all earlier moves that
//! need the same cells are over, so units that do not meet move at the same time. Until its moves
//! are done it yields to no unit.
//!
//! A jam is given up when a unit of it gets another destination, was moved by the game, or no
//! move could begin for a while. Then its units are in the crowd again.

use serde::{Deserialize, Serialize};
use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
use throng_cooperative::{Activity, Location, Role};
use throng_model::{Cell, CellIndex, Rect, Tick, UnitId};
use throng_spacetime::{Action, Entry, GridSpace, Position, Space};

use crate::state::State;
use crate::unit::UnitStatus;

/// A unit of one tick per step is stuck after so many ticks; a slow one after more.
const STUCK: u32 = 40;
/// A unit of one cell and one tick per step is stuck after so many ticks. It can wait as long in a
/// queue, and priority inheritance brings it to its destination nearly everywhere.
const STUCK_AGILE: u32 = 160;
/// After so many times as long, a unit is stuck for long.
const LONG: u32 = 3;
/// A unit of one tick per step that came nearer to its destination in the last so many ticks is in
/// a flow.
const FLOWS: u32 = 12;
/// More units than this are no small group.
pub(crate) const UNITS_MAX: usize = 20;
/// How many steps of a unit's path are looked at.
const PATH_MAX: usize = 32;
/// How far from a body others belong to its jam, in cells.
const NEAR: u16 = 2;
/// How far beyond the bodies and destinations of a jam its units may go, in cells.
const MARGIN: u16 = 5;
/// The longest side of the area of a jam, in cells.
const SIDE_MAX: u16 = 40;
/// Expansions for the first attempt; each later one has twice as many, this often.
const EXPANSIONS: u64 = 12_000;
const DOUBLINGS: u32 = 5;
/// The ticks until the next attempt, doubled with each.
const RETRY: u32 = 24;
/// A jam in which no move could begin for so many ticks is given up.
const STANDSTILL: u32 = 48;

/// One move of a jam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JamStep {
    pub(crate) unit: UnitId,
    pub(crate) from: Position,
    pub(crate) action: Action,
}

/// Units that block each other, and the moves by which they get past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Jam {
    /// The units, each with the destination that it had when the moves were planned.
    pub(crate) units: Vec<(UnitId, Option<Position>)>,
    pub(crate) steps: Vec<JamStep>,
    /// When a move last began.
    pub(crate) since: Tick,
}

/// What a unit remembers of the attempts to resolve its jam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempts {
    count: u32,
    /// Not again before this tick.
    next: Tick,
}

/// Begins the moves of jams that can begin in this tick; the others of a jam stand.
pub(crate) fn begin_moves(state: &mut State, moves: &mut Vec<(UnitId, Action)>) {
    moves.clear();
    let mut taken = Vec::new();
    let mut jams = std::mem::take(&mut state.jams);
    jams.retain_mut(|jam| {
        let is_over = !is_valid(state, jam) || is_done(state, jam);
        if is_over {
            release(state, jam);
        } else {
            begin_moves_of(state, jam, moves, &mut taken);
        }
        !is_over
    });
    state.jams = jams;
}

/// Whether the units of a jam are where its moves expect them.
fn is_valid(state: &State, jam: &Jam) -> bool {
    let now = state.now();
    let is_known = |&(unit, destination): &(UnitId, Option<Position>)| {
        state.units.get(unit).is_some_and(|record| {
            let next = jam.steps.iter().find(|step| step.unit == unit);
            let holds = next.is_some() && record.activity.role() == Role::Holding;
            let at = state.units.free_at(unit);
            let is_there = next.is_none_or(|step| Some(step.from) == at);
            at.is_some() && !holds && is_there && record.destination() == destination
        })
    };
    now.0.saturating_sub(jam.since.0) < STANDSTILL && jam.units.iter().all(is_known)
}

fn is_done(state: &State, jam: &Jam) -> bool {
    let stands = |&(unit, _): &(UnitId, _)| {
        matches!(state.units.location(unit), Some(Location::Standing(_)))
    };
    jam.steps.is_empty() && jam.units.iter().all(stands)
}

/// The units of a jam are as free as others again.
fn release(state: &mut State, jam: &Jam) {
    for &(unit, _) in &jam.units {
        if let Some(assignment) = state.assignment_mut(unit) {
            assignment.crowding.is_jammed = false;
            assignment.crowding.waiting = Default::default();
        }
        state.units.plan_again(unit);
    }
}

/// `taken` has the cells of moves that began in this tick, those of other jams included.
fn begin_moves_of(
    state: &State,
    jam: &mut Jam,
    moves: &mut Vec<(UnitId, Action)>,
    taken: &mut Vec<Rect>,
) {
    let now = state.now();
    let mut earlier: Vec<Rect> = Vec::new();
    let mut seen: Vec<UnitId> = Vec::new();
    let mut begun = Vec::new();
    for (index, step) in jam.steps.iter().enumerate() {
        let Some(record) = state.units.get(step.unit) else { continue };
        let space = state.space(record);
        let area = swept(space, step);
        let is_first = !seen.contains(&step.unit);
        seen.push(step.unit);
        let stands = state.units.location(step.unit) == Some(Location::Standing(step.from));
        let is_clear = earlier.iter().chain(&*taken).all(|other| !overlaps(*other, area));
        let may_begin = is_first && stands && !state.units.is_held_back(step.unit) && is_clear;
        if may_begin && is_free(state, space, step) {
            moves.push((step.unit, step.action));
            taken.push(area);
            begun.push(index);
        }
        earlier.push(area);
    }
    if !begun.is_empty() || jam.units.iter().any(|&(unit, _)| is_moving(state, unit)) {
        jam.since = now;
    }
    for index in begun.into_iter().rev() {
        jam.steps.remove(index);
    }
}

fn is_moving(state: &State, unit: UnitId) -> bool {
    matches!(state.units.location(unit), Some(Location::Moving { .. }))
}

/// Whether a move is legal and no other body is where it leads.
fn is_free(state: &State, space: &GridSpace, step: &JamStep) -> bool {
    let now = state.now();
    space.move_by(step.from, step.action).is_some()
        && space.footprint(step.from, step.action, |entry, _| {
            let holder = state.units.table().holder(entry, now);
            holder.is_none_or(|claim| claim.unit == step.unit)
        })
}

/// The cells that a move needs, as a rectangle.
fn swept(space: &GridSpace, step: &JamStep) -> Rect {
    let from = space.cell(step.from);
    let to = space.move_by(step.from, step.action).map_or(from, |step| space.cell(step.to));
    let side = u16::from(space.ground().movement().footprint);
    let (left, top) = (from.x.min(to.x), from.y.min(to.y));
    let (right, bottom) = (from.x.max(to.x) + side, from.y.max(to.y) + side);
    Rect::new(Cell::new(left, top), right - left, bottom - top)
}

fn overlaps(a: Rect, b: Rect) -> bool {
    let meets = |a: u16, a_len: u16, b: u16, b_len: u16| a < b + b_len && b < a + a_len;
    meets(a.origin.x, a.width, b.origin.x, b.width)
        && meets(a.origin.y, a.height, b.origin.y, b.height)
}

/// Looks for a unit that is stuck, and plans its jam; the nodes expanded. One attempt per tick.
pub(crate) fn run(state: &mut State) -> u64 {
    let now = state.now();
    let is_stuck = |unit: &UnitId| {
        state.units.get(*unit).is_some_and(|record| {
            let crowding = &record.activity.crowding;
            let stalled = crowding.waiting.stalled().max(crowding.displaced);
            !crowding.is_jammed
                && crowding.waiting.ticks() > 0
                && stalled >= stuck_after(state.space(record))
                && now >= crowding.attempts.next
                && record.is_on_map()
        })
    };
    let Some(unit) = state.units.units().find(is_stuck) else { return 0 };
    let units = gather(state, unit).filter(|units| !units.iter().any(|&unit| flows(state, unit)));
    let Some(assignment) = state.assignment_mut(unit) else { return 0 };
    let attempts = &mut assignment.crowding.attempts;
    let doubled = attempts.count.min(DOUBLINGS);
    attempts.next = Tick(now.0 + (RETRY << doubled));
    attempts.count += u32::from(units.is_some());
    units.map_or(UNITS_MAX as u64, |units| plan_jam(state, unit, &units, EXPANSIONS << doubled))
}

/// Whether a unit on its way has come nearer to its destination a short time ago. A group with
/// such a unit is a queue: to stop it for a plan of its own would cost more than it gains.
fn flows(state: &State, unit: UnitId) -> bool {
    state.units.get(unit).is_some_and(|record| {
        let pace = u32::from(state.space(record).ground().movement().pace);
        let stalled = record.activity.crowding.waiting.stalled();
        record.activity.status() == UnitStatus::Going && stalled < FLOWS * pace
    })
}

/// The ticks after which a unit that comes no nearer is stuck.
fn stuck_after(space: &GridSpace) -> u32 {
    let movement = space.ground().movement();
    let is_agile = movement.footprint == 1 && movement.pace == 1;
    if is_agile { STUCK_AGILE } else { STUCK * (1 + u32::from(movement.pace)) / 2 }
}

fn plan_jam(state: &mut State, unit: UnitId, units: &[UnitId], budget: u64) -> u64 {
    // A new planner each time: what it finds must not depend on what it was asked before.
    let mut planner = ClusterPlanner::default();
    let area = area(state, units);
    let (table, now, map) = (state.units.table(), state.now(), state.terrain.map());
    let is_open = |Entry(entry): Entry| {
        let Cell { x, y } = map.cell(CellIndex(entry));
        let Rect { origin, width, height } = area;
        let inside = x.wrapping_sub(origin.x) < width && y.wrapping_sub(origin.y) < height;
        let holder = table.holder(Entry(entry), now);
        inside && holder.is_none_or(|claim| units.contains(&claim.unit))
    };
    let mut spent = 0;
    for all in [true, false] {
        let cluster: Vec<_> =
            units.iter().map(|&other| describe(state, other, area, all || other == unit)).collect();
        let seed = u64::from(now.0);
        let outcome = planner.plan(&state.terrain.spaces, &cluster, is_open, budget, seed);
        spent += planner.expansions();
        if let ClusterOutcome::Solved(steps) = outcome {
            let steps = steps.into_iter().map(|step| (step.unit, step.action)).collect();
            begin(state, units, &cluster, steps);
            break;
        }
    }
    spent
}

/// The units of the jam that a unit is in; `None` if they are too many. A queue is no jam: of many
/// units the first few are taken only if the unit had arrived and cannot return for long.
fn gather(state: &mut State, unit: UnitId) -> Option<Vec<UnitId>> {
    let crowding = &state.assignment(unit)?.crowding;
    let is_long = crowding.displaced >= LONG * STUCK;
    let mut units = vec![unit];
    let mut next = 0;
    while let Some(&unit) = units.get(next) {
        next += 1;
        for other in met_by(state, unit) {
            if !units.contains(&other) {
                units.push(other);
            }
        }
        let is_free = |unit: &UnitId| {
            state.assignment(*unit).is_some_and(|assignment| !assignment.crowding.is_jammed)
        };
        units.retain(is_free);
        if units.len() > UNITS_MAX && !is_long {
            return None;
        }
        units.truncate(UNITS_MAX);
    }
    units.sort_unstable();
    Some(units)
}

/// The units near a unit's body and on its path.
fn met_by(state: &mut State, unit: UnitId) -> Vec<UnitId> {
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
        let (cell, near) = (space.cell(place), if step == 0 { NEAR } else { 0 });
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
fn area(state: &State, units: &[UnitId]) -> Rect {
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
    let (left, top) = (low.x.saturating_sub(MARGIN), low.y.saturating_sub(MARGIN));
    let (right, bottom) = ((high.x + MARGIN).min(map.width()), (high.y + MARGIN).min(map.height()));
    Rect::new(Cell::new(left, top), right - left, bottom - top)
}

/// A unit as the planner sees it. A unit that has its destination outside the area goes as far
/// along its path as the area reaches, if it must get on at all.
fn describe(state: &State, unit: UnitId, area: Rect, has_goal: bool) -> ClusterUnit {
    let nowhere = ClusterUnit { space: usize::MAX, at: Position(0), goal: None, holds: true };
    let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
        return nowhere;
    };
    let space = state.space(record);
    let side = u16::from(space.ground().movement().footprint);
    let is_inside = |&to: &Position| {
        let Cell { x, y } = space.cell(to);
        let Rect { origin, width, height } = area;
        x >= origin.x
            && y >= origin.y
            && x + side <= origin.x + width
            && y + side <= origin.y + height
    };
    let holds = record.activity.role() == Role::Holding;
    let goal = record.destination().filter(|_| has_goal);
    let goal = goal.and_then(|to| {
        let route = record.activity.source.cells();
        Some(to).filter(is_inside).or_else(|| route.iter().rev().copied().find(is_inside))
    });
    ClusterUnit { space: record.space, at, goal, holds }
}

/// The units do these moves from the next tick on.
fn begin(
    state: &mut State,
    units: &[UnitId],
    cluster: &[ClusterUnit],
    moves: Vec<(usize, Action)>,
) {
    let mut places: Vec<Position> = cluster.iter().map(|unit| unit.at).collect();
    let mut steps = Vec::with_capacity(moves.len());
    for (index, action) in moves {
        let (from, space) = (places[index], &state.terrain.spaces[cluster[index].space]);
        steps.push(JamStep { unit: units[index], from, action });
        places[index] = space.move_by(from, action).map_or(from, |step| step.to);
    }
    let destination =
        |unit: &UnitId| (*unit, state.units.get(*unit).and_then(|record| record.destination()));
    let units: Vec<_> = units.iter().map(destination).collect();
    for &(unit, _) in &units {
        state.units.cancel_plan(&state.terrain.spaces, unit);
        if let Some(assignment) = state.assignment_mut(unit) {
            assignment.crowding.is_jammed = true;
        }
    }
    let since = state.now();
    state.jams.push(Jam { units, steps, since });
}
