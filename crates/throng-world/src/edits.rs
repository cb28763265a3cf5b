//! Edits of the map: which units are affected, and which of them need a new route.

use throng_model::{Cell, Change, Rect, TerrainClass, TerrainId, UnitId};
use throng_spacetime::Space;

use crate::cell_set::{CellBox, CellSet};
use crate::distances::DistanceSource;
use crate::state::State;
use crate::unit::UnitStatus;
use crate::{World, WorldError};

impl World {
    /// Changes the terrain of cells.
    ///
    /// Units whose plans or routes are affected replan in the next tick; the others continue. A
    /// unit may be left standing in a wall; it walks out as soon as it can.
    ///
    /// # Errors
    /// When a cell or the terrain does not exist; nothing is changed then.
    pub fn paint(&mut self, cells: &[Cell], terrain: TerrainId) -> Result<Change, WorldError> {
        let change = self.state.terrain.paint(cells, terrain)?;
        update_units(&mut self.state, &change);
        Ok(change)
    }

    /// Changes the terrain of a rectangle.
    ///
    /// # Errors
    /// As [`paint`](Self::paint).
    pub fn fill(&mut self, rect: Rect, terrain: TerrainId) -> Result<Change, WorldError> {
        let change = self.state.terrain.fill(rect, terrain)?;
        update_units(&mut self.state, &change);
        Ok(change)
    }

    /// Adds a class of terrain, for later edits.
    ///
    /// # Errors
    /// When there are too many.
    pub fn add_class(&mut self, class: TerrainClass) -> Result<TerrainId, WorldError> {
        self.state.terrain.add_class(class)
    }
}

/// Lets units replan whose plan, route or destination the edit concerns. Most units are far from
/// it, and boxes around their plans and routes say so in constant time.
fn update_units(state: &mut State, change: &Change) {
    let map = state.terrain.map();
    let cells = || change.cells.iter().map(|changed| changed.cell);
    let changed = CellSet::with(map, cells());
    if changed.is_empty() {
        return;
    }
    state.distances.standing_mut().apply(map, change);
    let standable =
        state.terrain.spaces.iter().map(|space| {
            CellSet::with(map, cells().filter(|&cell| space.ground().can_stand(cell)))
        });
    let standable: Vec<CellSet> = standable.collect();
    for unit in state.units.units().collect::<Vec<_>>() {
        update_unit(state, unit, &changed, &standable);
    }
}

/// `standable` has, by profile, the changed cells on which a unit can stand now.
fn update_unit(state: &mut State, unit: UnitId, changed: &CellSet, standable: &[CellSet]) {
    let Some(record) = state.units.get(unit).filter(|record| record.is_on_map()) else { return };
    let (profile, status, destination) =
        (record.space, record.activity.status(), record.destination());
    if is_plan_near(state, unit, changed) {
        state.units.check_plan(&state.terrain.spaces, unit);
    }
    let space = &state.terrain.spaces[profile];
    let Some(assignment) = state.units.activity_mut(unit) else { return };
    let is_broken = state.distances.forget(unit, &mut assignment.source, space, changed);
    let cell = state.location(unit).map(|(at, _)| at);
    let space = &state.terrain.spaces[profile];
    let is_cut_off = || {
        let goal = destination.map(|to| space.cell(to));
        cell.zip(goal).is_some_and(|(at, goal)| {
            !space.ground().can_stand(goal) || !space.ground().is_connected(at, goal)
        })
    };
    let needs_route = match status {
        UnitStatus::Going if is_link_closed(state, unit) => true,
        UnitStatus::Going => {
            is_broken || is_cut_off() || is_shortened(state, unit, &standable[profile])
        }
        UnitStatus::Arrived => is_broken || is_cut_off(),
        UnitStatus::Unreachable | UnitStatus::NoRoom => true,
        _ => false,
    };
    if needs_route {
        state.request_route(unit);
    }
}

/// Whether the unit is on its way to a link that it cannot use any more.
fn is_link_closed(state: &State, unit: UnitId) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    record.activity.via.is_some_and(|id| {
        let ground = state.space(record).ground();
        state.link(id).is_none_or(|link| !ground.can_stand(link.to))
    })
}

/// Whether an edit may make a step of the unit's plan illegal. Each action of a plan leads to a
/// neighbour at most, so that the number of actions bounds how far the plan leads.
fn is_plan_near(state: &State, unit: UnitId, changed: &CellSet) -> bool {
    let Some((record, path)) = state.units.get(unit).zip(state.units.path(unit)) else {
        return false;
    };
    let Some((end, _)) = path.end else { return true };
    let space = state.space(record);
    let reach = u16::try_from(path.legs.len()).unwrap_or(u16::MAX).saturating_add(1);
    let side = u16::from(space.ground().movement().footprint);
    let around = CellBox::from(space.cell(end));
    changed.meets(around.grown(reach, reach.saturating_add(side)))
}

