//! Which units plan in a tick, and how a unit gets its next plan.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*"; (2006),
//! "Unit priorities" and "Interleaving searches".

use throng_model::{Effort, SearchStatus, Tick, UnitId};
use throng_spacetime::{
    Distance, Position, Space, SpaceTimeSearch, TimedObstacles, TimedPath, Until,
    extend_along_route, follow_route,
};

use super::record::{Activity, Body, Role, UnitRecord};
use super::{PlanEvent, TrueDistances, UnitStore, resolve};
use crate::reservations::View;
use crate::{Claim, Priority};

/// A unit plans at most this often per tick, even if its plan is overridden again.
const PLANS_PER_TICK: u8 = 3;
/// A unit that was pushed off the place where it had arrived is promoted at most this often to
/// return. Otherwise two units that cannot both be there would override each other forever.
const RETURN_PROMOTIONS_MAX: u8 = 6;

/// The distances of one unit.
pub(super) struct UnitDistance<'a, S, A, D> {
    pub(super) distances: &'a mut D,
    pub(super) space: &'a S,
    pub(super) unit: UnitId,
    pub(super) activity: &'a A,
    /// The body of a unit that was disturbed often: its distances have noise.
    pub(super) noise: Option<&'a Body>,
}

impl<S: Space, A, D: TrueDistances<S, A>> Distance for UnitDistance<'_, S, A, D> {
    #[inline]
    fn distance(&mut self, from: Position, effort: &mut Effort<'_>) -> Option<u64> {
        let Self { distances, space, unit, activity, noise } = self;
        let distance = distances.distance(space, *unit, activity, from, effort)?;
        Some(match noise {
            Some(body) => body.noisy_distance(*unit, from, distance, space.pause_cost()),
            None => distance,
        })
    }
}

