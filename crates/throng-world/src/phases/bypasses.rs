//! A phase of the tick: routes lead past units that stand for long, if that is shorter than to
//! push through them.
//!
//! Units that have arrived, that have no order, or that are stuck make the cells under them costly
//! for routes: see `standing_costs.rs`. Now and then a unit on its way counts what the next cells of
//! its route cost. If that is much, another way to a cell farther ahead is searched, by A* with a
//! limit on cost and effort. If there is none, the unit keeps its route. It searches again after a
//! time that doubles.

use throng_cooperative::UnitRecord;
use throng_grid::{Ground, Query};
use throng_model::{Budget, Cell, Cost, Tick, UnitId};
use throng_spacetime::{Entry, GridSpace, Position, Space};

use super::routes::{Searchers, first_cells};
use crate::Event;
use crate::distances::{DistanceSource, Route};
use crate::state::State;
use crate::unit::{Assignment, Bypass, UnitStatus};

/// A unit looks ahead once in so many ticks.
const LOOK_EVERY: usize = 8;
/// The next cells of its route that it looks at, and those that another way replaces.
const LOOK_AHEAD: usize = 64;
const REPLACED: usize = 128;
/// Another way is searched if the standing units cost so much more, in straight steps; and taken
/// if it saves as much.
const SAVED_MIN: u64 = 8;
/// Searches per tick, and nodes expanded in one.
const SEARCHES_PER_TICK: usize = 4;
const NODES_MAX: u64 = 4096;
/// How often the time until the next search doubles.
const DOUBLINGS: u32 = 6;

/// Leads routes past standing units; the nodes expanded.
pub(crate) fn run(state: &mut State, searchers: &mut Searchers) -> u64 {
    if state.distances.standing.costs.is_empty() {
        return 0;
    }
    let first = state.now().0 as usize % LOOK_EVERY;
    let slots = (first..state.units.slots()).step_by(LOOK_EVERY);
    let in_turn = slots.flat_map(|slot| state.units.iter_slots(slot..slot + 1));
    let looks = in_turn.filter(|&(unit, record)| needs_bypass(state, unit, record));
    let units: Vec<UnitId> = looks.map(|(unit, _)| unit).take(SEARCHES_PER_TICK).collect();
    let mut expanded = 0;
    for unit in units {
        let (found, searched) = find(state, searchers, unit);
        expanded += searched;
        take(state, unit, found);
    }
    expanded
}

/// Whether the unit's route leads through so many standing units that a search is worth it.
fn needs_bypass(state: &State, unit: UnitId, record: &UnitRecord<Assignment>) -> bool {
    let assignment = &record.activity;
    let DistanceSource::Route(route) = &assignment.source else { return false };
    let is_free = !assignment.is_queued_for_route && !assignment.crowding.is_jammed;
    let is_due = assignment.bypass.is_none_or(|bypass| state.now() >= bypass.next);
    if assignment.status() != UnitStatus::Going || !is_free || !is_due {
        return false;
    }
    let Some(at) = state.units.free_at(unit) else { return false };
    let space = state.space(record);
    let ahead = route.next_cells(at, LOOK_AHEAD).iter().filter(|&&cell| cell != at);
    ahead.map(|&cell| extra_cost(state, space, cell)).sum::<u64>() >= SAVED_MIN
}

/// What a step onto a position costs more than by the map, in straight steps on plain ground. The
/// unit itself is on its way and costs nothing.
fn extra_cost(state: &State, space: &GridSpace, at: Position) -> u64 {
    let costs = &state.distances.standing.costs;
    let mut most = 1;
    space.standing(at, |entry: Entry| {
        most = costs.times(entry.get()).max(most);
        true
    });
    u64::from(most - 1)
}

/// A cheaper way for a unit, if there is one: the cells that replace those of its route. And the
/// nodes expanded.
fn find(
    state: &mut State,
    searchers: &mut Searchers,
    unit: UnitId,
) -> (Option<Vec<Position>>, u64) {
    let none = (None, 0);
    let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
        return none;
    };
    let DistanceSource::Route(route) = &record.activity.source else { return none };
    let (profile, terrain) = (record.space, &state.terrain);
    let space = &terrain.spaces[profile];
    let plane = terrain.plane_of(profile);
    let ahead: Vec<Cell> =
        route.next_cells(at, REPLACED).iter().map(|&cell| space.cell(cell)).collect();
    let Some(&end) = ahead.last() else { return none };
    let standing = state.distances.standing_mut();
    let ground = standing.cost_ground(terrain.map(), (profile, plane), space);
    let Some(cost_max) = worthwhile(ground, &ahead) else { return none };
    let starts = first_cells(space, at);
    let goals = [end];
    let query = Query::new(&starts, &goals).with_cost_max(cost_max);
    let budget = Budget { expansions: Some(NODES_MAX), interrupt: None };
    let (path, expanded) = searchers.find_by_astar(ground, &query, budget);
    let cells = path.map(|path| replaced(space, route, at, &path.cells));
    (cells, expanded)
}

/// The highest cost of a way that is worth taking instead of these cells.
fn worthwhile(ground: &Ground, ahead: &[Cell]) -> Option<Cost> {
    let (straight, _) = ground.movement().step_costs();
    let least = SAVED_MIN * straight.0 * ground.least_factor();
    ground.path_cost(ahead)?.0.checked_sub(least).map(Cost)
}

/// A route whose next cells are those of a path.
fn replaced(space: &GridSpace, route: &Route, at: Position, path: &[Cell]) -> Vec<Position> {
    let path = path.iter().filter_map(|&cell| space.position(cell));
    path.chain(route.cells_after(at, REPLACED)).collect()
}

/// The unit takes the way that was found, or keeps its route.
fn take(state: &mut State, unit: UnitId, found: Option<Vec<Position>>) {
    let (now, patience) = (state.now(), state.distances.standing.patience);
    let is_found = found.is_some();
    if let Some(cells) = found {
        state.set_route(unit, cells);
        state.units.plan_again(unit);
        state.events.push(Event::Rerouted { unit });
    }
    let Some(assignment) = state.assignment_mut(unit) else { return };
    assignment.bypass = Some(assignment.bypass.unwrap_or_default().after(now, patience));
    if is_found {
        assignment.crowding.waiting.reroute();
    }
}

impl Bypass {
    /// The same after a search in this tick.
    fn after(self, now: Tick, patience: u32) -> Self {
        let ticks = patience.max(1).saturating_mul(1 << self.searches.min(DOUBLINGS));
        let next = Tick(now.0.saturating_add(ticks));
        Self { searches: self.searches.saturating_add(1), next }
    }
}
