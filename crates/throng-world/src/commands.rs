//! The commands of the game between two ticks: units, orders, buildings.

use throng_model::{Building, BuildingId, Cell, UnitId, limits};

use crate::options::WINDOW;
use crate::planes::Plane;
use crate::teams::{check_layer, check_team};
use crate::unit::{Assignment, Doing, UnitStatus};
use crate::{Order, Spawn, World, WorldError};

impl World {
    /// Adds a unit to the world. It rests until it gets an order.
    ///
    /// Its id is never given to another unit, even after it was removed.
    ///
    /// # Errors
    /// When it cannot stand there, another unit is there, or the spawn is out of bounds.
    pub fn spawn(&mut self, at: impl Into<Cell>, spawn: &Spawn) -> Result<UnitId, WorldError> {
        let profiles = self.state.terrain.profile_count();
        let (profile, window) = self.prepare_spawn(spawn)?;
        match self.state.free_position(profile, at.into()) {
            Ok(position) => {
                let activity = Assignment::new(Doing::Idle, spawn.team);
                let unit = self.state.units.insert(profile, window, spawn.level, activity);
                self.state.place(unit, position)?;
                Ok(unit)
            }
            Err(error) => {
                self.state.truncate_profiles(profiles);
                Err(error)
            }
        }
    }

    /// Puts a unit into a building. It comes out when it is told to go somewhere.
    ///
    /// # Errors
    /// When there is no such building, it is full, or the spawn is out of bounds.
    pub fn spawn_inside(
        &mut self,
        building: BuildingId,
        spawn: &Spawn,
    ) -> Result<UnitId, WorldError> {
        self.state.building(building)?;
        if self.state.is_full(building) {
            return Err(WorldError::Full(building));
        }
        let (profile, window) = self.prepare_spawn(spawn)?;
        let activity = Assignment::new(Doing::Inside(building), spawn.team);
        Ok(self.state.units.insert(profile, window, spawn.level, activity))
    }

    /// The profile and the window of a new unit.
    fn prepare_spawn(&mut self, spawn: &Spawn) -> Result<(usize, u32), WorldError> {
        let window = if spawn.window == 0 { self.options.window } else { spawn.window };
        if !WINDOW.contains(&window) {
            return Err(WorldError::Window(window));
        }
        let units = &self.state.units;
        // Units are counted one by one, so the slots are asked first.
        if units.slots() >= limits::UNITS_MAX && units.len() >= limits::UNITS_MAX {
            return Err(WorldError::TooManyUnits);
        }
        spawn.movement.validate()?;
        check_team(spawn.team)?;
        check_layer(spawn.layer)?;
        let plane = Plane { layer: spawn.layer, side: self.state.teams.side(spawn.team) };
        Ok((self.state.profile(&spawn.movement, plane)?, window))
    }

