//! How a unit finds its next plan. It reads the claims and goals of others and writes only its own
//! record, so that several units can do this at the same time.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*"; (2006),
//! "Unit priorities".

use throng_model::{Effort, SearchStatus, Tick, UnitId};
use throng_spacetime::{
    Distance, Position, Space, SpaceTimeSearch, TimedPath, Until, extend_along_route, follow_route,
};

use super::record::{Activity, Body, Role, UnitRecord};
use super::{PlanEvent, TrueDistances, resolve};
use crate::reservations::View;
use crate::{Claim, GoalIndex, PlanningOptions, Reservations};

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

/// What units that plan see of the others.
#[derive(Debug)]
pub(super) struct Sight<'a, S> {
    pub(super) spaces: &'a [S],
    pub(super) table: &'a Reservations,
    pub(super) goals: &'a GoalIndex,
    pub(super) obstacles: &'a [u64],
    pub(super) options: PlanningOptions,
    pub(super) now: Tick,
}

/// The plan that a unit has found, before it is claimed.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) path: TimedPath,
    /// Whether the path continues the plan that the unit has.
    pub(super) is_extension: bool,
    pub(super) ended: SearchStatus,
    /// When the unit could begin something new.
    pub(super) start: Tick,
    /// When it could be on its goal, if it has one.
    pub(super) ready: Option<Tick>,
    pub(super) events: Vec<PlanEvent>,
}

