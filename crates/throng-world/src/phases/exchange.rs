//! A phase of the tick: units with the same order exchange places instead of pushing past each other.
//!
//! Many units that were told one by one to go to the same cell get places around it in the order
//! of their orders, not of their arrival. A unit that comes late then finds others at rest in
//! front of its place. One place is as good as the other: the late unit takes the place of the
//! one that rests in its way, and that one goes on to the place behind. Together they walk no
//! farther, and a hole in the crowd moves outwards step by step until it is filled.

use throng_cooperative::Location;
use throng_model::{Budget, UnitId};
use throng_spacetime::{Position, Space};

use super::routes::{Searchers, route_nearby};
use crate::shares::by_shares;
use crate::state::State;
use crate::unit::Doing;
use crate::{Event, Order};

/// Exchanges per tick; the others have to wait.
const EXCHANGES_PER_TICK: usize = 32;

/// Lets units exchange places that are not where they belong, or make no progress, with others
/// of the same order, within about this budget; the nodes expanded.
pub(crate) fn run(state: &mut State, searchers: &mut Searchers, budget: Budget<'_>) -> u64 {
    let most = budget.expansions.unwrap_or(u64::MAX);
    let going = units_that_ask(state, searchers.threads());
    let mut expanded = 0;
    let mut left = EXCHANGES_PER_TICK;
    for unit in going {
        if left == 0 || expanded >= most || budget.is_interrupted() {
            break;
        }
        if let Some(other) = find_partner(state, unit) {
            expanded += exchange(state, searchers, unit, other);
            left -= 1;
        }
    }
    expanded
}

/// The units that are not where they belong, or make no progress, and have others of the same
/// order beside them.
fn units_that_ask(state: &State, threads: usize) -> Vec<UnitId> {
    let asks = |&unit: &UnitId| {
        seeks_place(state, unit)
            && (state.units.is_pausing(unit) || is_displaced(state, unit))
            && units_beside(state, unit).is_some()
    };
    let found = by_shares(threads, state.units.slots(), |slots| {
        let units = state.units.iter_slots(slots).map(|(unit, _)| unit);
        units.filter(asks).collect::<Vec<_>>()
    });
    found.concat()
}

/// Whether the unit's place is not where it was told to go, because others were told so too.
fn is_displaced(state: &State, unit: UnitId) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    let place = record.destination().map(|at| state.space(record).cell(at));
    match (&record.activity.order, place) {
        (Order::GoTo(cells), Some(place)) => !cells.contains(&place),
        _ => false,
    }
}

/// Whether the unit is on its way to a place of its own, or back to it.
fn seeks_place(state: &State, unit: UnitId) -> bool {
    let Some(assignment) = state.assignment(unit) else { return false };
    let comes = match assignment.doing {
        Doing::Going => !assignment.is_route_partial && assignment.via.is_none(),
        Doing::Arrived => !state.is_home(unit),
        _ => false,
    };
    comes && matches!(assignment.order, Order::GoTo(_))
}

/// A unit with the same order that is or belongs a step nearer to this one's place, and with
/// which to exchange places is no loss.
fn find_partner(state: &mut State, unit: UnitId) -> Option<UnitId> {
    let (at, mut beside) = units_beside(state, unit)?;
    // Distances may have to be searched for, so they are asked last.
    let here = distance(state, unit, at)?;
    beside.retain(|&(to, _)| distance(state, unit, to).is_some_and(|there| there < here));
    let mut others = beside.into_iter().map(|(_, other)| other);
    others.find(|&other| is_no_loss(state, (unit, at), other))
}

/// Where a unit stands, and the units with the same order that hold part of a place one step away,
/// or want to stay there; `None` if there are none.
fn units_beside(state: &State, unit: UnitId) -> Option<(Position, Vec<(Position, UnitId)>)> {
    let profile = state.units.get(unit)?.space;
    let Location::Standing(at) = state.units.location(unit)? else { return None };
    let (table, goals, now) = (state.units.table(), state.units.goals(), state.now());
    let mut beside: Vec<(Position, UnitId)> = Vec::new();
    state.terrain.spaces[profile].for_each_move(at, |step| {
        state.terrain.spaces[profile].standing(step.to, |entry| {
            let holder = table.holder(entry, now).map(|claim| claim.unit);
            let others = holder.into_iter().chain(goals.owner(entry));
            let others = others.filter(|&other| other != unit && may_exchange(state, unit, other));
            beside.extend(others.map(|other| (step.to, other)));
            true
        });
    });
    (!beside.is_empty()).then_some((at, beside))
}

fn distance(state: &mut State, unit: UnitId, at: Position) -> Option<u64> {
    let record = state.units.get(unit)?;
    let space = &state.terrain.spaces[record.space];
    state.distances.get(space, unit, &record.activity.source, at)
}

/// Whether the two have less to go when they have exchanged their places; as much is enough if
/// the other is at rest.
fn is_no_loss(state: &mut State, (unit, at): (UnitId, Position), other: UnitId) -> bool {
    let Some(there) = state.units.location(other).map(Location::position) else { return false };
    let rests = state.is_home(other);
    let mut both = |one: Position, two: Position| {
        Some(distance(state, unit, one)?.saturating_add(distance(state, other, two)?))
    };
    let (before, after) = (both(at, there), both(there, at));
    before.zip(after).is_some_and(|(before, after)| after < before + u64::from(rests))
}

/// Whether the other unit was told to go where this one was, and nothing else is to be done.
fn may_exchange(state: &State, unit: UnitId, other: UnitId) -> bool {
    let (Some(one), Some(two)) = (state.units.get(unit), state.units.get(other)) else {
        return false;
    };
    let (mine, theirs) = (&one.activity, &two.activity);
    (theirs.doing == Doing::Arrived || seeks_place(state, other))
        && mine.queue.is_empty()
        && theirs.queue.is_empty()
        && (one.space, &mine.order) == (two.space, &theirs.order)
}

/// The unit goes to the other's place, and the other to where the unit was headed.
fn exchange(state: &mut State, searchers: &mut Searchers, unit: UnitId, other: UnitId) -> u64 {
    let destination = |state: &State, unit| state.units.get(unit).and_then(|r| r.destination());
    let (here, there) = (destination(state, other), destination(state, unit));
    state.set_destination(unit, None);
    state.set_destination(other, None);
    let expanded = send(state, searchers, unit, here) + send(state, searchers, other, there);
    state.events.push(Event::Rerouted { unit: other });
    expanded
}

fn send(state: &mut State, searchers: &mut Searchers, unit: UnitId, to: Option<Position>) -> u64 {
    state.set_destination(unit, to);
    state.set_doing(unit, Doing::Going);
    let (is_found, expanded) = to.map_or((false, 0), |to| route_nearby(state, searchers, unit, to));
    if !is_found {
        state.request_route(unit);
    }
    expanded
}
