//! The reservation table (which unit holds what) and the goal index (which unit stays where).
//!
//! D. Silver, "Cooperative pathfinding" (2006), "Reservation table" and "Unit priorities".
//! The table is sparse and read far more often than written; [`Timetable`] describes its layout.
//! `cargo bench -p throng-bench --bench reservations` compares it with a hash alone and with a
//! slice of the whole map for each tick.
//!
//! A unit that crosses the goal of another pushes that unit off or delays its arrival. This is
//! legal but costs a penalty, so that units prefer a path around. CA* and HCA* use the same
//! penalty for units that have not planned yet: crossing such a goal costs what its owner loses.

use throng_model::{Tick, UnitId};
use throng_spacetime::{
    Entry, Leg, PackedClaim, Position, Space, TimedObstacles, TimedPath, Timetable,
};

/// The priority of a claim: a unit overrides claims of lower priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Priority(pub u16);

impl Priority {
    /// Bodies and actions in progress: never overridden.
    pub const FIXED: Self = Self(u16::MAX);
    /// Units that hold their position.
    pub const HOLDING: Self = Self(u16::MAX - 1);
}

/// The holder of an entry at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Claim {
    /// The unit.
    pub unit: UnitId,
    /// The priority of its claim.
    pub priority: Priority,
}

impl Claim {
    /// The absence of a claim.
    pub(crate) const NONE: Self = Self { unit: UnitId::from_bits(u32::MAX), priority: Priority(0) };
}

impl Default for Claim {
    fn default() -> Self {
        Self::NONE
    }
}

impl PackedClaim for Claim {
    fn pack(self) -> u64 {
        u64::from(self.unit.to_bits()) << 16 | u64::from(self.priority.0)
    }

    #[inline]
    fn unpack(bits: u64) -> Self {
        Self { unit: UnitId::from_bits((bits >> 16) as u32), priority: Priority(bits as u16) }
    }
}

/// The reservation table.
///
/// Claims may be made for any tick from [`now`](Self::advance) on. An entry has one holder at a
/// tick: a claim replaces the one before it. Callers check priorities, with a [`View`].
#[derive(Clone, Debug)]
pub struct Reservations {
    claims: Timetable<Claim>,
    /// For each entry, the tick from which a unit holds it forever; empty while no unit parks.
    parked: Vec<(u32, Claim)>,
    now: Tick,
    last: Tick,
}

