//! Commands that change map and units together: building on units, removing buildings, and
//! throwing units about.

use throng_model::{BuildingId, Cell, Change, Rect, TerrainId, UnitId};

use crate::cell_set::{CellBox, CellSet};
use crate::{Order, World, WorldError};

/// What happens to units on ground that is built over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum OnUnits {
    /// Nothing is built, and the error names a unit that is in the way.
    Refuse,
    /// Each unit is put on the nearest free cell.
    MoveOut,
}

/// What happens to the units in a building that is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Garrison {
    /// They are put on the nearest free cells around the exits, and go on with their orders.
    PutOut,
    /// They are removed with it.
    Remove,
}

impl World {
    /// Changes the terrain of a rectangle, as [`fill`](Self::fill) does, and looks after the
    /// units on it that cannot stand there then. Units that can, flyers for example, stay.
    ///
    /// A unit is moved out to where it can go on: of the parts into which the building divides the
    /// ground that the unit could get to, the largest. A unit for which there is no free cell on the
    /// whole map stays in the wall. It walks out as soon as it can.
    ///
    /// # Errors
    /// As `fill`, and for [`OnUnits::Refuse`] when a unit is in the way. Nothing is changed then.
    pub fn build(
        &mut self,
        rect: Rect,
        terrain: TerrainId,
        on_units: OnUnits,
    ) -> Result<Change, WorldError> {
        let in_the_way = self.units_in_the_way(rect, terrain);
        if let (OnUnits::Refuse, Some(&(by, cell))) = (on_units, in_the_way.first()) {
            return Err(WorldError::Occupied { cell, by });
        }
        let ways_out: Vec<Vec<Cell>> =
            in_the_way.iter().map(|&(unit, _)| self.ways_out(unit, rect)).collect();
        let change = self.fill(rect, terrain)?;
        for ((unit, _), ways_out) in in_the_way.into_iter().zip(ways_out) {
            self.move_out(unit, &ways_out)?;
        }
        Ok(change)
    }

    /// The places just outside a rectangle to which a unit can get. Each part of its ground that the
    /// rectangle will cut off has some of them.
    fn ways_out(&self, unit: UnitId, rect: Rect) -> Vec<Cell> {
        let (Ok(record), Some((at, _))) = (self.state.record(unit), self.state.location(unit))
        else {
            return Vec::new();
        };
        let ground = self.state.space(record).ground();
        let side = u16::from(ground.movement().footprint);
        let (left, top) = (rect.origin.x.saturating_sub(side), rect.origin.y.saturating_sub(side));
        let right = rect.origin.x.saturating_add(rect.width);
        let bottom = rect.origin.y.saturating_add(rect.height);
        let rows = (top..=bottom).flat_map(|y| [Cell::new(left, y), Cell::new(right, y)]);
        let columns = (left..=right).flat_map(|x| [Cell::new(x, top), Cell::new(x, bottom)]);
        rows.chain(columns).filter(|&cell| ground.is_connected(at, cell)).collect()
    }

    /// Puts a unit that cannot stand where it is on a free cell, if there is one. The largest part of
    /// the ground that it could get to before comes first.
    fn move_out(&mut self, unit: UnitId, ways_out: &[Cell]) -> Result<(), WorldError> {
        let (record, state) = (self.state.record(unit)?, &self.state);
        let (space, layer) = (state.space(record), state.terrain.plane(record.space).layer);
        let Some((at, _)) = state.location(unit).filter(|&(at, _)| !space.ground().can_stand(at))
        else {
            return Ok(());
        };
        let (parts, movement) = (space.ground().components(), space.ground().movement());
        let part = |cell| parts.component_of(space.ground().index(cell)?);
        let size =
            |&cell: &Cell| space.ground().index(cell).map_or(0, |index| parts.size_of(index));
        let largest = ways_out.iter().copied().max_by_key(size).and_then(part);
        let is_there = |body: Rect| part(body.origin) == largest;
        let place = largest
            .and_then(|_| self.free_cell_where(at, (movement, layer), is_there))
            .or_else(|| self.free_cell_where(at, (movement, layer), |_| true));
        place.map_or(Ok(()), |place| self.teleport(unit, place))
    }

