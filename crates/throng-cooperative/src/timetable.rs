//! Which unit holds what part of space, and when, laid out for the cache.
//!
//! Each entry has a bit for each of the next ticks, side by side in one word: all that a
//! search around one unit asks lies in a few lines of cache. In a crowd that plans in windows
//! most entries are claimed by one unit for one tick. That claim is kept beside the bits, so
//! that a reader or writer of the bits has it at hand; all others are in a hash.

use throng_model::{Tick, UnitId};
use throng_spacetime::Entry;

use crate::claims::Claims;
use crate::reservations::{Claim, Priority};

const TICKS_A_WORD: u32 = u64::BITS;
/// Most words of bits, 512 MiB: 1024 x 1024 entries over 4096 ticks.
const WORDS_MAX: usize = 1 << 26;

/// Claims by entry and tick, for a stretch of time from `now` on.
#[derive(Clone, Debug)]
pub(crate) struct Timetable {
    /// A row for each entry: words with a bit per tick, a ring over time, and while one word
    /// is enough, its first claim. Empty when that would take too much memory: the hash
    /// alone has to do then.
    rows: Vec<u64>,
    /// Words of bits in a row.
    words: u32,
    /// Words in a row.
    stride: usize,
    entries: usize,
    others: Claims,
    firsts: usize,
}

/// A claim that lies beside the bits of its entry: unit, priority, and the tick in the low
/// bits. The ticks of a row of one word differ there.
mod first {
    use super::{Claim, Priority, Tick, UnitId};

    /// No unit has the number that this would be.
    pub(super) const NONE: u64 = u64::MAX;

    pub(super) fn pack(tick: Tick, claim: Claim) -> u64 {
        u64::from(claim.unit.to_bits()) << 32
            | u64::from(claim.priority.0) << 16
            | u64::from(tick.0 as u16)
    }

    #[inline]
    pub(super) fn is_of(packed: u64, tick: Tick) -> bool {
        packed as u16 == tick.0 as u16 && packed != NONE
    }

    #[inline]
    pub(super) fn claim(packed: u64) -> Claim {
        Claim {
            unit: UnitId::from_bits((packed >> 32) as u32),
            priority: Priority((packed >> 16) as u16),
        }
    }
}

impl Timetable {
    pub(crate) fn new(entries: usize) -> Self {
        Self {
            rows: [0, first::NONE].repeat(entries),
            words: 1,
            stride: 2,
            entries,
            others: Claims::default(),
            firsts: 0,
        }
    }

    pub(crate) fn entries(&self) -> usize {
        self.entries
    }

    pub(crate) fn len(&self) -> usize {
        self.firsts + self.others.len()
    }

    /// How many ticks from now on there is room for.
    #[inline]
    pub(crate) fn ticks(&self) -> u32 {
        self.words * TICKS_A_WORD
    }

    /// Whether the bits are there to be asked.
    #[inline]
    pub(crate) fn has_bits(&self) -> bool {
        !self.rows.is_empty()
    }

    #[inline]
    fn bit(&self, entry: Entry, tick: Tick) -> (usize, u64) {
        let word = (tick.0 / TICKS_A_WORD) & (self.words - 1);
        (entry.get() * self.stride + word as usize, 1 << (tick.0 % TICKS_A_WORD))
    }

    /// Whether there is a claim; without bits, whether there may be one.
    #[inline]
    pub(crate) fn is_taken(&self, entry: Entry, tick: Tick) -> bool {
        let (word, bit) = self.bit(entry, tick);
        self.rows.get(word).is_none_or(|taken| taken & bit != 0)
    }

    /// Whether the entry is not taken at any tick.
    pub(crate) fn is_never_taken(&self, entry: Entry) -> bool {
        let row = entry.get() * self.stride;
        let taken = self.rows.get(row..row + self.words as usize);
        taken.is_some_and(|taken| taken.iter().all(|&word| word == 0))
    }

    /// The first tick from one to another at which there is a claim, or may be one.
    #[inline]
    pub(crate) fn next_taken(&self, entry: Entry, from: Tick, to: Tick) -> Option<Tick> {
        let mut tick = from;
        while tick <= to {
            let (word, _) = self.bit(entry, tick);
            let Some(taken) = self.rows.get(word) else { return Some(tick) };
            let ahead = taken >> (tick.0 % TICKS_A_WORD);
            if ahead != 0 {
                return Some(Tick(tick.0 + ahead.trailing_zeros()));
            }
            tick = Tick((tick.0 / TICKS_A_WORD + 1) * TICKS_A_WORD);
        }
        None
    }

