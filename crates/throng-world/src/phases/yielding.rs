//! A phase of the tick: resting units that block another and cannot step aside clear its way.
//!
//! A resting unit yields one step at a time. In a dead end this only drives it deeper in: the
//! other unit can neither pass nor get it out, and the two would push each other forever. So when
//! a unit is promoted because it makes no progress, the units that rest on its remaining path are
//! checked. A resting unit is sent to a place beside the path, where it blocks no passage, if it
//! cannot leave the path without passing the other, or could not return to its destination
//! ("home") once the other has arrived. It goes there with the highest priority, waits until the
//! other is past its home, and returns.
//!
//! Other units are ignored when the place is chosen. The reservation table still decides which
//! step is legal: yielding only changes where a unit goes, and with which priority.

use std::collections::{BTreeSet, VecDeque};

use throng_cooperative::{Location, PlanEvent};
use throng_model::{Tick, UnitId};
use throng_spacetime::{Entry, GridSpace, Position, Space};

use super::routes::{Searchers, route_nearby};
use crate::Event;
use crate::state::State;
use crate::unit::{Doing, UnitStatus, Yield};

/// How much of a unit's path is checked, in steps.
const PATH_MAX: usize = 128;
/// The most nodes expanded to find a place for one unit.
const NODES_MAX: usize = 4096;
/// A unit in a crowd has its path checked when it came no nearer for so many ticks.
const STALLED: u32 = 20;
/// Stuck units whose paths are checked per tick.
const PATHS_PER_TICK: usize = 4;
/// A unit yields for at most this many windows, plus twice the time that both units take to walk
/// there and back.
const YIELD_WINDOWS: u32 = 8;
/// More ticks than any unit yields.
pub(crate) const YIELD_TICKS_MAX: u32 = 1 << 20;

/// Cells, as entries of the reservation table.
type Cells = BTreeSet<u32>;

/// The path that a unit still has to go.
struct RemainingPath {
    steps: u32,
    /// All cells that its body covers along the path.
    swept: Cells,
    /// The cells of its body now, and at its goal.
    body: Cells,
    goal: Cells,
}

/// Ends yielding that is over, and begins yielding for promoted units. Returns the nodes expanded.
pub(crate) fn run(state: &mut State, searchers: &mut Searchers) -> u64 {
    let mut expanded = 0;
    for unit in state.units.units().collect::<Vec<_>>() {
        let yielding = state.assignment(unit).and_then(|assignment| assignment.doing.yielding());
        if let Some(yielding) = yielding {
            expanded += continue_yielding(state, searchers, unit, yielding);
        }
    }
    let stuck = state.units.events().iter().filter_map(|event| match event {
        PlanEvent::NoProgress { unit } => Some(*unit),
        _ => None,
    });
    let stalled = state.units.iter().filter_map(|(unit, record)| {
        let crowding = &record.activity.crowding;
        let is_stalled = crowding.waiting.stalled() == STALLED && !crowding.waits_for_turn;
        is_stalled.then_some(unit)
    });
    let promoted = stuck.chain(stalled);
    for unit in promoted.take(PATHS_PER_TICK).collect::<Vec<_>>() {
        if needs_to_pass(state, unit) {
            expanded += clear_path_of(state, searchers, unit);
        }
    }
    expanded
}

/// Whether the unit has a destination to reach and does not yield itself: of two units that could
/// yield to each other only one does.
fn needs_to_pass(state: &State, unit: UnitId) -> bool {
    let Some(assignment) = state.assignment(unit) else { return false };
    match assignment.status() {
        UnitStatus::Going | UnitStatus::Routing => true,
        UnitStatus::Arrived => !state.is_home(unit) && assignment.doing.yielding().is_none(),
        _ => false,
    }
}

fn continue_yielding(
    state: &mut State,
    searchers: &mut Searchers,
    unit: UnitId,
    yielding: Yield,
) -> u64 {
    let is_there = state.units.location(unit) == Some(Location::Standing(yielding.to));
    if is_there && !yielding.is_there {
        let doing = state.assignment(unit).map(|assignment| assignment.doing);
        if let Some(Doing::Yielding(_, afterwards)) = doing {
            let waiting = Yield { is_there, ..yielding };
            state.set_doing(unit, Doing::Yielding(waiting, afterwards));
        }
    }
    let Some(profile) = state.units.get(unit).map(|record| record.space) else { return 0 };
    let is_over = state.now() >= yielding.until
        || !needs_to_pass(state, yielding.for_unit)
        || remaining_path(state, yielding.for_unit).is_some_and(|path| {
            !touches(&state.terrain.spaces[profile], yielding.home, &path.swept)
        });
    if is_over { end(state, searchers, unit) } else { 0 }
}

