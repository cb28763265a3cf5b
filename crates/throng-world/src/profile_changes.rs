//! Units whose movement profile, layer or team changes while they live.

use throng_cooperative::Location;
use throng_model::{Cell, MovementProfile, UnitId};
use throng_spacetime::{Position, Space};

use crate::planes::Plane;
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
        self.change_profile(unit, movement, plane)
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
        self.change_profile(unit, &movement, plane)
    }

    /// Gives a unit to another team. Its orders stay.
    ///
    /// # Errors
    /// When there is no such unit or team.
    pub fn set_team(&mut self, unit: UnitId, team: Team) -> Result<(), WorldError> {
        check_team(team)?;
        self.state.record(unit)?;
        self.state.assignment_mut(unit).into_iter().for_each(|a| a.team = team);
        self.update_profile(unit)
    }

    /// Moves a unit to the plane of its team's side.
    pub(crate) fn update_profile(&mut self, unit: UnitId) -> Result<(), WorldError> {
        let record = self.state.record(unit)?;
        let before = self.state.terrain.plane(record.space);
        let plane = Plane { side: self.state.teams.side(record.activity.team), ..before };
        let movement = self.state.space(record).ground().movement().clone();
        self.change_profile(unit, &movement, plane)
    }

    fn change_profile(
        &mut self,
        unit: UnitId,
        movement: &MovementProfile,
        plane: Plane,
    ) -> Result<(), WorldError> {
        let profiles = self.state.terrain.profile_count();
        let profile = self.state.profile(movement, plane)?;
        let record = self.state.record(unit)?;
        if record.space == profile {
            return Ok(());
        }
        let place = match self.nearer_cell(unit) {
            None => Ok(None),
            Some((cell, is_moving)) => {
                let free = self.state.free_position_for(unit, profile, cell);
                free.map(|at| Some((at, is_moving)))
            }
        };
        match place {
            Ok(place) => self.take_profile(unit, profile, place),
            Err(error) => {
                self.state.truncate_profiles(profiles);
                Err(error)
            }
        }
    }

    /// The cell of a unit, or the nearer end of its step; and whether it is in a step. `None` in a
    /// building.
    fn nearer_cell(&self, unit: UnitId) -> Option<(Cell, bool)> {
        let space = self.state.space(self.state.units.get(unit)?);
        Some(match self.state.units.location(unit)? {
            Location::Standing(at) => (space.cell(at), false),
            Location::Moving { from, to, arrival } => {
                let left = arrival.0.saturating_sub(self.now().0);
                let is_near = 2 * left <= space.move_ticks_max();
                (space.cell(if is_near { to } else { from }), true)
            }
        })
    }

    fn take_profile(
        &mut self,
        unit: UnitId,
        profile: usize,
        place: Option<(Position, bool)>,
    ) -> Result<(), WorldError> {
        let state = &mut self.state;
        let Some((at, is_moving)) = place else {
            state.units.set_space(unit, profile);
            return Ok(());
        };
        let order = state.record(unit)?.activity.order.clone();
        let is_halted = state.record(unit)?.activity.is_halted;
        state.leave_map(unit);
        state.units.set_space(unit, profile);
        state.place(unit, at)?;
        state.assignment_mut(unit).into_iter().for_each(|a| a.is_teleported |= is_moving);
        state.set_doing(unit, Doing::Idle);
        state.begin_order(unit, &order);
        if is_halted {
            state.halt(unit);
        }
        Ok(())
    }
}
