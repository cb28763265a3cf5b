//! What the game tells the world between two ticks.

use throng_cooperative::Stance;
use throng_model::{Building, Cell, UnitId, limits};
use throng_spacetime::{Position, Space};

use crate::options::WINDOW;
use crate::resident::{Resident, Spawn, UnitStatus};
use crate::{BuildingId, Order, World, WorldError};

impl World {
    /// Puts a unit into the world. It rests until it is told something.
    ///
    /// The number is the least that is free: numbers of units that were removed are given
    /// again.
    ///
    /// # Errors
    /// When it cannot stand there, somebody is there, or the unit makes no sense.
    pub fn spawn(&mut self, at: Cell, spawn: &Spawn) -> Result<UnitId, WorldError> {
        let kinds = self.spaces.len();
        let resident = self.new_resident(spawn, UnitStatus::Idle)?;
        let position = self.free_position(resident.kind, at);
        if position.is_err() {
            self.spaces.truncate(kinds);
        }
        let position = position?;
        let unit = self.settle_in(resident)?;
        self.put_down(unit, position)?;
        Ok(unit)
    }

    /// Puts a unit into a building. It comes out when it is told to go somewhere.
    ///
    /// # Errors
    /// When there is no such building, or the unit makes no sense.
    pub fn spawn_inside(
        &mut self,
        building: BuildingId,
        spawn: &Spawn,
    ) -> Result<UnitId, WorldError> {
        self.building(building)?;
        let resident = self.new_resident(spawn, UnitStatus::Inside(building))?;
        self.settle_in(resident)
    }

    fn new_resident(&mut self, spawn: &Spawn, status: UnitStatus) -> Result<Resident, WorldError> {
        let window = if spawn.window == 0 { self.options.window } else { spawn.window };
        if !WINDOW.contains(&window) {
            return Err(WorldError::Window(window));
        }
        spawn.movement.validate()?;
        Ok(Resident::new(self.kind(&spawn.movement)?, spawn.level, window, status))
    }

    fn settle_in(&mut self, resident: Resident) -> Result<UnitId, WorldError> {
        let free = self.units.iter().position(Option::is_none);
        let unit = free.unwrap_or(self.units.len());
        if unit >= limits::UNITS_MAX {
            return Err(WorldError::TooManyUnits);
        }
        if free.is_none() {
            self.units.push(None);
        }
        self.units[unit] = Some(resident);
        Ok(UnitId::new(unit as u32))
    }

    /// The position at a cell, if a unit of the kind can stand there and nobody is there.
    pub(crate) fn free_position(&self, kind: usize, cell: Cell) -> Result<Position, WorldError> {
        let space = &self.spaces[kind];
        let side = u16::from(space.ground().movement().footprint);
        let inside = |at: u16, size: u16| at.checked_add(side).is_some_and(|end| end <= size);
        let fits = inside(cell.x, self.map.width()) && inside(cell.y, self.map.height());
        let position = space.position(cell).filter(|_| fits);
        let position = position.ok_or(WorldError::OffMap { cell })?;
        if !space.ground().can_stand(cell) {
            return Err(WorldError::Impassable { cell });
        }
        match self.crew.holder_at(space, position) {
            Some(by) => Err(WorldError::Occupied { cell, by: UnitId::new(by) }),
            None => Ok(position),
        }
    }

    /// Gives a unit a body.
    pub(crate) fn put_down(&mut self, unit: UnitId, at: Position) -> Result<(), WorldError> {
        let resident = self.resident(unit)?;
        let (kind, level, window) = (resident.kind, resident.level, resident.window);
        let added = self.crew.add(&self.spaces, unit.to_bits(), kind, at);
        added.map_err(|occupied| WorldError::Occupied {
            cell: self.spaces[kind].cell(at),
            by: UnitId::new(occupied.0),
        })?;
        self.crew.set_level(unit.to_bits(), level);
        self.crew.set_depth(unit.to_bits(), window);
        Ok(())
    }

