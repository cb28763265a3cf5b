//! A phase of the tick: units on their destination have arrived, and go on to their next order.

use throng_cooperative::UnitRecord;
use throng_model::{BuildingId, UnitId};

use crate::capacity::{Inside, WhenFull};
use crate::shares::by_shares;
use crate::state::State;
use crate::unit::{Assignment, Doing, UnitStatus};
use crate::{Event, LinkId, Order};

pub(crate) fn run(state: &mut State, threads: usize) {
    let arriving = by_shares(threads, state.units.slots(), |slots| {
        let arrives = |(unit, record): (UnitId, &UnitRecord<Assignment>)| {
            let is_going = record.activity.status() == UnitStatus::Going;
            (is_going && state.is_home(unit)).then_some(unit)
        };
        state.units.iter_slots(slots).filter_map(arrives).collect::<Vec<_>>()
    });
    let mut inside = Inside::default();
    for unit in arriving.into_iter().flatten() {
        arrive(state, unit, &mut inside);
    }
}

fn arrive(state: &mut State, unit: UnitId, inside: &mut Inside) {
    let Some(record) = state.units.get(unit) else { return };
    let assignment = &record.activity;
    if assignment.is_route_partial {
        // Continuing a partial route does not count as rerouting.
        state.request_route(unit);
        state.assignment_mut(unit).into_iter().for_each(|a| a.is_rerouting = false);
        return;
    }
    if let Some(link) = assignment.via {
        return cross(state, unit, link, inside);
    }
    if let Order::Enter(building) = assignment.order {
        if inside.has_room(state, building) {
            inside.add(building);
            enter(state, unit, building);
        } else {
            wait_or_go(state, unit, building);
        }
        return;
    }
    if assignment.order.track().is_some() {
        // The unit that it goes after has moved on.
        state.request_route(unit);
        state.assignment_mut(unit).into_iter().for_each(|a| a.is_rerouting = false);
        return;
    }
    let Some(at) = record.destination().map(|at| state.space(record).cell(at)) else { return };
    // The plan is kept: the unit already rests here in it.
    state.assignment_mut(unit).into_iter().for_each(|a| a.doing = Doing::Arrived);
    let order = state.assignment(unit).map(|assignment| assignment.order.clone());
    state.events.push(match order {
        Some(Order::Approach(goal)) if goal != at => Event::ArrivedNear { unit, at, goal },
        _ => Event::Arrived { unit, at },
    });
    match order {
        Some(Order::Patrol(mut cells)) => {
            cells.rotate_left(1);
            state.begin_order(unit, &Order::Patrol(cells));
        }
        _ => state.begin_next_order(unit),
    }
}

/// The unit is at the beginning of a link: it goes in, or waits there until there is room.
fn cross(state: &mut State, unit: UnitId, link: LinkId, inside: &mut Inside) {
    if state.link(link).is_none() {
        return state.request_route(unit);
    }
    if inside.has_room_in_link(state, link) {
        state.enter_link(unit, link);
        inside.add_to_link(link);
        state.events.push(Event::LinkEntered { unit, link });
    }
}

/// The unit is at the door of a full building: it waits, or its order is over.
fn wait_or_go(state: &mut State, unit: UnitId, building: BuildingId) {
    if state.capacity(building).is_some_and(|capacity| capacity.when_full == WhenFull::Refuse) {
        state.assignment_mut(unit).into_iter().for_each(|a| a.order = Order::Stop);
        state.rest(unit, Doing::Idle);
        state.events.push(Event::Refused { unit, building });
        state.begin_next_order(unit);
    }
}

/// The unit is at a door: it goes in.
pub(super) fn enter(state: &mut State, unit: UnitId, building: BuildingId) {
    state.leave_map(unit);
    if let Some(assignment) = state.assignment_mut(unit) {
        assignment.doing = Doing::Inside(building);
        assignment.reported_at = None;
        assignment.order = assignment.next_order().unwrap_or(Order::Stop);
    }
    state.events.push(Event::Entered { unit, building });
}
