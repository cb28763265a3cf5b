//! Whether a move is free, and which units would have to leave first.

use throng_spacetime::{Action, Entry, Leg, Position, Space};

use super::candidates::Candidate;
use super::claims::{Holder, NONE};
use super::kernel::{Memory, Preferences};
use super::turn::{Record, State, Turn};

/// A move asks at most this many units at a time.
const BLOCKERS_MAX: usize = 24;

/// What stands against a move. Blockers are on top of the stack of blockers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// Nothing.
    Free,
    /// A decided unit, for good.
    Refused,
    /// Only units that are leaving: it will be free after some ticks.
    Pending,
    /// Undecided units that can make room within the tick.
    Blocked,
    /// Undecided units, and it is not free in this tick even if they leave.
    BlockedForNow,
}

/// What is found while the entries of a move are visited.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    refused: bool,
    pending: bool,
    slow: bool,
}

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// Looks at everything that a move needs, and adds the units in its way to `blockers`.
    pub(super) fn probe(&mut self, unit: u32, candidate: &Candidate) -> Probe {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let first = self.memory.blockers.len();
        let mut found = Found::default();
        space.footprint(at, candidate.action, |entry, later| {
            self.look_at(unit, entry, later == 0, first, &mut found);
            !found.refused
        });
        found.refused = found.refused || self.passes_through(unit, at, candidate.action);
        let is_blocked = self.memory.blockers.len() > first;
        match found {
            Found { refused: true, .. } => {
                self.memory.blockers.truncate(first);
                Probe::Refused
            }
            Found { pending: false, slow: false, .. } if is_blocked => Probe::Blocked,
            _ if is_blocked => Probe::BlockedForNow,
            Found { pending: true, .. } => Probe::Pending,
            _ => Probe::Free,
        }
    }

    /// Looks at one entry; `at_once`: the move holds it before it leaves its start.
    #[inline]
    fn look_at(&mut self, unit: u32, entry: Entry, at_once: bool, first: usize, found: &mut Found) {
        let next = self.memory.claims.next(entry);
        if next != NONE && next != unit {
            let is_leaving = self.is_leaving(next, entry) && !self.is_hidden(unit, next);
            (found.pending, found.refused) = (is_leaving, !is_leaving);
            return;
        }
        let now = match self.memory.claims.now(entry) {
            Holder::Body(now) if now != unit => now,
            Holder::Tail(now) if now != unit => {
                found.pending |= at_once;
                return;
            }
            _ => return,
        };
        if self.is_hidden(unit, now) {
            found.refused = true;
            return;
        }
        match self.record(now).state {
            State::Undecided => {
                found.slow |= at_once || !self.is_quick(now);
                found.refused |= !self.add_blocker(now, first);
            }
            State::Asking | State::Staying => found.refused = true,
            State::Moving | State::Fixed => found.pending |= at_once,
        }
    }

    /// Whether some move of the unit leaves all of its place free in the next tick.
    #[inline]
    fn is_quick(&self, unit: u32) -> bool {
        let kind = self.kind(unit);
        if !kind.is_mixed {
            return kind.is_quick;
        }
        let mut is_quick = false;
        let at = self.units[unit as usize].at;
        self.space(unit).for_each_move(at, |step| is_quick |= step.ticks == 1);
        is_quick
    }

    /// Whether the other unit is of another side and has not begun to move before this tick: what
    /// it does is not known.
    #[inline]
    fn is_hidden(&self, unit: u32, other: u32) -> bool {
        let has_begun = || {
            let begins_now = |leg: Leg| leg.tick >= self.now;
            self.record(other).state == State::Fixed
                && !self.units[other as usize].begun.is_some_and(begins_now)
        };
        self.side(unit) != self.side(other) && !has_begun()
    }

    #[inline]
    pub(super) fn side(&self, unit: u32) -> u8 {
        self.preferences.side(unit as usize)
    }

    /// False when there are too many.
    fn add_blocker(&mut self, unit: u32, first: usize) -> bool {
        let blockers = &mut self.memory.blockers;
        if !blockers[first..].contains(&unit) {
            blockers.push(unit);
        }
        blockers.len() - first <= BLOCKERS_MAX
    }

    /// Whether a unit that moves holds an entry on its way only, not where it ends.
    fn is_leaving(&self, unit: u32, entry: Entry) -> bool {
        let Record { state, end, .. } = *self.record(unit);
        matches!(state, State::Moving | State::Fixed)
            && self.memory.claims.body(entry) == unit
            && self.space(unit).standing(end, |held| held != entry)
    }

    /// Whether a decided unit passes through the one that acts.
    fn passes_through(&self, unit: u32, from: Position, action: Action) -> bool {
        let claims = &self.memory.claims;
        !self.space(unit).passings(from, action, |before, after| {
            let other = claims.body(before);
            other == NONE || other == unit || claims.next(after) != other
        })
    }

    /// Whether no other unit claims what the unit holds where it stands.
    pub(super) fn can_stay(&self, unit: u32) -> bool {
        let claims = &self.memory.claims;
        self.space(unit).standing(self.units[unit as usize].at, |entry| {
            let next = claims.next(entry);
            next == NONE || next == unit
        })
    }

    /// Claims everything that an action needs and no other unit claims.
    pub(super) fn claim(&mut self, unit: u32, action: Action) {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let claims = &mut self.memory.claims;
        space.footprint(at, action, |entry, _| {
            claims.claim(entry, unit);
            true
        });
    }

    /// Claims what is free of a place that a unit waits for. What a unit leaves in this tick is
    /// not: it may have to stay after all.
    pub(super) fn keep_free(&mut self, unit: u32, action: Action) {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let Memory { claims, records, .. } = &mut *self.memory;
        space.footprint(at, action, |entry, _| {
            let now = claims.body(entry);
            if now == NONE || records[now as usize].state != State::Moving {
                claims.claim(entry, unit);
            }
            true
        });
    }

    /// Ends the claims of an action. A unit that stays on such an entry has no claim on it then,
    /// but no other unit can take it: see `look_at`.
    pub(super) fn release(&mut self, unit: u32, action: Action) {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let claims = &mut self.memory.claims;
        space.footprint(at, action, |entry, _| {
            claims.release(entry, unit);
            true
        });
    }
}
