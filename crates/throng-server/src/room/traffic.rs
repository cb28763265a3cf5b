//! What happens without a client: units go back and forth, and scripted edits of the map.

use throng::model::UnitId;
use throng::world::{BuildingId, Command, UnitStatus};

use super::Room;
use crate::engine::Engine;
use crate::error::Refusal;
use crate::saving::SavedTag;
use crate::setup::{Errand, Place, SetupUnit, Traffic};

/// What the server knows of a unit beside the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) unit: UnitId,
    pub(super) profile: u8,
    pub(super) team: u8,
    /// Where it goes, and where it comes from; it goes back and forth.
    legs: [Errand; 2],
    leg: usize,
    /// Whether the scenario sends it. An order of a client ends that.
    pub(super) is_sent_by_scenario: bool,
    /// Whether it halts when it meets enemies.
    pub(super) is_attacking: bool,
    /// When it may go on; `None` under way.
    rests_until: Option<u32>,
}

impl Tag {
    pub(super) fn new(unit: UnitId, setup: &SetupUnit) -> Self {
        let home = match setup.place {
            Place::At(cell) => Errand::Go(cell),
            Place::Inside(building) => Errand::Enter(building),
        };
        Self {
            unit,
            profile: setup.profile as u8,
            team: setup.team,
            legs: [setup.errand, home],
            leg: 0,
            is_sent_by_scenario: setup.errand != Errand::Rest,
            is_attacking: false,
            rests_until: None,
        }
    }

    /// A unit that a client put into the world.
    pub(super) fn spawned(unit: UnitId, profile: u8, team: u8) -> Self {
        let legs = [Errand::Rest; 2];
        let (leg, is_sent_by_scenario, is_attacking, rests_until) = (0, false, false, None);
        Self { unit, profile, team, legs, leg, is_sent_by_scenario, is_attacking, rests_until }
    }

    pub(super) fn save(&self) -> SavedTag {
        SavedTag {
            unit: self.unit.to_bits(),
            profile: self.profile,
            team: self.team,
            legs: self.legs,
            leg: self.leg as u8,
            is_sent_by_scenario: self.is_sent_by_scenario,
            is_attacking: self.is_attacking,
        }
    }

    pub(super) fn restore(saved: &SavedTag) -> Self {
        Self {
            unit: UnitId::from_bits(saved.unit),
            profile: saved.profile,
            team: saved.team,
            legs: saved.legs,
            leg: usize::from(saved.leg.min(1)),
            is_sent_by_scenario: saved.is_sent_by_scenario,
            is_attacking: saved.is_attacking,
            rests_until: None,
        }
    }

    /// Gives the unit its order.
    pub(super) fn send(&self, engine: &mut Engine) -> Result<(), Refusal> {
        match self.legs[self.leg].order() {
            Some(order) => engine.apply(Command::Order { unit: self.unit, order }).map(|_| ()),
            None => Ok(()),
        }
    }

    fn has_arrived(&self, status: UnitStatus) -> bool {
        match self.legs[self.leg] {
            Errand::Rest => false,
            Errand::Go(_) => matches!(status, UnitStatus::Arrived | UnitStatus::Unreachable),
            Errand::Enter(building) => {
                status == UnitStatus::Inside(BuildingId::new(building as u32))
            }
        }
    }

    /// Whether it is time to go to the other end.
    fn turns(&mut self, status: UnitStatus, now: u32, rest: u32) -> bool {
        if !self.has_arrived(status) {
            self.rests_until = None;
            return false;
        }
        if now < *self.rests_until.get_or_insert(now + rest) {
            return false;
        }
        (self.leg, self.rests_until) = (1 - self.leg, None);
        true
    }
}

impl Room {
    pub(super) fn tag(&self, unit: UnitId) -> Option<&Tag> {
        self.tags.get(unit.index())?.as_ref().filter(|tag| tag.unit == unit)
    }

    pub(super) fn set_tag(&mut self, tag: Tag) {
        let slot = tag.unit.index();
        if slot >= self.tags.len() {
            self.tags.resize(slot + 1, None);
        }
        self.tags[slot] = Some(tag);
    }

    fn tag_mut(&mut self, unit: UnitId) -> Option<&mut Tag> {
        self.tags.get_mut(unit.index())?.as_mut().filter(|tag| tag.unit == unit)
    }

    /// From now on a client sends the unit.
    pub(super) fn release(&mut self, unit: UnitId) {
        if let Some(tag) = self.tag_mut(unit) {
            tag.is_sent_by_scenario = false;
        }
    }

    pub(super) fn set_attacking(&mut self, unit: UnitId, is_attacking: bool) {
        if let Some(tag) = self.tag_mut(unit) {
            tag.is_attacking = is_attacking;
        }
    }

    pub(super) fn retag(&mut self, unit: UnitId, team: u8) {
        if let Some(tag) = self.tag_mut(unit) {
            tag.team = team;
        }
    }

    /// Sends units that have arrived to the other end.
    pub(super) fn drive_traffic(&mut self) {
        let Traffic::Shuttle { rest } = self.setup.traffic else { return };
        let now = self.engine.now();
        for slot in 0..self.tags.len() {
            let Some(tag) = &mut self.tags[slot] else { continue };
            if !tag.is_sent_by_scenario {
                continue;
            }
            let turns = self.engine.status(tag.unit).map(|status| tag.turns(status, now, rest));
            if turns == Some(true) && tag.send(&mut self.engine).is_err() {
                tag.is_sent_by_scenario = false;
            }
        }
    }

    /// Carries out the edits of the scenario that are due.
    pub(super) fn edit_by_script(&mut self) {
        let now = self.engine.now();
        let due = self.setup.script.iter().take_while(|edit| edit.tick <= now).count();
        for edit in self.setup.script.drain(..due).collect::<Vec<_>>() {
            // What the map no longer allows is left out.
            let _ = self.engine.apply(Command::Paint { cells: edit.cells, terrain: edit.terrain });
            self.renew_map();
        }
    }
}
