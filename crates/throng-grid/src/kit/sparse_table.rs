//! Values by sparse keys: a hash table whose entries can be removed.

use crate::kit::mix::table_hash;

/// The key that stands for an empty slot.
const EMPTY: u64 = u64::MAX;
/// The first table is this long.
const SLOTS_MIN: usize = 64;

/// Values by key. Linear probing, and removal closes the gap, so that nothing is left behind by
/// the millions of entries that come and go.
///
/// The key `u64::MAX` is reserved. Access takes one or two steps on average.
///
/// ```
/// use throng_grid::kit::SparseTable;
/// let mut table = SparseTable::<char>::default();
/// table.insert(7, 'a');
/// table.insert(7, 'b');
/// assert_eq!((table.get(7), table.len()), (Some('b'), 1));
/// table.remove(7);
/// assert_eq!((table.get(7), table.len()), (None, 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SparseTable<V> {
    /// A power of two of them, at most half of them used.
    slots: Vec<(u64, V)>,
    len: usize,
}

impl<V: Copy + Default> SparseTable<V> {
    #[inline]
    fn home(&self, key: u64) -> usize {
        table_hash(key ^ key >> 29) & (self.slots.len() - 1)
    }

    /// Where a key is, or the empty slot where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mut at = self.home(key);
        while self.slots[at].0 != key && self.slots[at].0 != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    /// The value of a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, value) = self.slots[self.slot(key)];
        (found != EMPTY).then_some(value)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u64, value: V) {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let at = self.slot(key);
        self.len += usize::from(self.slots[at].0 == EMPTY);
        self.slots[at] = (key, value);
    }

    /// Removes a key, if it is there.
    pub fn remove(&mut self, key: u64) {
        if self.slots.is_empty() {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut gap = self.slot(key);
        if self.slots[gap].0 == EMPTY {
            return;
        }
        self.len -= 1;
        let mut at = (gap + 1) & mask;
        while self.slots[at].0 != EMPTY {
            // An entry that would be nearer to its home slot in the gap moves there.
            let home = self.home(self.slots[at].0);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        self.slots[gap].0 = EMPTY;
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(SLOTS_MIN);
        let old = std::mem::replace(&mut self.slots, vec![(EMPTY, V::default()); larger]);
        for slot in old.into_iter().filter(|&(key, _)| key != EMPTY) {
            let at = self.slot(slot.0);
            self.slots[at] = slot;
        }
    }

    /// How many keys have a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no key has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All keys and values, in an order that depends on the hash: sort before use.
    pub fn iter(&self) -> impl Iterator<Item = (u64, V)> {
        self.slots.iter().copied().filter(|&(key, _)| key != EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;

    use super::*;

    #[test]
    fn it_holds_what_a_sorted_map_holds() {
        let mut rng = throng_testkit::rng(9);
        let (mut table, mut naive) = (SparseTable::default(), BTreeMap::new());
        for round in 0..40_000_u32 {
            let key = rng.random_range(0..600_u64) << 32 | rng.random_range(0..4);
            if rng.random_range(0..5) < 2 {
                table.remove(key);
                naive.remove(&key);
            } else {
                table.insert(key, round);
                naive.insert(key, round);
            }
            assert_eq!((table.get(key), table.len()), (naive.get(&key).copied(), naive.len()));
        }
        assert_eq!(table.iter().collect::<BTreeMap<_, _>>(), naive);
    }
}