impl Reservations {
    /// A table of this many entries, without a claim.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self { claims: Timetable::new(entries), parked: Vec::new(), now: Tick(0), last: Tick(0) }
    }

    /// Sets the current tick. Claims of earlier ticks must have been released.
    pub fn advance(&mut self, now: Tick) {
        self.now = now;
        self.last = self.last.max(now);
    }

    /// Makes room for more entries, without a claim.
    pub fn add_entries(&mut self, entries: usize) {
        self.claims.add_entries(entries);
    }

    #[inline]
    fn is_taken(&self, entry: Entry, tick: Tick) -> bool {
        self.claims.is_taken(entry, tick) && tick.0 - self.now.0.min(tick.0) < self.claims.ticks()
    }

    #[inline]
    fn is_unclaimed(&self, entry: Entry, tick: Tick) -> bool {
        let parked = self.parked.get(entry.get()).is_some_and(|&(from, _)| tick.0 >= from);
        !parked && !self.is_taken(entry, tick)
    }

    /// The first tick, not before the given one, at which the entry may be claimed.
    #[inline]
    fn next_claimed(&self, entry: Entry, tick: Tick) -> Option<Tick> {
        self.claims.next_taken(entry, tick.max(self.now), self.last)
    }

    /// Reads an entry, so that it is in the processor's cache. The value says nothing.
    #[inline]
    pub(crate) fn peek(&self, entry: Entry) -> u64 {
        self.claims.peek(entry)
    }

    /// The holder of an entry at a tick.
    #[must_use]
    #[inline]
    pub fn holder(&self, entry: Entry, tick: Tick) -> Option<Claim> {
        let claim = if self.is_taken(entry, tick) { self.claims.get(entry, tick) } else { None };
        claim.or_else(|| self.parked_at(entry, tick))
    }

    #[inline]
    fn parked_at(&self, entry: Entry, tick: Tick) -> Option<Claim> {
        let &(from, claim) = self.parked.get(entry.get())?;
        (tick.0 >= from).then_some(claim)
    }

    /// Claims an entry at a tick. Returns the claim that is replaced, if it is another unit's.
    pub fn claim(&mut self, entry: Entry, tick: Tick, claim: Claim) -> Option<Claim> {
        while tick.0.saturating_sub(self.now.0) >= self.claims.ticks() {
            self.claims.widen(self.now);
        }
        let before = self.claims.insert(entry, tick, claim);
        self.last = self.last.max(tick);
        before.or_else(|| self.parked_at(entry, tick)).filter(|holder| holder.unit != claim.unit)
    }

    /// Releases an entry at a tick, if the unit holds it.
    pub fn release(&mut self, entry: Entry, tick: Tick, unit: UnitId) {
        if self.is_taken(entry, tick)
            && self.claims.get(entry, tick).is_some_and(|claim| claim.unit == unit)
        {
            self.claims.remove(entry, tick);
        }
    }

    /// Claims an entry forever from a tick on.
    pub fn park(&mut self, entry: Entry, from: Tick, claim: Claim) {
        let entries = self.entries();
        self.parked.resize(entries, (u32::MAX, Claim::NONE));
        self.parked[entry.get()] = (from.0, claim);
        self.last = self.last.max(from);
    }

    /// Visits every entry and tick that a path holds from a tick on; some are visited twice.
    pub fn for_each_claim<S: Space>(
        space: &S,
        path: &TimedPath,
        from: Tick,
        mut visit: impl FnMut(Entry, Tick),
    ) {
        let start = path.legs.first().map(|leg| (leg.from, leg.tick)).or(path.end);
        if let Some((at, tick)) = start.filter(|&(_, tick)| tick >= from) {
            space.standing(at, |entry| {
                visit(entry, tick);
                true
            });
        }
        for leg in &path.legs {
            space.footprint(leg.from, leg.action, |entry, later| {
                let tick = Tick(leg.tick.0 + later);
                if tick >= from {
                    visit(entry, tick);
                }
                true
            });
        }
    }

    /// Claims what a path holds from a tick on. Adds the units whose claims are replaced to
    /// `overridden`.
    pub fn claim_path<S: Space>(
        &mut self,
        space: &S,
        path: &TimedPath,
        from: Tick,
        claim: Claim,
        overridden: &mut Vec<UnitId>,
    ) {
        Self::for_each_claim(space, path, from, |entry, tick| {
            let before = self.claim(entry, tick, claim);
            overridden.extend(before.map(|holder| holder.unit));
        });
        for leg in &path.legs {
            self.add_passing_units(space, leg, claim.unit, overridden);
        }
    }

    /// Adds all units that would pass through a unit with this action. There can be two: one at
    /// each of two corners of a large body.
    pub(crate) fn add_passing_units<S: Space>(
        &self,
        space: &S,
        leg: &Leg,
        unit: UnitId,
        passing: &mut Vec<UnitId>,
    ) {
        space.passings(leg.from, leg.action, |before, after| {
            if let Some(first) = self.holder(before, leg.tick).filter(|first| first.unit != unit) {
                let second = self.holder(after, Tick(leg.tick.0 + 1));
                passing.extend(second.map(|s| s.unit).filter(|&second| second == first.unit));
            }
            true
        });
    }

    /// Claims what an action holds from a tick on.
    pub(crate) fn claim_action<S: Space>(&mut self, space: &S, leg: Leg, from: Tick, claim: Claim) {
        space.footprint(leg.from, leg.action, |entry, later| {
            let tick = Tick(leg.tick.0 + later);
            if tick >= from {
                self.claim(entry, tick, claim);
            }
            true
        });
    }

    /// Claims the entries of a unit that stands at a position at a tick.
    pub(crate) fn claim_standing<S: Space>(
        &mut self,
        space: &S,
        at: Position,
        tick: Tick,
        claim: Claim,
    ) {
        space.standing(at, |entry| {
            self.claim(entry, tick, claim);
            true
        });
    }

    /// Releases what a path holds from a tick on.
    pub fn release_path<S: Space>(
        &mut self,
        space: &S,
        path: &TimedPath,
        from: Tick,
        unit: UnitId,
    ) {
        Self::for_each_claim(space, path, from, |entry, tick| self.release(entry, tick, unit));
    }

    /// The last tick that was ever claimed, or now.
    pub(crate) fn last(&self) -> Tick {
        self.last
    }

    /// The number of entries per tick.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.claims.entries()
    }

    /// The number of claims, without those of parked units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Whether there is no claim at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claims.len() == 0
    }

    /// All claims, sorted by entry and tick: for tests and pictures.
    #[must_use]
    pub fn sorted_claims(&self) -> Vec<(Entry, Tick, Claim)> {
        let mut all: Vec<_> = self.claims.iter(self.now).collect();
        all.sort_unstable_by_key(|&(entry, tick, _)| (entry, tick));
        all
    }

    /// The table as a unit of a priority sees it: without its own claims and those of lower
    /// priority.
    #[must_use]
    pub fn view(&self, unit: UnitId, priority: Priority) -> View<'_> {
        View {
            table: self,
            unit,
            priority,
            sees_all_claims: false,
            obstacles: &[],
            goals: None,
            pause_cost: 0,
        }
    }

    /// The table as a unit without claims sees it that overrides none. It is faster than
    /// [`view`](Self::view), because the holders of entries do not matter.
    #[must_use]
    pub fn view_of_all_claims(&self) -> View<'_> {
        let view = self.view(Claim::NONE.unit, Priority(0));
        View { sees_all_claims: true, ..view }
    }
}

