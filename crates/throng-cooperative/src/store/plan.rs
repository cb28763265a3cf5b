//! Which units plan in a tick, and how a plan becomes the unit's own.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*"; (2006),
//! "Unit priorities" and "Interleaving searches". How a unit finds its plan: see `propose.rs`.

use throng_model::{Budget, Effort, SearchStatus, Tick, UnitId};
use throng_spacetime::{Position, Space, TimedObstacles, TimedPath};

use super::propose::{Proposal, Sight};
use super::record::{Activity, Role, UnitRecord};
use super::{PlanEvent, Slot, TrueDistances, UnitStore, resolve};
use crate::{Claim, Priority};

/// A unit plans at most this often per tick, even if its plan is overridden again.
const PLANS_PER_TICK: u8 = 3;
/// Units that plan before the interrupt is asked again.
const UNITS_PER_POLL: usize = 16;

impl<A: Activity> UnitStore<A> {
    /// Plans for all units that are due or lost their plan, until about as many nodes are
    /// expanded as the budget says: a search that has begun is ended. Units left over come first
    /// in the next tick. The effort stops any search at once; the plans of that tick must not be
    /// used.
    pub fn plan_due<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        budget: Budget<'_>,
        effort: &mut Effort<'_>,
    ) {
        let queue = self.begin_planning();
        self.plan_one_by_one(spaces, distances, queue, budget, effort);
    }

    /// Forgets the events of the last tick. Returns the units that are due, in order.
    pub(super) fn begin_planning(&mut self) -> Vec<UnitId> {
        self.events.clear();
        self.due_units()
    }

    /// Plans for units one after the other; those that lose their plan come last.
    pub(super) fn plan_one_by_one<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        mut queue: Vec<UnitId>,
        budget: Budget<'_>,
        effort: &mut Effort<'_>,
    ) {
        let mut planned = vec![0_u8; self.slots.len()];
        let spent = |store: &Self, distances: &dyn TrueDistances<S, A>| {
            store.expanded() + distances.expanded()
        };
        let most = budget.expansions.unwrap_or(u64::MAX);
        let before = spent(self, distances);
        let mut at = 0;
        while at < queue.len()
            && spent(self, distances) - before < most
            && !(at % UNITS_PER_POLL == 0 && budget.is_interrupted())
        {
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
        let mut search = std::mem::take(&mut self.search);
        let (sight, slots) = self.sight(spaces);
        let slot = slots.get_mut(unit.index()).filter(|slot| slot.id == unit);
        let record = slot.and_then(|slot| slot.record.as_mut());
        let proposal =
            record.and_then(|record| sight.propose(record, unit, &mut search, distances, effort));
        self.search = search;
        if let Some(proposal) = proposal {
            self.note(unit, &proposal);
            self.accept(spaces, unit, &proposal);
        }
    }

    /// What units that plan see, and the units.
    pub(super) fn sight<'a, S>(&'a mut self, spaces: &'a [S]) -> (Sight<'a, S>, &'a mut [Slot<A>]) {
        let (table, goals, obstacles) = (&self.table, &self.goals, &self.obstacles[..]);
        let (options, now) = (self.options, self.now);
        let sight = Sight { spaces, table, goals, obstacles, options, now };
        (sight, &mut self.slots)
    }

    /// Takes over what a proposal says besides the plan itself.
    pub(super) fn note(&mut self, unit: UnitId, proposal: &Proposal) {
        proposal.ready.into_iter().for_each(|ready| self.goals.set_ready(unit, ready));
        self.events.extend_from_slice(&proposal.events);
    }

    /// Makes a proposal the unit's plan.
    pub(super) fn accept<S: Space>(&mut self, spaces: &[S], unit: UnitId, proposal: &Proposal) {
        let Some(record) = self.get_mut(unit) else { return };
        let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
        let path = &proposal.path;
        if proposal.is_extension {
            body.path.legs.drain(..body.leg);
            body.leg = 0;
        } else {
            self.drop_plan(space, unit);
        }
        self.commit(spaces, unit, path);
        if path.legs.is_empty() && !proposal.is_extension {
            self.reserve_standing(spaces, unit);
            if !self.overridden.is_empty() {
                // It may find a path when those have made room.
                self.overridden.push(unit);
            }
        }
        self.schedule(unit, proposal.start, proposal.ended);
    }

    /// Whether the unit is on the map and plans for itself.
    pub(super) fn plans(&self, unit: UnitId) -> bool {
        self.get(unit).is_some_and(|record| record.body.is_some() && record.activity.plans())
    }

    /// Decides when a unit plans again whose plan begins at a tick.
    fn schedule(&mut self, unit: UnitId, start: Tick, ended: SearchStatus) {
        let (now, options) = (self.now, self.options);
        let Some(record) = self.get_mut(unit) else { return };
        let last = record.body.as_ref().and_then(|body| body.path.end);
        let last = last.map_or(now, |(_, tick)| tick);
        let due = record.due_after(unit, (start.max(now), last), ended, &options);
        let Some(body) = &mut record.body else { return };
        body.needs_plan = false;
        body.due = due;
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

    /// The priority of a unit's claims.
    pub(super) fn priority(&self, unit: UnitId) -> Priority {
        self.get(unit)
            .map_or(Priority(0), |record| record.claim_priority(unit, self.now, &self.options))
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
        let is_pushed_off = self.options.promotion
            && record.activity.role() == Role::Resting
            && record.own_goal().is_some();
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