    /// Removes a unit from the world.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), WorldError> {
        self.state.record(unit)?;
        self.state.remove(unit);
        Ok(())
    }

    /// Moves a unit to another cell at once. Its orders stay. Use it when the game itself moves
    /// the unit: by a push, a spell or a correction.
    ///
    /// # Errors
    /// When it cannot stand there, or another unit is there. It then stays where it is.
    pub fn teleport(&mut self, unit: UnitId, to: impl Into<Cell>) -> Result<(), WorldError> {
        let (record, cell) = (self.state.record(unit)?, to.into());
        check_on_map(unit, &record.activity)?;
        let position = self.state.free_position_for(unit, record.space, cell)?;
        let is_halted = record.activity.is_halted;
        self.state.leave_map(unit);
        self.state.place(unit, position)?;
        self.state.assignment_mut(unit).into_iter().for_each(|a| a.is_teleported = true);
        self.state.set_doing(unit, Doing::Idle);
        self.state.resume_order(unit);
        if is_halted {
            self.state.halt(unit);
        }
        Ok(())
    }

    /// Gives a unit another priority level.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn set_level(&mut self, unit: UnitId, level: u8) -> Result<(), WorldError> {
        self.state.record(unit)?;
        self.state.units.set_level(unit, level);
        Ok(())
    }

    /// Gives a unit an order that replaces all earlier ones. A cell, a pair of numbers or a slice
    /// of cells is an order to go there.
    ///
    /// # Errors
    /// When there is no such unit or building, or no cell to go to.
    pub fn order(&mut self, unit: UnitId, order: impl Into<Order>) -> Result<(), WorldError> {
        let order = order.into();
        self.check_order_of(unit, &order)?;
        self.state.assignment_mut(unit).into_iter().for_each(|a| a.queue.clear());
        self.state.begin_order(unit, &order);
        Ok(())
    }

    /// Adds an order to a unit's queue. It begins when the orders before it are done, or turn out
    /// to be impossible. Stop and hold are done at once.
    ///
    /// # Errors
    /// As [`order`](Self::order).
    pub fn queue_order(&mut self, unit: UnitId, order: impl Into<Order>) -> Result<(), WorldError> {
        let order = order.into();
        self.check_order_of(unit, &order)?;
        let missing = WorldError::NoSuchUnit(unit);
        let assignment = self.state.assignment_mut(unit).ok_or(missing)?;
        let is_busy = match assignment.status() {
            UnitStatus::Going | UnitStatus::Routing | UnitStatus::Near | UnitStatus::Halted => true,
            UnitStatus::Inside(_) => assignment.order != Order::Stop,
            UnitStatus::Crossing(_) => true,
            _ => false,
        };
        if is_busy || !assignment.queue.is_empty() {
            assignment.queue.push_back(order);
        } else {
            self.state.begin_order(unit, &order);
        }
        Ok(())
    }

    /// Lets a unit stand where it is, or where its step ends, until it is told to
    /// [resume](Self::resume). It keeps its order and its queue, and yields to no unit. With this
    /// a game makes an attack-move: halt when an enemy is in range, resume when it is gone.
    ///
    /// # Errors
    /// When there is no such unit, or it is in a building.
    pub fn halt(&mut self, unit: UnitId) -> Result<(), WorldError> {
        check_on_map(unit, &self.state.record(unit)?.activity)?;
        self.state.halt(unit);
        Ok(())
    }

    /// Lets a unit that was told to [halt](Self::halt) go on with its order. Other units are not
    /// affected.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn resume(&mut self, unit: UnitId) -> Result<(), WorldError> {
        if self.state.record(unit)?.activity.is_halted {
            self.state.resume_order(unit);
        }
        Ok(())
    }

    /// Replaces the orders after the current one. With [`queue`](Self::queue) a game edits them.
    ///
    /// # Errors
    /// As [`order`](Self::order). The queue stays as it was then.
    pub fn set_queue(&mut self, unit: UnitId, orders: &[Order]) -> Result<(), WorldError> {
        orders.iter().try_for_each(|order| self.check_order_of(unit, order))?;
        self.state.record(unit)?;
        self.state.assignment_mut(unit).into_iter().for_each(|a| a.queue.clear());
        orders.iter().try_for_each(|order| self.queue_order(unit, order.clone()))
    }

    fn check_order_of(&self, unit: UnitId, order: &Order) -> Result<(), WorldError> {
        self.state.record(unit)?;
        self.check_order(order)?;
        match order.track() {
            Some(track) if track.unit == unit => Err(WorldError::OwnTarget(unit)),
            Some(track) => self.state.record(track.unit).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Checks what has to be right about an order at any time. Its target may be gone.
    pub(crate) fn check_order(&self, order: &Order) -> Result<(), WorldError> {
        let cells = match order {
            Order::GoTo(cells) | Order::Patrol(cells) => cells,
            _ => order.cells(),
        };
        match order {
            Order::GoTo(_) if cells.is_empty() => return Err(WorldError::NoGoal),
            Order::Patrol(_) if cells.len() < 2 => return Err(WorldError::NoGoal),
            Order::Enter(building) => {
                self.state.building(*building)?;
            }
            _ => {}
        }
        let off = cells.iter().find(|&&cell| !self.map().contains(cell));
        off.map_or(Ok(()), |&cell| Err(WorldError::OffMap { cell }))
    }

    /// Adds a building that units can enter and leave.
    ///
    /// # Errors
    /// When it has no exit or no entrance, or a door is off the map.
    pub fn add_building(&mut self, building: Building) -> Result<BuildingId, WorldError> {
        for (doors, what) in [(&building.exits, "exit"), (&building.entrances, "entrance")] {
            if doors.is_empty() {
                return Err(WorldError::NoDoor(what));
            }
            if let Some(&cell) = doors.iter().find(|&&cell| !self.map().contains(cell)) {
                return Err(WorldError::OffMap { cell });
            }
        }
        self.state.buildings.push(Some(building));
        Ok(BuildingId::new(self.state.buildings.len() as u32 - 1))
    }
}

/// Refuses a unit that is in a building or a link.
fn check_on_map(unit: UnitId, assignment: &Assignment) -> Result<(), WorldError> {
    match assignment.doing {
        Doing::Inside(_) => Err(WorldError::Inside(unit)),
        Doing::Crossing(_) => Err(WorldError::InLink(unit)),
        _ => Ok(()),
    }
}
