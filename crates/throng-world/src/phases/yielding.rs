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

use throng_cooperative::{Location, PlanEvent};
use throng_grid::kit::StampedArray;
use throng_model::{Cell, Tick, UnitId};
use throng_spacetime::{Entry, GridSpace, Position, Space};

use super::routes::{Searchers, route_nearby};
use crate::Event;
use crate::state::State;
use crate::unit::{Doing, UnitStatus, Yield};

/// How much of a unit's path is checked, in steps.
const PATH_MAX: usize = 128;
/// The most nodes expanded in one search for a place.
const NODES_MAX: usize = 4096;
/// No path is checked after so many nodes were expanded in a tick.
const NODES_PER_TICK: u64 = 8192;
/// A unit in a crowd has its path checked when it came no nearer for so many ticks.
const STALLED: u32 = 20;
/// Stuck units whose paths are checked per tick.
const PATHS_PER_TICK: usize = 4;
/// A unit yields for at most this many windows, plus twice the time that both units take to walk
/// there and back.
const YIELD_WINDOWS: u32 = 8;
/// More ticks than any unit yields.
pub(crate) const YIELD_TICKS_MAX: u32 = 1 << 20;

/// Why an entry is marked: a body covers it along the path, now, or at its goal; or a unit yields
/// to there.
const SWEPT: u8 = 1;
const BODY: u8 = 2;
const GOAL: u8 = 4;
const YIELDED_TO: u8 = 8;

/// The memory of the searches. It holds nothing from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    marks: Marks,
    aside: Flood,
    beside: Flood,
    room: Flood,
    /// The places that units yield to, each with its movement profile.
    yielded_to: Vec<(usize, Position)>,
}

/// By entry of the reservation table: why it is marked.
#[derive(Clone, Debug, Default)]
struct Marks {
    by_entry: StampedArray<u8>,
    /// The entries with a mark.
    marked: Vec<u32>,
}

impl Marks {
    fn begin(&mut self, entries: usize) {
        self.by_entry.begin(entries);
        self.marked.clear();
    }

    fn mark(&mut self, Entry(entry): Entry, why: u8) {
        let known = self.by_entry.get(entry as usize);
        self.by_entry.set(entry as usize, known.unwrap_or(0) | why);
        if known.is_none() {
            self.marked.push(entry);
        }
    }

    fn mark_body(&mut self, space: &GridSpace, at: Position, why: u8) {
        space.standing(at, |entry| {
            self.mark(entry, why);
            true
        });
    }

    fn has(&self, entry: u32, why: u8) -> bool {
        self.by_entry.get(entry as usize).unwrap_or(0) & why != 0
    }

    /// Whether a unit that stands there covers an entry that is marked for one of these reasons.
    fn touch(&self, space: &GridSpace, at: Position, why: u8) -> bool {
        !space.standing(at, |Entry(entry)| !self.has(entry, why))
    }
}

