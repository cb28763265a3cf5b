//! A crew as plain data, to be saved and made again.
//!
//! Most of the reservation table follows from the paths of the units. What does not is
//! listed: so a record is small, and exact whatever the crew did to get there.

use std::collections::BTreeMap;

use throng_model::{Tick, limits};
use throng_spacetime::{Action, Entry, Leg, Position, Space, TimedPath};

use crate::crew::fix_place;
use crate::member::{AGITATION_MAX, Member, Whereabouts};
use crate::{Claim, Crew, CrewOptions, Priority, Reservations, Stance};

/// Largest reservation table that is made for a record, in bytes.
const TABLE_BYTES_MAX: u64 = 1 << 30;
/// Crews that are older are not made again: their time would soon overflow.
const NOW_MAX: u32 = u32::MAX - 4 * limits::HORIZON_MAX;

/// All of a crew that has a bearing on what it will do, between two ticks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CrewRecord {
    /// The tick that it is.
    pub now: Tick,
    /// The last tick that anybody ever claimed.
    pub last: Tick,
    /// How many numbers of units there are, those of removed units included: turns rotate
    /// over all of them.
    pub numbers: u32,
    /// The units, by number.
    pub members: Vec<MemberRecord>,
    /// Units whose turn it was when the budget ended, the longest waiting first.
    pub waiting: Vec<u32>,
    /// Units whose plans were taken from them since the last tick.
    pub overridden: Vec<u32>,
    /// Where the reservation table is not what follows from the paths: who holds an entry at
    /// a tick instead, if anyone.
    pub claims: Vec<(Entry, Tick, Option<Claim>)>,
    /// Where an entry is not the post of the first unit that has its post there: whose it is
    /// instead, if anyone's.
    pub posts: Vec<(Entry, Option<u32>)>,
}

/// One unit of a [`CrewRecord`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRecord {
    /// Its number.
    pub unit: u32,
    /// Which of the spaces is its own.
    pub space: usize,
    /// The depth of its searches, in ticks.
    pub depth: u32,
    /// The level of its priority.
    pub level: u8,
    /// What it is up to.
    pub stance: Stance,
    /// Before this tick it is promoted; 0 if it is not.
    pub promoted_until: Tick,
    /// What it does, from the last action that is over on.
    pub path: TimedPath,
    /// With how much weight it claimed what it has not begun.
    pub claimed: Priority,
    /// When it plans again.
    pub due: Tick,
    /// Whether its plan was taken from it.
    pub flagged: bool,
    /// The least distance to its destination so far.
    pub best: u64,
    /// Since when.
    pub best_since: Tick,
    /// How often it was disturbed without peace since.
    pub agitation: u8,
    /// How often it was promoted to get back to where it had arrived.
    pub returns: u8,
    /// Where it wants to stay, and from when on it could be there.
    pub post: Option<(Position, Tick)>,
    /// In how many ticks running it was forced to wait.
    pub forced: u32,
    /// Whether it took a step back in this tick, and stands for the rest of it.
    pub stopped: bool,
}

/// A record of a crew that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Time is out of joint.
    #[error("it is tick {now} and the last claim is for tick {last}")]
    Time {
        /// The tick that it is.
        now: Tick,
        /// The last tick claimed.
        last: Tick,
    },
    /// Units are not listed by number, or a number is too large.
    #[error("unit {0} is out of place among {1} numbers")]
    Number(u32, u32),
    /// No such space.
    #[error("unit {unit} is in space {space}, which does not exist")]
    NoSuchSpace {
        /// The unit.
        unit: u32,
        /// The space.
        space: usize,
    },
    /// Somewhere that does not exist.
    #[error("unit {unit} has to do with position {}, which does not exist", .at.0)]
    NoSuchPosition {
        /// The unit.
        unit: u32,
        /// The position.
        at: Position,
    },
    /// A path with gaps, or one that does not lead through the present.
    #[error("the path of unit {unit} breaks off at tick {tick}")]
    Broken {
        /// The unit.
        unit: u32,
        /// When.
        tick: Tick,
    },
    /// A move that is not legal.
    #[error("unit {unit} plans a move at tick {tick} that is not legal")]
    Illegal {
        /// The unit.
        unit: u32,
        /// When.
        tick: Tick,
    },
    /// A number that cannot be.
    #[error("unit {unit} has {what} that cannot be")]
    Impossible {
        /// The unit.
        unit: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// Two bodies in one place.
    #[error("units {unit} and {other} are in the same place")]
    Overlap {
        /// One unit.
        unit: u32,
        /// The other.
        other: u32,
    },
    /// Someone plans too far ahead for the memory there is.
    #[error("{ticks} ticks of plans ahead are too many for {entries} entries")]
    TooFarAhead {
        /// How far plans reach.
        ticks: u32,
        /// Entries of the reservation table.
        entries: usize,
    },
    /// A claim or post that cannot be.
    #[error("entry {} is listed for unit {unit}, and one of them does not exist", .entry.0)]
    Entry {
        /// The entry.
        entry: Entry,
        /// The unit.
        unit: u32,
    },
}

