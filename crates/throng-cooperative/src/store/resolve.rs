//! Resolves units without a plan, so that units do not collide even when planning fails.
//!
//! Plans in the reservation table do not collide. But a unit can be without a plan for the
//! next tick: it found no legal path, the budget ended, another unit overrode its plan, or the
//! game put it on top of a plan. It stands somewhere, and others may have claimed that place.
//!
//! Such a unit first looks for any single step that takes no other unit's claim. If there is
//! none it waits in place: it takes the claims on its place, and the unit that held them is now
//! without a plan itself and does the same, along the whole chain. A unit waits in place at most
//! once per tick, so the chain ends. Bodies do not overlap now, so the bodies of units that wait
//! do not overlap in the next tick.

use throng_model::{Effort, SearchStatus, Tick, UnitId};
use throng_spacetime::{Action, Leg, Position, Space, SpaceTimeSearch, TimedPath, Until};

use super::propose::UnitDistance;
use super::record::{Activity, Role};
use super::{PlanEvent, TrueDistances, UnitStore};
use crate::{Claim, Priority};

/// A unit looks for a free step at most this often per tick, then it waits.
const SEARCHES_PER_TICK: u8 = 2;

impl<A: Activity> UnitStore<A> {
    /// Gives every unit something to do in this tick.
    pub(super) fn resolve<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        effort: &mut Effort<'_>,
    ) {
        let mut unplanned: Vec<UnitId> =
            self.units().filter(|&unit| self.is_unplanned(unit)).collect();
        unplanned.reverse();
        if unplanned.is_empty() {
            self.overridden.clear();
            if !self.is_any_blocked {
                return;
            }
        }
        let mut searches = vec![0_u8; self.slots.len()];
        let mut blocked = vec![false; self.slots.len()];
        while let Some(unit) = unplanned.pop() {
            let index = unit.index();
            if !self.is_unplanned(unit) || blocked[index] {
                continue;
            }
            searches[index] = searches[index].saturating_add(1);
            let holds = self.get(unit).is_some_and(|r| r.activity.role() == Role::Holding);
            let may_step = searches[index] <= SEARCHES_PER_TICK && !holds;
            if !(may_step && self.take_free_step(spaces, distances, unit, effort)) {
                self.wait_in_place(spaces, unit);
                blocked[index] = true;
            }
            unplanned.append(&mut self.overridden);
        }
        self.is_any_blocked = blocked.contains(&true);
        for (slot, blocked) in self.slots.iter_mut().zip(blocked) {
            if let Some(body) = slot.record.as_mut().and_then(|record| record.body.as_mut()) {
                body.blocked_ticks = if blocked { body.blocked_ticks + 1 } else { 0 };
            }
        }
    }

    fn is_unplanned(&self, unit: UnitId) -> bool {
        self.body(unit).is_some_and(|body| body.is_out_of_plan())
    }

    /// Gives the unit a single step that conflicts with no claim. Returns whether there is one.
    fn take_free_step<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) -> bool {
        let mut search = std::mem::take(&mut self.search);
        let path = self.free_step(&mut search, spaces, distances, unit, effort);
        self.search = search;
        let Some(path) = path else { return false };
        self.commit(spaces, unit, &path);
        self.body_mut(unit).into_iter().for_each(|body| body.needs_plan = true);
        true
    }

    fn free_step<S: Space>(
        &self,
        search: &mut SpaceTimeSearch,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) -> Option<TimedPath> {
        let record = self.get(unit)?;
        let (space, activity) = (&spaces[record.space], &record.activity);
        let (at, tick, _) = record.body.as_ref()?.free_at(self.now);
        let ended = search.run(
            space,
            &self.table.view(unit, Priority(0)).with_obstacles(&self.obstacles),
            (at, tick),
            Until::Depth(1),
            &mut UnitDistance { distances, space, unit, activity, noise: None },
            effort,
        );
        let mut path = TimedPath::default();
        search.path_into(space, tick, &mut path);
        (ended == SearchStatus::Found).then_some(path)
    }

    fn wait_in_place<S: Space>(&mut self, spaces: &[S], unit: UnitId) {
        let Some(body) = self.body(unit) else { return };
        let (at, tick, _) = body.free_at(self.now);
        let claim = Claim { unit, priority: Priority::FIXED };
        self.events.push(PlanEvent::Blocked { unit });
        self.commit_as(spaces, unit, &pauses(at, tick, 1), claim);
        self.body_mut(unit).into_iter().for_each(|body| body.needs_plan = true);
    }
}

/// A path that stays for this many ticks.
pub(crate) fn pauses(at: Position, from: Tick, ticks: u32) -> TimedPath {
    let leg = |tick| Leg { from: at, tick: Tick(tick), action: Action::PAUSE };
    TimedPath {
        legs: (from.0..from.0 + ticks).map(leg).collect(),
        end: Some((at, Tick(from.0 + ticks))),
    }
}
