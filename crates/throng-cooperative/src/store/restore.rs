//! A store as plain data, to be saved and restored.
//!
//! The records are stored as they are. The reservation table and the goal index are derived from
//! them; only claims with an exceptional priority are listed. So a snapshot is small, and a
//! snapshot in which two plans claim one place is refused.

use throng_model::{Tick, UnitId, limits};
use throng_spacetime::{Action, Entry, Leg, Position, Space};

use super::record::{Activity, Body, DISTURBANCES_MAX, Location, UnitRecord};
use super::{Slot, UnitStore, claim_place};
use crate::{Claim, PlanningOptions, Priority, Reservations};

/// The largest reservation table that is allocated for a snapshot, in bytes.
const TABLE_BYTES_MAX: u64 = 1 << 30;
/// The last tick that is restored: later ones would soon overflow.
const NOW_MAX: u32 = u32::MAX - 4 * limits::HORIZON_MAX;

/// One slot of a store: the id of its owner or, without one, of its next owner; the owner's record;
/// and the first tick at which the owner is or could be on its goal.
pub type SlotSnapshot<A> = (UnitId, Option<UnitRecord<A>>, Tick);

/// The state of a store between two ticks: everything that affects its future.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoreSnapshot<A> {
    now: Tick,
    /// The last tick that was ever claimed.
    last: Tick,
    slots: Vec<SlotSnapshot<A>>,
    /// Units that were due when the budget ended, the longest waiting first.
    waiting: Vec<UnitId>,
    /// Units that lost their plan since the last tick.
    overridden: Vec<UnitId>,
    /// Claims of a plan whose priority is not the one that the plan has as a whole.
    priorities: Vec<(Entry, Tick, Priority)>,
}

/// Why a snapshot cannot be restored: no store can have this state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The ticks do not agree.
    #[error("it is tick {now}, and the last claim is for tick {last}")]
    Time {
        /// The tick that it is.
        now: Tick,
        /// The last tick claimed.
        last: Tick,
    },
    /// A unit that is listed somewhere does not exist.
    #[error("{0} is listed and does not exist")]
    NoSuchUnit(UnitId),
    /// A slot whose id is not that of the slot.
    #[error("{0} is in another slot")]
    Slot(UnitId),
    /// No such space.
    #[error("{unit} is in space {space}, which does not exist")]
    NoSuchSpace {
        /// The unit.
        unit: UnitId,
        /// The space.
        space: usize,
    },
    /// A position that does not exist.
    #[error("{unit} refers to position {}, which does not exist", .at.0)]
    NoSuchPosition {
        /// The unit.
        unit: UnitId,
        /// The position.
        at: Position,
    },
    /// A path with gaps, or one that does not lead through the present.
    #[error("the path of {unit} breaks off at tick {tick}")]
    Broken {
        /// The unit.
        unit: UnitId,
        /// When.
        tick: Tick,
    },
    /// A move that is not legal.
    #[error("{unit} plans a move at tick {tick} that is not legal")]
    Illegal {
        /// The unit.
        unit: UnitId,
        /// When.
        tick: Tick,
    },
    /// A value that is out of range.
    #[error("{unit} has {what} that is out of range")]
    Impossible {
        /// The unit.
        unit: UnitId,
        /// What is wrong.
        what: &'static str,
    },
    /// Two units claim one place at one tick, or pass through each other.
    #[error("{unit} and {other} collide at tick {tick}")]
    Conflict {
        /// One unit.
        unit: UnitId,
        /// The other.
        other: UnitId,
        /// When.
        tick: Tick,
    },
    /// Plans reach too far ahead for the memory there is.
    #[error("{ticks} ticks of plans ahead are too many for {entries} entries")]
    TooFarAhead {
        /// How far plans reach.
        ticks: u32,
        /// Entries of the reservation table.
        entries: usize,
    },
    /// A priority is listed for an entry that no plan claims then.
    #[error("entry {} is listed for tick {tick}, and no plan claims it then", .entry.0)]
    Entry {
        /// The entry.
        entry: Entry,
        /// When.
        tick: Tick,
    },
}

