//! Units whose movement profile, layer or team changes while they live.

use throng_cooperative::Location;
use throng_model::{Cell, DiagonalCost, MovementProfile, UnitId};
use throng_spacetime::{Position, Space};

use crate::planes::Plane;
use crate::state::State;
use crate::teams::{Layer, Team, check_layer, check_team};
use crate::unit::Doing;
use crate::{World, WorldError};

impl World {
    /// Gives a unit another movement profile: an upgrade, a wound, haste, or a tank that unfolds.
    /// Its orders stay. A unit in the middle of a step is on the nearer end of the step then.
    ///
    /// # Errors
    /// When there is no such unit, the profile is out of bounds, or the unit cannot stand with it
    /// where it is, because of the ground or of another unit.
    pub fn set_movement(
        &mut self,
        unit: UnitId,
        movement: &MovementProfile,
    ) -> Result<(), WorldError> {
        movement.validate()?;
        let plane = self.state.terrain.plane(self.state.record(unit)?.space);
        self.state.change_profile(unit, movement, plane)?;
        self.state.assignment_mut(unit).into_iter().for_each(|a| a.own_pace = None);
        Ok(())
    }

    /// Moves a unit to another layer: it takes off, lands or dives. Its orders stay.
    ///
    /// # Errors
    /// When there is no such unit or layer, or another unit is there on that layer: the error
    /// names it.
    pub fn set_layer(&mut self, unit: UnitId, layer: Layer) -> Result<(), WorldError> {
        check_layer(layer)?;
        let record = self.state.record(unit)?;
        let plane = Plane { layer, ..self.state.terrain.plane(record.space) };
        let movement = self.state.space(record).ground().movement().clone();
        self.state.change_profile(unit, &movement, plane)
    }

    /// Gives a unit to another team. Its orders stay.
    ///
    /// # Errors
    /// When there is no such unit or team, or too many movement profiles are in use.
    pub fn set_team(&mut self, unit: UnitId, team: Team) -> Result<(), WorldError> {
        check_team(team)?;
        self.state.record(unit)?;
        let Some(assignment) = self.state.assignment_mut(unit) else { return Ok(()) };
        let before = std::mem::replace(&mut assignment.team, team);
        let updated = self.state.update_profile(unit);
        if updated.is_err() {
            self.state.assignment_mut(unit).into_iter().for_each(|a| a.team = before);
        }
        updated
    }
}

impl State {
    /// Moves a unit to the plane of its team's side. It stays where it is, even in a wall.
    pub(crate) fn update_profile(&mut self, unit: UnitId) -> Result<(), WorldError> {
        let record = self.record(unit)?;
        let before = self.terrain.plane(record.space);
        let plane = Plane { side: self.teams.side(record.activity.team), ..before };
        let movement = self.space(record).ground().movement().clone();
        let profile = self.profile(&movement, plane)?;
        if self.record(unit)?.space == profile {
            return Ok(());
        }
        let place = self.place_with(unit, profile)?;
        self.take_profile(unit, profile, place)
    }

    /// Gives a unit another movement profile or plane, if it can stand there.
    fn change_profile(
        &mut self,
        unit: UnitId,
        movement: &MovementProfile,
        plane: Plane,
    ) -> Result<(), WorldError> {
        let profiles = self.terrain.profile_count();
        let profile = self.profile(movement, plane)?;
        if self.record(unit)?.space == profile {
            return Ok(());
        }
        let place = match self.nearer_cell(unit) {
            None => Ok(None),
            Some((cell, is_moving)) => {
                let free = self.free_position_for(unit, profile, cell);
                free.map(|at| Some((at, is_moving)))
            }
        };
        match place {
            Ok(place) => self.take_profile(unit, profile, place),
            Err(error) => {
                self.truncate_profiles(profiles);
                Err(error)
            }
        }
    }