    /// Takes a unit out of the world.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), WorldError> {
        self.resident(unit)?;
        self.set_destination(unit.to_bits(), None);
        self.guides.clear(unit.to_bits());
        self.crew.remove(&self.spaces, unit.to_bits());
        self.routing.retain(|&waiting| waiting != unit.to_bits());
        self.units[unit.index()] = None;
        Ok(())
    }

    /// Puts a unit somewhere else at once: it was thrown, teleported, or the game and the
    /// world disagreed. Its orders stay.
    ///
    /// # Errors
    /// When it cannot stand there, or somebody is there; it is then where it was.
    pub fn move_to(&mut self, unit: UnitId, cell: Cell) -> Result<(), WorldError> {
        let resident = self.resident(unit)?;
        if resident.is_inside() {
            return Err(WorldError::Inside(unit));
        }
        let kind = resident.kind;
        let position = match self.free_position(kind, cell) {
            Err(WorldError::Occupied { by, .. }) if by == unit => {
                self.position_beside_self(unit, cell)?
            }
            other => other?,
        };
        self.crew.remove(&self.spaces, unit.to_bits());
        self.put_down(unit, position)?;
        let order = self.resident(unit)?.order.clone();
        self.set_destination(unit.to_bits(), None);
        self.carry_out(unit, &order);
        Ok(())
    }

    /// A place that overlaps the unit's own body: free if nobody else is there.
    fn position_beside_self(&self, unit: UnitId, cell: Cell) -> Result<Position, WorldError> {
        let space = &self.spaces[self.resident(unit)?.kind];
        let position = space.position(cell).ok_or(WorldError::OffMap { cell })?;
        let mut other = None;
        space.standing(position, |entry| {
            let holder = self.crew.table().holder(entry, self.now());
            other = holder.map(|claim| claim.unit).filter(|&holder| holder != unit.to_bits());
            other.is_none()
        });
        let occupied = |by| Err(WorldError::Occupied { cell, by: UnitId::new(by) });
        other.map_or(Ok(position), occupied)
    }

    /// Gives a unit another priority.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn set_level(&mut self, unit: UnitId, level: u8) -> Result<(), WorldError> {
        self.resident_mut(unit)?.level = level;
        self.crew.set_level(unit.to_bits(), level);
        Ok(())
    }

    /// Tells a unit what to do now; what it was told before is forgotten.
    ///
    /// # Errors
    /// When there is no such unit or building, or nowhere to go.
    pub fn order(&mut self, unit: UnitId, order: impl Into<Order>) -> Result<(), WorldError> {
        let order = order.into();
        self.check_order(&order)?;
        self.resident_mut(unit)?.queue.clear();
        self.carry_out(unit, &order);
        Ok(())
    }

    /// Tells a unit what to do when it has done all it was told before, or found that it
    /// cannot. To stop or to hold is done at once.
    ///
    /// # Errors
    /// When there is no such unit or building, or nowhere to go.
    pub fn then(&mut self, unit: UnitId, order: Order) -> Result<(), WorldError> {
        self.check_order(&order)?;
        let resident = self.resident_mut(unit)?;
        let busy = matches!(resident.status, UnitStatus::Going | UnitStatus::Routing)
            || (resident.is_inside() && resident.order != Order::Stop);
        if busy || !resident.queue.is_empty() {
            resident.queue.push_back(order);
        } else {
            self.carry_out(unit, &order);
        }
        Ok(())
    }

    pub(crate) fn check_order(&self, order: &Order) -> Result<(), WorldError> {
        match order {
            Order::GoTo(cells) if cells.is_empty() => Err(WorldError::NoGoal),
            Order::GoTo(cells) => match cells.iter().find(|&&cell| !self.map.contains(cell)) {
                Some(&cell) => Err(WorldError::OffMap { cell }),
                None => Ok(()),
            },
            Order::Enter(building) => self.building(*building).map(|_| ()),
            Order::Stop | Order::Hold => Ok(()),
        }
    }

    /// Adds a building that units can go into and come out of.
    ///
    /// # Errors
    /// When it has no exit or no entrance, or a door is off the map.
    pub fn add_building(&mut self, building: Building) -> Result<BuildingId, WorldError> {
        for (doors, what) in [(&building.exits, "exit"), (&building.entrances, "entrance")] {
            if doors.is_empty() {
                return Err(WorldError::NoDoor(what));
            }
            if let Some(&cell) = doors.iter().find(|&&cell| !self.map.contains(cell)) {
                return Err(WorldError::OffMap { cell });
            }
        }
        self.buildings.push(building);
        Ok(BuildingId::new(self.buildings.len() as u32 - 1))
    }

    /// The unit is at a door: it goes in.
    pub(crate) fn go_in(&mut self, unit: UnitId, building: BuildingId) {
        self.set_destination(unit.to_bits(), None);
        self.guides.clear(unit.to_bits());
        self.crew.remove(&self.spaces, unit.to_bits());
        let Ok(resident) = self.resident_mut(unit) else { return };
        resident.status = UnitStatus::Inside(building);
        resident.order = resident.next_order().unwrap_or(Order::Stop);
        self.events.push(crate::Event::Entered { unit, building });
    }

    /// The unit was told to go where it is already.
    fn stay_in(&mut self, unit: UnitId) {
        if let Ok(resident) = self.resident_mut(unit) {
            resident.order = resident.next_order().unwrap_or(Order::Stop);
        }
    }

    /// Units in buildings that want to go somewhere come out at the exit from which the way
    /// is shortest, among those where there is room. Gives the nodes expanded, about so many
    /// at most; whoever is left over comes out later.
    pub(crate) fn let_out(&mut self, budget: u64) -> u64 {
        let mut spent = 0;
        for unit in self.units().collect::<Vec<_>>() {
            let Ok(resident) = self.resident(unit) else { continue };
            let UnitStatus::Inside(building) = resident.status else { continue };
            if resident.order == Order::Enter(building) {
                self.stay_in(unit);
            }
            let Ok(resident) = self.resident(unit) else { continue };
            if let Order::Stop | Order::Hold = resident.order {
                continue;
            }
            let kind = resident.kind;
            let exits = self.buildings[building.index()].exits.clone();
            let free = |&&exit: &&Cell| self.free_position(kind, exit).is_ok();
            let free: Vec<Cell> = exits.iter().filter(free).copied().collect();
            if spent >= budget {
                break;
            }
            let Some((exit, expanded)) = self.best_exit(unit.to_bits(), &free, budget) else {
                continue;
            };
            spent += expanded;
            let Ok(position) = self.free_position(kind, exit) else { continue };
            if self.put_down(unit, position).is_ok() {
                self.crew.set_stance(unit.to_bits(), Stance::Resting);
                self.events.push(crate::Event::Left { unit, building, at: exit });
                if let Ok(resident) = self.resident_mut(unit) {
                    resident.status = UnitStatus::Idle;
                    let order = resident.order.clone();
                    self.carry_out(unit, &order);
                }
            }
        }
        spent
    }
}