impl<A: Activity + Clone> UnitStore<A> {
    /// The store as plain data. It must be taken between two ticks.
    #[must_use]
    pub fn snapshot<S: Space>(&self, spaces: &[S]) -> StoreSnapshot<A> {
        let slot = |slot: &Slot<A>| {
            let has_goal = slot.record.as_ref().is_some_and(|record| record.own_goal().is_some());
            let ready = if has_goal { self.goals.ready(slot.id) } else { Tick(0) };
            (slot.id, slot.record.as_ref().map(|record| record.trimmed(self.now)), ready)
        };
        let mut snapshot = StoreSnapshot {
            now: self.now,
            last: self.table.last(),
            slots: self.slots.iter().map(slot).collect(),
            waiting: self.present(&self.waiting),
            overridden: self.present(&self.overridden),
            priorities: Vec::new(),
        };
        let mut derived = Reservations::new(self.table.entries());
        derived.advance(self.now);
        // The plans of a living store do not collide.
        let _ = snapshot.claim_all(spaces, &mut derived);
        let held = self.table.sorted_claims().into_iter().filter(|claim| claim.1 >= self.now);
        let differs = |&(entry, tick, claim): &(Entry, Tick, Claim)| {
            derived.holder(entry, tick).is_some_and(|known| known.priority != claim.priority)
        };
        let listed = held.filter(differs).map(|(entry, tick, claim)| (entry, tick, claim.priority));
        snapshot.priorities = listed.collect();
        snapshot
    }

    /// The listed units that were not removed since.
    fn present(&self, units: &[UnitId]) -> Vec<UnitId> {
        units.iter().copied().filter(|&unit| self.get(unit).is_some()).collect()
    }

    /// Restores a store over spaces of this many entries.
    ///
    /// # Errors
    /// When no store can have the snapshot.
    pub fn restore<S: Space>(
        spaces: &[S],
        entries: usize,
        options: PlanningOptions,
        mut snapshot: StoreSnapshot<A>,
    ) -> Result<Self, StoreError> {
        snapshot.locate_all();
        snapshot.check(spaces, entries)?;
        let mut store = Self::new(entries, options);
        store.now = snapshot.now;
        store.table.advance(snapshot.now);
        snapshot.claim_all(spaces, &mut store.table)?;
        snapshot.check_passings(spaces, &store.table)?;
        for &(entry, tick, priority) in &snapshot.priorities {
            let held = store.table.holder(entry, tick).filter(|_| tick >= snapshot.now);
            let held = held.ok_or(StoreError::Entry { entry, tick })?;
            store.table.claim(entry, tick, Claim { priority, ..held });
        }
        store.table.advance(snapshot.last);
        store.table.advance(snapshot.now);
        for (unit, record, ready) in snapshot.slots {
            if let Some((record, goal)) = record.as_ref().and_then(|r| Some((r, r.own_goal()?))) {
                store.restore_goal(&spaces[record.space], unit, goal, ready)?;
            }
            if record.is_none() && unit.next_generation().is_some() {
                store.free.push(std::cmp::Reverse(unit.index() as u32));
            }
            store.slots.push(Slot { id: unit, record });
        }
        store.waiting = snapshot.waiting;
        store.overridden = snapshot.overridden;
        Ok(store)
    }

    fn restore_goal<S: Space>(
        &mut self,
        space: &S,
        unit: UnitId,
        goal: Position,
        ready: Tick,
    ) -> Result<(), StoreError> {
        let mut other = None;
        space.standing(goal, |entry| {
            other = self.goals.owner(entry);
            other.is_none()
        });
        self.goals.set(space, unit, goal, ready);
        other.map_or(Ok(()), |other| Err(StoreError::Conflict { unit, other, tick: self.now }))
    }
}

impl<A: Clone> UnitRecord<A> {
    /// The record without completed actions.
    fn trimmed(&self, now: Tick) -> Self {
        let mut record = self.clone();
        if let Some(body) = &mut record.body {
            let over = body.leg.saturating_sub(1).min(body.path.legs.len());
            body.path.legs.drain(..over);
            body.leg -= over.min(body.leg);
            body.promoted_until = if body.is_promoted(now) { body.promoted_until } else { Tick(0) };
            body.undone = body.undone.filter(|&tick| tick == now);
        }
        record
    }
}

impl<A: Activity> StoreSnapshot<A> {
    /// Takes the slots out, to be saved one by one.
    pub fn take_slots(&mut self) -> Vec<SlotSnapshot<A>> {
        std::mem::take(&mut self.slots)
    }

    /// Notes where each unit is, which is not saved.
    fn locate_all(&mut self) {
        let records = self.slots.iter_mut().filter_map(|(_, record, _)| record.as_mut());
        for body in records.filter_map(|record| record.body.as_mut()) {
            body.locate(self.now);
        }
    }

    /// Adds a slot after the others.
    pub fn push_slot(&mut self, slot: SlotSnapshot<A>) {
        self.slots.push(slot);
    }

