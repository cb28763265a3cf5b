//! Small groups of units that block each other do the moves that were planned for them.
//!
//! A unit of a *jam* begins its next move when all earlier moves that need the same cells are over,
//! so units that do not meet move at the same time. Until its moves are done it yields to no unit.
//! `jam_planning.rs` finds jams and plans their moves.
//!
//! A jam is given up when a unit of it gets another destination, was moved by the game, or no
//! move could begin for a while. Then its units are in the crowd again.

use serde::{Deserialize, Serialize};
use throng_anytime::ClusterUnit;
use throng_cooperative::{Activity, Location, Role};
use throng_model::{Cell, Rect, Tick, UnitId};
use throng_spacetime::{Action, GridSpace, Position, Space};

use crate::state::State;

/// More units than this are no small group.
pub(crate) const UNITS_MAX: usize = 20;
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

/// Whether all moves are done, or all units are on their destinations: then what is left leads
/// them there again.
fn is_done(state: &State, jam: &Jam) -> bool {
    let mut places = jam.units.iter().map(|&(unit, to)| (state.units.location(unit), to));
    match jam.steps.is_empty() {
        true => places.all(|(place, _)| matches!(place, Some(Location::Standing(_)))),
        false => places.all(|(place, to)| to.is_some() && place == to.map(Location::Standing)),
    }
}

/// The units of a jam are as free as others again.
fn release(state: &mut State, jam: &Jam) {
    for &(unit, _) in &jam.units {
        if let Some(assignment) = state.assignment_mut(unit) {
            assignment.crowding.is_jammed = false;
            (assignment.crowding.waiting, assignment.crowding.displaced) = Default::default();
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
        let step = &as_terrain_is(space, step);
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

/// The same step, as long as the terrain demands now.
fn as_terrain_is(space: &GridSpace, step: &JamStep) -> JamStep {
    if space.has_even_steps() {
        return *step;
    }
    let to = space.move_by(step.from, step.action).map(|planned| planned.to);
    let now = to.and_then(|to| space.move_to(step.from, to));
    JamStep { action: now.map_or(step.action, |now| now.action), ..*step }
}

/// Whether a move is legal and no other body is where it leads.
fn is_free(state: &State, space: &GridSpace, step: &JamStep) -> bool {
    let now = state.now();
    space.may_begin(step.from, step.action)
        && space.footprint(step.from, step.action, |entry, _| {
            let holder = state.holder(entry, now);
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

/// A unit of a jam stands until its moves begin.
pub(super) fn stop(state: &mut State, unit: UnitId) {
    state.units.cancel_plan(&state.terrain.spaces, unit);
    if let Some(assignment) = state.assignment_mut(unit) {
        assignment.crowding.is_jammed = true;
    }
}

/// The units, each with its destination, do these moves from the next tick on.
pub(super) fn begin(
    state: &mut State,
    units: &[(UnitId, Option<Position>)],
    cluster: &[ClusterUnit],
    moves: Vec<(usize, Action)>,
) {
    let mut places: Vec<Position> = cluster.iter().map(|unit| unit.at).collect();
    let mut steps = Vec::with_capacity(moves.len());
    for (index, action) in moves {
        let (from, space) = (places[index], &state.terrain.spaces[cluster[index].space]);
        steps.push(JamStep { unit: units[index].0, from, action });
        places[index] = space.move_by(from, action).map_or(from, |step| step.to);
    }
    units.iter().for_each(|&(unit, _)| stop(state, unit));
    let since = state.now();
    state.jams.push(Jam { units: units.to_vec(), steps, since });
}