impl<A: Activity> UnitStore<A> {
    /// Plans for all units that are due or lost their plan, until about this many nodes are
    /// expanded: a search that has begun is ended. Units left over come first in the next tick.
    /// The effort stops any search at once; the plans of that tick must not be used.
    pub fn plan_due<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        expansions: u64,
        effort: &mut Effort<'_>,
    ) {
        self.events.clear();
        let mut queue = self.due_units();
        let mut planned = vec![0_u8; self.slots.len()];
        let spent = |store: &Self, distances: &dyn TrueDistances<S, A>| {
            store.search.expanded() + distances.expanded()
        };
        let before = spent(self, distances);
        let mut at = 0;
        while at < queue.len() && spent(self, distances) - before < expansions {
            let unit = queue[at];
            at += 1;
            if planned[unit.index()] < PLANS_PER_TICK && self.plans(unit) {
                planned[unit.index()] += 1;
                self.plan_unit(spaces, distances, unit, effort);
                queue.append(&mut self.overridden);
            }
        }
        self.waiting.clear();
        self.waiting.extend_from_slice(&queue[at.min(queue.len())..]);
    }

    /// First the units left over from the last tick, then the due ones: by priority, then those
    /// that lost their plan, then by slot from a start that rotates with time.
    fn due_units(&mut self) -> Vec<UnitId> {
        let now = self.now;
        let count = self.slots.len().max(1);
        let mut due = std::mem::take(&mut self.waiting);
        let mut taken = vec![false; self.slots.len()];
        due.retain(|&unit| self.plans(unit) && !std::mem::replace(&mut taken[unit.index()], true));
        let rank = |(unit, record): (UnitId, &UnitRecord<A>)| {
            let body = record.body.as_ref().filter(|_| record.activity.plans())?;
            let is_due = body.needs_plan || body.due <= now || body.is_out_of_plan();
            let turn = (unit.index() + now.0 as usize) % count;
            let priority = std::cmp::Reverse(record.priority(unit, now).0 >> 1);
            (is_due && !taken[unit.index()]).then_some((priority, !body.needs_plan, turn, unit))
        };
        let mut ranked: Vec<_> = self.iter().filter_map(rank).collect();
        ranked.sort_unstable();
        due.extend(ranked.into_iter().map(|(.., unit)| unit));
        due
    }

    /// Plans for one unit. The units whose claims it overrides are left in `overridden`.
    pub fn plan_unit<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) {
        let now = self.now;
        let Some(record) = self.get_mut(unit) else { return };
        let Some(body) = &record.body else { return };
        let space = &spaces[record.space];
        let (at, start, _) = body.free_at(now);
        distances.begin(space, unit, &mut record.activity, at, record.depth);
        self.promote_if_stuck(distances, space, (unit, at), effort);
        if self.extend(spaces, distances, unit) {
            return self.schedule(unit, start, SearchStatus::Found);
        }
        self.drop_plan(space, unit);
        let mut path = TimedPath::default();
        let ended = self.find_path(space, distances, unit, &mut path, effort);
        self.commit(spaces, unit, &path);
        if path.legs.is_empty() {
            self.reserve_standing(spaces, unit);
            if !self.overridden.is_empty() {
                // It may find a path when those have made room.
                self.overridden.push(unit);
            }
        }
        self.schedule(unit, start, ended);
        self.end_plan(space, distances, unit);
    }

    /// Searches, and promotes the unit and searches again if there is no path.
    fn find_path<S: Space>(
        &mut self,
        space: &S,
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        path: &mut TimedPath,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        let ended = self.search_for(space, distances, unit, path, effort);
        if ended != SearchStatus::Exhausted || self.role(unit) == Some(Role::Holding) {
            return ended;
        }
        self.events.push(PlanEvent::NoPath { unit });
        if self.promote(unit) {
            self.search_for(space, distances, unit, path, effort)
        } else {
            ended
        }
    }

    fn end_plan<S: Space>(
        &mut self,
        space: &S,
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
    ) {
        let next = self.body(unit).and_then(|body| body.position_at(body.due));
        if let (Some(at), Some(record)) = (next, self.get_mut(unit)) {
            distances.end(space, unit, &mut record.activity, at);
        }
    }

    /// Whether the unit is on the map and plans for itself.
    fn plans(&self, unit: UnitId) -> bool {
        self.get(unit).is_some_and(|record| record.body.is_some() && record.activity.plans())
    }

    fn role(&self, unit: UnitId) -> Option<Role> {
        self.get(unit).map(|record| record.activity.role())
    }

    /// Decides when a unit plans again whose plan begins at a tick.
    fn schedule(&mut self, unit: UnitId, start: Tick, ended: SearchStatus) {
        let (now, options) = (self.now, self.options);
        let Some(record) = self.get_mut(unit) else { return };
        let half = (record.depth / 2).max(1);
        let Some(body) = &mut record.body else { return };
        body.needs_plan = false;
        let last = body.path.end.map_or(now, |(_, tick)| tick);
        // The stagger is by slot: each tick has its share of the units, and a unit that
        // planned out of turn returns to its own.
        let from = start.0.max(now.0);
        let late = (from + half - unit.index() as u32 % half) % half;
        let late = if options.interleaved { late } else { 0 };
        let next = Tick(from + half - late);
        body.due = match ended {
            SearchStatus::Found if options.complete => last.max(next),
            SearchStatus::Found => next,
            _ => next.min(last),
        };
    }

    /// Promotes a unit that made no progress for too long, also one that had arrived and was
    /// pushed off.
    fn promote_if_stuck<S: Space>(
        &mut self,
        distances: &mut impl TrueDistances<S, A>,
        space: &S,
        (unit, at): (UnitId, Position),
        effort: &mut Effort<'_>,
    ) {
        let (now, options) = (self.now, self.options);
        let Some(record) = self.get_mut(unit) else { return };
        let (role, depth) = (record.activity.role(), record.depth);
        let Some(body) = &mut record.body else { return };
        if role != Role::Going {
            body.forget_disturbances(now, depth);
        }
        let is_resting = role == Role::Resting;
        if role == Role::Holding || (is_resting && record.own_goal().is_none()) {
            return;
        }
        let distance = distances.distance(space, unit, &record.activity, at, effort);
        let ticks = distance.unwrap_or(0) / space.pause_cost().max(1);
        self.goals.set_ready(unit, Tick(now.0.saturating_add(ticks as u32)));
        let Some(body) = self.body_mut(unit) else { return };
        let is_progress =
            |distance| distance == 0 || body.best_distance.is_none_or(|best| distance < best);
        if distance.is_none_or(is_progress) {
            body.best_distance = distance;
            body.best_since = now;
            return;
        }
        let patience = depth * options.patience_windows;
        let gave_up = is_resting && body.return_promotions >= RETURN_PROMOTIONS_MAX;
        if now.0 - body.best_since.0 >= patience && !body.is_promoted(now) && !gave_up {
            body.best_since = now;
            body.return_promotions += u8::from(is_resting);
            self.events.push(PlanEvent::NoProgress { unit });
            self.promote(unit);
        }
    }

    /// Promotes a unit for some windows. Returns whether it was not promoted before.
    fn promote(&mut self, unit: UnitId) -> bool {
        let (now, options) = (self.now, self.options);
        let Some(record) = self.get_mut(unit) else { return false };
        let depth = record.depth;
        let Some(body) = &mut record.body else { return false };
        if !options.promotion || body.is_promoted(now) {
            return false;
        }
        body.promoted_until = Tick(now.0 + depth * options.promotion_windows);
        body.disturb();
        self.events.push(PlanEvent::Promoted { unit });
        true
    }

    /// Drops the actions that a unit has not begun, and their claims.
    pub(super) fn drop_plan<S: Space>(&mut self, space: &S, unit: UnitId) {
        let now = self.now;
        let Some(record) = self.slots[unit.index()].record.as_mut() else { return };
        let Some(body) = &mut record.body else { return };
        let (_, free_at, _) = body.free_at(now);
        self.table.release_path(space, &body.path, free_at, unit);
        body.drop_plan(now);
        self.claim_body(space, unit);
    }

    /// Claims where a unit is and what it has begun, above any other claim.
    fn claim_body<S: Space>(&mut self, space: &S, unit: UnitId) {
        let Some(body) = self.body(unit) else { return };
        let (at, _, begun) = body.free_at(self.now);
        let claim = Claim { unit, priority: Priority::FIXED };
        match begun {
            Some(leg) => self.table.claim_action(space, leg, Tick(self.now.0 + 1), claim),
            None => self.table.claim_standing(space, at, self.now, claim),
        }
    }

    fn search_for<S: Space>(
        &mut self,
        space: &S,
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        path: &mut TimedPath,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        let mut search = std::mem::take(&mut self.search);
        let ended = self.search_by(&mut search, space, distances, unit, path, effort);
        self.search = search;
        ended
    }

    fn search_by<S: Space>(
        &self,
        search: &mut SpaceTimeSearch,
        space: &S,
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
        path: &mut TimedPath,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        let Some(record) = self.get(unit) else { return SearchStatus::Exhausted };
        let (Some(body), activity) = (&record.body, &record.activity) else {
            return SearchStatus::Exhausted;
        };
        let (at, tick, _) = body.free_at(self.now);
        if activity.role() == Role::Holding {
            *path = resolve::pauses(at, tick, record.depth);
            return SearchStatus::Found;
        }
        let until = match record.own_goal().filter(|_| self.options.complete) {
            Some(goal) => Until::Goal(goal),
            None => Until::Depth(record.depth),
        };
        let view = self.penalized_view(space, unit, record);
        if body.is_undisturbed() {
            let is_free = match (until, distances.route(unit, activity, at)) {
                (Until::Depth(depth), Some(route)) => {
                    follow_route(space, &view, route, tick, depth, path)
                }
                _ => {
                    let distance =
                        &mut |position| distances.distance(space, unit, activity, position, effort);
                    search.descend(space, &view, (at, tick), until, distance, path)
                }
            };
            if is_free {
                return SearchStatus::Found;
            }
        }
        let mut distance = UnitDistance { distances, space, unit, activity, noise: Some(body) };
        let ended = search.run(space, &view, (at, tick), until, &mut distance, effort);
        search.path_into(space, tick, path);
        ended
    }

    /// The reservation table as the unit sees it, with penalties for other units' goals.
    fn penalized_view<S: Space>(
        &self,
        space: &S,
        unit: UnitId,
        record: &UnitRecord<A>,
    ) -> View<'_> {
        let is_promoted = record.body.as_ref().is_some_and(|body| body.is_promoted(self.now));
        let is_urgent = is_promoted || record.activity.role() == Role::Yielding;
        // A promoted unit has waited long enough: it pays no penalty.
        let pause_cost = if is_urgent { 0 } else { space.pause_cost() };
        let view = self.table.view(unit, self.priority(unit));
        view.with_goal_penalty(unit, &self.goals, pause_cost)
    }

    /// Extends the plan along the route without a search, if the route is free: a search would
    /// find the same plan. The unit keeps its claims. Returns whether the plan was extended.
    fn extend<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        unit: UnitId,
    ) -> bool {
        let Some(record) = self.get(unit) else { return false };
        let (Some(body), space) = (&record.body, &spaces[record.space]) else { return false };
        let (at, tick, _) = body.free_at(self.now);
        let ahead = body.path.legs.iter().position(|leg| leg.tick >= tick);
        let route = distances.route(unit, &record.activity, at);
        let (Some(ahead), Some(route)) = (ahead, route) else { return false };
        let is_plain =
            record.activity.role() == Role::Going && body.is_undisturbed() && !body.needs_plan;
        if self.options.complete || !is_plain || !self.keeps_priority(space, unit) {
            return false;
        }
        let view = self.penalized_view(space, unit, record);
        let mut path = TimedPath { legs: Vec::new(), end: body.path.end };
        let kept = (&body.path.legs[ahead..], body.path.end);
        let until = Tick(tick.0 + record.depth);
        if !extend_along_route(space, &view, kept, route, until, &mut path) {
            return false;
        }
        let Some(body) = self.body_mut(unit) else { return false };
        body.path.legs.drain(..body.leg);
        body.leg = 0;
        self.commit(spaces, unit, &path);
        true
    }

    /// Whether the last claim of the unit's plan, and with it all that have not begun, has the
    /// priority that a new one would have.
    fn keeps_priority<S: Space>(&self, space: &S, unit: UnitId) -> bool {
        let claim = Claim { unit, priority: self.priority(unit) };
        let end = self.body(unit).and_then(|body| body.path.end);
        space.ticks_to_clear() == 0
            && end.is_some_and(|(at, tick)| {
                space.standing(at, |entry| self.table.holder(entry, tick) == Some(claim))
            })
    }

    /// The priority of a unit's claims.
    fn priority(&self, unit: UnitId) -> Priority {
        let priority = self.get(unit).map_or(Priority(0), |record| record.priority(unit, self.now));
        if self.options.resting_yield { priority } else { Priority(priority.0 | 1) }
    }

    /// Makes a path the unit's plan, after the action in progress, and claims it.
    pub(super) fn commit<S: Space>(&mut self, spaces: &[S], unit: UnitId, path: &TimedPath) {
        let claim = Claim { unit, priority: self.priority(unit) };
        self.commit_as(spaces, unit, path, claim);
    }

    pub(super) fn commit_as<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        path: &TimedPath,
        claim: Claim,
    ) {
        let Some(record) = self.get_mut(unit) else { return };
        let Some(first) = path.legs.first() else { return };
        let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
        body.path.legs.extend_from_slice(&path.legs);
        body.path.end = path.end;
        body.claimed = claim.priority;
        let mut overridden = Vec::new();
        self.table.claim_path(space, path, first.tick, claim, &mut overridden);
        self.claim_body(space, unit);
        overridden.sort_unstable();
        overridden.dedup();
        for other in overridden {
            self.override_plan(spaces, other, unit);
        }
    }

    fn override_plan<S: Space>(&mut self, spaces: &[S], unit: UnitId, by: UnitId) {
        let Some(record) = self.get(unit) else { return };
        let space = &spaces[record.space];
        let is_pushed_off = record.activity.role() == Role::Resting && record.own_goal().is_some();
        self.drop_plan(space, unit);
        if let Some(body) = self.body_mut(unit) {
            body.needs_plan = true;
            if is_pushed_off {
                body.disturb();
            }
        }
        self.events.push(PlanEvent::Overridden { unit, by });
        self.overridden.push(unit);
        self.reserve_standing(spaces, unit);
    }

    /// A slow unit without a plan reserves its place for as long as it takes to leave.
    pub(super) fn reserve_standing<S: Space>(&mut self, spaces: &[S], unit: UnitId) {
        let Some(record) = self.get(unit) else { return };
        let (Some(body), space) = (&record.body, &spaces[record.space]) else { return };
        let ticks = space.ticks_to_clear();
        let (at, tick, _) = body.free_at(self.now);
        if ticks > 0
            && body.path.end == Some((at, tick))
            && self.may_stand(space, unit, (at, tick), ticks)
        {
            let claim = Claim { unit, priority: Priority::FIXED };
            self.commit_as(spaces, unit, &resolve::pauses(at, tick, ticks), claim);
        }
    }

    /// Whether no other unit has a claim on the unit's place that cannot be overridden: two
    /// units of that kind would override each other without end.
    fn may_stand<S: Space>(
        &self,
        space: &S,
        unit: UnitId,
        (at, from): (Position, Tick),
        ticks: u32,
    ) -> bool {
        let view = self.table.view(unit, Priority::FIXED);
        space.standing(at, |entry| {
            (1..=ticks).all(|later| view.is_free(entry, Tick(from.0 + later)))
        })
    }
}
