//! Units that plan in windows and move together, tick by tick: the core of WHCA* and of the
//! live world.
//!
//! D. Silver, "Cooperative pathfinding" (2005, 2006). Each unit plans to a fixed depth and
//! plans again halfway; windows are staggered, so that about 2n/w of n units plan in a tick,
//! and everybody is the first to claim a new tick now and then. A unit without a legal path
//! is promoted for a while: it passes over the claims of others, and those plan again.
//!
//! What the papers leave open is what happens when planning fails in the end: see
//! `settle.rs`.

use throng_model::Tick;
use throng_spacetime::{Action, Position, Space, SpaceTimeSearch};

use crate::member::{Member, Stance, Whereabouts};
use crate::posts::Posts;
use crate::{Claim, Priority, Reservations};

/// True distances of the units of a crew.
pub trait Guide<S> {
    /// A unit is about to search to a depth from a position.
    fn begin(&mut self, space: &S, unit: u32, at: Position, depth: u32) {
        let _ = (space, unit, at, depth);
    }

    /// A unit has planned, and will be at a position when it plans again.
    fn end(&mut self, space: &S, unit: u32, at: Position) {
        let _ = (space, unit, at);
    }

    /// The shortest way from the position to the destination, the position first, if it is
    /// known without a search.
    fn route(&self, unit: u32, at: Position) -> Option<&[Position]> {
        let _ = (unit, at);
        None
    }

    /// How far it is for the unit from a position to its destination: 0 there, `None` if
    /// there is no way.
    fn distance(&mut self, space: &S, unit: u32, at: Position) -> Option<u64>;

    /// Nodes expanded for distances so far.
    fn expanded(&self) -> u64;
}

/// How a crew plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrewOptions {
    /// Whether a unit that finds no legal path, or does not get on, is promoted.
    pub promotion: bool,
    /// Whether units plan again at times of their own instead of all at once.
    pub interleaved: bool,
    /// Whether units at rest weigh less than those on their way.
    pub resting_yield: bool,
    /// After so many windows without getting nearer, a unit is promoted.
    pub patience_windows: u32,
    /// How many windows a promotion lasts.
    pub promotion_windows: u32,
    /// Whether units plan all the way to their post instead of to a depth, as CA* and HCA*.
    pub complete: bool,
    /// What it costs at most, in ticks, to walk over another's destination.
    pub toll_max: u32,
}

impl Default for CrewOptions {
    fn default() -> Self {
        Self {
            promotion: true,
            interleaved: true,
            resting_yield: true,
            patience_windows: 2,
            promotion_windows: 2,
            complete: false,
            toll_max: 5,
        }
    }
}

impl CrewOptions {
    /// For complete routes, as the paper's CA* and HCA* have them.
    #[must_use]
    pub fn complete() -> Self {
        Self {
            promotion: false,
            resting_yield: false,
            complete: true,
            toll_max: 0,
            ..Self::default()
        }
    }
}

/// Something that happened to a unit's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrewEvent {
    /// It was promoted: it found no legal path, or did not get on.
    Promoted {
        /// The unit.
        unit: u32,
    },
    /// Its plan was taken from it by a unit of more priority.
    Overridden {
        /// The unit.
        unit: u32,
        /// By whom.
        by: u32,
    },
    /// It found no legal path.
    NoPath {
        /// The unit.
        unit: u32,
    },
    /// It had to wait where it stood, because someone else could not do as planned.
    Forced {
        /// The unit.
        unit: u32,
    },
}

/// Units that plan and move together.
#[derive(Clone, Debug)]
pub struct Crew {
    pub(crate) options: CrewOptions,
    pub(crate) table: Reservations,
    pub(crate) members: Vec<Option<Member>>,
    pub(crate) search: SpaceTimeSearch,
    pub(crate) now: Tick,
    pub(crate) events: Vec<CrewEvent>,
    /// Units whose turn it was when the budget ended, the longest waiting first.
    pub(crate) waiting: Vec<u32>,
    pub(crate) scratch: Vec<u32>,
    pub(crate) posts: Posts,
}

/// Why a unit cannot be put where it was to be put: this unit holds part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unit {0} is there already")]
pub struct Occupied(pub u32);

impl Crew {
    /// A crew without units, for spaces of so many entries.
    #[must_use]
    pub fn new(entries: usize, options: CrewOptions) -> Self {
        Self {
            options,
            table: Reservations::new(entries),
            members: Vec::new(),
            search: SpaceTimeSearch::default(),
            now: Tick(0),
            events: Vec::new(),
            waiting: Vec::new(),
            scratch: Vec::new(),
            posts: Posts::new(options.toll_max),
        }
    }

