//! The map changes: who is hit, and what they do about it.

use throng_model::{Cell, Change, Rect, TerrainClass, TerrainId, UnitId};
use throng_spacetime::Space;

use crate::resident::UnitStatus;
use crate::{World, WorldError};

impl World {
    /// Changes the terrain of cells: a bridge is gone, a house was built. Units whose plans
    /// or routes are hit plan again in the next tick, the others go on. A unit may be left
    /// standing in a wall; it walks out as soon as it can.
    ///
    /// # Errors
    /// When a cell or the terrain does not exist; nothing is changed then.
    pub fn paint(&mut self, cells: &[Cell], terrain: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.paint(cells, terrain)?;
        self.take_change(&change);
        Ok(change)
    }

    /// The same for a rectangle.
    ///
    /// # Errors
    /// As [`paint`](Self::paint).
    pub fn fill(&mut self, rect: Rect, terrain: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.fill(rect, terrain)?;
        self.take_change(&change);
        Ok(change)
    }

    /// Adds a class of terrain, for later edits.
    ///
    /// # Errors
    /// When there are too many.
    pub fn add_class(&mut self, class: TerrainClass) -> Result<TerrainId, WorldError> {
        Ok(self.map.add_class(class)?)
    }

    fn take_change(&mut self, change: &Change) {
        let cells: Vec<Cell> = change.cells.iter().map(|changed| changed.cell).collect();
        if cells.is_empty() {
            return;
        }
        self.spaces.iter_mut().for_each(|space| space.apply(&self.map, change));
        self.hierarchies.apply(&self.spaces, change);
        for unit in self.units().collect::<Vec<_>>() {
            self.take_change_for(unit, &cells);
        }
    }

    fn take_change_for(&mut self, unit: UnitId, cells: &[Cell]) {
        let Ok(resident) = self.resident(unit) else { return };
        let (kind, status) = (resident.kind, resident.status);
        if resident.is_inside() {
            return;
        }
        let destination = resident.destination;
        self.crew.check_plan(&self.spaces, unit.to_bits());
        let space = &self.spaces[kind];
        let broken =
            self.guides.forget(unit.to_bits(), self.crew.free_at(unit.to_bits()), space, cells);
        let at = self.place(unit).map(|(at, _)| at);
        let cut_off = || {
            let goal = destination.map(|to| space.cell(to));
            at.zip(goal).is_some_and(|(at, goal)| {
                !space.ground().can_stand(goal) || !space.ground().is_connected(at, goal)
            })
        };
        match status {
            UnitStatus::Going | UnitStatus::Arrived if broken || cut_off() => {
                self.ask_for_route(unit.to_bits())
            }
            UnitStatus::Going if self.is_shortened(unit, cells) => {
                self.ask_for_route(unit.to_bits())
            }
            UnitStatus::Unreachable => self.ask_for_route(unit.to_bits()),
            _ => {}
        }
    }

    /// Whether the way over one of the cells could be shorter than the route.
    fn is_shortened(&self, unit: UnitId, cells: &[Cell]) -> bool {
        let (Ok(resident), Some(route)) = (self.resident(unit), self.guides.route(unit.to_bits()))
        else {
            return false;
        };
        let space = &self.spaces[resident.kind];
        let Some((at, _)) = self.place(unit) else { return false };
        let (Some(at), Some(&goal)) = (space.position(at), route.cells.last()) else {
            return false;
        };
        let rest = route.rest_from(at);
        cells.iter().filter(|&&cell| space.ground().can_stand(cell)).any(|&cell| {
            let via = space.position(cell);
            via.is_some_and(|via| space.estimate(at, via) + space.estimate(via, goal) < rest)
        })
    }
}