/// Ends yielding that is over, and begins yielding for promoted units. Returns the nodes expanded.
pub(crate) fn run(state: &mut State, searchers: &mut Searchers, scratch: &mut Scratch) -> u64 {
    let mut expanded = 0;
    scratch.yielded_to.clear();
    let yields = |unit: UnitId| Some((unit, state.assignment(unit)?.doing.yielding()?));
    for (unit, yielding) in state.units.units().filter_map(yields).collect::<Vec<_>>() {
        expanded += continue_yielding(state, searchers, scratch, unit, yielding);
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
    let mut searched = 0;
    for unit in promoted.take(PATHS_PER_TICK).collect::<Vec<_>>() {
        if searched < NODES_PER_TICK && needs_to_pass(state, unit) {
            searched += clear_path_of(state, searchers, scratch, unit);
        }
    }
    expanded + searched
}

/// Whether the unit has a destination to reach and does not yield itself: of two units that could
/// yield to each other only one does.
fn needs_to_pass(state: &State, unit: UnitId) -> bool {
    let Some(assignment) = state.assignment(unit) else { return false };
    match assignment.status() {
        UnitStatus::Going | UnitStatus::Routing => true,
        UnitStatus::Crossing(_) => assignment.crossing().is_some_and(|c| c.until <= state.now()),
        UnitStatus::Arrived => !state.is_home(unit) && assignment.doing.yielding().is_none(),
        _ => false,
    }
}

fn continue_yielding(
    state: &mut State,
    searchers: &mut Searchers,
    scratch: &mut Scratch,
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
    let marks = &mut scratch.marks;
    let is_over = state.now() >= yielding.until
        || !needs_to_pass(state, yielding.for_unit)
        || mark_path(state, yielding.for_unit, marks).is_some()
            && !marks.touch(&state.terrain.spaces[profile], yielding.home, SWEPT);
    if is_over {
        return end(state, searchers, unit);
    }
    scratch.yielded_to.push((profile, yielding.to));
    0
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
fn clear_path_of(
    state: &mut State,
    searchers: &mut Searchers,
    scratch: &mut Scratch,
    unit: UnitId,
) -> u64 {
    let Some(steps) = mark_path(state, unit, &mut scratch.marks) else { return 0 };
    let mut expanded = steps.into();
    let now = state.now();
    let holder = |&entry: &u32| state.units.table().holder(Entry(entry), now);
    let swept = scratch.marks.marked.iter().filter(|&&entry| scratch.marks.has(entry, SWEPT));
    let holders = swept.filter_map(holder).map(|claim| claim.unit);
    let mut holders: Vec<UnitId> = holders.filter(|&holder| holder != unit).collect();
    holders.sort_unstable();
    holders.dedup();
    for &(profile, to) in &scratch.yielded_to {
        scratch.marks.mark_body(&state.terrain.spaces[profile], to, YIELDED_TO);
    }
    for holder in holders {
        let afterwards = state.assignment(holder).and_then(|a| a.doing.afterwards());
        let Some(afterwards) = afterwards else { continue };
        let (yielding, looked_at) = place_to_yield(state, scratch, holder, (unit, steps));
        expanded += looked_at as u64;
        let Some(yielding) = yielding else { continue };
        let (is_found, searched) = route_nearby(state, searchers, holder, yielding.to);
        expanded += searched;
        if let Some(profile) = state.units.get(holder).map(|record| record.space)
            && is_found
        {
            scratch.marks.mark_body(&state.terrain.spaces[profile], yielding.to, YIELDED_TO);
            scratch.yielded_to.push((profile, yielding.to));
            state.set_doing(holder, Doing::Yielding(yielding, afterwards));
            state.events.push(Event::Yielding { unit: holder, for_unit: unit });
        }
    }
    expanded
}

/// The place where a unit clears another's path of so many steps, if single steps do not suffice;
/// and the number of positions searched.
fn place_to_yield(
    state: &State,
    Scratch { marks, aside, beside, room, .. }: &mut Scratch,
    unit: UnitId,
    (other, steps): (UnitId, u32),
) -> (Option<Yield>, usize) {
    let none = (None, 0);
    let (Some(record), Some(passer)) = (state.units.get(unit), state.units.get(other)) else {
        return none;
    };
    let places = state.units.free_at(unit).zip(state.units.free_at(other));
    let Some((at, from)) = places else { return none };
    let (space, passing) = (state.space(record), state.space(passer));
    let home = record.destination();
    let is_aside = |place: Position| {
        !marks.touch(space, place, SWEPT | YIELDED_TO)
            && state.is_unowned(unit, space, place)
            && !divides(space, passing, place)
    };
    // Once the other is at its goal, it must not be between the unit and its home.
    let past_goal = |place: Position| home.is_none() || !marks.touch(space, place, GOAL);
    let rests_at = home.unwrap_or(at);
    let mut room = RoomBehind::new(room, (space, at), (passing, from));
    let mut has_room = |place: Position| is_aside(place) && room.is_left_at(place);
    aside.begin(space, rests_at);
    let mut to = aside.nearest(space, past_goal, &mut has_room);
    let comes_home = to.is_some() && aside.reaches(space, at, past_goal);
    let mut looked_at = aside.open.len();
    // If there is no other place, the other unit will yield when this one comes back.
    if to.is_none() {
        aside.begin(space, rests_at);
        to = aside.nearest(space, |_| true, &mut has_room);
        looked_at += aside.open.len();
    }
    let is_open = |place: Position| past_goal(place) && !marks.touch(space, place, BODY);
    beside.begin(space, at);
    let steps_aside = comes_home && beside.nearest(space, is_open, is_aside).is_some();
    looked_at += beside.open.len() + room.flood.open.len();
    let Some(to) = to.filter(|_| !steps_aside) else { return (None, looked_at) };
    let walk_ticks = walk_ticks(steps + aside.depth, space, passing);
    let ticks = YIELD_WINDOWS * record.depth.max(passer.depth) + walk_ticks;
    let until = Tick(state.now().0.saturating_add(ticks.min(YIELD_TICKS_MAX)));
    let home = home.unwrap_or(at);
    (Some(Yield { for_unit: other, to, home, until, is_there: false }), looked_at)
}

/// Twice the ticks that the slower of two units takes for a number of steps.
fn walk_ticks(steps: u32, space: &GridSpace, passing: &GridSpace) -> u32 {
    steps.saturating_mul(2 * passing.move_ticks_max().max(space.move_ticks_max()))
}

/// Marks the shortest path of a unit to its destination, up to [`PATH_MAX`] steps. Returns its
/// length.
fn mark_path(state: &mut State, unit: UnitId, marks: &mut Marks) -> Option<u32> {
    let record = state.units.get(unit)?;
    let at = state.units.free_at(unit)?;
    let space = &state.terrain.spaces[record.space];
    marks.begin(space.entries());
    marks.mark_body(space, at, BODY | SWEPT);
    if let Some(Location::Moving { from, .. }) = state.units.location(unit) {
        marks.mark_body(space, from, BODY | SWEPT);
    }
    let source = (unit, &record.activity.source);
    let places = state.distances.path_ahead(space, source, at, PATH_MAX);
    for step in places.windows(2) {
        let mut action = None;
        space.for_each_move(step[0], |by| {
            action = action.or((by.to == step[1]).then_some(by.action));
        });
        space.footprint(step[0], action?, |entry, _| {
            marks.mark(entry, SWEPT);
            true
        });
    }
    if let Some(goal) = record.destination() {
        marks.mark_body(space, goal, GOAL);
    }
    Some(places.len() as u32)
}

/// The side of a body, in cells.
fn side_of(space: &GridSpace) -> i32 {
    i32::from(space.ground().movement().footprint)
}

/// How far the corner of one body is from that of another.
fn offset(to: Cell, from: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// Whether two bodies overlap.
fn overlap(one: (&GridSpace, Position), two: (&GridSpace, Position)) -> bool {
    let (dx, dy) = offset(one.0.cell(one.1), two.0.cell(two.1));
    let meets = |by: i32| by < side_of(two.0) && by > -side_of(one.0);
    meets(dx) && meets(dy)
}

/// Whether a unit that stands there divides the cells around it for units of the other profile.
/// Only cells next to it are checked: a longer path around does not count.
fn divides(space: &GridSpace, passing: &GridSpace, at: Position) -> bool {
    let (corner, side, reach) = (space.cell(at), side_of(space), side_of(passing));
    let width = side + reach + 1;
    // By place around the body: whether a unit can stand there and was not reached yet.
    let mut around = vec![false; (width * width) as usize];
    let index = |place: Position| {
        let (dx, dy) = offset(passing.cell(place), corner);
        let is_near = (-reach..=side).contains(&dx) && (-reach..=side).contains(&dy);
        is_near.then_some(((dy + reach) * width + dx + reach) as usize)
    };
    let mut first = None;
    for (dx, dy) in (-reach..=side).flat_map(|dy| (-reach..=side).map(move |dx| (dx, dy))) {
        let cell = corner.offset(dx, dy).filter(|&cell| passing.ground().can_stand(cell));
        let place = cell.and_then(|cell| passing.position(cell));
        let Some(place) = place.filter(|&place| !overlap((passing, place), (space, at))) else {
            continue;
        };
        first = first.or(Some(place));
        index(place).into_iter().for_each(|index| around[index] = true);
    }
    let mut open: Vec<Position> = first.into_iter().collect();
    open.iter().filter_map(|&place| index(place)).for_each(|index| around[index] = false);
    while let Some(place) = open.pop() {
        passing.for_each_move(place, |step| {
            if let Some(index) = index(step.to)
                && std::mem::take(&mut around[index])
            {
                open.push(step.to);
            }
        });
    }
    around.contains(&true)
}

/// Whether a unit that goes away leaves room for a unit in between. In a dead end it would push
/// that unit ahead of it. The places for the other unit are searched for once, as far as needed.
struct RoomBehind<'a> {
    flood: &'a mut Flood,
    space: &'a GridSpace,
    at: Position,
    passing: &'a GridSpace,
    /// The places beside the passages that were found so far.
    found: Vec<Position>,
}

impl<'a> RoomBehind<'a> {
    fn new(
        flood: &'a mut Flood,
        (space, at): (&'a GridSpace, Position),
        (passing, from): (&'a GridSpace, Position),
    ) -> Self {
        flood.begin(passing, from);
        Self { flood, space, at, passing, found: Vec::new() }
    }

    /// Whether there is room when the unit has gone to this place.
    fn is_left_at(&mut self, to: Position) -> bool {
        let Self { flood, space, at, passing, found } = self;
        let is_clear = |place: Position| !overlap((passing, place), (space, to));
        if found.iter().any(|&place| is_clear(place)) {
            return true;
        }
        let may_enter = |place: Position| !overlap((passing, place), (space, *at));
        while let Some(place) =
            flood.nearest(passing, may_enter, |place| !divides(passing, space, place))
        {
            found.push(place);
            flood.skip(passing, may_enter);
            if is_clear(place) {
                return true;
            }
        }
        false
    }
}

/// A breadth-first search that can be resumed.
#[derive(Clone, Debug, Default)]
struct Flood {
    seen: StampedArray<bool>,
    /// The positions seen, with the steps to them. Those before `next` were expanded.
    open: Vec<(Position, u32)>,
    next: usize,
    /// Steps from the start to the place that was found.
    depth: u32,
}

impl Flood {
    fn begin(&mut self, space: &GridSpace, start: Position) {
        self.seen.begin(space.positions());
        self.open.clear();
        (self.next, self.depth) = (0, 0);
        self.add(start, 0);
    }

    fn add(&mut self, at: Position, depth: u32) {
        if self.seen.get(at.get()).is_none() {
            self.seen.set(at.get(), true);
            self.open.push((at, depth));
        }
    }

    /// The next position that is accepted, over positions that may be entered.
    fn nearest(
        &mut self,
        space: &GridSpace,
        may_enter: impl Fn(Position) -> bool,
        mut is_accepted: impl FnMut(Position) -> bool,
    ) -> Option<Position> {
        while let Some(&(at, depth)) = self.open.get(self.next)
            && self.open.len() <= NODES_MAX
        {
            if is_accepted(at) {
                self.depth = depth;
                return Some(at);
            }
            self.skip(space, &may_enter);
        }
        None
    }

    /// Expands the next position.
    fn skip(&mut self, space: &GridSpace, may_enter: impl Fn(Position) -> bool) {
        let Some(&(at, depth)) = self.open.get(self.next) else { return };
        self.next += 1;
        space.for_each_move(at, |step| {
            if may_enter(step.to) {
                self.add(step.to, depth + 1);
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
        while self.seen.get(place.get()).is_none()
            && self.next < self.open.len()
            && self.open.len() <= NODES_MAX
        {
            self.skip(space, &may_enter);
        }
        self.seen.get(place.get()).is_some()
    }
}
