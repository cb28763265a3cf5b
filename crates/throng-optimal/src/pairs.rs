//! What two units cost each other: how many ticks more they need together, from where they
//! are, than each of them alone.
//!
//! Found on demand by a search in depth over the joint positions of the two. A move's excess
//! is never negative, and one without excess brings somebody nearer to its goal; so the
//! search for a way of excess b ends without a look at time, and what it found out holds
//! for every later question.

use throng_model::Conflicts;

use crate::clash::Move;
use crate::track::{PositionId, Track};

/// More than this is not asked for.
pub(crate) const EXCESS_MAX: u8 = 8;
/// Positions that one question may look at, and all questions about a pair.
const VISITS_MAX: u32 = 100_000;
const VISITS_IN_ALL_MAX: u32 = 4_000_000;

/// What is known of a pair's excess at two positions: at least `low`, at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    low: u8,
    high: u8,
}

const NOTHING: Known = Known { low: 0, high: u8::MAX };

/// Two positions as one number.
fn key(at: [PositionId; 2]) -> u32 {
    u32::from(at[0]) << 16 | u32::from(at[1])
}

/// No two positions: the settled position is never numbered last.
const EMPTY: u32 = u32::MAX;

/// Two positions, the excess that is left, and the next moves to try.
struct Frame {
    at: [PositionId; 2],
    left: u8,
    next: [u8; 2],
}

/// What two units cost each other, as far as it was asked for.
pub(crate) struct PairTable {
    slots: Vec<(u32, Known)>,
    count: usize,
    visits: u32,
    stack: Vec<Frame>,
}

impl Default for PairTable {
    fn default() -> Self {
        Self { slots: vec![(EMPTY, NOTHING); 64], count: 0, visits: 0, stack: Vec::new() }
    }
}

impl PairTable {
    /// No plan for the two has less excess than this. `tracks` are those of the two.
    pub(crate) fn excess(
        &mut self,
        tracks: [&mut Track<'_>; 2],
        at: [PositionId; 2],
        counted: Conflicts,
    ) -> u8 {
        let mut known = self.get(at);
        let [a, b] = tracks;
        let limit = (self.visits + VISITS_MAX).min(VISITS_IN_ALL_MAX);
        while known.low < known.high && known.low < EXCESS_MAX {
            match self.is_enough(a, b, at, known.low, counted, limit) {
                Some(true) => known.high = known.low,
                Some(false) => known.low += 1,
                None => break,
            }
        }
        known.low
    }

    /// Whether there is a way of no more than this excess; `None` if that takes too long.
    fn is_enough(
        &mut self,
        a: &mut Track<'_>,
        b: &mut Track<'_>,
        at: [PositionId; 2],
        excess: u8,
        counted: Conflicts,
        limit: u32,
    ) -> Option<bool> {
        self.stack.clear();
        self.stack.push(Frame { at, left: excess, next: [0, 0] });
        while let Some(frame) = self.stack.last_mut() {
            match frame.step(a, b, counted)? {
                None => {
                    let (at, left) = (frame.at, frame.left);
                    self.update(at, |known| known.low = known.low.max(left + 1));
                    self.stack.pop();
                }
                Some((at, left)) => {
                    let known = self.get(at);
                    let is_there = a.distance(at[0]) + b.distance(at[1]) == 0;
                    if is_there || known.high <= left {
                        self.succeed();
                        return Some(true);
                    }
                    if known.low <= left {
                        self.visits += 1;
                        self.stack.push(Frame { at, left, next: [0, 0] });
                    }
                    if self.visits >= limit {
                        return None;
                    }
                }
            }
        }
        Some(false)
    }

    /// Every position on the stack is one from which there is a way.
    fn succeed(&mut self) {
        while let Some(Frame { at, left, .. }) = self.stack.pop() {
            self.update(at, |known| known.high = known.high.min(left));
        }
    }

    fn slot(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[slot].0 != key && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, at: [PositionId; 2]) -> Known {
        self.slots[self.slot(key(at))].1
    }

    fn update(&mut self, at: [PositionId; 2], change: impl FnOnce(&mut Known)) {
        let slot = self.slot(key(at));
        if self.slots[slot].0 == EMPTY {
            self.slots[slot].0 = key(at);
            self.count += 1;
        }
        change(&mut self.slots[slot].1);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let doubled = vec![(EMPTY, NOTHING); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for entry in old.into_iter().filter(|entry| entry.0 != EMPTY) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u32, Known)>()
    }
}

impl Frame {
    /// The next legal move of both within the excess that is left: where it leads, and what
    /// is left then. The outer `None`: a track has too many positions.
    fn step(
        &mut self,
        a: &mut Track<'_>,
        b: &mut Track<'_>,
        counted: Conflicts,
    ) -> Option<Option<([PositionId; 2], u8)>> {
        let [mine, others] = [a.moves(self.at[0]).ok()?, b.moves(self.at[1]).ok()?];
        let place =
            |track: &Track<'_>, from, to| Move { from: track.place(from), to: track.place(to) };
        while usize::from(self.next[0]) < mine.len() {
            let (to_a, excess_a) = mine.get(usize::from(self.next[0]));
            if excess_a > u32::from(self.left) {
                return Some(None);
            }
            while usize::from(self.next[1]) < others.len() {
                let (to_b, excess_b) = others.get(usize::from(self.next[1]));
                if excess_a + excess_b > u32::from(self.left) {
                    break;
                }
                self.next[1] += 1;
                let (step_a, step_b) = (place(a, self.at[0], to_a), place(b, self.at[1], to_b));
                if !step_a.clashes(step_b, counted) {
                    let left = self.left - (excess_a + excess_b) as u8;
                    return Some(Some(([to_a, to_b], left)));
                }
            }
            self.next = [self.next[0] + 1, 0];
        }
        Some(None)
    }
}

/// The pairs of a group, and what they cost each other.
pub(crate) struct Pairs {
    units: usize,
    tables: Vec<PairTable>,
}

impl Pairs {
    pub(crate) fn new(units: usize) -> Self {
        let count = units * units.saturating_sub(1) / 2;
        Self { units, tables: (0..count).map(|_| PairTable::default()).collect() }
    }

    fn index(&self, a: usize, b: usize) -> usize {
        a * (2 * self.units - a - 1) / 2 + (b - a - 1)
    }

    /// What units `a` < `b` cost each other at least.
    pub(crate) fn excess(
        &mut self,
        tracks: &mut [Track<'_>],
        [a, b]: [usize; 2],
        at: [PositionId; 2],
        counted: Conflicts,
    ) -> u8 {
        let table = self.index(a, b);
        match tracks.get_disjoint_mut([a, b]) {
            Ok(tracks) => self.tables[table].excess(tracks, at, counted),
            Err(_) => 0,
        }
    }

    /// The pairs of two groups together, the first group's units first.
    pub(crate) fn merged(first: Self, second: Self) -> Self {
        let (m, n) = (first.units, second.units);
        let mut merged = Self { units: m + n, tables: Vec::new() };
        let (mut ours, mut theirs) = (first.tables.into_iter(), second.tables.into_iter());
        for a in 0..m + n {
            for b in a + 1..m + n {
                let known = match (a < m, b < m) {
                    (true, true) => ours.next(),
                    (false, false) => theirs.next(),
                    _ => None,
                };
                merged.tables.push(known.unwrap_or_default());
            }
        }
        merged
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(PairTable::bytes).sum()
    }
}
