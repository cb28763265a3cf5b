//! Enters the units of a tick: where they are, and what they have begun.

use throng_spacetime::{Leg, Space};

use super::kernel::Preferences;
use super::turn::{Record, State, Turn};

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// Enters every unit where it is, and what it has begun.
    pub(super) fn place_all(&mut self) {
        self.memory.records.clear();
        for index in 0..self.units.len() as u32 {
            let unit = self.units[index as usize];
            self.memory.records.push(Record::new(unit.at));
            let kinds = self.memory.kinds.len();
            let known = unit.space < kinds.min(self.spaces.len())
                && unit.at.get() < self.space(index).positions()
                && self.space(index).entries() == self.memory.claims.entries();
            if !known {
                self.record_mut(index).state = State::Fixed;
            } else if !unit.begun.is_some_and(|leg| self.place_moving(index, leg)) {
                self.place_standing(index, unit.holds);
            }
        }
    }

    fn place_standing(&mut self, unit: u32, holds: bool) {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let claims = &mut self.memory.claims;
        space.standing(at, |entry| {
            claims.hold_now(entry, unit);
            if holds {
                claims.claim(entry, unit);
            }
            true
        });
        if holds {
            self.record_mut(unit).state = State::Fixed;
        }
    }

    /// Enters what a unit has begun; false if it is over.
    fn place_moving(&mut self, unit: u32, leg: Leg) -> bool {
        let space = self.space(unit);
        let elapsed = self.now.0.saturating_sub(leg.tick.0);
        let claims = &mut self.memory.claims;
        let mut is_over = true;
        space.footprint(leg.from, leg.action, |entry, later| {
            if later > elapsed {
                is_over = false;
                claims.hold_now(entry, unit);
                claims.claim(entry, unit);
            } else if later == elapsed {
                claims.hold_tail(entry, unit);
            }
            true
        });
        if !is_over && elapsed == 0 {
            // It is still where the move begins.
            space.standing(leg.from, |entry| {
                claims.hold_now(entry, unit);
                true
            });
        }
        if !is_over {
            let end = space.move_by(leg.from, leg.action).map_or(leg.from, |step| step.to);
            let record = self.record_mut(unit);
            (record.state, record.end) = (State::Fixed, end);
        }
        !is_over
    }
}
