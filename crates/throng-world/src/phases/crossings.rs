//! A phase of the tick: units whose time in a link is over come out.
//!
//! They come out one after the other, the one first whose time was over first. A unit that rests on
//! the end of the link is asked to step aside.

use throng_cooperative::Location;
use throng_model::{Cell, Tick, UnitId};
use throng_spacetime::Position;

use super::routes::{Searchers, route_nearby};
use crate::link::{Link, LinkId};
use crate::state::State;
use crate::unit::{Doing, Yield};
use crate::{Event, WorldError};

/// For how many ticks a unit steps aside at most.
const ASIDE_TICKS: u32 = 64;
/// How far away a unit steps aside at most, in cells.
const ASIDE_REACH: u16 = 8;
/// How far from an end that was built over units come out at most, in cells.
const OUT_REACH: u16 = 64;

pub(crate) fn run(state: &mut State, searchers: &mut Searchers) -> u64 {
    if state.links.is_empty() {
        return 0;
    }
    let now = state.now();
    let crossing = state.units.iter().filter_map(|(unit, record)| {
        let crossing = record.activity.crossing().filter(|crossing| crossing.until <= now)?;
        Some((crossing.until, unit, crossing.link))
    });
    let mut ready: Vec<(Tick, UnitId, LinkId)> = crossing.collect();
    ready.sort_unstable();
    let mut expanded = 0;
    for (_, unit, link) in ready {
        let Some(known) = state.link(link).copied() else { continue };
        expanded += let_out(state, searchers, (unit, link), &known);
    }
    expanded
}

fn let_out(
    state: &mut State,
    searchers: &mut Searchers,
    (unit, id): (UnitId, LinkId),
    link: &Link,
) -> u64 {
    let Some(profile) = state.units.get(unit).map(|record| record.space) else { return 0 };
    let free = match state.free_position(profile, link.to) {
        Err(WorldError::Occupied { by, .. }) => return step_aside(state, searchers, by, unit),
        // The end was built over, or the unit has grown.
        Err(_) => nearest_free(state, profile, link.to),
        Ok(position) => Some(position),
    };
    let Some(position) = free else { return 0 };
    if state.place(unit, position).is_ok() {
        let at = state.terrain.spaces[profile].cell(position);
        state.events.push(Event::LinkLeft { unit, link: id, at });
        state.resume_outside(unit);
    }
    0
}

fn nearest_free(state: &State, profile: usize, spot: Cell) -> Option<Position> {
    spot.rings(OUT_REACH).find_map(|cell| state.free_position(profile, cell).ok())
}

/// Lets a unit that rests leave its place for one that is to come out there.
fn step_aside(state: &mut State, searchers: &mut Searchers, unit: UnitId, for_unit: UnitId) -> u64 {
    let (Some(record), Some(other)) = (state.units.get(unit), state.units.get(for_unit)) else {
        return 0;
    };
    let Some(afterwards) = record.activity.doing.afterwards() else { return 0 };
    let is_friend = state.teams.side(record.activity.team) == state.teams.side(other.activity.team);
    let Some(Location::Standing(at)) = state.units.location(unit).filter(|_| is_friend) else {
        return 0;
    };
    let (profile, home) = (record.space, record.destination().unwrap_or(at));
    let space = &state.terrain.spaces[profile];
    let ends: Vec<Cell> =
        state.links.iter().flatten().flat_map(|link| [link.from, link.to]).collect();
    let side = u16::from(space.ground().movement().footprint)
        .max(state.space(other).ground().movement().footprint.into());
    let start = space.cell(at);
    let is_clear = |cell: Cell| {
        let is_near = |end: &Cell| end.x.abs_diff(cell.x) < side && end.y.abs_diff(cell.y) < side;
        !ends.iter().any(is_near)
    };
    let place = start.rings(ASIDE_REACH).skip(1).find_map(|cell| {
        let is_there = is_clear(cell) && space.ground().is_connected(start, cell);
        let position = state.free_position(profile, cell).ok().filter(|_| is_there)?;
        state.is_unowned(unit, space, position).then_some(position)
    });
    let Some(to) = place else { return 0 };
    let (is_found, expanded) = route_nearby(state, searchers, unit, to);
    if is_found {
        let until = Tick(state.now().0.saturating_add(ASIDE_TICKS));
        let yielding = Yield { for_unit, to, home, until, is_there: false };
        state.set_doing(unit, Doing::Yielding(yielding, afterwards));
        state.events.push(Event::Yielding { unit, for_unit });
    }
    expanded
}