impl Crew {
    /// The crew as plain data. To be taken between two ticks.
    #[must_use]
    pub fn record<S: Space>(&self, spaces: &[S]) -> CrewRecord {
        // All of it is named: whoever adds a field has to think of it here.
        let Self { options, table, members, search: _, now, events: _, waiting, scratch, posts } =
            self;
        let present = (0..).zip(members).filter_map(|(unit, member)| {
            member.as_ref().map(|member| self.record_member(spaces, unit, member))
        });
        let mut record = CrewRecord {
            now: *now,
            last: table.last(),
            numbers: members.len() as u32,
            members: present.collect(),
            waiting: waiting.clone(),
            overridden: scratch.clone(),
            ..CrewRecord::default()
        };
        let mut usual = Self::new(table.entries(), *options);
        usual.take_members(spaces, &record);
        record.claims = self.unusual_claims(&usual);
        record.posts = posts.unlike(&usual.posts);
        record
    }

    fn record_member<S: Space>(&self, spaces: &[S], unit: u32, member: &Member) -> MemberRecord {
        // All of them are named: whoever adds a field has to think of it here.
        let &Member {
            space,
            depth,
            level,
            stance,
            promoted_until,
            ref path,
            leg,
            due,
            flagged,
            best,
            best_since,
            agitation,
            returns,
            post,
            forced,
            stopped,
        } = member;
        let mut path = path.clone();
        path.legs.drain(..leg.saturating_sub(1).min(path.legs.len()));
        MemberRecord {
            unit,
            space,
            depth,
            level,
            stance,
            promoted_until: if promoted_until > self.now { promoted_until } else { Tick(0) },
            claimed: self.claimed(&spaces[space], unit, path.end),
            path,
            due,
            flagged,
            best,
            best_since,
            agitation,
            returns,
            post: post.map(|post| (post, self.posts.ready(unit))),
            forced,
            stopped: stopped == Some(self.now),
        }
    }

    /// The weight of a unit's claim on the end of its path.
    fn claimed<S: Space>(&self, space: &S, unit: u32, end: Option<(Position, Tick)>) -> Priority {
        let mut priority = Priority::FIXED;
        let Some((at, tick)) = end else { return priority };
        space.standing(at, |entry| {
            let claim = self.table.holder(entry, tick).filter(|claim| claim.unit == unit);
            priority = claim.map_or(priority, |claim| claim.priority);
            false
        });
        priority
    }

    fn unusual_claims(&self, usual: &Self) -> Vec<(Entry, Tick, Option<Claim>)> {
        let expected = usual.table.sorted_claims();
        let mut unusual: BTreeMap<(Entry, Tick), Option<Claim>> = BTreeMap::new();
        let held = self.table.sorted_claims();
        let held = held.into_iter().filter(|&(_, tick, _)| tick >= self.now);
        let mut expected = expected.into_iter().peekable();
        for (entry, tick, claim) in held {
            while let Some((e, t, _)) = expected.next_if(|&(e, t, _)| (e, t) < (entry, tick)) {
                unusual.insert((e, t), None);
            }
            let known = expected.next_if(|&(e, t, _)| (e, t) == (entry, tick));
            if known.map(|(_, _, claim)| claim) != Some(claim) {
                unusual.insert((entry, tick), Some(claim));
            }
        }
        unusual.extend(expected.map(|(entry, tick, _)| ((entry, tick), None)));
        unusual.into_iter().map(|((entry, tick), claim)| (entry, tick, claim)).collect()
    }

    /// Makes a crew from its record, over spaces of so many entries. Actions in it must be
    /// such as the spaces know.
    ///
    /// # Errors
    /// When the record is not that of any crew.
    pub fn from_record<S: Space>(
        spaces: &[S],
        entries: usize,
        options: CrewOptions,
        record: &CrewRecord,
    ) -> Result<Self, RecordError> {
        check(spaces, entries, record)?;
        let mut crew = Self::new(entries, options);
        crew.place_bodies(spaces, record)?;
        crew.table = Reservations::new(entries);
        crew.take_members(spaces, record);
        for &(entry, tick, claim) in &record.claims {
            crew.table.set(entry, tick, claim);
        }
        crew.posts.correct(entries, &record.posts);
        crew.waiting.clone_from(&record.waiting);
        crew.scratch.clone_from(&record.overridden);
        Ok(crew)
    }

