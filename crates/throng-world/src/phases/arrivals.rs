//! A phase of the tick: units on their destination have arrived, and go on to their next order.

use throng_cooperative::UnitRecord;
use throng_model::{BuildingId, UnitId};

use crate::shares::by_shares;
use crate::state::State;
use crate::unit::{Assignment, Doing, UnitStatus};
use crate::{Event, Order};

pub(crate) fn run(state: &mut State, threads: usize) {
    let arriving = by_shares(threads, state.units.slots(), |slots| {
        let arrives = |(unit, record): (UnitId, &UnitRecord<Assignment>)| {
            let is_going = record.activity.status() == UnitStatus::Going;
            (is_going && state.is_home(unit)).then_some(unit)
        };
        state.units.iter_slots(slots).filter_map(arrives).collect::<Vec<_>>()
    });
    for unit in arriving.into_iter().flatten() {
        arrive(state, unit);
    }
}

fn arrive(state: &mut State, unit: UnitId) {
    let Some(record) = state.units.get(unit) else { return };
    let assignment = &record.activity;
    if assignment.is_route_partial {
        // Continuing a partial route does not count as rerouting.
        state.request_route(unit);
        state.assignment_mut(unit).into_iter().for_each(|a| a.is_rerouting = false);
        return;
    }
    if let Order::Enter(building) = assignment.order {
        return enter(state, unit, building);
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

/// The unit is at a door: it goes in.
fn enter(state: &mut State, unit: UnitId, building: BuildingId) {
    state.leave_map(unit);
    if let Some(assignment) = state.assignment_mut(unit) {
        assignment.doing = Doing::Inside(building);
        assignment.reported_at = None;
        assignment.order = assignment.next_order().unwrap_or(Order::Stop);
    }
    state.events.push(Event::Entered { unit, building });
}
