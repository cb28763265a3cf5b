//! What happens when planning fails: nobody may ever run into anybody.
//!
//! Plans in the reservation table do not collide. But a unit can be without a plan for the
//! next tick: no legal path, no budget left, its plan taken by another, put on top of a plan
//! by the game. It stands somewhere, and others may have claimed that place.
//!
//! Such a unit first looks for any single step that nobody minds. If there is none it stays,
//! by force: it takes the claims on its place, and whoever held them is now without a plan
//! itself and does the same, along the whole chain. A unit that stays by force is never
//! moved, so the chain ends; and as bodies do not overlap now, those that stay do not overlap
//! in the next tick.

use throng_model::{Effort, SearchStatus, Tick};
use throng_spacetime::{Action, Leg, Position, Space, TimedPath, Until};

use crate::crew::{Crew, CrewEvent, Guide};
use crate::{Claim, Priority};

/// A unit looks for a step at most so often in one tick, then it stays.
const DODGES_A_TICK: u8 = 2;

impl Crew {
    /// Gives everybody something to do in this tick.
    pub(crate) fn settle<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>) {
        let without = |crew: &Self, &unit: &u32| {
            crew.member(unit).is_some_and(|member| member.is_out_of_plan())
        };
        let units = 0..self.members.len() as u32;
        let mut stuck: Vec<u32> = units.filter(|unit| without(self, unit)).rev().collect();
        if stuck.is_empty() {
            self.scratch.clear();
            return self.members.iter_mut().flatten().for_each(|member| member.forced = 0);
        }
        let mut dodged = vec![0_u8; self.members.len()];
        let mut forced = vec![false; self.members.len()];
        while let Some(unit) = stuck.pop() {
            if !without(self, &unit) {
                continue;
            }
            dodged[unit as usize] = dodged[unit as usize].saturating_add(1);
            let holds = self.stance(unit) == Some(crate::Stance::Holding);
            let dodges = dodged[unit as usize] <= DODGES_A_TICK && !holds;
            if !(dodges && self.dodge(spaces, guide, unit)) {
                self.stay(spaces, unit);
                forced[unit as usize] = true;
            }
            stuck.append(&mut self.scratch);
        }
        for (member, forced) in self.members.iter_mut().zip(forced) {
            if let Some(member) = member {
                member.forced = if forced { member.forced + 1 } else { 0 };
            }
        }
    }

    /// Looks for one step that takes nothing from anyone; whether there is one.
    fn dodge<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, unit: u32) -> bool {
        let Some(member) = self.member(unit) else { return true };
        let space = &spaces[member.space];
        let (at, tick, _) = member.free_at(self.now);
        let ended = self.search.run(
            space,
            &self.table.view(unit, Priority(0)),
            (at, tick),
            Until::Depth(1),
            &mut |position| guide.distance(space, unit, position),
            &mut Effort::unlimited(),
        );
        if ended != SearchStatus::Found {
            return false;
        }
        let mut path = TimedPath::default();
        self.search.path_into(space, tick, &mut path);
        self.adopt(spaces, unit, &path);
        if let Some(member) = self.member_mut(unit) {
            member.flagged = true;
        }
        true
    }

    fn stay<S: Space>(&mut self, spaces: &[S], unit: u32) {
        let Some(member) = self.member(unit) else { return };
        let (at, tick, _) = member.free_at(self.now);
        let claim = Claim { unit, priority: Priority::FIXED };
        if let Some(member) = self.member_mut(unit) {
            member.flagged = false;
        }
        self.events.push(CrewEvent::Forced { unit });
        self.adopt_as(spaces, unit, &pauses(at, tick, 1), claim);
        if let Some(member) = self.member_mut(unit) {
            member.flagged = true;
        }
    }
}

/// To stay for so many ticks.
pub(crate) fn pauses(at: Position, from: Tick, ticks: u32) -> TimedPath {
    let leg = |tick| Leg { from: at, tick: Tick(tick), action: Action::PAUSE };
    TimedPath {
        legs: (from.0..from.0 + ticks).map(leg).collect(),
        end: Some((at, Tick(from.0 + ticks))),
    }
}