/// Whether a path over one of the cells could be shorter than the route.
fn is_shortened(state: &State, unit: UnitId, standable: &CellSet) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    let DistanceSource::Route(route) = &record.activity.source else { return false };
    if standable.is_empty() {
        return false;
    }
    let space = state.space(record);
    let at = state.location(unit).and_then(|(at, _)| space.position(at));
    let (Some(at), Some(goal)) = (at, route.end()) else { return false };
    let is_below = |first: Cell, last: Cell, rest: u64| {
        let via = space.position(first).zip(space.position(last));
        via.is_some_and(|(a, b)| space.estimate(at, a) + space.estimate(b, goal) < rest)
    };
    let (start, end) = (space.cell(at), space.cell(goal));
    let box_may =
        |cells: CellBox, rest: u64| is_below(cells.nearest(start), cells.nearest(end), rest);
    if !box_may(standable.bounds(), route.rest_at_most()) {
        return false;
    }
    let rest = route.rest_from(at);
    standable.any(|cells| box_may(cells, rest), |cell| is_below(cell, cell, rest))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{Map, MovementProfile};
    use throng_testkit::{random_terrain, rng};

    use super::*;
    use crate::{Order, Spawn, WorldOptions};

    /// The same as [`update_units`], with every changed cell compared with every step and route.
    fn update_all_units(state: &mut State, change: &Change) {
        let cells: Vec<Cell> = change.cells.iter().map(|changed| changed.cell).collect();
        if cells.is_empty() {
            return;
        }
        let map = state.terrain.map().clone();
        state.distances.standing_mut().apply(&map, change);
        let (everything, nothing) = (CellSet::with(&map, map.cells()), CellSet::new(&map));
        for unit in state.units.units().collect::<Vec<_>>() {
            let Some(record) = state.units.get(unit).filter(|record| record.is_on_map()) else {
                continue;
            };
            let is_near = is_route_near(state, unit, &cells);
            let (profile, status) = (record.space, record.activity.status());
            let destination = record.destination();
            state.units.check_plan(&state.terrain.spaces, unit);
            let space = &state.terrain.spaces[profile];
            let source = &mut state.units.activity_mut(unit).unwrap().source;
            let changed = if is_near { &everything } else { &nothing };
            let is_broken = state.distances.forget(unit, source, space, changed);
            let ground = space.ground();
            let goal = destination.map(|to| space.cell(to));
            let is_cut_off = goal.is_some_and(|goal| {
                let (at, _) = state.location(unit).unwrap();
                !ground.can_stand(goal) || !ground.is_connected(at, goal)
            });
            let is_changed = is_broken || is_cut_off;
            let needs_route = match status {
                UnitStatus::Going => is_changed || is_route_shortened(state, unit, &cells),
                UnitStatus::Arrived => is_changed,
                UnitStatus::Unreachable | UnitStatus::NoRoom => true,
                _ => false,
            };
            if needs_route {
                state.request_route(unit);
            }
        }
    }

    fn is_route_near(state: &State, unit: UnitId, cells: &[Cell]) -> bool {
        let record = state.units.get(unit).unwrap();
        let DistanceSource::Route(route) = &record.activity.source else { return false };
        let space = state.space(record);
        let side = u16::from(space.ground().movement().footprint);
        let is_beside = |at: u16, changed: u16| changed + 1 >= at && changed <= at + side;
        route.all_cells().any(|at| {
            let at = space.cell(at);
            cells.iter().any(|cell| is_beside(at.x, cell.x) && is_beside(at.y, cell.y))
        })
    }

    fn is_route_shortened(state: &State, unit: UnitId, cells: &[Cell]) -> bool {
        let record = state.units.get(unit).unwrap();
        let DistanceSource::Route(route) = &record.activity.source else { return false };
        let space = state.space(record);
        let at = space.position(state.location(unit).unwrap().0).unwrap();
        let (goal, rest) = (route.end().unwrap(), route.rest_from(at));
        cells.iter().filter(|&&cell| space.ground().can_stand(cell)).any(|&cell| {
            let via = space.position(cell).unwrap();
            space.estimate(at, via) + space.estimate(via, goal) < rest
        })
    }

    /// A world with units of all kinds on their way.
    fn crowd(seed: u64, width: u16, height: u16, units: usize) -> World {
        let mut rng = rng(seed);
        let map = random_terrain(seed, width.into(), height.into(), 12, 3);
        let mut world = World::new(map, WorldOptions::default()).unwrap();
        let kinds = [(1, 1), (1, 1), (2, 1), (1, 2), (3, 1)];
        for number in 0..units {
            let (footprint, pace) = kinds[number % kinds.len()];
            let movement =
                MovementProfile { footprint, pace, ..MovementProfile::eight_connected() };
            let mut any = || Cell::new(rng.random_range(0..width), rng.random_range(0..height));
            if let Ok(unit) = world.spawn(any(), &Spawn::new(movement)) {
                world.order(unit, Order::go(any())).unwrap();
            }
        }
        world
    }

    /// Edits of all sizes; every second is taken back later.
    fn check_edits(seed: u64, (width, height): (u16, u16), ticks: u32) {
        let mut rng = rng(seed);
        let mut world = crowd(seed, width, height, 120);
        let mut slow = world.clone();
        let mut built: Vec<Vec<Cell>> = Vec::new();
        for tick in 0..ticks {
            let mut any = || Cell::new(rng.random_range(0..width), rng.random_range(0..height));
            let origin = any();
            let cells: Vec<Cell> = match tick % 4 {
                0 => Rect::new(origin, 6, 3).cells().collect(),
                1 => (0..4).map(|_| any()).collect(),
                2 => built.pop().unwrap_or_default(),
                _ => Rect::new(origin, 25, 2).cells().collect(),
            };
            let cells: Vec<Cell> =
                cells.into_iter().filter(|&cell| world.map().contains(cell)).collect();
            let terrain = if tick % 4 == 2 { Map::GROUND } else { Map::WALL };
            world.paint(&cells, terrain).unwrap();
            let change = slow.state.terrain.paint(&cells, terrain).unwrap();
            update_all_units(&mut slow.state, &change);
            if tick % 4 != 2 {
                built.push(cells);
            }
            assert!(world.snapshot() == slow.snapshot(), "after the edit of tick {tick}");
            assert_eq!(world.tick(), slow.tick());
        }
    }

    #[test]
    fn units_far_from_an_edit_are_passed_over_without_a_difference() {
        check_edits(1, (150, 120), 120);
        check_edits(2, (300, 61), 80);
        check_edits(3, (40, 30), 80);
    }
}
