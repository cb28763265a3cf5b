//! The store of units that plan together: one record per unit, the reservation table and the
//! goal index, kept in step by one writer.
//!
//! D. Silver, "Cooperative pathfinding" (2005, 2006). Each unit plans to a fixed depth and
//! plans again halfway. Windows are staggered: about 2n/w of n units plan per tick, and every
//! unit is the first to claim a new tick now and then. A unit without a legal path is promoted
//! for a while: it overrides the claims of others, and those plan again.
//!
//! The papers leave open what happens when planning fails in the end: see `resolve.rs`.

mod batch;
#[cfg(feature = "serde")]
mod packed;
mod plan;
mod propose;
mod record;
pub(crate) mod resolve;
mod restore;
mod steps;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use throng_grid::kit::pick_mut;
use throng_model::{Budget, Effort, Tick, UnitId};
use throng_spacetime::{Action, Entry, Leg, Position, Space, SpaceTimeSearch, TimedPath};

pub use record::{Activity, Destination, Location, Role, UnitRecord};
pub use restore::{SlotSnapshot, StoreError, StoreSnapshot};

use crate::{Claim, GoalIndex, PlanningOptions, Priority, Reservations};
use record::Body;

/// The true distances of the units of a store.
pub trait TrueDistances<S, A> {
    /// A unit is about to search to a depth from a position.
    fn begin(&mut self, space: &S, unit: UnitId, activity: &mut A, at: Position, depth: u32) {
        let _ = (space, unit, activity, at, depth);
    }

    /// A unit has planned, and will be at a position when it plans again.
    fn end(&mut self, space: &S, unit: UnitId, activity: &mut A, at: Position) {
        let _ = (space, unit, activity, at);
    }

    /// The shortest path from the position to the destination, the position first, if it is
    /// known without a search.
    fn route<'a>(&'a self, unit: UnitId, activity: &'a A, at: Position) -> Option<&'a [Position]> {
        let _ = (unit, activity, at);
        None
    }

    /// The distance from a position to the unit's destination: 0 there, `None` if there is no
    /// path or the effort was stopped. Searches for it count on the effort.
    fn distance(
        &mut self,
        space: &S,
        unit: UnitId,
        activity: &A,
        at: Position,
        effort: &mut Effort<'_>,
    ) -> Option<u64>;

    /// A unit has planned with other distances: what is kept about it is out of date.
    fn planned_elsewhere(&mut self, unit: UnitId) {
        let _ = unit;
    }

    /// Nodes expanded for distances so far.
    fn expanded(&self) -> u64;
}

/// Something that happened to a unit's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEvent {
    /// It was promoted: it found no legal path, or made no progress.
    Promoted {
        /// The unit.
        unit: UnitId,
    },
    /// A unit of higher priority took its plan.
    Overridden {
        /// The unit.
        unit: UnitId,
        /// The unit that took it.
        by: UnitId,
    },
    /// It found no legal path.
    NoPath {
        /// The unit.
        unit: UnitId,
    },
    /// It made no progress for too long.
    NoProgress {
        /// The unit.
        unit: UnitId,
    },
    /// It had to wait where it stood, because another unit could not follow its plan.
    Blocked {
        /// The unit.
        unit: UnitId,
    },
}

/// The unit that holds part of the place where another was to be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is there already")]
pub struct Occupied(pub UnitId);

/// A slot of the store: the id of its owner, or of its next owner.
#[derive(Clone, Debug)]
struct Slot<A> {
    id: UnitId,
    record: Option<UnitRecord<A>>,
}

/// Units that plan and move together. `A` is what the owner of the store knows about what a
/// unit is doing.
#[derive(Clone, Debug)]
pub struct UnitStore<A> {
    options: PlanningOptions,
    slots: Vec<Slot<A>>,
    /// Slots without a unit, least first.
    free: BinaryHeap<Reverse<u32>>,
    table: Reservations,
    goals: GoalIndex,
    search: SpaceTimeSearch,
    /// The searches of units that plan at the same time, one per other thread.
    searches: Vec<SpaceTimeSearch>,
    now: Tick,
    /// Whether a unit may have had to wait in the last tick because another's plan failed.
    is_any_blocked: bool,
    events: Vec<PlanEvent>,
    /// Units that were due when the budget ended, the longest waiting first.
    waiting: Vec<UnitId>,
    /// Units that lost their plan since it was last asked.
    overridden: Vec<UnitId>,
    /// Entries that no plan may use, as bits, and the words that are not zero.
    obstacles: Vec<u64>,
    obstacle_words: Vec<u32>,
}

