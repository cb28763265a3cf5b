//! Dense numbers for keys: a hash table that is emptied without being cleared.

use crate::kit::mix::table_hash;

/// Gives every key a number, counting up from 0 in the order in which keys first appear.
///
/// The caller stores data of a key in an array under its number, so that memory grows with the
/// keys visited. The table uses open addressing with linear probing and is at most half full: a
/// lookup takes one or two steps on average. [`clear`](Self::clear) takes constant time: numbers
/// are stored plus a base, which clearing raises, and slots below the base count as empty.
/// Numbers depend only on the order of the calls, never on the hash.
///
/// ```
/// use throng_grid::kit::IndexTable;
/// let mut table = IndexTable::<u64>::default();
/// assert_eq!((table.insert(70), table.insert(9), table.insert(70)), (0, 1, 0));
/// assert_eq!((table.get(9), table.get(8)), (Some(1), None));
/// table.clear();
/// assert_eq!((table.get(70), table.insert(9)), (None, 0));
/// ```
#[derive(Clone, Debug)]
pub struct IndexTable<K> {
    /// Key, and number plus base. A power of two long, or empty.
    slots: Vec<(K, u32)>,
    /// The value of number 0; slots with less are empty.
    base: u32,
    len: u32,
}

/// The first table is this long.
const SLOTS_MIN: usize = 16;
/// Above this base the slots are cleared and the base starts again, long before sums overflow.
const BASE_MAX: u32 = 1 << 31;

impl<K> Default for IndexTable<K> {
    fn default() -> Self {
        Self { slots: Vec::new(), base: 1, len: 0 }
    }
}

impl<K: Copy + Default + Eq + Into<u64>> IndexTable<K> {
    /// Forgets all keys and keeps the memory.
    pub fn clear(&mut self) {
        self.base += self.len;
        self.len = 0;
        if self.base > BASE_MAX {
            self.slots.fill((K::default(), 0));
            self.base = 1;
        }
    }

    /// How many keys have a number: the number of the next new one.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no key has a number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a key, if it has one.
    #[inline]
    #[must_use]
    pub fn get(&self, key: K) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(key)].1.checked_sub(self.base)
    }

    /// The number of a key; a new key gets the next one, which is [`len`](Self::len).
    #[inline]
    pub fn insert(&mut self, key: K) -> u32 {
        if self.len as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].1 < self.base {
            self.slots[slot] = (key, self.base + self.len);
            self.len += 1;
        }
        self.slots[slot].1 - self.base
    }

    /// Where a key is, or the empty slot where it belongs.
    #[inline]
    fn slot(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = table_hash(key.into()) & mask;
        while self.slots[slot].0 != key && self.slots[slot].1 >= self.base {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(SLOTS_MIN);
        let old = std::mem::replace(&mut self.slots, vec![(K::default(), 0); larger]);
        for entry in old.into_iter().filter(|&(_, number)| number >= self.base) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(K, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::RngExt;

    use super::*;

    #[test]
    fn numbers_are_those_of_a_sorted_map() {
        let mut rng = throng_testkit::rng(4);
        let mut table = IndexTable::<u64>::default();
        for spread in [3_u64, 100, 10_000, u64::MAX] {
            let mut naive = BTreeMap::new();
            for _ in 0..5000 {
                let key = rng.random_range(0..spread);
                assert_eq!(table.get(key), naive.get(&key).copied());
                let next = naive.len() as u32;
                assert_eq!(table.insert(key), *naive.entry(key).or_insert(next));
                assert_eq!(table.len(), naive.len());
            }
            table.clear();
            assert!(table.is_empty());
            assert!(naive.keys().all(|&key| table.get(key).is_none()));
        }
    }

    #[test]
    fn it_begins_again_before_the_base_overflows() {
        let mut table = IndexTable::<u32>::default();
        table.insert(7);
        table.base = BASE_MAX;
        table.insert(8);
        table.clear();
        assert_eq!((table.base, table.get(7), table.get(8)), (1, None, None));
        assert_eq!((table.insert(8), table.insert(7)), (0, 1));
    }
}