    /// The records, to be checked by the owner of the store.
    pub fn records(&self) -> impl Iterator<Item = (UnitId, &UnitRecord<A>)> {
        self.slots.iter().filter_map(|(unit, record, _)| Some((*unit, record.as_ref()?)))
    }

    /// The tick at which the snapshot was taken.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.now
    }

    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    fn bodies(&self) -> impl Iterator<Item = (UnitId, &UnitRecord<A>, &Body)> {
        self.records().filter_map(|(unit, record)| Some((unit, record, record.body.as_ref()?)))
    }

    /// Makes the claims that follow from the plans of all units.
    fn claim_all<S: Space>(
        &self,
        spaces: &[S],
        table: &mut Reservations,
    ) -> Result<(), StoreError> {
        for (unit, record, body) in self.bodies() {
            let space = &spaces[record.space];
            claim_plan(table, space, unit, body, self.now)?;
            claim_place(table, space, body, unit, self.now);
        }
        Ok(())
    }

    /// Checks that no unit passes through another.
    fn check_passings<S: Space>(
        &self,
        spaces: &[S],
        table: &Reservations,
    ) -> Result<(), StoreError> {
        let mut passing = Vec::new();
        for (unit, record, body) in self.bodies() {
            for leg in body.path.legs.iter().filter(|leg| leg.tick >= self.now) {
                table.add_passing_units(&spaces[record.space], leg, unit, &mut passing);
                if let Some(&other) = passing.first() {
                    return Err(StoreError::Conflict { unit, other, tick: leg.tick });
                }
            }
        }
        Ok(())
    }

    fn check<S: Space>(&self, spaces: &[S], entries: usize) -> Result<(), StoreError> {
        let Self { now, last, .. } = *self;
        let soon = now.0.saturating_add(limits::HORIZON_MAX);
        if now.0 > NOW_MAX || last < now || last.0 > soon {
            return Err(StoreError::Time { now, last });
        }
        for (index, (unit, record, ready)) in self.slots.iter().enumerate() {
            let unit = *unit;
            if unit.index() != index {
                return Err(StoreError::Slot(unit));
            }
            let Some(record) = record else { continue };
            let no_space = StoreError::NoSuchSpace { unit, space: record.space };
            record.check(spaces.get(record.space).ok_or(no_space)?, unit, entries, now)?;
            if ready.0 > soon {
                return Err(StoreError::Impossible { unit, what: "an arrival" });
            }
        }
        let exists = |unit: UnitId| self.slots.get(unit.index()).is_some_and(|slot| slot.0 == unit);
        match self.waiting.iter().chain(&self.overridden).find(|&&unit| !exists(unit)) {
            Some(&unit) => Err(StoreError::NoSuchUnit(unit)),
            None => self.check_reach(entries),
        }
    }

    /// Checks the memory of the reservation table, which has one bit per entry and tick.
    fn check_reach(&self, entries: usize) -> Result<(), StoreError> {
        let ends = self.bodies().filter_map(|(_, _, body)| body.path.end.map(|(_, tick)| tick));
        let last = ends.max().unwrap_or(self.now);
        let ticks = last.0.saturating_sub(self.now.0);
        let bytes = (u64::from(ticks) + 1).next_power_of_two().max(64) / 8 * entries as u64;
        let fits = bytes <= TABLE_BYTES_MAX && last <= self.last;
        if fits { Ok(()) } else { Err(StoreError::TooFarAhead { ticks, entries }) }
    }
}

/// Makes the claims that follow from a unit's plan. The claims of its body and of an action in
/// progress are fixed; the others have the priority that the unit had when it planned.
fn claim_plan<S: Space>(
    table: &mut Reservations,
    space: &S,
    unit: UnitId,
    body: &Body,
    now: Tick,
) -> Result<(), StoreError> {
    let legs = &body.path.legs;
    let mut conflict = None;
    let mut claim = |entry: Entry, tick: Tick, priority: Priority| {
        let other = table.claim(entry, tick, Claim { unit, priority });
        conflict = other.map(|other| StoreError::Conflict { unit, other: other.unit, tick });
        conflict.is_none()
    };
    let mut claim_leg = |leg: &Leg, priority: Priority| {
        space.footprint(leg.from, leg.action, |entry, later| {
            let tick = Tick(leg.tick.0 + later);
            tick < now || claim(entry, tick, priority)
        })
    };
    let first = body.leg.min(legs.len());
    let is_free = legs[first..].iter().all(|leg| claim_leg(leg, body.claimed));
    let begun = legs[first.saturating_sub(1)..(first + 1).min(legs.len())].iter();
    let is_free =
        is_free && begun.filter(|leg| leg.tick < now).all(|leg| claim_leg(leg, Priority::FIXED));
    if let (true, Location::Standing(at)) = (is_free, body.location(now)) {
        space.standing(at, |entry| claim(entry, now, Priority::FIXED));
    }
    conflict.map_or(Ok(()), Err)
}

