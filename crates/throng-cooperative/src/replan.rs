//! Who plans in a tick, and how a unit comes to its next plan.

use throng_model::{Effort, SearchStatus, Tick};
use throng_spacetime::{Space, SpaceTimeSearch, TimedObstacles, TimedPath, Until};

use crate::crew::{Crew, CrewEvent, Guide};
use crate::member::{Member, Stance};
use crate::posts::Polite;
use crate::straight::{straight_on, walk_on};
use crate::{Claim, Priority};

/// A unit plans at most so often in one tick, however often its plan is taken from it.
const PLANS_A_TICK: u8 = 3;
/// A unit that was driven from where it had arrived is promoted at most so often to get back:
/// two that cannot both be there must not fight for ever.
const RETURNS_MAX: u8 = 6;

impl Crew {
    /// Plans for all units whose turn it is, or whose plan was taken from them, within about
    /// so many expansions. Those left over come first in the next tick.
    pub fn plan_due<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, expansions: u64) {
        self.events.clear();
        let mut queue = self.due_units();
        let mut planned = vec![0_u8; self.members.len()];
        let spent = |crew: &Self, guide: &dyn Guide<S>| crew.search.expanded() + guide.expanded();
        let before = spent(self, guide);
        let mut at = 0;
        while at < queue.len() && spent(self, guide) - before < expansions {
            let unit = queue[at];
            at += 1;
            if planned[unit as usize] < PLANS_A_TICK {
                planned[unit as usize] += 1;
                self.replan(spaces, guide, unit);
                queue.append(&mut self.scratch);
            }
        }
        self.waiting.clear();
        self.waiting.extend_from_slice(&queue[at.min(queue.len())..]);
    }

    /// Plans for one unit at once, and for those whose plans that takes.
    pub fn plan_unit<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, unit: u32) {
        self.replan(spaces, guide, unit);
    }

    /// First those left over from the last tick, then those whose plan was taken from them,
    /// then those whose turn it is; among these the promoted first, then by level, then from
    /// a unit on that moves on with time.
    fn due_units(&mut self) -> Vec<u32> {
        let now = self.now;
        let count = self.members.len().max(1) as u32;
        let rank = |unit: u32, crew: &Self| {
            let member = crew.member(unit)?;
            let due = member.flagged || member.due <= now || member.is_out_of_plan();
            let turn = (unit + now.0) % count;
            due.then_some((
                std::cmp::Reverse(member.priority(unit, now).0 >> 1),
                !member.flagged,
                turn,
            ))
        };
        let mut left_over = std::mem::take(&mut self.waiting);
        left_over.retain(|&unit| self.member(unit).is_some());
        let mut taken = vec![false; self.members.len()];
        left_over.retain(|&unit| !std::mem::replace(&mut taken[unit as usize], true));
        let fresh = (0..self.members.len() as u32).filter(|&unit| !taken[unit as usize]);
        let mut ranked: Vec<_> = fresh.filter_map(|unit| Some((rank(unit, self)?, unit))).collect();
        ranked.sort_unstable();
        left_over.extend(ranked.into_iter().map(|(_, unit)| unit));
        left_over
    }

    /// Plans for one unit. Those whose claims it takes are left in `scratch`.
    fn replan<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, unit: u32) {
        let now = self.now;
        let Some(member) = self.member(unit) else { return };
        let space = &spaces[member.space];
        let (at, start, _) = member.free_at(now);
        let holding = member.stance == Stance::Holding;
        guide.begin(space, unit, at, member.depth);
        self.impatient(guide, space, unit, at);
        if self.go_on(spaces, guide, unit) {
            return self.schedule(unit, start, SearchStatus::Found);
        }
        self.strip(space, unit);
        let mut path = TimedPath::default();
        let mut ended = self.search_for(space, guide, unit, &mut path);
        if ended == SearchStatus::Exhausted && !holding {
            self.events.push(CrewEvent::NoPath { unit });
            if self.promote(unit) {
                ended = self.search_for(space, guide, unit, &mut path);
            }
        }
        self.adopt(spaces, unit, &path);
        if path.legs.is_empty() {
            self.hold_place(spaces, unit);
            if !self.scratch.is_empty() {
                // When those have made room it may find a way after all.
                self.scratch.push(unit);
            }
        }
        self.schedule(unit, start, ended);
        let next = self.member(unit).and_then(|member| member.position_at(member.due));
        next.into_iter().for_each(|at| guide.end(space, unit, at));
    }

    /// Decides when the unit plans again that was planned for from a tick on.
    fn schedule(&mut self, unit: u32, start: Tick, ended: SearchStatus) {
        let now = self.now;
        let Some(member) = self.members[unit as usize].as_mut() else { return };
        member.flagged = false;
        let half = (member.depth / 2).max(1);
        let last = member.path.end.map_or(now, |(_, tick)| tick);
        // The stagger is by unit: every tick has its share of them, and whoever planned out of
        // turn comes back to its own.
        let from = start.0.max(now.0);
        let late = (from + half - unit % half) % half;
        let late = if self.options.interleaved { late } else { 0 };
        let next = Tick(from + half - late);
        member.due = match ended {
            SearchStatus::Found if self.options.complete => last.max(next),
            SearchStatus::Found => next,
            _ => next.min(last),
        };
    }

    /// A unit that does not get nearer to its destination loses its patience, also when it
    /// had arrived and was driven away.
    fn impatient<S: Space>(
        &mut self,
        guide: &mut impl Guide<S>,
        space: &S,
        unit: u32,
        at: throng_spacetime::Position,
    ) {
        let (now, options) = (self.now, self.options);
        let Some(member) = self.member_mut(unit) else { return };
        let resting = member.stance == Stance::Resting;
        if member.stance != Stance::Going {
            member.calm_down(now);
        }
        if member.stance == Stance::Holding || (resting && member.post.is_none()) {
            return;
        }
        let distance = guide.distance(space, unit, at);
        let ticks = distance.unwrap_or(0) / space.pause_cost().max(1);
        self.posts.set_ready(unit, Tick(now.0.saturating_add(ticks as u32)));
        let Some(member) = self.member_mut(unit) else { return };
        if distance.is_none_or(|distance| distance < member.best || distance == 0) {
            member.best = distance.unwrap_or(u64::MAX);
            member.best_since = now;
            return;
        }
        let patience = member.depth * options.patience_windows;
        let tired = resting && member.returns >= RETURNS_MAX;
        if now.0 - member.best_since.0 >= patience && !member.is_promoted(now) && !tired {
            member.best_since = now;
            member.returns += u8::from(resting);
            self.promote(unit);
        }
    }

    /// Promotes a unit for a while; whether that is new.
    fn promote(&mut self, unit: u32) -> bool {
        let (now, options) = (self.now, self.options);
        let Some(member) = self.member_mut(unit) else { return false };
        if !options.promotion || member.is_promoted(now) {
            return false;
        }
        member.promoted_until = Tick(now.0 + member.depth * options.promotion_windows);
        member.agitate();
        self.events.push(CrewEvent::Promoted { unit });
        true
    }

    /// Takes from a unit all that it has not begun.
    pub(crate) fn strip<S: Space>(&mut self, space: &S, unit: u32) {
        let now = self.now;
        let Some(member) = self.members.get_mut(unit as usize).and_then(Option::as_mut) else {
            return;
        };
        let (_, free_at, _) = member.free_at(now);
        self.table.release_path(space, &member.path, free_at, unit);
        member.strip(now);
        self.fix(space, unit);
    }

    /// Puts beyond dispute where a unit is, and what it has begun.
    fn fix<S: Space>(&mut self, space: &S, unit: u32) {
        let Some(member) = self.member(unit) else { return };
        let (at, _, begun) = member.free_at(self.now);
        let claim = Claim { unit, priority: Priority::FIXED };
        match begun {
            Some(leg) => self.table.claim_action(space, leg, Tick(self.now.0 + 1), claim),
            None => self.table.claim_standing(space, at, self.now, claim),
        }
    }

    fn search_for<S: Space>(
        &mut self,
        space: &S,
        guide: &mut impl Guide<S>,
        unit: u32,
        path: &mut TimedPath,
    ) -> SearchStatus {
        let mut search = std::mem::take(&mut self.search);
        let ended = self.search_by(&mut search, space, guide, unit, path);
        self.search = search;
        ended
    }

    fn search_by<S: Space>(
        &self,
        search: &mut SpaceTimeSearch,
        space: &S,
        guide: &mut impl Guide<S>,
        unit: u32,
        path: &mut TimedPath,
    ) -> SearchStatus {
        let Some(member) = self.member(unit) else { return SearchStatus::Exhausted };
        let (at, tick, _) = member.free_at(self.now);
        if member.stance == Stance::Holding {
            *path = crate::settle::pauses(at, tick, member.depth);
            return SearchStatus::Found;
        }
        let until = match member.post.filter(|_| self.options.complete) {
            Some(post) => Until::Goal(post),
            None => Until::Depth(member.depth),
        };
        let polite = self.polite(space, unit, member);
        if member.is_calm() {
            let straight = match (until, guide.route(unit, at)) {
                (Until::Depth(depth), Some(route)) => {
                    straight_on(space, &polite, route, tick, depth, path)
                }
                _ => {
                    let distance = &mut |position| guide.distance(space, unit, position);
                    search.descend(space, &polite, (at, tick), until, distance, path)
                }
            };
            if straight {
                return SearchStatus::Found;
            }
        }
        let distance = &mut |position| {
            let distance = guide.distance(space, unit, position)?;
            Some(member.agitated(unit, position, distance, space.pause_cost()))
        };
        let ended =
            search.run(space, &polite, (at, tick), until, distance, &mut Effort::unlimited());
        search.path_into(space, tick, path);
        ended
    }

    /// What the unit may not pass, and where it would rather not walk.
    fn polite<S: Space>(&self, space: &S, unit: u32, member: &Member) -> Polite<'_> {
        let urgent = member.is_promoted(self.now) || member.stance == Stance::MakingWay;
        Polite {
            view: self.table.view(unit, self.weight(unit)),
            posts: &self.posts,
            unit,
            // Whoever was promoted has been polite for long enough.
            pause_cost: if urgent { 0 } else { space.pause_cost() },
        }
    }

    /// A unit that walks along its route, and can walk on, keeps its claims and adds to them:
    /// that is the plan which it would find anew. Whether it does.
    fn go_on<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, unit: u32) -> bool {
        let Some(member) = self.member(unit) else { return false };
        let space = &spaces[member.space];
        let (at, tick, _) = member.free_at(self.now);
        let ahead = member.path.legs.iter().position(|leg| leg.tick >= tick);
        let (Some(ahead), Some(route)) = (ahead, guide.route(unit, at)) else { return false };
        let plain = member.stance == Stance::Going && member.is_calm() && !member.flagged;
        if self.options.complete || !plain || !self.claims_as_ever(space, unit) {
            return false;
        }
        let polite = self.polite(space, unit, member);
        let mut path = TimedPath { legs: Vec::new(), end: member.path.end };
        let kept = (&member.path.legs[ahead..], member.path.end);
        let until = Tick(tick.0 + member.depth);
        if !walk_on(space, &polite, kept, route, until, &mut path) {
            return false;
        }
        let Some(member) = self.member_mut(unit) else { return false };
        member.path.legs.drain(..member.leg);
        member.leg = 0;
        self.adopt(spaces, unit, &path);
        true
    }

    /// Whether the last claim of the unit's plan, and with it all that are not begun, weighs
    /// what a new one would.
    fn claims_as_ever<S: Space>(&self, space: &S, unit: u32) -> bool {
        let claim = Claim { unit, priority: self.weight(unit) };
        let end = self.member(unit).and_then(|member| member.path.end);
        space.ticks_to_clear() == 0
            && end.is_some_and(|(at, tick)| {
                space.standing(at, |entry| self.table.holder(entry, tick) == Some(claim))
            })
    }

    /// With how much weight a unit claims.
    pub(crate) fn weight(&self, unit: u32) -> Priority {
        let priority =
            self.member(unit).map_or(Priority(0), |member| member.priority(unit, self.now));
        if self.options.resting_yield { priority } else { Priority(priority.0 | 1) }
    }

    /// Makes a path the unit's own, from where it is free on, and claims it.
    pub(crate) fn adopt<S: Space>(&mut self, spaces: &[S], unit: u32, path: &TimedPath) {
        let claim = Claim { unit, priority: self.weight(unit) };
        self.adopt_as(spaces, unit, path, claim);
    }

    pub(crate) fn adopt_as<S: Space>(
        &mut self,
        spaces: &[S],
        unit: u32,
        path: &TimedPath,
        claim: Claim,
    ) {
        let Some(member) = self.members[unit as usize].as_mut() else { return };
        let Some(first) = path.legs.first() else { return };
        let space = &spaces[member.space];
        member.path.legs.extend_from_slice(&path.legs);
        member.path.end = path.end;
        let mut overridden = Vec::new();
        self.table.claim_path(space, path, first.tick, claim, &mut overridden);
        self.fix(space, unit);
        overridden.sort_unstable();
        overridden.dedup();
        for other in overridden {
            self.override_plan(spaces, other, unit);
        }
    }

    fn override_plan<S: Space>(&mut self, spaces: &[S], unit: u32, by: u32) {
        let Some(member) = self.member(unit) else { return };
        let space = &spaces[member.space];
        self.strip(space, unit);
        if let Some(member) = self.member_mut(unit) {
            member.flagged = true;
            if member.stance == Stance::Resting && member.post.is_some() {
                member.agitate();
            }
        }
        self.events.push(CrewEvent::Overridden { unit, by });
        self.scratch.push(unit);
        self.hold_place(spaces, unit);
    }

    /// A unit without a plan that takes its time to get away claims its place for so long.
    pub(crate) fn hold_place<S: Space>(&mut self, spaces: &[S], unit: u32) {
        let Some(member) = self.member(unit) else { return };
        let ticks = spaces[member.space].ticks_to_clear();
        let (at, tick, _) = member.free_at(self.now);
        if ticks > 0 && member.path.end == Some((at, tick)) && self.may_hold(spaces, unit, ticks) {
            let claim = Claim { unit, priority: Priority::FIXED };
            self.adopt_as(spaces, unit, &crate::settle::pauses(at, tick, ticks), claim);
        }
    }

    /// Whether nobody else's claim on the unit's place is beyond dispute: two of that kind
    /// would drive each other away without end.
    fn may_hold<S: Space>(&self, spaces: &[S], unit: u32, ticks: u32) -> bool {
        let Some(member) = self.member(unit) else { return false };
        let (at, from, _) = member.free_at(self.now);
        let view = self.table.view(unit, Priority::FIXED);
        spaces[member.space].standing(at, |entry| {
            (1..=ticks).all(|later| view.is_free(entry, Tick(from.0 + later)))
        })
    }
}
