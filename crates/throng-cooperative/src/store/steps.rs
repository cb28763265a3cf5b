//! Steps that the owner of the store decides, one tick at a time, in place of plans.
//!
//! In a crowd plans do not hold for long. There the owner decides the next step of some units
//! together, with an algorithm of its own, and hands the steps to [`UnitStore::take_steps`]. A
//! unit whose step is the one that it has planned keeps its plan. The others lose theirs.

use throng_model::{Tick, UnitId};
use throng_spacetime::{Action, Leg, Space, TimedPath};

use super::UnitStore;
use super::record::{Activity, Location};
use crate::{Claim, Priority};

impl<A: Activity> UnitStore<A> {
    /// What the unit's plan has it do in this tick; `None` without a plan, or in the middle of a
    /// move.
    #[must_use]
    pub fn planned_action(&self, unit: UnitId) -> Option<Action> {
        self.body(unit)?.next_leg(self.now).map(|leg| leg.action)
    }

    /// Whether the unit is on the map and has nothing planned.
    #[must_use]
    pub fn is_without_plan(&self, unit: UnitId) -> bool {
        self.body(unit).is_some_and(|body| body.is_out_of_plan())
    }

    /// Whether the unit must stand still in this tick, because an edit of the map undid its step.
    #[must_use]
    pub fn is_held_back(&self, unit: UnitId) -> bool {
        self.body(unit).is_some_and(|body| body.undone == Some(self.now))
    }

    /// The last move that the unit began: it is in the middle of it, or it ended it just now.
    #[must_use]
    pub fn last_move(&self, unit: UnitId) -> Option<Leg> {
        let body = self.body(unit)?;
        let leg = match body.location(self.now) {
            Location::Moving { .. } => body.path.legs.get(body.leg),
            Location::Standing(_) => {
                body.path.legs.get(body.leg.checked_sub(1)?).filter(|leg| leg.tick < self.now)
            }
        };
        leg.copied().filter(|leg| leg.action != Action::PAUSE)
    }

    /// Lets a unit plan again in the next tick, if it plans for itself.
    pub fn plan_again(&mut self, unit: UnitId) {
        self.body_mut(unit).into_iter().for_each(|body| body.needs_plan = true);
    }

    /// Drops the actions that a unit has not begun.
    pub fn cancel_plan<S: Space>(&mut self, spaces: &[S], unit: UnitId) {
        if let Some(record) = self.get(unit) {
            self.drop_plan(&spaces[record.space], unit);
        }
    }

    /// Lets units do these actions in this tick, above all plans. The actions must not conflict
    /// with each other, nor with what units that are not listed do in this tick. Plans that
    /// conflict with them later are cut after the action of this tick. A unit in the middle of a
    /// move goes on with it.
    pub fn take_steps<S: Space>(&mut self, spaces: &[S], steps: &[(UnitId, Action)]) {
        let differs = |store: &Self, &(unit, action): &(UnitId, Action)| {
            let Some(body) = store.body(unit) else { return false };
            let stands = matches!(body.location(store.now), Location::Standing(_));
            stands && !store.is_held_back(unit) && store.planned_action(unit) != Some(action)
        };
        let steps: Vec<_> = steps.iter().copied().filter(|step| differs(self, step)).collect();
        for &(unit, _) in &steps {
            let Some(record) = self.get(unit) else { continue };
            self.drop_plan(&spaces[record.space], unit);
        }
        for &(unit, action) in &steps {
            self.take_step(spaces, unit, action);
        }
    }

    fn take_step<S: Space>(&mut self, spaces: &[S], unit: UnitId, action: Action) {
        let now = self.now;
        let Some(record) = self.get_mut(unit) else { return };
        let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
        let (at, _, _) = body.free_at(now);
        let step = space.move_by(at, action).filter(|_| action != Action::PAUSE);
        let (to, ticks) = step.map_or((at, 1), |step| (step.to, step.ticks));
        let action = step.map_or(Action::PAUSE, |step| step.action);
        let leg = Leg { from: at, tick: now, action };
        let path = TimedPath { legs: vec![leg], end: Some((to, Tick(now.0 + ticks))) };
        body.path.legs.push(leg);
        body.path.end = path.end;
        body.claimed = Priority::FIXED;
        body.needs_plan = true;
        let claim = Claim { unit, priority: Priority::FIXED };
        let mut overridden = Vec::new();
        self.table.claim_path(space, &path, now, claim, &mut overridden);
        overridden.sort_unstable();
        overridden.dedup();
        for other in overridden {
            self.cut_plan(spaces, other);
        }
    }

    /// Drops what a unit has planned after the action that it is in or about to begin.
    fn cut_plan<S: Space>(&mut self, spaces: &[S], unit: UnitId) {
        let now = self.now;
        let Some(record) = self.slots[unit.index()].record.as_mut() else { return };
        let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
        if body.is_out_of_plan() {
            return;
        }
        let (end, rest) = (body.leg_end(body.leg), body.path.legs.split_off(body.leg + 1));
        let rest = TimedPath { legs: rest, end: body.path.end };
        body.path.end = Some(end);
        body.needs_plan = true;
        self.table.release_path(space, &rest, end.1, unit);
        // Where the action ends was claimed by the next one too.
        if let Some(&leg) = body.path.legs.get(body.leg) {
            let begun = leg.tick < now;
            let priority = if begun { Priority::FIXED } else { body.claimed };
            self.table.claim_action(space, leg, Tick(now.0 + 1), Claim { unit, priority });
        }
    }
}
