//! Claims by entry and tick, laid out for the cache: the storage of a reservation table.
//!
//! Each entry has a bit for each of the next ticks, side by side in one word: all that a
//! search around one unit asks lies in a few lines of cache. In a crowd that plans in windows
//! most entries are claimed by one unit for one tick. That claim is kept beside the bits, so
//! that a reader or writer of the bits has it at hand; all others are in a hash.

use throng_grid::kit::SparseTable;
use throng_model::Tick;

use crate::space::Entry;

/// A claim as a [`Timetable`] stores it: what it says of the holder, in 48 bits.
pub trait PackedClaim: Copy + Default {
    /// The claim as a number below 2^48 - 1.
    fn pack(self) -> u64;

    /// The claim that was packed.
    fn unpack(bits: u64) -> Self;
}

const TICKS_A_WORD: u32 = u64::BITS;
/// Most words of bits, 512 MiB: 1024 x 1024 entries over 4096 ticks.
const WORDS_MAX: usize = 1 << 26;

/// Claims by entry and tick, for a stretch of time from `now` on.
#[derive(Clone, Debug)]
pub struct Timetable<C> {
    /// A row for each entry: words with a bit per tick, a ring over time, and while one word
    /// is enough, its first claim. Empty when that would take too much memory: the hash
    /// alone has to do then.
    rows: Vec<u64>,
    /// Words of bits in a row.
    words: u32,
    /// Words in a row.
    stride: usize,
    entries: usize,
    others: SparseTable<C>,
    firsts: usize,
}

/// A claim that lies beside the bits of its entry: the claim, and the tick in the low bits. The
/// ticks of a row of one word differ there.
mod first {
    use super::{PackedClaim, Tick};

    /// No claim is packed to this.
    pub(super) const NONE: u64 = u64::MAX;

    pub(super) fn pack(tick: Tick, claim: impl PackedClaim) -> u64 {
        claim.pack() << 16 | u64::from(tick.0 as u16)
    }

    #[inline]
    pub(super) fn is_of(packed: u64, tick: Tick) -> bool {
        packed as u16 == tick.0 as u16 && packed != NONE
    }

    #[inline]
    pub(super) fn claim<C: PackedClaim>(packed: u64) -> C {
        C::unpack(packed >> 16)
    }
}

fn key(entry: Entry, tick: Tick) -> u64 {
    u64::from(entry.0) << 32 | u64::from(tick.0)
}