impl<A: Activity> UnitStore<A> {
    /// A store without units, for spaces of this many entries.
    #[must_use]
    pub fn new(entries: usize, options: PlanningOptions) -> Self {
        Self {
            options,
            slots: Vec::new(),
            free: BinaryHeap::new(),
            table: Reservations::new(entries),
            goals: GoalIndex::new(options.goal_penalty_max),
            search: SpaceTimeSearch::default(),
            searches: Vec::new(),
            now: Tick(0),
            is_any_blocked: true,
            events: Vec::new(),
            waiting: Vec::new(),
            overridden: Vec::new(),
            obstacles: Vec::new(),
            obstacle_words: Vec::new(),
        }
    }

    /// Makes room for spaces of more entries.
    pub fn add_entries(&mut self, entries: usize) {
        self.table.add_entries(entries);
    }

    /// Sets the entries that no unit may plan to enter until this is called again: bodies whose
    /// plans are not in the table.
    pub fn set_obstacles(&mut self, entries: impl Iterator<Item = Entry>) {
        for word in self.obstacle_words.drain(..) {
            self.obstacles[word as usize] = 0;
        }
        for entry in entries {
            let word = entry.get() / 64;
            if self.obstacles.len() <= word {
                self.obstacles.resize(self.table.entries().div_ceil(64).max(word + 1), 0);
            }
            if self.obstacles[word] == 0 {
                self.obstacle_words.push(word as u32);
            }
            self.obstacles[word] |= 1 << (entry.get() % 64);
        }
        if self.obstacle_words.is_empty() {
            self.obstacles.clear();
        }
    }

    /// Whether no unit may plan to enter the entry.
    #[must_use]
    pub fn is_obstacle(&self, entry: Entry) -> bool {
        let word = self.obstacles.get(entry.get() / 64);
        word.is_some_and(|word| word >> (entry.get() % 64) & 1 != 0)
    }

    /// Gives a unit that is not on the map another space.
    pub fn set_space(&mut self, unit: UnitId, space: usize) {
        if let Some(record) = self.get_mut(unit).filter(|record| record.body.is_none()) {
            record.space = space;
        }
    }

    /// Adds a unit without a body; [`place`](Self::place) puts it on the map. It gets the
    /// lowest free slot, in a generation that no unit had before.
    pub fn insert(&mut self, space: usize, depth: u32, level: u8, activity: A) -> UnitId {
        let record = UnitRecord { space, depth, level, activity, destination: None, body: None };
        let index = match self.free.pop() {
            Some(Reverse(index)) => index as usize,
            None => {
                self.slots.push(Slot { id: UnitId::new(self.slots.len() as u32), record: None });
                self.slots.len() - 1
            }
        };
        self.slots[index].record = Some(record);
        self.slots[index].id
    }