    /// The units on a rectangle, or on their way into it by a step, that could not stand there on
    /// this terrain.
    fn units_in_the_way(&self, rect: Rect, terrain: TerrainId) -> Vec<(UnitId, Cell)> {
        let map = self.map();
        let cells = CellSet::with(map, rect.cells().filter(|&cell| map.contains(cell)));
        let units = self.state.units.iter().filter_map(|(unit, record)| {
            let (at, heading) = self.state.location(unit)?;
            let movement = self.state.space(record).ground().movement();
            let side = u16::from(movement.footprint);
            let is_blocked = movement.factors(map).get(terrain.get()).copied().flatten().is_none();
            let ends = [Some(at), heading.map(|heading| heading.to)];
            let touches = |end: &Cell| is_blocked && cells.meets(CellBox::square(*end, side));
            ends.into_iter().flatten().find(touches).map(|cell| (unit, cell))
        });
        units.collect()
    }

    /// Moves a unit at once to the free cell that is nearest to a cell, as an explosion does.
    /// Returns the cell. Its orders stay.
    ///
    /// # Errors
    /// When there is no such unit, it is in a building, or there is no free cell.
    pub fn teleport_near(
        &mut self,
        unit: UnitId,
        cell: impl Into<Cell>,
    ) -> Result<Cell, WorldError> {
        let (spot, record) = (cell.into(), self.state.record(unit)?);
        let layer = self.state.terrain.plane(record.space).layer;
        let movement = self.state.space(record).ground().movement().clone();
        let found = self.free_cell_where(spot, (&movement, layer), |_| true);
        let to = found.ok_or(WorldError::NoRoom { spot, asked: 1, room: 0 })?;
        self.teleport(unit, to)?;
        Ok(to)
    }

    /// Removes a building. Its cells are terrain of the map and stay as they are. Units that were
    /// told to enter it cannot reach it any more.
    ///
    /// # Errors
    /// When there is no such building, or there is no room for a unit that is put out. Nothing is
    /// changed then.
    pub fn remove_building(
        &mut self,
        building: BuildingId,
        garrison: Garrison,
    ) -> Result<(), WorldError> {
        self.state.building(building)?;
        let inside: Vec<UnitId> = self.units_in(building).collect();
        let spot = self.state.building(building)?.exits.first().copied().unwrap_or_default();
        match garrison {
            Garrison::Remove => inside.into_iter().for_each(|unit| self.state.remove(unit)),
            Garrison::PutOut => {
                let spots: Vec<_> = inside.iter().map(|&unit| (unit, spot)).collect();
                for (unit, cell) in self.places_around(&spots)? {
                    self.put_out(building, unit, cell)?;
                }
            }
        }
        self.state.buildings[building.index()] = None;
        let enter = Order::Enter(building);
        let coming = |unit: &UnitId| self.current_order(*unit) == Some(&enter);
        for unit in self.units().filter(coming).collect::<Vec<_>>() {
            self.state.request_route(unit);
        }
        Ok(())
    }

    /// A free cell near a spot for each unit that is put out of a building or a link.
    pub(crate) fn places_around(
        &self,
        units: &[(UnitId, Cell)],
    ) -> Result<Vec<(UnitId, Cell)>, WorldError> {
        let mut given = CellSet::new(self.map());
        let mut places = Vec::with_capacity(units.len());
        for &(unit, spot) in units {
            let record = self.state.record(unit)?;
            let layer = self.state.terrain.plane(record.space).layer;
            let movement = self.state.space(record).ground().movement();
            let is_new = |body: Rect| !given.meets(CellBox::square(body.origin, body.width));
            let found = self.free_cell_where(spot, (movement, layer), is_new);
            let (asked, room) = (units.len(), places.len());
            let cell = found.ok_or(WorldError::NoRoom { spot, asked, room })?;
            let side = u16::from(movement.footprint);
            Rect::new(cell, side, side).cells().for_each(|cell| given.add(cell));
            places.push((unit, cell));
        }
        Ok(places)
    }

    fn put_out(&mut self, building: BuildingId, unit: UnitId, at: Cell) -> Result<(), WorldError> {
        if let Some(assignment) = self.state.assignment_mut(unit)
            && assignment.order == Order::Enter(building)
        {
            assignment.order = Order::Stop;
        }
        self.put_on_map(unit, at)
    }
}
