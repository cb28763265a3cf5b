//! The moves of a unit, ranked: what is left to go, then hindrance, then a hash.

use throng_grid::kit::mix;
use throng_spacetime::{Action, Position, Space};

use super::kernel::Preferences;
use super::turn::{State, Turn};

/// A move, or staying.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The true distance after it.
    pub(super) distance: u64,
    /// Hindrance above a hash; less is better.
    tie: u32,
    pub(super) to: Position,
    pub(super) action: Action,
    /// The next move of the unit's plan, which comes first.
    is_planned: bool,
}

impl Candidate {
    fn rank(&self) -> (bool, u64, u32, Action) {
        (!self.is_planned, self.distance, self.tie, self.action)
    }
}

/// A distance for places from which no path leads to the destination.
const NO_PATH: u64 = u64::MAX;
/// Bits of the hash in a tie; hindrance is above.
const HASH_BITS: u32 = 24;
/// More moves than this, and the unit is not in a corridor.
const CORRIDOR_MOVES_MAX: usize = 2;

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// Finds the moves of every unit that is not where it wants to be, and marks first choices.
    pub(super) fn gather_all(&mut self) {
        self.memory.candidates.clear();
        for unit in 0..self.units.len() as u32 {
            if self.record(unit).state == State::Undecided {
                self.gather_if_going(unit);
            }
        }
    }

    fn gather_if_going(&mut self, unit: u32) {
        let at = self.units[unit as usize].at;
        let stay_distance = self.distance(unit, at);
        self.record_mut(unit).stay_distance = stay_distance;
        if stay_distance > 0 {
            self.gather(unit);
            self.mark_first_choice(unit);
        }
    }

    pub(super) fn distance(&mut self, unit: u32, at: Position) -> u64 {
        self.preferences.distance(unit as usize, at).unwrap_or(NO_PATH)
    }

    /// Lists staying and all moves of a unit.
    pub(super) fn gather(&mut self, unit: u32) {
        let (space, at) = (self.space(unit), self.units[unit as usize].at);
        let planned = self.preferences.planned(unit as usize);
        let stay_distance = self.record(unit).stay_distance;
        let first = self.memory.candidates.len();
        let (candidates, preferences) = (&mut self.memory.candidates, &mut *self.preferences);
        let mut add = |to, action, distance| {
            let is_planned = planned == Some(action);
            candidates.push(Candidate { distance, tie: 0, to, action, is_planned });
        };
        add(at, Action::PAUSE, stay_distance);
        space.for_each_move(at, |step| {
            let distance = preferences.distance(unit as usize, step.to).unwrap_or(NO_PATH);
            add(step.to, step.action, distance);
        });
        let count = (candidates.len() - first) as u16;
        let record = self.record_mut(unit);
        (record.first, record.count) = (first as u32, count);
    }

    /// Counts the unit at every entry that its best move needs.
    fn mark_first_choice(&mut self, unit: u32) {
        let all = self.candidates(unit);
        let Some(&best) = all.iter().min_by_key(|c| (!c.is_planned, c.distance)) else { return };
        if best.action == Action::PAUSE {
            return;
        }
        self.record_mut(unit).first_choice = best.to;
        let (space, side) = (self.space(unit), self.side(unit));
        let claims = &mut self.memory.claims;
        space.standing(best.to, |entry| {
            claims.want(entry, side);
            true
        });
    }

    fn candidates(&self, unit: u32) -> &[Candidate] {
        let record = self.record(unit);
        let first = record.first as usize;
        &self.memory.candidates[first..first + usize::from(record.count)]
    }

    /// Sorts the moves of a unit, once per tick.
    pub(super) fn rank(&mut self, unit: u32) {
        if self.record(unit).is_ranked {
            return;
        }
        if self.record(unit).count == 0 {
            self.gather(unit);
        }
        self.record_mut(unit).is_ranked = true;
        let is_single = self.kind(unit).is_single;
        let in_corridor = usize::from(self.record(unit).count) <= CORRIDOR_MOVES_MAX + 1;
        let hindrance =
            is_single && !in_corridor && self.preferences.avoids_hindrance(unit as usize);
        let number = u64::from(self.units[unit as usize].unit.to_bits());
        let hash = mix(mix(self.seed ^ u64::from(self.now.0)) ^ number);
        let record = *self.record(unit);
        let first = record.first as usize;
        for at in first..first + usize::from(record.count) {
            let Candidate { to, action, .. } = self.memory.candidates[at];
            let others = if hindrance { self.hindrance(unit, to) } else { 0 };
            let drawn = if action == Action::PAUSE { 0 } else { mix(hash ^ u64::from(action.0)) };
            self.memory.candidates[at].tie = others << HASH_BITS | drawn as u32 >> (32 - HASH_BITS);
        }
        let all = &mut self.memory.candidates[first..first + usize::from(record.count)];
        all.sort_unstable_by_key(Candidate::rank);
    }

    /// How many other units of its side have a place of one entry as their first choice.
    fn hindrance(&self, unit: u32, to: Position) -> u32 {
        let mut wanted = 0;
        self.space(unit).standing(to, |entry| {
            wanted = self.memory.claims.wanted(entry, self.side(unit));
            false
        });
        let own = u32::from(self.record(unit).first_choice == to);
        wanted.saturating_sub(own).min(255)
    }
}