    /// Puts a unit on the map, where it stands. A body that it had elsewhere is taken off
    /// first.
    ///
    /// # Errors
    /// When another unit holds part of the place now.
    pub fn place<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        at: Position,
    ) -> Result<(), Occupied> {
        let Some(record) = self.get(unit) else { return Ok(()) };
        let Some(space) = spaces.get(record.space) else { return Ok(()) };
        if let Some(holder) = self.holder_at(space, at).filter(|&holder| holder != unit) {
            return Err(Occupied(holder));
        }
        self.lift(spaces, unit);
        let now = self.now;
        let claim = Claim { unit, priority: Priority::FIXED };
        self.table.claim_standing(space, at, now, claim);
        if let Some(record) = self.get_mut(unit) {
            record.body = Some(Body::standing(at, now));
        }
        self.reserve_standing(spaces, unit);
        Ok(())
    }

    /// Takes a unit's body off the map, with its claims and its destination. The one place
    /// where that is done.
    pub fn lift<S: Space>(&mut self, spaces: &[S], unit: UnitId) {
        self.set_destination(spaces, unit, None);
        let now = self.now;
        let Some(record) = self.get_mut(unit) else { return };
        let (index, body) = (record.space, record.body.take());
        if let Some((space, body)) = spaces.get(index).zip(body) {
            self.table.release_path(space, &body.path, now, unit);
        }
    }

    /// Removes a unit with its body. Its id stays invalid forever.
    pub fn remove<S: Space>(&mut self, spaces: &[S], unit: UnitId) -> Option<UnitRecord<A>> {
        self.get(unit)?;
        self.lift(spaces, unit);
        let slot = &mut self.slots[unit.index()];
        if let Some(next) = slot.id.next_generation() {
            slot.id = next;
        }
        // A slot whose generations are used up is never filled again.
        if slot.id.next_generation().is_some() {
            self.free.push(Reverse(unit.index() as u32));
        }
        slot.record.take()
    }

    /// Sets where a unit wants to stay, in its record and in the goal index.
    pub fn set_destination<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        destination: Option<Destination>,
    ) {
        let now = self.now;
        let Some(record) = self.get_mut(unit) else { return };
        let (index, old) = (record.space, record.own_goal());
        record.destination = destination;
        let new = record.own_goal();
        let Some(space) = spaces.get(index) else { return };
        old.into_iter().for_each(|at| self.goals.clear(space, unit, at));
        new.into_iter().for_each(|at| self.goals.set(space, unit, at, now));
    }

    /// Changes what a unit is doing; its next plan starts from scratch. To change it without
    /// disturbing the plan, write [`activity_mut`](Self::activity_mut).
    pub fn set_activity(&mut self, unit: UnitId, activity: A) {
        if let Some(record) = self.get_mut(unit) {
            record.activity = activity;
        }
        self.restart_planning(unit);
    }

    /// Lets a unit plan again in the next tick, as if it had just been told what to do.
    pub fn restart_planning(&mut self, unit: UnitId) {
        let Some(record) = self.get_mut(unit) else { return };
        let role = record.activity.role();
        record.body.iter_mut().for_each(|body| body.restart_planning(role));
    }

    /// What a unit is doing, to be changed. Its plan stays.
    pub fn activity_mut(&mut self, unit: UnitId) -> Option<&mut A> {
        self.get_mut(unit).map(|record| &mut record.activity)
    }

    /// What several units are doing, to be changed. The units are listed by slot, each once.
    pub fn activities_mut(&mut self, units: &[UnitId]) -> impl Iterator<Item = Option<&mut A>> {
        let slots = pick_mut(&mut self.slots, units.iter().map(|unit| unit.index()));
        slots.zip(units).map(|(slot, unit)| {
            let record = slot.record.as_mut().filter(|_| slot.id == *unit);
            record.map(|record| &mut record.activity)
        })
    }

    /// Sets how far ahead a unit plans, in ticks.
    pub fn set_depth(&mut self, unit: UnitId, depth: u32) {
        if let Some(record) = self.get_mut(unit) {
            record.depth = depth.max(2);
        }
    }

    /// Sets the priority level of a unit: it overrides claims of lower levels.
    pub fn set_level(&mut self, unit: UnitId, level: u8) {
        if let Some(record) = self.get_mut(unit) {
            record.level = level;
            record.body.iter_mut().for_each(|body| body.needs_plan = true);
        }
    }

    /// The record of a unit; `None` if it was removed, or never was.
    #[inline]
    #[must_use]
    pub fn get(&self, unit: UnitId) -> Option<&UnitRecord<A>> {
        self.slots.get(unit.index()).filter(|slot| slot.id == unit)?.record.as_ref()
    }

    #[inline]
    fn get_mut(&mut self, unit: UnitId) -> Option<&mut UnitRecord<A>> {
        self.slots.get_mut(unit.index()).filter(|slot| slot.id == unit)?.record.as_mut()
    }

    #[inline]
    fn body(&self, unit: UnitId) -> Option<&Body> {
        self.get(unit)?.body.as_ref()
    }

    #[inline]
    fn body_mut(&mut self, unit: UnitId) -> Option<&mut Body> {
        self.get_mut(unit)?.body.as_mut()
    }

    /// All units, by slot.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        self.slots.iter().filter(|slot| slot.record.is_some()).map(|slot| slot.id)
    }

    /// All units with their records, by slot.
    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &UnitRecord<A>)> {
        self.iter_slots(0..self.slots.len())
    }

    /// The units of some slots with their records.
    pub fn iter_slots(
        &self,
        slots: Range<usize>,
    ) -> impl Iterator<Item = (UnitId, &UnitRecord<A>)> {
        self.slots[slots].iter().filter_map(|slot| Some((slot.id, slot.record.as_ref()?)))
    }

    /// How many slots there are, those of removed units included.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// How many units there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.record.is_some()).count()
    }

    /// Whether there is no unit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The unit that holds part of what a unit at a position would need now.
    pub fn holder_at<S: Space>(&self, space: &S, at: Position) -> Option<UnitId> {
        let mut holder = None;
        space.standing(at, |entry| {
            holder = self.table.holder(entry, self.now).map(|claim| claim.unit);
            holder.is_none()
        });
        holder
    }

    /// Where a unit is; `None` if it is not on the map.
    #[must_use]
    pub fn location(&self, unit: UnitId) -> Option<Location> {
        self.body(unit).map(|body| body.location(self.now))
    }

    /// Where a unit can begin something new: where it stands, or where its step ends.
    #[must_use]
    pub fn free_at(&self, unit: UnitId) -> Option<Position> {
        self.body(unit).map(|body| body.free_at(self.now).0)
    }

    /// What the unit plans to do, where it is now included.
    #[must_use]
    pub fn path(&self, unit: UnitId) -> Option<&TimedPath> {
        self.body(unit).map(|body| &body.path)
    }

    /// Whether the unit is promoted now.
    #[must_use]
    pub fn is_promoted(&self, unit: UnitId) -> bool {
        self.body(unit).is_some_and(|body| body.is_promoted(self.now))
    }

    /// Whether any unit is in the middle of a move.
    #[must_use]
    pub fn is_any_moving(&self) -> bool {
        let mut units = self.units();
        units.any(|unit| matches!(self.location(unit), Some(Location::Moving { .. })))
    }

    /// Whether the unit stays where it is in the next tick, or has nothing planned.
    #[must_use]
    pub fn is_pausing(&self, unit: UnitId) -> bool {
        self.body(unit).is_some_and(|body| {
            body.path.legs.get(body.leg).is_none_or(|leg| leg.action == Action::PAUSE)
        })
    }

    /// For how many ticks in a row the unit had to wait because another unit's plan failed.
    #[must_use]
    pub fn blocked_ticks(&self, unit: UnitId) -> u32 {
        self.body(unit).map_or(0, |body| body.blocked_ticks)
    }

    /// What happened to plans in the last tick, in the order in which it did.
    #[must_use]
    pub fn events(&self) -> &[PlanEvent] {
        &self.events
    }

    /// The tick that it is.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.now
    }

    /// The reservation table.
    #[must_use]
    pub fn table(&self) -> &Reservations {
        &self.table
    }

    /// Which unit wants to stay where.
    #[must_use]
    pub fn goals(&self) -> &GoalIndex {
        &self.goals
    }

    /// The space-time searches so far.
    #[must_use]
    pub fn search(&self) -> &SpaceTimeSearch {
        &self.search
    }

    /// Nodes expanded by all space-time searches so far.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.searches.iter().chain([&self.search]).map(SpaceTimeSearch::expanded).sum()
    }

    /// The map has changed: drops the unit's plan if a step of it is no longer legal; says
    /// whether it did. A step towards a place that is gone is undone.
    pub fn check_plan<S: Space>(&mut self, spaces: &[S], unit: UnitId) -> bool {
        let now = self.now;
        let Some((record, body)) = self.get(unit).and_then(|r| Some((r, r.body.as_ref()?))) else {
            return false;
        };
        let space = &spaces[record.space];
        let legal = |leg: &Leg| {
            leg.action == Action::PAUSE
                || match leg.tick < now {
                    true => space.move_by(leg.from, leg.action).is_some(),
                    false => space.may_begin(leg.from, leg.action),
                }
        };
        let ahead = body.path.legs.get(body.leg..).unwrap_or(&[]);
        if ahead.iter().all(legal) {
            return false;
        }
        let illegal_step = ahead.first().filter(|leg| leg.tick < now && !legal(leg)).copied();
        match illegal_step {
            Some(leg) => self.undo_step(spaces, unit, leg.from),
            None => self.drop_plan(space, unit),
        }
        self.body_mut(unit).into_iter().for_each(|body| body.needs_plan = true);
        true
    }

    /// The unit is where its step began again, and stands there for this tick. It held that
    /// place all the time.
    fn undo_step<S: Space>(&mut self, spaces: &[S], unit: UnitId, at: Position) {
        let now = self.now;
        let Some(record) = self.slots[unit.index()].record.as_mut() else { return };
        let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
        self.table.release_path(space, &body.path, now, unit);
        body.path.legs.clear();
        body.leg = 0;
        body.undone = Some(now);
        let claim = Claim { unit, priority: Priority::FIXED };
        self.table.claim_standing(space, at, now, claim);
        body.path.end = Some((at, now));
        body.locate(now);
        self.commit_as(spaces, unit, &resolve::pauses(at, now, 1), claim);
    }

    /// [Plans for due units](Self::plan_due), then every unit moves one tick.
    pub fn tick<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        budget: Budget<'_>,
        effort: &mut Effort<'_>,
    ) {
        self.plan_due(spaces, distances, budget, effort);
        self.advance(spaces, distances, effort);
    }

    /// Every unit does what is planned. Units without a plan: see `resolve.rs`. When the effort is
    /// stopped these wait where they stand.
    pub fn advance<S: Space>(
        &mut self,
        spaces: &[S],
        distances: &mut impl TrueDistances<S, A>,
        effort: &mut Effort<'_>,
    ) {
        self.resolve(spaces, distances, effort);
        let next = Tick(self.now.0 + 1);
        for slots in self.slots.chunks_mut(SLOTS_PER_LOOK) {
            load_entries(&self.table, spaces, slots);
            for slot in slots {
                advance_unit(&mut self.table, spaces, slot, next);
            }
        }
        self.now = next;
        self.table.advance(next);
    }
}

