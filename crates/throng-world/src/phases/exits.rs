//! A phase of the tick: units in buildings that were told to go somewhere come out.
//!
//! A unit comes out at the exit from which its path is shortest, among those that are free
//! (Xu & Zou, section 3).

use throng_model::{Budget, BuildingId, Cell, UnitId};
use throng_spacetime::Space;

use super::routes::{Request, Searchers};
use crate::state::State;
use crate::{Event, Order, WorldError};

/// Lets units out within about this budget; the nodes expanded. Units left over come out later.
pub(crate) fn run(state: &mut State, searchers: &mut Searchers, budget: Budget<'_>) -> u64 {
    if state.buildings.is_empty() {
        return 0;
    }
    let most = budget.expansions.unwrap_or(u64::MAX);
    let mut spent = 0;
    let inside =
        state.units.iter().filter_map(|(unit, record)| Some((unit, record.activity.building()?)));
    for (unit, building) in inside.collect::<Vec<_>>() {
        if !wants_out(state, unit, building) {
            continue;
        }
        if spent >= most || budget.is_interrupted() {
            break;
        }
        spent += let_out(state, searchers, (unit, building), most);
    }
    spent
}

/// Whether the unit has an order that leads outside. An order to enter the building in which it
/// is already done.
fn wants_out(state: &mut State, unit: UnitId, building: BuildingId) -> bool {
    let Some(assignment) = state.assignment_mut(unit) else { return false };
    if assignment.order == Order::Enter(building) {
        assignment.order = assignment.next_order().unwrap_or(Order::Stop);
    }
    !matches!(assignment.order, Order::Stop | Order::Hold)
}

fn let_out(
    state: &mut State,
    searchers: &mut Searchers,
    (unit, building): (UnitId, BuildingId),
    budget: u64,
) -> u64 {
    let Some(profile) = state.units.get(unit).map(|record| record.space) else { return 0 };
    let exits = state.building(building).map_or(&[][..], |building| &building.exits);
    let is_free = |&exit: &Cell| state.free_position(profile, exit).is_ok();
    let mut free: Vec<Cell> = exits.iter().copied().filter(is_free).collect();
    if free.is_empty()
        && let Some((waiting, exit)) = waits_at_exit(state, profile, building)
    {
        // The two change places.
        super::arrivals::enter(state, waiting, building);
        free.push(exit);
    }
    let Some((exit, expanded)) = best_exit(state, searchers, unit, &free, budget) else { return 0 };
    let Ok(position) = state.free_position(profile, exit) else { return expanded };
    if state.place(unit, position).is_ok() {
        state.events.push(Event::Left { unit, building, at: exit });
        state.resume_outside(unit);
    }
    expanded
}

/// A unit that waits to come into a full building, at the only exit by which another could leave.
fn waits_at_exit(state: &State, profile: usize, building: BuildingId) -> Option<(UnitId, Cell)> {
    state.capacity(building)?;
    state.building(building).ok()?.exits.iter().find_map(|&exit| {
        let Err(WorldError::Occupied { by, .. }) = state.free_position(profile, exit) else {
            return None;
        };
        let waits = state.assignment(by)?.order == Order::Enter(building) && state.is_home(by);
        let is_alone = state.terrain.position_on_map(profile, exit).is_some_and(|at| {
            let space = &state.terrain.spaces[profile];
            space.standing(at, |entry| {
                state.holder(entry, state.now()).is_none_or(|claim| claim.unit == by)
            })
        });
        (waits && is_alone).then_some((by, exit))
    })
}

/// The exit from which the path to the unit's goals is shortest, and the nodes expanded to find
/// out.
fn best_exit(
    state: &mut State,
    searchers: &mut Searchers,
    unit: UnitId,
    exits: &[Cell],
    budget: u64,
) -> Option<(Cell, u64)> {
    let profile = state.units.get(unit)?.space;
    let &first = exits.first()?;
    let goals = super::routes::goals(state, unit, exits);
    if goals.is_empty() || exits.len() == 1 {
        return Some((first, 0));
    }
    let request = Request {
        unit,
        profile,
        starts: exits.to_vec(),
        goals,
        budget,
        is_around: false,
        hops: Vec::new(),
    };
    let reply = searchers.answer_one(state, request);
    let exit = reply.path.and_then(|path| path.cells.first().copied());
    Some((exit.unwrap_or(first), reply.expanded))
}