/// The reservation table as one unit sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    table: &'a Reservations,
    unit: UnitId,
    priority: Priority,
    sees_all_claims: bool,
    /// Entries that are never free, as bits; empty if there is none.
    obstacles: &'a [u64],
    /// Goals of other units that cost a penalty to cross.
    goals: Option<&'a GoalIndex>,
    /// The cost of one tick of penalty.
    pause_cost: u64,
}

impl<'a> View<'a> {
    /// The same view with penalties for crossing other units' goals: `pause_cost` per tick of
    /// penalty.
    pub(crate) fn with_goal_penalty(
        self,
        unit: UnitId,
        goals: &'a GoalIndex,
        pause_cost: u64,
    ) -> Self {
        Self { unit, goals: Some(goals), pause_cost, ..self }
    }

    /// The same view in which these entries, given as bits, are never free.
    pub(crate) fn with_obstacles(self, obstacles: &'a [u64]) -> Self {
        Self { obstacles, ..self }
    }

    #[inline]
    fn is_obstacle(&self, entry: Entry) -> bool {
        let word = self.obstacles.get(entry.get() / 64);
        word.is_some_and(|word| word >> (entry.get() % 64) & 1 != 0)
    }

    #[inline]
    fn counts(&self, claim: Claim) -> bool {
        claim.unit != self.unit && claim.priority >= self.priority
    }

    /// The tick from which a unit stays there forever.
    #[inline]
    fn parked_from(&self, entry: Entry) -> Option<Tick> {
        let &(from, claim) = self.table.parked.get(entry.get())?;
        (from != u32::MAX && self.counts(claim)).then_some(Tick(from))
    }
}

impl TimedObstacles for View<'_> {
    #[inline]
    fn is_free(&self, entry: Entry, tick: Tick) -> bool {
        if !self.obstacles.is_empty() && self.is_obstacle(entry) {
            return false;
        }
        // Nearly always the entry is free, and one bit says so.
        if self.table.is_unclaimed(entry, tick) {
            return true;
        }
        let certain = self.sees_all_claims && self.table.claims.has_bits();
        !certain && !self.table.holder(entry, tick).is_some_and(|claim| self.counts(claim))
    }

    #[inline]
    fn may_pass(&self, before: Entry, after: Entry, tick: Tick) -> bool {
        let next = Tick(tick.0 + 1);
        if self.table.is_unclaimed(before, tick) || self.table.is_unclaimed(after, next) {
            return true;
        }
        let Some(first) = self.table.holder(before, tick) else { return true };
        // The priority of the other unit's step is that of the claim where the step ends.
        let second = self.table.holder(after, next);
        !second.is_some_and(|second| second.unit == first.unit && self.counts(second))
    }

    #[inline]
    fn penalty(&self, entry: Entry, tick: Tick) -> u64 {
        let ticks = self.goals.map_or(0, |goals| goals.penalty_ticks(self.unit, entry, tick));
        u64::from(ticks) * self.pause_cost
    }

    fn free_from(&self, entry: Entry) -> Option<Tick> {
        if self.parked_from(entry).is_some() || self.is_obstacle(entry) {
            return None;
        }
        if self.table.claims.is_never_taken(entry) {
            return Some(Tick(0));
        }
        let ticks = (self.table.now.0..=self.table.last.0).rev();
        let last = ticks.map(Tick).find(|&tick| !self.is_free(entry, tick));
        Some(last.map_or(Tick(0), |tick| Tick(tick.0 + 1)))
    }

    fn last_tick(&self) -> Tick {
        self.table.last
    }

    #[inline]
    fn next_taken(&self, entry: Entry, mut tick: Tick) -> Option<Tick> {
        let parked = self.parked_from(entry);
        if self.is_obstacle(entry) {
            return Some(tick);
        }
        loop {
            let claimed = self.table.next_claimed(entry, tick);
            let parked = parked.map(|from| from.max(tick));
            let taken = claimed.into_iter().chain(parked).min()?;
            if !self.is_free(entry, taken) {
                return Some(taken);
            }
            tick = Tick(taken.0 + 1);
        }
    }

    #[inline]
    fn next_free(&self, entry: Entry, mut tick: Tick) -> Option<Tick> {
        if self.is_obstacle(entry) {
            return None;
        }
        while !self.is_free(entry, tick) {
            let for_ever = self.parked_from(entry).is_some_and(|from| from <= tick);
            if for_ever && self.table.next_claimed(entry, tick).is_none() {
                return None;
            }
            tick.0 += 1;
        }
        Some(tick)
    }
}