/// Units whose entries of the table are read before any of them moves.
const SLOTS_PER_LOOK: usize = 32;

/// Reads the entries that the units hold and will hold. They are spread over the map, so that none
/// is in the processor's cache; read one after the other without anything in between, they are
/// fetched at the same time.
fn load_entries<S: Space, A>(table: &Reservations, spaces: &[S], slots: &[Slot<A>]) {
    let mut claims = 0;
    for record in slots.iter().filter_map(|slot| slot.record.as_ref()) {
        let Some(body) = &record.body else { continue };
        let (at, (to, _)) = (body.here().position(), body.leg_end(body.leg));
        for place in [at, to] {
            spaces[record.space].standing(place, |entry| {
                claims ^= table.peek(entry);
                true
            });
        }
    }
    std::hint::black_box(claims);
}

/// One unit does what is planned.
fn advance_unit<S: Space, A>(
    table: &mut Reservations,
    spaces: &[S],
    slot: &mut Slot<A>,
    next: Tick,
) {
    let (unit, now) = (slot.id, Tick(next.0 - 1));
    let Some(record) = &mut slot.record else { return };
    let (space, Some(body)) = (&spaces[record.space], &mut record.body) else { return };
    release_tick(table, space, body, unit, now);
    if let Some(leg) = body.next_leg(now) {
        // No unit can override what has begun.
        let claim = Claim { unit, priority: Priority::FIXED };
        table.claim_action(space, leg, next, claim);
    }
    body.advance(next);
    claim_place(table, space, body, unit, next);
}