    /// Adds a unit that stands at a position and rests. If there is one of that number
    /// already, it is taken away from where it was.
    ///
    /// # Errors
    /// When another unit holds part of the place now.
    pub fn add<S: Space>(
        &mut self,
        spaces: &[S],
        unit: u32,
        space: usize,
        at: Position,
    ) -> Result<(), Occupied> {
        if let Some(holder) = self.holder_at(&spaces[space], at) {
            return Err(Occupied(holder));
        }
        self.remove(spaces, unit);
        let claim = Claim { unit, priority: Priority::FIXED };
        self.table.claim_standing(&spaces[space], at, self.now, claim);
        if self.members.len() <= unit as usize {
            self.members.resize(unit as usize + 1, None);
        }
        self.members[unit as usize] = Some(Member::standing(space, at, self.now));
        self.hold_place(spaces, unit);
        Ok(())
    }

    /// Who holds part of what a unit at a position would need now.
    pub fn holder_at<S: Space>(&self, space: &S, at: Position) -> Option<u32> {
        let mut holder = None;
        space.standing(at, |entry| {
            holder = self.table.holder(entry, self.now).map(|claim| claim.unit);
            holder.is_none()
        });
        holder
    }

    /// Takes a unit away, with all its claims.
    pub fn remove<S: Space>(&mut self, spaces: &[S], unit: u32) {
        if let Some(member) = self.members.get_mut(unit as usize).and_then(Option::take) {
            let space = &spaces[member.space];
            self.table.release_path(space, &member.path, self.now, unit);
            member.post.into_iter().for_each(|post| self.posts.clear(space, unit, post));
        }
    }

    /// Tells a unit what it is up to. Its destination is the guide's to know; whenever that
    /// changes, say so here, and the unit plans anew.
    pub fn set_stance(&mut self, unit: u32, stance: Stance) {
        if let Some(member) = self.member_mut(unit) {
            member.stance = stance;
            member.flagged = true;
            member.best = u64::MAX;
            member.promoted_until = Tick(0);
            if stance == Stance::Going {
                member.returns = 0;
            }
        }
    }

    /// Tells others where a unit wants to stay: they will rather not walk there.
    pub fn set_post<S: Space>(&mut self, spaces: &[S], unit: u32, post: Option<Position>) {
        let now = self.now;
        let Some(member) = self.members.get_mut(unit as usize).and_then(Option::as_mut) else {
            return;
        };
        let space = &spaces[member.space];
        let old = std::mem::replace(&mut member.post, post);
        old.into_iter().for_each(|old| self.posts.clear(space, unit, old));
        post.into_iter().for_each(|post| self.posts.set(space, unit, post, now));
    }

    /// Whether a unit rests or is on its way, when it is neither new nor a surprise: the unit
    /// keeps its plan.
    pub fn set_resting(&mut self, unit: u32, resting: bool) {
        if let Some(member) = self.member_mut(unit) {
            member.stance = if resting { Stance::Resting } else { Stance::Going };
        }
    }

    /// The depth of a unit's searches, in ticks.
    pub fn set_depth(&mut self, unit: u32, depth: u32) {
        if let Some(member) = self.member_mut(unit) {
            member.depth = depth.max(2);
        }
    }

    /// The level of a unit's priority: it passes over claims of lower levels.
    pub fn set_level(&mut self, unit: u32, level: u8) {
        if let Some(member) = self.member_mut(unit) {
            member.level = level;
            member.flagged = true;
        }
    }

    /// What a unit is up to.
    #[must_use]
    pub fn stance(&self, unit: u32) -> Option<Stance> {
        self.member(unit).map(|member| member.stance)
    }

    /// Where a unit is.
    #[must_use]
    pub fn whereabouts(&self, unit: u32) -> Option<Whereabouts> {
        self.member(unit).map(|member| member.whereabouts(self.now))
    }

    /// Where a unit can begin something new: where it stands, or where its step ends.
    #[must_use]
    pub fn free_at(&self, unit: u32) -> Option<Position> {
        self.member(unit).map(|member| member.free_at(self.now).0)
    }

    /// The map has changed: drops the unit's plan if a step of it is no longer legal; says
    /// whether it was. A step that is begun towards a place that is gone is taken back.
    pub fn check_plan<S: Space>(&mut self, spaces: &[S], unit: u32) -> bool {
        let now = self.now;
        let Some(member) = self.member(unit) else { return false };
        let space = &spaces[member.space];
        let legal = |leg: &throng_spacetime::Leg| {
            leg.action == Action::PAUSE || space.move_by(leg.from, leg.action).is_some()
        };
        let ahead = member.path.legs.get(member.leg..).unwrap_or(&[]);
        if ahead.iter().all(legal) {
            return false;
        }
        let taken_back = ahead.first().filter(|leg| leg.tick < now && !legal(leg)).copied();
        match taken_back {
            Some(leg) => self.take_back(spaces, unit, leg.from),
            None => self.strip(space, unit),
        }
        if let Some(member) = self.member_mut(unit) {
            member.flagged = true;
        }
        true
    }