/// For each entry of the reservation table, the unit whose goal covers it.
#[derive(Clone, Debug, Default)]
pub struct GoalIndex {
    /// Empty while no unit has a goal. [`Claim::NONE`]'s unit where no goal is.
    owner: Vec<UnitId>,
    /// For each unit, the first tick at which it is or could be on its goal.
    ready: Vec<Tick>,
    /// The highest penalty, in ticks.
    penalty_max: u32,
}

impl GoalIndex {
    pub(crate) fn new(penalty_max: u32) -> Self {
        Self { penalty_max, ..Self::default() }
    }

    /// Registers a unit's goal. Entries that another unit owns stay that unit's.
    pub(crate) fn set<S: Space>(&mut self, space: &S, unit: UnitId, at: Position, ready: Tick) {
        self.owner.resize(space.entries().max(self.owner.len()), Claim::NONE.unit);
        if self.ready.len() <= unit.index() {
            self.ready.resize(unit.index() + 1, Tick(0));
        }
        self.ready[unit.index()] = ready;
        self.replace_owner(space, at, Claim::NONE.unit, unit);
    }

    pub(crate) fn clear<S: Space>(&mut self, space: &S, unit: UnitId, at: Position) {
        self.replace_owner(space, at, unit, Claim::NONE.unit);
    }

    fn replace_owner<S: Space>(&mut self, space: &S, at: Position, from: UnitId, to: UnitId) {
        let owner = &mut self.owner;
        space.standing(at, |entry| {
            if let Some(owner) = owner.get_mut(entry.get()).filter(|owner| **owner == from) {
                *owner = to;
            }
            true
        });
    }

    /// The unit whose goal covers an entry.
    #[inline]
    #[must_use]
    pub fn owner(&self, entry: Entry) -> Option<UnitId> {
        self.owner.get(entry.get()).copied().filter(|&owner| owner != Claim::NONE.unit)
    }

    /// Sets the first tick at which the unit is or could be on its goal.
    pub(crate) fn set_ready(&mut self, unit: UnitId, ready: Tick) {
        if let Some(known) = self.ready.get_mut(unit.index()) {
            *known = ready;
        }
    }

    pub(crate) fn ready(&self, unit: UnitId) -> Tick {
        self.ready.get(unit.index()).copied().unwrap_or_default()
    }

    /// A unit will be on the entry at a tick: its owner can park only after that.
    pub(crate) fn delay_owner(&mut self, entry: Entry, tick: Tick) {
        let owner = self.owner(entry).map(UnitId::index);
        if let Some(ready) = owner.and_then(|owner| self.ready.get_mut(owner)) {
            *ready = Tick(ready.0.max(tick.0 + 1));
        }
    }

    #[inline]
    fn penalty_ticks(&self, unit: UnitId, entry: Entry, tick: Tick) -> u32 {
        let Some(owner) = self.owner(entry).filter(|&owner| owner != unit) else { return 0 };
        let ready = self.ready[owner.index()];
        (tick.0 + 1).saturating_sub(ready.0).min(self.penalty_max)
    }
}