    /// No two units may be in one place now.
    fn place_bodies<S: Space>(
        &mut self,
        spaces: &[S],
        record: &CrewRecord,
    ) -> Result<(), RecordError> {
        let now = record.now;
        self.table.advance(now);
        for member in &record.members {
            let (space, unit) = (&spaces[member.space], member.unit);
            let claim = Claim { unit, priority: Priority::FIXED };
            let mut other = None;
            let mut hold = |entry| {
                other = self.table.claim(entry, now, claim);
                other.is_none()
            };
            let body = member.member(now);
            match body.path.legs.get(body.leg).filter(|leg| leg.tick < now) {
                Some(leg) => space.footprint(leg.from, leg.action, |entry, later| {
                    leg.tick.0 + later != now.0 || hold(entry)
                }),
                None => space.standing(body.whereabouts(now).position(), hold),
            };
            if let Some(other) = other {
                return Err(RecordError::Overlap { unit, other: other.unit });
            }
        }
        Ok(())
    }

    /// Takes over time and units of a record, with the claims and posts that follow.
    fn take_members<S: Space>(&mut self, spaces: &[S], record: &CrewRecord) {
        self.now = record.now;
        self.table.advance(record.last);
        self.table.advance(record.now);
        self.members = vec![None; record.numbers as usize];
        for known in &record.members {
            let (space, unit) = (&spaces[known.space], known.unit);
            let member = known.member(record.now);
            claim_usual(&mut self.table, space, &member, unit, known.claimed, record.now);
            if let Some((post, ready)) = known.post {
                self.posts.set(space, unit, post, ready);
            }
            self.members[unit as usize] = Some(member);
        }
    }
}

impl MemberRecord {
    fn member(&self, now: Tick) -> Member {
        let ends = self.path.legs.iter().skip(1).map(|leg| leg.tick);
        let ends =
            ends.chain(self.path.end.filter(|_| !self.path.legs.is_empty()).map(|end| end.1));
        Member {
            space: self.space,
            depth: self.depth,
            level: self.level,
            stance: self.stance,
            promoted_until: self.promoted_until,
            leg: ends.take_while(|&end| end <= now).count(),
            path: self.path.clone(),
            due: self.due,
            flagged: self.flagged,
            best: self.best,
            best_since: self.best_since,
            agitation: self.agitation,
            returns: self.returns,
            post: self.post.map(|(post, _)| post),
            forced: self.forced,
            stopped: self.stopped.then_some(now),
        }
    }
}

/// The claims that follow from a unit's path, as a rule: bodies and what is begun are fixed,
/// the rest has the weight that the unit had when it planned.
fn claim_usual<S: Space>(
    table: &mut Reservations,
    space: &S,
    member: &Member,
    unit: u32,
    claimed: Priority,
    now: Tick,
) {
    let legs = &member.path.legs;
    let claim = Claim { unit, priority: claimed };
    for &leg in &legs[member.leg.min(legs.len())..] {
        table.claim_action(space, leg, now, claim);
    }
    let fixed = Claim { unit, priority: Priority::FIXED };
    if let Whereabouts::Standing(at) = member.whereabouts(now) {
        table.claim_standing(space, at, now, fixed);
    }
    let last = (member.leg + 1).min(legs.len());
    let first = member.leg.saturating_sub(1).min(last);
    for &leg in legs[first..last].iter().filter(|leg| leg.tick < now) {
        table.claim_action(space, leg, now, fixed);
    }
    fix_place(table, space, member, unit, now);
}

fn check<S: Space>(spaces: &[S], entries: usize, record: &CrewRecord) -> Result<(), RecordError> {
    let CrewRecord { now, last, numbers, .. } = *record;
    let soon = now.0.saturating_add(limits::HORIZON_MAX);
    if now.0 > NOW_MAX || last < now || last.0 > soon {
        return Err(RecordError::Time { now, last });
    }
    let mut least = 0;
    for member in &record.members {
        let unit = member.unit;
        if unit < least || unit >= numbers {
            return Err(RecordError::Number(unit, numbers));
        }
        least = unit + 1;
        let space = spaces
            .get(member.space)
            .ok_or(RecordError::NoSuchSpace { unit, space: member.space })?;
        member.check(space, entries, now)?;
    }
    let mut listed = record.waiting.iter().chain(&record.overridden);
    if let Some(&unit) = listed.find(|&&unit| unit >= numbers) {
        return Err(RecordError::Number(unit, numbers));
    }
    check_entries(entries, record)?;
    check_reach(entries, record)
}