impl<C: PackedClaim> Timetable<C> {
    /// A table of this many entries, without a claim.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            rows: [0, first::NONE].repeat(entries),
            words: 1,
            stride: 2,
            entries,
            others: SparseTable::default(),
            firsts: 0,
        }
    }

    /// How many entries there are for each tick.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many claims there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.firsts + self.others.len()
    }

    /// Whether there is no claim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many ticks from now on there is room for.
    #[inline]
    #[must_use]
    pub fn ticks(&self) -> u32 {
        self.words * TICKS_A_WORD
    }

    /// Whether the bits are there to be asked.
    #[inline]
    #[must_use]
    pub fn has_bits(&self) -> bool {
        !self.rows.is_empty()
    }

    #[inline]
    fn bit(&self, entry: Entry, tick: Tick) -> (usize, u64) {
        let word = (tick.0 / TICKS_A_WORD) & (self.words - 1);
        (entry.get() * self.stride + word as usize, 1 << (tick.0 % TICKS_A_WORD))
    }

    /// Reads an entry's row, so that it is in the processor's cache. The value says nothing.
    #[inline]
    #[must_use]
    pub fn peek(&self, entry: Entry) -> u64 {
        self.rows.get(entry.get() * self.stride).copied().unwrap_or(0)
    }

    /// Whether there is a claim; without bits, whether there may be one.
    #[inline]
    #[must_use]
    pub fn is_taken(&self, entry: Entry, tick: Tick) -> bool {
        let (word, bit) = self.bit(entry, tick);
        self.rows.get(word).is_none_or(|taken| taken & bit != 0)
    }

    /// Whether the entry is not taken at any tick.
    #[must_use]
    pub fn is_never_taken(&self, entry: Entry) -> bool {
        let row = entry.get() * self.stride;
        let taken = self.rows.get(row..row + self.words as usize);
        taken.is_some_and(|taken| taken.iter().all(|&word| word == 0))
    }

    /// The first tick from one to another at which there is a claim, or may be one.
    #[inline]
    #[must_use]
    pub fn next_taken(&self, entry: Entry, from: Tick, to: Tick) -> Option<Tick> {
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

    /// The claim on an entry at a tick.
    #[inline]
    #[must_use]
    pub fn get(&self, entry: Entry, tick: Tick) -> Option<C> {
        if !self.is_taken(entry, tick) {
            return None;
        }
        match self.first(entry).filter(|&packed| first::is_of(packed, tick)) {
            Some(packed) => Some(first::claim(packed)),
            None => self.others.get(key(entry, tick)),
        }
    }

    /// Claims an entry at a tick for which there is room; gives the claim that was there.
    pub fn insert(&mut self, entry: Entry, tick: Tick, claim: C) -> Option<C> {
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
            _ => self.others.insert(key(entry, tick), claim),
        }
        before
    }

    /// Removes the claim on an entry at a tick.
    pub fn remove(&mut self, entry: Entry, tick: Tick) {
        let (word, bit) = self.bit(entry, tick);
        if let Some(taken) = self.rows.get_mut(word) {
            *taken &= !bit;
        }
        if self.first(entry).is_some_and(|packed| first::is_of(packed, tick)) {
            self.firsts -= 1;
            self.set_first(entry, first::NONE);
        } else {
            self.others.remove(key(entry, tick));
        }
    }

    /// Makes room for more entries, without a claim.
    pub fn add_entries(&mut self, entries: usize) {
        let more = entries.saturating_sub(self.entries);
        if self.has_bits() || self.entries == 0 {
            let has_first = self.stride > self.words as usize;
            let row = if has_first { vec![0, first::NONE] } else { vec![0; self.stride] };
            self.rows.extend(row.repeat(more));
        }
        self.entries += more;
    }

    /// Makes room for twice as many ticks.
    #[cold]
    pub fn widen(&mut self, now: Tick) {
        let all: Vec<_> = self.iter(now).collect();
        self.words *= 2;
        self.stride = self.words as usize;
        let fits = self.entries.saturating_mul(self.stride) <= WORDS_MAX;
        self.rows = if fits { vec![0; self.entries * self.stride] } else { Vec::new() };
        (self.firsts, self.others) = (0, SparseTable::default());
        for (entry, tick, claim) in all {
            self.insert(entry, tick, claim);
        }
    }

    /// All claims from a tick on, in no order that means anything.
    pub fn iter(&self, now: Tick) -> impl Iterator<Item = (Entry, Tick, C)> {
        let entries = (0..self.entries as u32).map(Entry).filter(|_| self.firsts > 0);
        let firsts = entries.filter_map(move |entry| {
            let packed = self.first(entry).filter(|&packed| packed != first::NONE)?;
            let later = (packed as u16).wrapping_sub(now.0 as u16);
            Some((entry, Tick(now.0 + u32::from(later)), first::claim(packed)))
        });
        let others = self.others.iter();
        firsts
            .chain(others.map(|(key, claim)| (Entry((key >> 32) as u32), Tick(key as u32), claim)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;

    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Holder(u32, u16);

    impl PackedClaim for Holder {
        fn pack(self) -> u64 {
            u64::from(self.0) << 16 | u64::from(self.1)
        }

        fn unpack(bits: u64) -> Self {
            Self((bits >> 16) as u32, bits as u16)
        }
    }

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
            for unit in 0..8_u32 {
                let entry = Entry(rng.random_range(0..20));
                let tick = Tick(now.0 + rng.random_range(0..table.ticks()));
                let claim = Holder(unit, rng.random_range(0..9));
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
