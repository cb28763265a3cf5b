//! Edits of the map: which units are affected, and which of them need a new route.

use throng_model::{Cell, Change, Rect, TerrainClass, TerrainId, UnitId};
use throng_spacetime::Space;

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

fn update_units(state: &mut State, change: &Change) {
    let cells: Vec<Cell> = change.cells.iter().map(|changed| changed.cell).collect();
    if cells.is_empty() {
        return;
    }
    for unit in state.units.units().collect::<Vec<_>>() {
        update_unit(state, unit, &cells);
    }
}

fn update_unit(state: &mut State, unit: UnitId, cells: &[Cell]) {
    let Some(record) = state.units.get(unit).filter(|record| record.is_on_map()) else { return };
    let (profile, status, destination) =
        (record.space, record.activity.status(), record.destination());
    state.units.check_plan(&state.terrain.spaces, unit);
    let space = &state.terrain.spaces[profile];
    let Some(assignment) = state.units.activity_mut(unit) else { return };
    let is_broken = state.distances.forget(unit, &mut assignment.source, space, cells);
    let cell = state.location(unit).map(|(at, _)| at);
    let space = &state.terrain.spaces[profile];
    let is_cut_off = || {
        let goal = destination.map(|to| space.cell(to));
        cell.zip(goal).is_some_and(|(at, goal)| {
            !space.ground().can_stand(goal) || !space.ground().is_connected(at, goal)
        })
    };
    let needs_route = match status {
        UnitStatus::Going => is_broken || is_cut_off() || is_shortened(state, unit, cells),
        UnitStatus::Arrived => is_broken || is_cut_off(),
        UnitStatus::Unreachable => true,
        _ => false,
    };
    if needs_route {
        state.request_route(unit);
    }
}

/// Whether a path over one of the cells could be shorter than the route.
fn is_shortened(state: &State, unit: UnitId, cells: &[Cell]) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    let DistanceSource::Route(route) = &record.activity.source else { return false };
    let space = state.space(record);
    let at = state.location(unit).and_then(|(at, _)| space.position(at));
    let (Some(at), Some(&goal)) = (at, route.cells.last()) else { return false };
    let rest = route.rest_from(at);
    cells.iter().filter(|&&cell| space.ground().can_stand(cell)).any(|&cell| {
        let via = space.position(cell);
        via.is_some_and(|via| space.estimate(at, via) + space.estimate(via, goal) < rest)
    })
}