/// Ends yielding: the unit returns to its destination, if it has one.
fn end(state: &mut State, searchers: &mut Searchers, unit: UnitId) -> u64 {
    let Some(record) = state.units.get(unit) else { return 0 };
    let doing = record.activity.doing.without_yielding();
    let home = record.destination().filter(|_| doing == Doing::Arrived);
    state.set_doing(unit, doing);
    let Some(home) = home else {
        state.clear_route(unit);
        return 0;
    };
    let (is_found, expanded) = route_nearby(state, searchers, unit, home);
    if !is_found {
        state.request_route(unit);
    }
    expanded
}

/// Sends away the units that rest on the unit's path and cannot leave it by single steps.
fn clear_path_of(state: &mut State, searchers: &mut Searchers, unit: UnitId) -> u64 {
    let Some(path) = remaining_path(state, unit) else { return 0 };
    let mut expanded = path.steps.into();
    let now = state.now();
    let holders = path.swept.iter().filter_map(|&cell| {
        let holder = state.units.table().holder(Entry(cell), now);
        holder.map(|claim| claim.unit)
    });
    let holders: BTreeSet<UnitId> = holders.filter(|&holder| holder != unit).collect();
    for holder in holders {
        let afterwards = state.assignment(holder).and_then(|a| a.doing.afterwards());
        let Some(afterwards) = afterwards else { continue };
        let (yielding, looked_at) = place_to_yield(state, holder, unit, &path);
        expanded += looked_at as u64;
        let Some(yielding) = yielding else { continue };
        let (is_found, searched) = route_nearby(state, searchers, holder, yielding.to);
        expanded += searched;
        if is_found {
            state.set_doing(holder, Doing::Yielding(yielding, afterwards));
            state.events.push(Event::Yielding { unit: holder, for_unit: unit });
        }
    }
    expanded
}

/// The place where a unit clears another's path, if single steps do not suffice; and the number
/// of positions searched.
fn place_to_yield(
    state: &State,
    unit: UnitId,
    other: UnitId,
    path: &RemainingPath,
) -> (Option<Yield>, usize) {
    let none = (None, 0);
    let (Some(record), Some(passer)) = (state.units.get(unit), state.units.get(other)) else {
        return none;
    };
    let places = state.units.free_at(unit).zip(state.units.free_at(other));
    let Some((at, from)) = places else { return none };
    let (space, passing) = (state.space(record), state.space(passer));
    let home = record.destination();
    let yielded_to = places_yielded_to(state);
    let is_aside = |place: Position| {
        !touches(space, place, &path.swept)
            && !touches(space, place, &yielded_to)
            && state.is_unowned(unit, space, place)
            && !divides(space, passing, place)
    };
    // Once the other is at its goal, it must not be between the unit and its home.
    let past_goal = |place: Position| home.is_none() || !touches(space, place, &path.goal);
    let mut found = Flood::default();
    let rests_at = home.unwrap_or(at);
    let has_room =
        |place: Position| is_aside(place) && leaves_room(space, (at, place), passing, from);
    let aside = found.nearest(space, rests_at, past_goal, has_room);
    let comes_home = aside.is_some() && found.reaches(space, at, past_goal);
    // If there is no other place, the other unit will yield when this one comes back.
    let aside = aside.or_else(|| {
        found = Flood::default();
        found.nearest(space, rests_at, |_| true, has_room)
    });
    let is_open = |place: Position| past_goal(place) && !touches(space, place, &path.body);
    let mut beside = Flood::default();
    let steps_aside = comes_home && beside.nearest(space, at, is_open, is_aside).is_some();
    let looked_at = found.seen.len() + beside.seen.len();
    let Some(to) = aside.filter(|_| !steps_aside) else { return (None, looked_at) };
    let walk_ticks = walk_ticks(path.steps + found.depth, space, passing);
    let ticks = YIELD_WINDOWS * record.depth.max(passer.depth) + walk_ticks;
    let until = Tick(state.now().0.saturating_add(ticks.min(YIELD_TICKS_MAX)));
    let home = home.unwrap_or(at);
    (Some(Yield { for_unit: other, to, home, until, is_there: false }), looked_at)
}

/// Twice the ticks that the slower of two units takes for a number of steps.
fn walk_ticks(steps: u32, space: &GridSpace, passing: &GridSpace) -> u32 {
    steps.saturating_mul(2 * passing.move_ticks_max().max(space.move_ticks_max()))
}

/// The cells of all places to which units yield.
fn places_yielded_to(state: &State) -> Cells {
    let mut cells = Cells::new();
    for (_, record) in state.units.iter() {
        if let Some(yielding) = record.activity.doing.yielding() {
            cells.append(&mut cells_of(state.space(record), yielding.to));
        }
    }
    cells
}