/// Releases what a unit held at a tick that is over.
fn release_tick<S: Space>(
    table: &mut Reservations,
    space: &S,
    body: &Body,
    unit: UnitId,
    tick: Tick,
) {
    if body.leg == 0 {
        let start = body.path.legs.first().map(|leg| leg.from).or(body.path.end.map(|e| e.0));
        space.standing(start.unwrap_or(Position(0)), |entry| {
            table.release(entry, tick, unit);
            true
        });
    }
    let last = (body.leg + 1).min(body.path.legs.len());
    for leg in &body.path.legs[body.leg.saturating_sub(1).min(last)..last] {
        space.footprint(leg.from, leg.action, |entry, later| {
            if leg.tick.0 + later == tick.0 {
                table.release(entry, tick, unit);
            }
            true
        });
    }
}

/// A slow unit cannot be overridden where it stands: no unit may plan to be there before it
/// can be gone.
fn claim_place<S: Space>(
    table: &mut Reservations,
    space: &S,
    body: &Body,
    unit: UnitId,
    now: Tick,
) {
    let Location::Standing(at) = body.location(now) else { return };
    let claim = Claim { unit, priority: Priority::FIXED };
    for later in 1..=space.ticks_to_clear() {
        let tick = Tick(now.0 + later);
        space.standing(at, |entry| {
            if table.holder(entry, tick).is_some_and(|holder| holder.unit == unit) {
                table.claim(entry, tick, claim);
            }
            true
        });
    }
}
