//! A phase of the tick: units that stand for long become walls, and routes lead around them.
//!
//! A unit on hold that has stood for the patience of the world is a wall of [`Standing`]. Now and
//! then a unit on its way looks at the next cells of its route. If one of them is a wall, a
//! route around the walls is searched. If there is none, the unit keeps its route and waits for
//! the wall to leave. It searches again after a time that doubles, or when any wall has left.
//!
//! A unit whose route leads around walls looks for a shorter one when a wall has left.

use throng_cooperative::{Location, UnitRecord};
use throng_model::{Rect, Tick, UnitId};

use crate::distances::DistanceSource;
use crate::shares::by_shares;
use crate::standing::Standing;
use crate::state::State;
use crate::unit::{Assignment, Detour, Doing, Stand, UnitStatus, Wall};

/// A unit looks ahead once in so many ticks; a new wall is noticed that late.
const LOOK_EVERY: u32 = 8;
/// How far ahead on its route it looks, in cells.
const LOOK_AHEAD: usize = 64;
/// Units that look for another route per tick.
const DETOURS_PER_TICK: usize = 64;
/// From how many times the patience on a step onto the body of a standing unit counts how many
/// times: to push through it takes some ticks, and longer where it has nowhere to go.
const GROWTH: [(u32, u8); 4] = [(2, 4), (8, 7), (32, 13), (128, 25)];
/// A unit on its way counts if it stands for so many times as long: in a queue it will go on.
const STUCK: u32 = 8;
/// How often the time until the next search doubles.
const DOUBLINGS: u32 = 6;

/// Notes which units have moved in this tick, and which are walls now.
pub(crate) fn watch(state: &mut State, threads: usize) {
    let patience = state.distances.standing.patience;
    let watched = by_shares(threads, state.units.slots(), |slots| {
        let changed = |(unit, record): (UnitId, &UnitRecord<Assignment>)| {
            let stand = next_stand(state, unit, record, patience)?;
            (stand != record.activity.stand).then_some((unit, stand))
        };
        state.units.iter_slots(slots).filter_map(changed).collect::<Vec<_>>()
    });
    for (unit, stand) in watched.into_iter().flatten() {
        let Some(assignment) = state.units.activity_mut(unit) else { continue };
        let before = std::mem::replace(&mut assignment.stand, stand);
        if stand.wall != before.wall {
            take_down(state, unit, before);
            add_wall(state, unit, stand);
        }
        if stand.times != before.times {
            end_cost(state, unit, before);
            add_cost(state, unit, stand);
        }
    }
    state.distances.follow_walls();
}

fn next_stand(
    state: &State,
    unit: UnitId,
    record: &UnitRecord<Assignment>,
    patience: u32,
) -> Option<Stand> {
    let (location, now) = (state.units.location(unit)?, state.now());
    let Stand { at: before, since, .. } = record.activity.stand;
    let (at, ticks) = (location.position(), now.0.saturating_sub(since.0));
    if at != before {
        return Some(Stand { at, since: Tick(now.0 - ticks / 2), wall: Wall::None, times: 0 });
    }
    let stands = location == Location::Standing(at) && ticks >= patience;
    let times = if stands { times(record.activity.doing, ticks / patience.max(1)) } else { 0 };
    let wall = match record.activity.doing {
        _ if !stands => Wall::None,
        Doing::Holding => Wall::All,
        _ if state.terrain.planes.sides_meet() => Wall::Strangers,
        _ => Wall::None,
    };
    Some(Stand { at, since, wall, times })
}

/// How many times a step onto the body of a unit counts that has stood for so many times the
/// patience.
fn times(doing: Doing, patiences: u32) -> u8 {
    let patiences = match doing {
        Doing::Going => patiences / STUCK,
        _ if doing.afterwards().is_some() => patiences,
        _ => 0,
    };
    GROWTH.iter().rfind(|&&(from, _)| patiences >= from).map_or(0, |&(_, times)| times)
}

/// The planes in which a unit of a profile is a wall.
fn wall_planes(state: &State, profile: usize, wall: Wall) -> Vec<u8> {
    let own = state.terrain.plane_of(profile);
    let is_wall = |plane: &u8| match wall {
        Wall::None => false,
        Wall::Strangers => *plane != own,
        Wall::All => true,
    };
    state.terrain.planes.of_layer(own).filter(is_wall).collect()
}

/// Walls of the same layer are walls in a plane that is new, too.
pub(crate) fn cover_new_plane(state: &mut State, plane: u8) {
    let layer = state.terrain.planes.get(plane).layer;
    let walls = state.units.iter().filter(|(_, record)| {
        record.activity.stand.wall != Wall::None && state.terrain.plane(record.space).layer == layer
    });
    let walls: Vec<_> = walls.map(|(unit, record)| (unit, record.activity.stand)).collect();
    for (unit, stand) in walls {
        if let Some(body) = body(state, unit, stand) {
            state.distances.standing_mut().cover(state.terrain.map(), body, plane);
        }
    }
}

/// The cells of a body where the unit stands.
fn body(state: &State, unit: UnitId, stand: Stand) -> Option<Rect> {
    let space = state.space(state.units.get(unit)?);
    let side = u16::from(space.ground().movement().footprint);
    Some(Rect::new(space.cell(stand.at), side, side))
}