fn check_entries(entries: usize, record: &CrewRecord) -> Result<(), RecordError> {
    let claims = record.claims.iter().map(|&(entry, tick, claim)| {
        (entry, claim.map_or(0, |claim| claim.unit), tick >= record.now && tick <= record.last)
    });
    let posts = record.posts.iter().map(|&(entry, unit)| (entry, unit.unwrap_or(0), true));
    for (entry, unit, in_time) in claims.chain(posts) {
        if entry.get() >= entries || unit >= record.numbers || !in_time {
            return Err(RecordError::Entry { entry, unit });
        }
    }
    Ok(())
}

/// The table has a bit for each entry and tick.
fn check_reach(entries: usize, record: &CrewRecord) -> Result<(), RecordError> {
    let ends = record.members.iter().filter_map(|member| member.path.end.map(|(_, tick)| tick));
    let last = ends.chain(record.claims.iter().map(|&(_, tick, _)| tick)).max();
    let ticks = last.map_or(0, |last| last.0.saturating_sub(record.now.0));
    let bytes = (u64::from(ticks) + 1).next_power_of_two().max(64) / 8 * entries as u64;
    let fits = bytes <= TABLE_BYTES_MAX && last.is_none_or(|tick| tick <= record.last);
    if fits { Ok(()) } else { Err(RecordError::TooFarAhead { ticks, entries }) }
}

impl MemberRecord {
    fn check<S: Space>(&self, space: &S, entries: usize, now: Tick) -> Result<(), RecordError> {
        let unit = self.unit;
        let soon = now.0 + limits::HORIZON_MAX;
        let stands = |leg: &Leg| leg.tick == now && leg.action == Action::PAUSE;
        let impossible = [
            (self.stopped && !self.path.legs.first().is_some_and(stands), "a stop"),
            (self.depth < 2 || self.depth > limits::HORIZON_MAX, "a depth"),
            (self.due.0 > soon, "a tick to plan at"),
            (self.promoted_until.0 > soon, "a promotion"),
            (self.best_since > now, "a best distance"),
            (self.agitation > AGITATION_MAX, "an agitation"),
            (self.forced > now.0, "a time of waiting"),
        ];
        if let Some(&(_, what)) = impossible.iter().find(|(is_so, _)| *is_so) {
            return Err(RecordError::Impossible { unit, what });
        }
        let end = self.path.end.ok_or(RecordError::Broken { unit, tick: now })?;
        let positions = self.path.legs.iter().map(|leg| leg.from).chain([end.0]);
        for at in positions.chain(self.post.map(|(at, _)| at)) {
            let exists =
                at.get() < space.positions() && space.standing(at, |entry| entry.get() < entries);
            if !exists {
                return Err(RecordError::NoSuchPosition { unit, at });
            }
        }
        self.check_path(space, end, now)
    }

    /// One action after the other, and all that are still to come legal.
    fn check_path<S: Space>(
        &self,
        space: &S,
        end: (Position, Tick),
        now: Tick,
    ) -> Result<(), RecordError> {
        let unit = self.unit;
        let first = self.path.legs.first().map_or(end.1, |leg| leg.tick);
        if first > now || end.1 < now {
            return Err(RecordError::Broken { unit, tick: first });
        }
        let next = self.path.legs.iter().skip(1).map(|leg| (leg.from, leg.tick));
        for (leg, (to, tick)) in self.path.legs.iter().zip(next.chain([end])) {
            if tick <= leg.tick {
                return Err(RecordError::Broken { unit, tick: leg.tick });
            }
            if tick > now {
                check_leg(space, unit, leg, (to, tick))?;
            }
        }
        Ok(())
    }
}

fn check_leg<S: Space>(
    space: &S,
    unit: u32,
    leg: &Leg,
    (to, tick): (Position, Tick),
) -> Result<(), RecordError> {
    let end = if leg.action == Action::PAUSE {
        Some((leg.from, 1))
    } else {
        space.move_by(leg.from, leg.action).map(|step| (step.to, step.ticks))
    };
    let (at, ticks) = end.ok_or(RecordError::Illegal { unit, tick: leg.tick })?;
    let is_next = at == to && leg.tick.0.checked_add(ticks) == Some(tick.0);
    if is_next { Ok(()) } else { Err(RecordError::Broken { unit, tick }) }
}