    /// The unit goes at the pace of a group until it gets another order.
    pub(crate) fn march(&mut self, unit: UnitId, pace: u8) -> Result<(), WorldError> {
        let own = self.record(unit)?;
        let movement = self.space(own).ground().movement().at_pace(pace);
        let own = self.set_pace(unit, (pace, movement.diagonal))?;
        self.assignment_mut(unit).into_iter().for_each(|a| a.own_pace = Some(own));
        Ok(())
    }

    /// The unit goes at its own pace again.
    pub(crate) fn end_march(&mut self, unit: UnitId) {
        let own = self.assignment_mut(unit).and_then(|assignment| assignment.own_pace.take());
        if let Some(own) = own {
            // It may have to keep the pace if there are too many movement profiles.
            let _ = self.set_pace(unit, own);
        }
    }

    /// Sets the ticks of straight and diagonal steps of a unit. Returns what they were before.
    fn set_pace(
        &mut self,
        unit: UnitId,
        (pace, diagonal): (u8, DiagonalCost),
    ) -> Result<(u8, DiagonalCost), WorldError> {
        let record = self.record(unit)?;
        let (before, plane) =
            (self.space(record).ground().movement().clone(), self.terrain.plane(record.space));
        let profile = self.profile(&MovementProfile { pace, diagonal, ..before.clone() }, plane)?;
        if (before.pace, before.diagonal) != (pace, diagonal) {
            let place = self.place_with(unit, profile)?;
            self.take_profile(unit, profile, place)?;
        }
        Ok((before.pace, before.diagonal))
    }

    /// The cell of a unit, or the nearer end of its step; and whether it is in a step. `None` in a
    /// building.
    fn nearer_cell(&self, unit: UnitId) -> Option<(Cell, bool)> {
        let record = self.units.get(unit)?;
        let space = self.space(record);
        Some(match self.units.location(unit)? {
            Location::Standing(at) => (space.cell(at), false),
            Location::Moving { from, to, arrival } => {
                let left = arrival.0.saturating_sub(self.now().0);
                let is_near = 2 * left <= self.step_ticks(unit, record);
                (space.cell(if is_near { to } else { from }), true)
            }
        })
    }

    /// Where a unit stands once it has another profile of the same size, even in a wall, and
    /// whether it is in a step; `None` in a building. At the nearer end of its step another unit
    /// can be leaving still: then it is where the step began.
    fn place_with(
        &self,
        unit: UnitId,
        profile: usize,
    ) -> Result<Option<(Position, bool)>, WorldError> {
        let Some((near, is_moving)) = self.nearer_cell(unit) else { return Ok(None) };
        let from = self.location(unit).map_or(near, |(from, _)| from);
        let (space, table) = (&self.terrain.spaces[profile], self.units.table());
        let mut by = unit;
        let is_free = |at: &Position| {
            space.standing(*at, |entry| {
                let holder = table.holder(entry, self.now()).map_or(unit, |claim| claim.unit);
                by = if holder == unit { by } else { holder };
                holder == unit
            })
        };
        let ends = [near, from].into_iter().filter_map(|cell| space.position(cell));
        let at = { ends }.find(is_free);
        at.map(|at| Some((at, is_moving))).ok_or(WorldError::Occupied { cell: near, by })
    }

    fn take_profile(
        &mut self,
        unit: UnitId,
        profile: usize,
        place: Option<(Position, bool)>,
    ) -> Result<(), WorldError> {
        let Some((at, is_moving)) = place else {
            self.units.set_space(unit, profile);
            return Ok(());
        };
        let assignment = &mut self.assignment_mut(unit).ok_or(WorldError::NoSuchUnit(unit))?;
        let is_halted = assignment.is_halted;
        self.leave_map(unit);
        self.units.set_space(unit, profile);
        self.place(unit, at)?;
        self.set_doing(unit, Doing::Idle);
        self.resume_order(unit);
        if is_halted {
            self.halt(unit);
        }
        self.assignment_mut(unit).into_iter().for_each(|a| a.is_teleported |= is_moving);
        Ok(())
    }
}