    /// The entry's first claim, where there is room for one.
    #[inline]
    fn first(&self, entry: Entry) -> Option<u64> {
        let has_first = self.stride > self.words as usize;
        if has_first { self.rows.get(entry.get() * self.stride + 1).copied() } else { None }
    }

    fn set_first(&mut self, entry: Entry, packed: u64) {
        self.rows[entry.get() * self.stride + 1] = packed;
    }

    #[inline]
    pub(crate) fn get(&self, entry: Entry, tick: Tick) -> Option<Claim> {
        if !self.is_taken(entry, tick) {
            return None;
        }
        match self.first(entry).filter(|&packed| first::is_of(packed, tick)) {
            Some(packed) => Some(first::claim(packed)),
            None => self.others.get(entry, tick.0),
        }
    }

    /// Claims an entry at a tick for which there is room; gives the claim that was there.
    pub(crate) fn insert(&mut self, entry: Entry, tick: Tick, claim: Claim) -> Option<Claim> {
        let before = self.get(entry, tick);
        let (word, bit) = self.bit(entry, tick);
        if let Some(taken) = self.rows.get_mut(word) {
            *taken |= bit;
        }
        let is_new = before.is_none();
        match self.first(entry) {
            Some(packed) if first::is_of(packed, tick) || (is_new && packed == first::NONE) => {
                self.firsts += usize::from(is_new);
                self.set_first(entry, first::pack(tick, claim));
            }
            _ => self.others.insert(entry, tick.0, claim),
        }
        before
    }

    pub(crate) fn remove(&mut self, entry: Entry, tick: Tick) {
        let (word, bit) = self.bit(entry, tick);
        if let Some(taken) = self.rows.get_mut(word) {
            *taken &= !bit;
        }
        if self.first(entry).is_some_and(|packed| first::is_of(packed, tick)) {
            self.firsts -= 1;
            self.set_first(entry, first::NONE);
        } else {
            self.others.remove(entry, tick.0);
        }
    }

    /// Makes room for twice as many ticks.
    #[cold]
    pub(crate) fn widen(&mut self, now: Tick) {
        let all: Vec<_> = self.iter(now).collect();
        self.words *= 2;
        self.stride = self.words as usize;
        let fits = self.entries.saturating_mul(self.stride) <= WORDS_MAX;
        self.rows = if fits { vec![0; self.entries * self.stride] } else { Vec::new() };
        (self.firsts, self.others) = (0, Claims::default());
        for (entry, tick, claim) in all {
            self.insert(entry, tick, claim);
        }
    }

    /// All claims from a tick on, in no order that means anything.
    pub(crate) fn iter(&self, now: Tick) -> impl Iterator<Item = (Entry, Tick, Claim)> {
        let entries = (0..self.entries as u32).map(Entry).filter(|_| self.firsts > 0);
        let firsts = entries.filter_map(move |entry| {
            let packed = self.first(entry).filter(|&packed| packed != first::NONE)?;
            let later = (packed as u16).wrapping_sub(now.0 as u16);
            Some((entry, Tick(now.0 + u32::from(later)), first::claim(packed)))
        });
        firsts.chain(self.others.iter().map(|(entry, tick, claim)| (entry, Tick(tick), claim)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;

    use super::*;

    /// Against a map, through every width, with time going on.
    #[test]
    fn it_holds_what_was_put_in() {
        let mut rng = throng_testkit::rng(3);
        let (mut table, mut naive) = (Timetable::new(20), BTreeMap::new());
        for now in (0..2000).map(Tick) {
            let past: Vec<_> = naive.keys().copied().filter(|&(_, tick)| tick < now).collect();
            for (entry, tick) in past {
                table.remove(entry, tick);
                naive.remove(&(entry, tick));
            }
            if now.0 % 500 == 499 {
                table.widen(now);
            }
            for unit in (0..8).map(UnitId::new) {
                let entry = Entry(rng.random_range(0..20));
                let tick = Tick(now.0 + rng.random_range(0..table.ticks()));
                let claim = Claim { unit, priority: Priority(rng.random_range(0..9)) };
                if rng.random_range(0..3) > 0 {
                    let before = naive.insert((entry, tick), claim);
                    assert_eq!(table.insert(entry, tick, claim), before);
                } else if naive.remove(&(entry, tick)).is_some() {
                    table.remove(entry, tick);
                }
                assert_eq!(table.get(entry, tick), naive.get(&(entry, tick)).copied());
            }
            let all: BTreeMap<_, _> =
                table.iter(now).map(|(e, t, claim)| ((e, t), claim)).collect();
            assert_eq!((&all, table.len()), (&naive, naive.len()));
        }
    }
}