/// The shortest path of a unit to its destination, up to [`PATH_MAX`] steps.
fn remaining_path(state: &mut State, unit: UnitId) -> Option<RemainingPath> {
    let record = state.units.get(unit)?;
    let at = state.units.free_at(unit)?;
    let space = &state.terrain.spaces[record.space];
    let mut body = cells_of(space, at);
    if let Some(Location::Moving { from, .. }) = state.units.location(unit) {
        body.append(&mut cells_of(space, from));
    }
    let source = (unit, &record.activity.source);
    let places = state.distances.path_ahead(space, source, at, PATH_MAX);
    let mut swept = body.clone();
    for step in places.windows(2) {
        let mut action = None;
        space.for_each_move(step[0], |by| {
            action = action.or((by.to == step[1]).then_some(by.action));
        });
        space.footprint(step[0], action?, |entry, _| {
            swept.insert(entry.0);
            true
        });
    }
    let goal = record.destination().map(|goal| cells_of(space, goal)).unwrap_or_default();
    Some(RemainingPath { steps: places.len() as u32, swept, body, goal })
}

fn cells_of(space: &GridSpace, at: Position) -> Cells {
    let mut cells = Cells::new();
    space.standing(at, |entry| {
        cells.insert(entry.0);
        true
    });
    cells
}

/// Whether a unit that stands there covers one of the cells.
fn touches(space: &GridSpace, at: Position, cells: &Cells) -> bool {
    !space.standing(at, |entry| !cells.contains(&entry.0))
}

/// Whether a unit that stands there divides the cells around it for units of the other profile.
/// Only cells next to it are checked: a longer path around does not count.
fn divides(space: &GridSpace, passing: &GridSpace, at: Position) -> bool {
    let body = cells_of(space, at);
    let (corner, side) = (space.cell(at), i32::from(space.ground().movement().footprint));
    let reach = i32::from(passing.ground().movement().footprint);
    let near = |place: Position| {
        let cell = passing.cell(place);
        let offsets = [(cell.x, corner.x), (cell.y, corner.y)];
        offsets.iter().all(|&(x, from)| (-reach..=side).contains(&(i32::from(x) - i32::from(from))))
    };
    let stands = |place: Position| {
        near(place)
            && passing.ground().can_stand(passing.cell(place))
            && !touches(passing, place, &body)
    };
    let mut around = Vec::new();
    for (dx, dy) in (-reach..=side).flat_map(|dy| (-reach..=side).map(move |dx| (dx, dy))) {
        let cell = [(corner.x, dx), (corner.y, dy)]
            .map(|(from, by)| u16::try_from(i32::from(from) + by).ok());
        let [Some(x), Some(y)] = cell else { continue };
        around.extend(passing.position((x, y).into()).filter(|&place| stands(place)));
    }
    let Some(&first) = around.first() else { return false };
    let mut flood = Flood::default();
    flood.nearest(passing, first, stands, |_| false);
    around.iter().any(|place| !flood.seen.contains(place))
}

/// Whether a unit that goes from one place to another leaves room for a unit in between. In a
/// dead end it would push that unit ahead of it.
fn leaves_room(
    space: &GridSpace,
    (at, to): (Position, Position),
    passing: &GridSpace,
    from: Position,
) -> bool {
    let (behind, end) = (cells_of(space, at), cells_of(space, to));
    let may_enter = |place: Position| !touches(passing, place, &behind);
    let is_aside =
        |place: Position| !touches(passing, place, &end) && !divides(passing, space, place);
    Flood::default().nearest(passing, from, may_enter, is_aside).is_some()
}

/// A breadth-first search.
#[derive(Default)]
struct Flood {
    seen: BTreeSet<Position>,
    open: VecDeque<(Position, u32)>,
    /// Steps from the start to the place that was found.
    depth: u32,
}

impl Flood {
    /// The nearest position that is accepted, over positions that may be entered.
    fn nearest(
        &mut self,
        space: &GridSpace,
        start: Position,
        may_enter: impl Fn(Position) -> bool,
        is_accepted: impl Fn(Position) -> bool,
    ) -> Option<Position> {
        self.seen.insert(start);
        self.open.push_back((start, 0));
        while let Some((at, depth)) = self.open.pop_front() {
            if is_accepted(at) {
                self.depth = depth;
                // The search can be resumed from here.
                self.open.push_front((at, depth));
                return Some(at);
            }
            self.spread(space, at, depth, &may_enter);
            if self.seen.len() > NODES_MAX {
                break;
            }
        }
        None
    }

    fn spread(
        &mut self,
        space: &GridSpace,
        at: Position,
        depth: u32,
        may_enter: &impl Fn(Position) -> bool,
    ) {
        space.for_each_move(at, |step| {
            if may_enter(step.to) && self.seen.insert(step.to) {
                self.open.push_back((step.to, depth + 1));
            }
        });
    }

    /// Resumes the search until a position is reached. Returns whether it is.
    fn reaches(
        &mut self,
        space: &GridSpace,
        place: Position,
        may_enter: impl Fn(Position) -> bool,
    ) -> bool {
        while !self.seen.contains(&place) && self.seen.len() <= NODES_MAX {
            let Some((at, depth)) = self.open.pop_front() else { break };
            self.spread(space, at, depth, &may_enter);
        }
        self.seen.contains(&place)
    }
}
