//! A phase of the tick: orders that depend on another unit, and units that wait for room.
//!
//! A pursuer has a route to where its target was when the route was found, or as near to it as it is
//! to come: the cell of the target is taken, and to plan into it would be in vain. The route is found
//! again when the target has moved away from its end by as much as the distance that is left, or when
//! the end is reached. So a far target costs few searches, and a near one short searches.

use throng_model::{Cell, Rect, UnitId};

use crate::order::Track;
use crate::state::State;
use crate::unit::{Assignment, Doing, UnitStatus};
use crate::{Event, Order};

/// A route is found again when the target has moved away by as many cells as the distance that is
/// left, and by so many at least. With a quarter of the distance a pursuer twice as fast as its target is
/// quicker by a tenth, for half as many searches again.
const MOVED_MIN: u16 = 1;
/// Units that find no way or no room try again after so many ticks.
const RETRY: u32 = 16;

/// Looks after all units whose orders need it.
pub(crate) fn run(state: &mut State) {
    let needs = |unit: &UnitId| state.assignment(*unit).is_some_and(Assignment::needs_attention);
    let units: Vec<UnitId> = state.attended.iter().copied().filter(needs).collect();
    state.attended.clone_from(&units);
    for unit in units {
        attend(state, unit);
    }
}

fn attend(state: &mut State, unit: UnitId) {
    let Some(assignment) = state.assignment(unit) else { return };
    if assignment.is_halted || assignment.is_off_map() {
        return;
    }
    let status = assignment.doing.status();
    let waits = matches!(status, UnitStatus::NoRoom | UnitStatus::Unreachable);
    let is_turn = (state.now().0 + unit.index() as u32).is_multiple_of(RETRY);
    if waits && is_turn {
        return state.request_route(unit);
    }
    let Some(track) = assignment.order.track().filter(|_| !waits || is_turn) else { return };
    if state.units.get(track.unit).is_none() {
        state.events.push(Event::TargetLost { unit, target: track.unit });
        return finish(state, unit);
    }
    match gap(state, unit, track.unit) {
        Some(gap) => pursue(state, unit, track, gap),
        // The target is in a building.
        None if status != UnitStatus::Idle => state.rest(unit, Doing::Idle),
        None => {}
    }
}

/// The order is done.
fn finish(state: &mut State, unit: UnitId) {
    state.assignment_mut(unit).into_iter().for_each(|a| a.order = Order::Stop);
    state.rest(unit, Doing::Idle);
    state.begin_next_order(unit);
}

/// The cells from body to body: 1 is side by side. `None` if one of them is not on the map.
fn gap(state: &State, unit: UnitId, other: UnitId) -> Option<u16> {
    Some(between(body(state, unit)?, body(state, other)?))
}

fn between(a: Rect, b: Rect) -> u16 {
    let along = |a: u16, a_side: u16, b: u16, b_side: u16| {
        b.saturating_sub(a + a_side - 1).max(a.saturating_sub(b + b_side - 1))
    };
    let columns = along(a.origin.x, a.width, b.origin.x, b.width);
    columns.max(along(a.origin.y, a.height, b.origin.y, b.height))
}

/// Where a unit is, or where its step ends.
fn body(state: &State, unit: UnitId) -> Option<Rect> {
    let (record, at) = (state.units.get(unit)?, state.units.free_at(unit)?);
    let space = state.space(record);
    let side = u16::from(space.ground().movement().footprint);
    Some(Rect::new(space.cell(at), side, side))
}

fn pursue(state: &mut State, unit: UnitId, track: Track, gap: u16) {
    let Some(assignment) = state.assignment(unit) else { return };
    let rests = assignment.doing.status() == UnitStatus::Idle;
    let stops_at = stops_at(&assignment.order, track);
    if gap <= stops_at {
        if matches!(assignment.order, Order::Chase(_)) {
            state.events.push(Event::Reached { unit, target: track.unit });
            finish(state, unit);
        } else if !rests {
            state.rest(unit, Doing::Idle);
        }
        return;
    }
    let is_free = !assignment.is_queued_for_route && assignment.doing.yielding().is_none();
    // Where a route through a link ends says nothing of the target.
    let goes = if rests {
        gap > track.distance
    } else if assignment.via.is_some() {
        (state.now().0 + unit.index() as u32).is_multiple_of(RETRY)
    } else {
        has_moved(state, unit, track.unit, (gap, stops_at))
    };
    if is_free && goes {
        state.request_route(unit);
        state.assignment_mut(unit).into_iter().for_each(|a| a.is_rerouting = false);
    }
}

/// How near a unit comes that has to go.
fn stops_at(order: &Order, track: Track) -> u16 {
    if matches!(order, Order::Guard(_)) { (track.distance / 2).max(1) } else { track.distance }
}

/// Whether the target is so far from the end of the unit's route that another is worth a search.
fn has_moved(state: &State, unit: UnitId, target: UnitId, (gap, stops_at): (u16, u16)) -> bool {
    let (Some(record), Some(target)) = (state.units.get(unit), body(state, target)) else {
        return false;
    };
    let space = state.space(record);
    let side = u16::from(space.ground().movement().footprint);
    let Some(end) = record.destination().map(|at| Rect::new(space.cell(at), side, side)) else {
        return false;
    };
    let moved = between(end, target).saturating_sub(stops_at);
    moved >= gap.saturating_sub(stops_at).max(MOVED_MIN)
}

/// Ends a path to the target of a unit where it is near enough.
pub(crate) fn stop_short(state: &State, unit: UnitId, path: &mut Vec<Cell>) {
    let Some(record) = state.units.get(unit) else { return };
    let order = &record.activity.order;
    let Some((track, target)) = order.track().and_then(|t| Some((t, body(state, t.unit)?))) else {
        return;
    };
    let side = u16::from(state.space(record).ground().movement().footprint);
    let stops_at = stops_at(order, track);
    let is_near = |&cell: &Cell| between(Rect::new(cell, side, side), target) <= stops_at;
    if let Some(last) = path.iter().position(is_near) {
        path.truncate(last + 1);
    }
}