impl<A> UnitRecord<A> {
    fn check<S: Space>(
        &self,
        space: &S,
        unit: UnitId,
        entries: usize,
        now: Tick,
    ) -> Result<(), StoreError> {
        if self.depth < 2 || self.depth > limits::HORIZON_MAX {
            return Err(StoreError::Impossible { unit, what: "a depth" });
        }
        let exists = |at: Position| {
            let fits =
                at.get() < space.positions() && space.standing(at, |entry| entry.get() < entries);
            if fits { Ok(()) } else { Err(StoreError::NoSuchPosition { unit, at }) }
        };
        self.destination().map_or(Ok(()), exists)?;
        let Some(body) = &self.body else { return Ok(()) };
        body.check_values(unit, now)?;
        let end = body.path.end.ok_or(StoreError::Broken { unit, tick: now })?;
        let mut positions = body.path.legs.iter().map(|leg| leg.from).chain([end.0]);
        positions.try_for_each(exists)?;
        body.check_path(space, unit, end, now)
    }
}

impl Body {
    fn check_values(&self, unit: UnitId, now: Tick) -> Result<(), StoreError> {
        let soon = now.0 + limits::HORIZON_MAX;
        let stands = |leg: &Leg| leg.tick == now && leg.action == Action::PAUSE;
        let stands = self.path.legs.first().is_some_and(stands);
        let impossible = [
            (self.undone.is_some_and(|tick| tick != now || !stands), "an undone step"),
            (self.due.0 > soon, "a tick to plan at"),
            (self.promoted_until.0 > soon, "a promotion"),
            (self.best_since > now, "a best distance"),
            (self.disturbances > DISTURBANCES_MAX, "a number of disturbances"),
            (self.blocked_ticks > now.0, "a time of waiting"),
        ];
        let found = impossible.iter().find(|(is_so, _)| *is_so);
        found.map_or(Ok(()), |&(_, what)| Err(StoreError::Impossible { unit, what }))
    }

    /// Checks that the actions follow each other without gaps, that one is current, and that all
    /// later ones are legal.
    fn check_path<S: Space>(
        &self,
        space: &S,
        unit: UnitId,
        end: (Position, Tick),
        now: Tick,
    ) -> Result<(), StoreError> {
        let first = self.path.legs.first().map_or(end.1, |leg| leg.tick);
        if first > now || end.1 < now {
            return Err(StoreError::Broken { unit, tick: first });
        }
        let next = self.path.legs.iter().skip(1).map(|leg| (leg.from, leg.tick));
        let mut over = 0;
        for (leg, (to, tick)) in self.path.legs.iter().zip(next.chain([end])) {
            if tick <= leg.tick {
                return Err(StoreError::Broken { unit, tick: leg.tick });
            }
            over += usize::from(tick <= now);
            if tick > now {
                check_leg(space, unit, leg, (to, tick))?;
                if leg.tick >= now
                    && leg.action != Action::PAUSE
                    && !space.may_begin(leg.from, leg.action)
                {
                    return Err(StoreError::Illegal { unit, tick: leg.tick });
                }
            }
        }
        if over == self.leg { Ok(()) } else { Err(StoreError::Broken { unit, tick: now }) }
    }
}

fn check_leg<S: Space>(
    space: &S,
    unit: UnitId,
    leg: &Leg,
    (to, tick): (Position, Tick),
) -> Result<(), StoreError> {
    let end = if leg.action == Action::PAUSE {
        Some((leg.from, 1))
    } else {
        space.move_by(leg.from, leg.action).map(|step| (step.to, step.ticks))
    };
    let (at, ticks) = end.ok_or(StoreError::Illegal { unit, tick: leg.tick })?;
    let is_next = at == to && leg.tick.0.checked_add(ticks) == Some(tick.0);
    if is_next { Ok(()) } else { Err(StoreError::Broken { unit, tick }) }
}

#[cfg(test)]
mod tests {
    use throng_model::{Budget, Effort, Map, MovementProfile};
    use throng_spacetime::{FootprintRules, GridSpace, TimedPath};

    use super::super::{Role, TrueDistances};
    use super::*;

    /// Units go nowhere.
    struct Nowhere;