    /// The unit is where its step began again, and stands there for this tick; it held that
    /// place all the time.
    fn take_back<S: Space>(&mut self, spaces: &[S], unit: u32, at: Position) {
        let now = self.now;
        let Some(member) = self.members.get_mut(unit as usize).and_then(Option::as_mut) else {
            return;
        };
        let space = &spaces[member.space];
        self.table.release_path(space, &member.path, now, unit);
        member.path.legs.clear();
        member.leg = 0;
        member.stopped = Some(now);
        let claim = Claim { unit, priority: Priority::FIXED };
        self.table.claim_standing(space, at, now, claim);
        self.adopt_as(spaces, unit, &crate::settle::pauses(at, now, 1), claim);
    }

    /// What the unit plans to do, where it is now included.
    #[must_use]
    pub fn path(&self, unit: u32) -> Option<&throng_spacetime::TimedPath> {
        self.member(unit).map(|member| &member.path)
    }

    /// Whether the unit is promoted now.
    #[must_use]
    pub fn is_promoted(&self, unit: u32) -> bool {
        self.member(unit).is_some_and(|member| member.is_promoted(self.now))
    }

    /// Whether any unit is in the middle of a move.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        let mut members = self.members.iter().flatten();
        members.any(|member| matches!(member.whereabouts(self.now), Whereabouts::UnderWay { .. }))
    }

    /// Whether the unit stays where it is in the next tick, or has nothing planned.
    #[must_use]
    pub fn is_pausing(&self, unit: u32) -> bool {
        self.member(unit).is_some_and(|member| {
            member.path.legs.get(member.leg).is_none_or(|leg| leg.action == Action::PAUSE)
        })
    }

    /// In how many ticks running the unit was forced to wait.
    #[must_use]
    pub fn forced_ticks(&self, unit: u32) -> u32 {
        self.member(unit).map_or(0, |member| member.forced)
    }

    /// What happened in the last tick, in the order in which it did.
    #[must_use]
    pub fn events(&self) -> &[CrewEvent] {
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

    /// The space-time searches so far.
    #[must_use]
    pub fn search(&self) -> &SpaceTimeSearch {
        &self.search
    }

    /// All units.
    pub fn units(&self) -> impl Iterator<Item = u32> {
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| member.is_some()).map(|(unit, _)| unit as u32)
    }

    pub(crate) fn member(&self, unit: u32) -> Option<&Member> {
        self.members.get(unit as usize)?.as_ref()
    }

    pub(crate) fn member_mut(&mut self, unit: u32) -> Option<&mut Member> {
        self.members.get_mut(unit as usize)?.as_mut()
    }

    /// Plans what is due, within about so many expansions, then everybody moves one tick.
    pub fn tick<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>, expansions: u64) {
        self.plan_due(spaces, guide, expansions);
        self.advance(spaces, guide);
    }

    /// Everybody does what is planned; where that cannot be, see `settle.rs`.
    pub fn advance<S: Space>(&mut self, spaces: &[S], guide: &mut impl Guide<S>) {
        self.settle(spaces, guide);
        let (now, next) = (self.now, Tick(self.now.0 + 1));
        for unit in 0..self.members.len() {
            let Some(member) = &mut self.members[unit] else { continue };
            let space = &spaces[member.space];
            release_tick(&mut self.table, space, member, unit as u32, now);
            if let Some(leg) = member.next_leg(now) {
                // What is begun cannot be taken back by anyone.
                let claim = Claim { unit: unit as u32, priority: Priority::FIXED };
                self.table.claim_action(space, leg, next, claim);
            }
            member.step(next);
            fix_place(&mut self.table, space, member, unit as u32, next);
        }
        self.now = next;
        self.table.advance(next);
    }
}

/// Gives up what a unit held at a tick that is over.
fn release_tick<S: Space>(
    table: &mut Reservations,
    space: &S,
    member: &Member,
    unit: u32,
    tick: Tick,
) {
    if member.leg == 0 {
        let start = member.path.legs.first().map(|leg| leg.from).or(member.path.end.map(|e| e.0));
        space.standing(start.unwrap_or(Position(0)), |entry| {
            table.release(entry, tick, unit);
            true
        });
    }
    let last = (member.leg + 1).min(member.path.legs.len());
    for leg in &member.path.legs[member.leg.saturating_sub(1).min(last)..last] {
        space.footprint(leg.from, leg.action, |entry, later| {
            if leg.tick.0 + later == tick.0 {
                table.release(entry, tick, unit);
            }
            true
        });
    }
}

/// A unit that takes its time to get away cannot be passed over where it stands: nobody may
/// plan to be there before it can be gone.
pub(crate) fn fix_place<S: Space>(
    table: &mut Reservations,
    space: &S,
    member: &Member,
    unit: u32,
    now: Tick,
) {
    let Whereabouts::Standing(at) = member.whereabouts(now) else { return };
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