/// A unit becomes a wall, if it is said to be one.
pub(crate) fn add_wall(state: &mut State, unit: UnitId, stand: Stand) {
    let (Some(body), Some(record)) = (body(state, unit, stand), state.units.get(unit)) else {
        return;
    };
    if stand.wall != Wall::None {
        let planes = wall_planes(state, record.space, stand.wall);
        state.distances.standing_mut().add(state.terrain.map(), body, &planes);
    }
}

/// Steps onto a unit cost more for routes, if it is said so.
pub(crate) fn add_cost(state: &mut State, unit: UnitId, stand: Stand) {
    if let Some(body) = body(state, unit, stand).filter(|_| stand.times > 0) {
        let (plane, map) = (state.plane_of(unit), state.terrain.map());
        state.distances.standing_mut().costs.add(map, (body, plane), stand.times);
    }
}

/// Steps onto a unit that stood like this do not cost more any longer, if they did.
fn end_cost(state: &mut State, unit: UnitId, stand: Stand) {
    if let Some(body) = body(state, unit, stand).filter(|_| stand.times > 0) {
        let (plane, map) = (state.plane_of(unit), state.terrain.map());
        state.distances.standing_mut().costs.remove(map, (body, plane));
    }
}

/// A unit is a wall no longer, if it was one, and costs no more than the map says.
pub(crate) fn remove_wall(state: &mut State, unit: UnitId) {
    let stand = state.assignment(unit).map(|assignment| assignment.stand);
    let Some(stand) = stand else { return };
    take_down(state, unit, stand);
    end_cost(state, unit, stand);
    if let Some(assignment) = state.assignment_mut(unit) {
        (assignment.stand.wall, assignment.stand.times) = (Wall::None, 0);
    }
}

/// Removes the wall of a unit that stood like this, if it was one.
fn take_down(state: &mut State, unit: UnitId, stand: Stand) {
    if stand.wall == Wall::None {
        return;
    }
    let (body, now) = (body(state, unit, stand), state.now());
    if let Some((body, record)) = body.zip(state.units.get(unit)) {
        let planes = wall_planes(state, record.space, stand.wall);
        state.distances.standing_mut().remove(state.terrain.map(), body, &planes, now);
    }
}

/// Units look at their routes, each in its turn, and ask for others.
pub(crate) fn look_ahead(state: &mut State) {
    let terrain = &state.terrain;
    let plane_of = |profile: usize| terrain.plane_of(profile);
    state.distances.standing_mut().retain_profiles(&terrain.spaces, plane_of);
    state.distances.follow_walls();
    let (now, standing) = (state.now(), &state.distances.standing);
    let is_recent =
        now.0.saturating_sub(standing.opened.0) <= standing.patience.saturating_add(LOOK_EVERY);
    if standing.is_empty() && !is_recent {
        return;
    }
    let is_turn = |unit: UnitId| (now.0 + unit.index() as u32).is_multiple_of(LOOK_EVERY);
    let looks = state.units.iter().filter_map(|(unit, record)| {
        let needs = is_turn(unit).then(|| need(state, unit, record))??;
        Some((unit, record.space, needs))
    });
    for (unit, profile, needs) in looks.take(DETOURS_PER_TICK).collect::<Vec<_>>() {
        if needs == Need::WayAround {
            state.make_view(profile);
        }
        state.request_route(unit);
        if let Some(assignment) = state.assignment_mut(unit) {
            let detour = assignment.detour.get_or_insert_default();
            detour.is_wanted = needs == Need::WayAround;
        }
    }
}

/// Which route a unit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// One around the walls.
    WayAround,
    /// The best one, now that a wall has left.
    BestWay,
}

fn need(state: &State, unit: UnitId, record: &UnitRecord<Assignment>) -> Option<Need> {
    let assignment = &record.activity;
    let DistanceSource::Route(route) = &assignment.source else { return None };
    let is_free = !assignment.is_queued_for_route && !assignment.crowding.is_jammed;
    if assignment.status() != UnitStatus::Going || !is_free {
        return None;
    }
    let (now, standing) = (state.now(), &state.distances.standing);
    let detour = assignment.detour.unwrap_or_default();
    let has_opened = standing.opened > detour.tried;
    if detour.is_around && has_opened && now.0.saturating_sub(detour.tried.0) >= standing.patience {
        return Some(Need::BestWay);
    }
    if standing.is_empty() || !(has_opened || now >= detour.next) {
        return None;
    }
    let (at, space) = (state.units.free_at(unit)?, state.space(record));
    let mut ahead = route.next_cells(at, LOOK_AHEAD).iter();
    ahead.any(|&cell| standing.is_on_wall(space, cell)).then_some(Need::WayAround)
}

impl Detour {
    /// The unit got a route around walls.
    pub(crate) fn found(now: Tick) -> Self {
        Self { is_around: true, tried: now, ..Self::default() }
    }

    /// There is no route around the walls. The unit keeps the one that it has.
    pub(crate) fn failed(self, now: Tick, standing: &Standing) -> Self {
        let ticks = standing.patience.max(1).saturating_mul(1 << self.failures.min(DOUBLINGS));
        let (failures, next) = (self.failures.saturating_add(1), Tick(now.0.saturating_add(ticks)));
        Self { tried: now, failures, next, is_wanted: false, ..self }
    }
}