    impl<S, A> TrueDistances<S, A> for Nowhere {
        fn distance(
            &mut self,
            _: &S,
            _: UnitId,
            _: &A,
            _: Position,
            _: &mut Effort<'_>,
        ) -> Option<u64> {
            Some(0)
        }

        fn expanded(&self) -> u64 {
            0
        }
    }

    /// Units in a row of nine cells, after a tick.
    fn snapshot(starts: [u32; 2]) -> (Vec<GridSpace>, StoreSnapshot<Role>) {
        let map = Map::empty(9, 1).unwrap();
        let movement = MovementProfile::four_connected();
        let spaces = vec![GridSpace::new(&map, movement, &FootprintRules::default()).unwrap()];
        let mut store = UnitStore::new(9, PlanningOptions::default());
        for start in starts {
            let unit = store.insert(0, 8, 0, Role::Resting);
            store.place(&spaces, unit, Position(start)).unwrap();
        }
        store.tick(&spaces, &mut Nowhere, Budget::unlimited(), &mut Effort::unlimited());
        let snapshot = store.snapshot(&spaces);
        (spaces, snapshot)
    }

    /// Replaces a unit's plan by steps from one cell to the next.
    fn walk(spaces: &[GridSpace], snapshot: &mut StoreSnapshot<Role>, unit: usize, cells: &[u32]) {
        let now = snapshot.now;
        let leg = |(later, step): (u32, &[u32])| {
            let (from, to) = (Position(step[0]), Position(step[1]));
            let action = spaces[0].move_to(from, to).map_or(Action::PAUSE, |step| step.action);
            Leg { from, tick: Tick(now.0 + later), action }
        };
        let legs: Vec<_> = (0..).zip(cells.windows(2)).map(leg).collect();
        let last = Tick(now.0 + legs.len() as u32);
        let end = Some((Position(cells[cells.len() - 1]), last));
        let body = snapshot.slots[unit].1.as_mut().and_then(|record| record.body.as_mut()).unwrap();
        (body.path, body.leg) = (TimedPath { legs, end }, 0);
        snapshot.last = snapshot.last.max(last);
        snapshot.priorities.clear();
    }

    fn restore(
        spaces: &[GridSpace],
        snapshot: StoreSnapshot<Role>,
    ) -> Result<UnitStore<Role>, StoreError> {
        UnitStore::restore(spaces, 9, PlanningOptions::default(), snapshot)
    }

    #[test]
    fn what_was_saved_is_restored() {
        let (spaces, snapshot) = snapshot([2, 6]);
        let restored = restore(&spaces, snapshot.clone()).unwrap();
        assert_eq!(format!("{:?}", restored.snapshot(&spaces)), format!("{snapshot:?}"));
    }

    /// Regression: such a snapshot was accepted, and a later tick never ended (`hang_6587`).
    #[test]
    fn two_plans_for_one_cell_are_refused() {
        let (spaces, mut snapshot) = snapshot([2, 6]);
        walk(&spaces, &mut snapshot, 0, &[2, 3, 4]);
        walk(&spaces, &mut snapshot, 1, &[6, 5, 4]);
        let tick = Tick(snapshot.now.0 + 2);
        let (unit, other) = (UnitId::new(1), UnitId::new(0));
        let refused = restore(&spaces, snapshot).unwrap_err();
        assert_eq!(refused, StoreError::Conflict { unit, other, tick });
    }

    /// Regression: such a snapshot was accepted, and units overlapped (`over_937_2`).
    #[test]
    fn two_plans_that_exchange_places_are_refused() {
        let (spaces, mut snapshot) = snapshot([2, 3]);
        walk(&spaces, &mut snapshot, 0, &[2, 3]);
        walk(&spaces, &mut snapshot, 1, &[3, 2]);
        assert!(matches!(restore(&spaces, snapshot), Err(StoreError::Conflict { .. })));
    }

    /// Regression: a position became a cell before its index was checked (`snap_106_295`).
    #[test]
    fn positions_that_do_not_exist_are_refused() {
        for at in [9, 500, u32::MAX] {
            let (spaces, mut snapshot) = snapshot([2, 6]);
            let body = snapshot.slots[0].1.as_mut().and_then(|r| r.body.as_mut()).unwrap();
            body.path = TimedPath { legs: Vec::new(), end: Some((Position(at), snapshot.now)) };
            body.leg = 0;
            let (unit, at) = (UnitId::new(0), Position(at));
            let refused = restore(&spaces, snapshot).unwrap_err();
            assert_eq!(refused, StoreError::NoSuchPosition { unit, at });
        }
    }
}