impl<S: Space> Sight<'_, S> {
    /// Finds a plan for a unit; `None` if it is not on the map. The claims of the plan that it has
    /// are its own, so that they are not in its way.
    pub(super) fn propose<A: Activity>(
        &self,
        record: &mut UnitRecord<A>,
        unit: UnitId,
        search: &mut SpaceTimeSearch,
        distances: &mut impl TrueDistances<S, A>,
        effort: &mut Effort<'_>,
    ) -> Option<Proposal> {
        let space = &self.spaces[record.space];
        let (at, start, _) = record.body.as_ref()?.free_at(self.now);
        distances.begin(space, unit, &mut record.activity, at, record.depth);
        let mut proposal = Proposal {
            path: TimedPath::default(),
            is_extension: false,
            ended: SearchStatus::Found,
            start,
            ready: None,
            events: Vec::new(),
        };
        self.promote_if_stuck(record, (unit, at), distances, &mut proposal, effort);
        proposal.is_extension = self.extend(record, unit, distances, &mut proposal.path);
        if !proposal.is_extension {
            self.find_path(record, unit, search, distances, &mut proposal, effort);
            self.end_plan(record, unit, distances, &proposal);
        }
        Some(proposal)
    }

    /// Searches, and promotes the unit and searches again if there is no path.
    fn find_path<A: Activity>(
        &self,
        record: &mut UnitRecord<A>,
        unit: UnitId,
        search: &mut SpaceTimeSearch,
        distances: &mut impl TrueDistances<S, A>,
        proposal: &mut Proposal,
        effort: &mut Effort<'_>,
    ) {
        let path = &mut proposal.path;
        proposal.ended = self.search_by(record, unit, search, distances, path, effort);
        if proposal.ended != SearchStatus::Exhausted || record.activity.role() == Role::Holding {
            return;
        }
        proposal.events.push(PlanEvent::NoPath { unit });
        if self.promote(record, unit, &mut proposal.events) {
            let path = &mut proposal.path;
            proposal.ended = self.search_by(record, unit, search, distances, path, effort);
        }
    }

    /// Says where the unit will be when it plans again.
    fn end_plan<A: Activity>(
        &self,
        record: &mut UnitRecord<A>,
        unit: UnitId,
        distances: &mut impl TrueDistances<S, A>,
        proposal: &Proposal,
    ) {
        let (path, start) = (&proposal.path, proposal.start.max(self.now));
        let Some((_, last)) = path.end.filter(|_| !path.legs.is_empty()) else { return };
        let due = record.due_after(unit, (start, last), proposal.ended, &self.options);
        let mut places = path.legs.iter().map(|leg| (leg.from, leg.tick)).chain(path.end);
        if let Some((at, _)) = places.find(|&(_, tick)| tick == due) {
            distances.end(&self.spaces[record.space], unit, &mut record.activity, at);
        }
    }

    /// Promotes a unit that made no progress for too long, also one that had arrived and was
    /// pushed off.
    fn promote_if_stuck<A: Activity>(
        &self,
        record: &mut UnitRecord<A>,
        (unit, at): (UnitId, Position),
        distances: &mut impl TrueDistances<S, A>,
        proposal: &mut Proposal,
        effort: &mut Effort<'_>,
    ) {
        let (now, options, space) = (self.now, self.options, &self.spaces[record.space]);
        let (role, depth, own_goal) = (record.activity.role(), record.depth, record.own_goal());
        let Some(body) = &mut record.body else { return };
        if role != Role::Going {
            body.forget_disturbances(now, depth);
        }
        let is_resting = role == Role::Resting;
        if role == Role::Holding || (is_resting && own_goal.is_none()) {
            return;
        }
        let distance = distances.distance(space, unit, &record.activity, at, effort);
        let ticks = distance.unwrap_or(0) / space.pause_cost().max(1);
        proposal.ready = Some(Tick(now.0.saturating_add(ticks as u32)));
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
            proposal.events.push(PlanEvent::NoProgress { unit });
            self.promote(record, unit, &mut proposal.events);
        }
    }

    /// Promotes a unit for some windows. Returns whether it was not promoted before.
    fn promote<A>(
        &self,
        record: &mut UnitRecord<A>,
        unit: UnitId,
        events: &mut Vec<PlanEvent>,
    ) -> bool {
        let (now, options, depth) = (self.now, self.options, record.depth);
        let Some(body) = &mut record.body else { return false };
        if !options.promotion || body.is_promoted(now) {
            return false;
        }
        body.promoted_until = Tick(now.0 + depth * options.promotion_windows);
        body.disturb();
        events.push(PlanEvent::Promoted { unit });
        true
    }

    fn search_by<A: Activity>(
        &self,
        record: &UnitRecord<A>,
        unit: UnitId,
        search: &mut SpaceTimeSearch,
        distances: &mut impl TrueDistances<S, A>,
        path: &mut TimedPath,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        let space = &self.spaces[record.space];
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
        let view = self.penalized_view(record, unit);
        let route = distances.route(unit, activity, at);
        let near = self.near_depth(record).filter(|_| route.is_some() && !self.options.complete);
        if body.is_undisturbed() {
            let is_free = match (until, route) {
                (Until::Depth(depth), Some(route)) => {
                    follow_route(space, &view, route, tick, depth, path)
                        || near.is_some_and(|near| path.lasts_until(Tick(tick.0 + near)))
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
        let until = near.map_or(until, Until::Depth);
        let mut distance = UnitDistance { distances, space, unit, activity, noise: Some(body) };
        let ended = search.run(space, &view, (at, tick), until, &mut distance, effort);
        search.path_into(space, tick, path);
        ended
    }

    /// The reservation table as the unit sees it, with penalties for other units' goals.
    fn penalized_view<A: Activity>(&self, record: &UnitRecord<A>, unit: UnitId) -> View<'_> {
        let is_promoted = record.body.as_ref().is_some_and(|body| body.is_promoted(self.now));
        let is_urgent = is_promoted || record.activity.role() == Role::Yielding;
        // A promoted unit has waited long enough: it pays no penalty.
        let pause_cost = if is_urgent { 0 } else { self.spaces[record.space].pause_cost() };
        let view = self.table.view(unit, record.claim_priority(unit, self.now, &self.options));
        let view = view.with_obstacles(self.obstacles);
        view.with_goal_penalty(unit, self.goals, pause_cost)
    }

    /// Extends the plan along the route without a search, if the route is free: a search would
    /// find the same plan. The unit keeps its claims. Writes what is to be added, and returns
    /// whether the plan can be extended.
    fn extend<A: Activity>(
        &self,
        record: &UnitRecord<A>,
        unit: UnitId,
        distances: &mut impl TrueDistances<S, A>,
        path: &mut TimedPath,
    ) -> bool {
        let (Some(body), space) = (&record.body, &self.spaces[record.space]) else { return false };
        let (at, tick, _) = body.free_at(self.now);
        let ahead = body.path.legs.iter().position(|leg| leg.tick >= tick);
        let route = distances.route(unit, &record.activity, at);
        let (Some(ahead), Some(route)) = (ahead, route) else { return false };
        let is_plain =
            record.activity.role() == Role::Going && body.is_undisturbed() && !body.needs_plan;
        if self.options.complete || !is_plain || !self.keeps_priority(record, unit) {
            return false;
        }
        let view = self.penalized_view(record, unit);
        path.end = body.path.end;
        let kept = (&body.path.legs[ahead..], body.path.end);
        let near = self.near_depth(record).unwrap_or(record.depth);
        let until = [near, record.depth].map(|ticks| Tick(tick.0 + ticks));
        extend_along_route(space, &view, kept, route, until, path)
    }

    /// How far ahead a unit on its route must have a path, in ticks, if that is less than it looks
    /// ahead. A unit of one cell and one tick per step follows its route as far as it is free, and
    /// searches only if that is not until it plans again: then it searches so far. What lies
    /// beyond changes until then. With 100,000 units on a tenth of the cells this saves two of
    /// three expansions.
    fn near_depth<A>(&self, record: &UnitRecord<A>) -> Option<u32> {
        let is_agile = self.spaces[record.space].ticks_to_clear() == 0;
        is_agile.then_some((record.depth / 2).max(1))
    }

    /// Whether the last claim of the unit's plan, and with it all that have not begun, has the
    /// priority that a new one would have.
    fn keeps_priority<A: Activity>(&self, record: &UnitRecord<A>, unit: UnitId) -> bool {
        let space = &self.spaces[record.space];
        let claim = Claim { unit, priority: record.claim_priority(unit, self.now, &self.options) };
        let end = record.body.as_ref().and_then(|body| body.path.end);
        space.ticks_to_clear() == 0
            && end.is_some_and(|(at, tick)| {
                space.standing(at, |entry| self.table.holder(entry, tick) == Some(claim))
            })
    }
}
