//! A cache of bounded size that evicts the least recently used entry.
//!
//! It is a flat, set-associative array like a processor's cache: a key can be in eight slots only,
//! and a full set evicts its least recently used slot. It doubles up to its limit, so that a small
//! scene has a small cache. Which entry is evicted depends on the calls alone.

/// Slots in a set.
const WAYS: usize = 8;

/// A key that can be spread over the sets.
pub(crate) trait CacheKey: Copy + Eq {
    /// A hash with well-mixed low bits.
    fn spread(self) -> u64;
}

impl CacheKey for u64 {
    fn spread(self) -> u64 {
        mix(self)
    }
}

impl CacheKey for (u64, u64) {
    fn spread(self) -> u64 {
        mix(self.0 ^ mix(self.1))
    }
}

/// Mixes all bits of a number, the same on every machine.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value ^ (value >> 32)
}

#[derive(Clone, Copy, Debug)]
struct Slot<K, V> {
    key: K,
    value: V,
    used: u64,
}

/// Invariant: a key is in its set, once; there are at most `slots_max` slots.
#[derive(Clone, Debug)]
pub(crate) struct BoundedCache<K, V> {
    slots: Vec<Option<Slot<K, V>>>,
    slots_max: usize,
    uses: u64,
}

impl<K: CacheKey, V: Copy> BoundedCache<K, V> {
    /// An empty cache of at most `entries_max` entries, but at least one set.
    pub(crate) fn new(entries_max: usize) -> Self {
        let slots_max = match entries_max.max(WAYS) {
            power if power.is_power_of_two() => power,
            other => other.next_power_of_two() / 2,
        };
        Self { slots: Vec::new(), slots_max, uses: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    pub(crate) fn get(&mut self, key: K) -> Option<V> {
        self.uses += 1;
        let uses = self.uses;
        let slot = self.set(key)?.iter_mut().flatten().find(|slot| slot.key == key)?;
        slot.used = uses;
        Some(slot.value)
    }

    pub(crate) fn remove(&mut self, key: K) {
        let Some(set) = self.set(key) else { return };
        if let Some(slot) = set.iter_mut().find(|slot| slot.as_ref().is_some_and(|s| s.key == key))
        {
            *slot = None;
        }
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.uses += 1;
        let slot = Some(Slot { key, value, used: self.uses });
        while self.is_full_for(key) && self.slots.len() < self.slots_max {
            self.grow();
        }
        let Some(set) = self.set(key) else { return };
        let same = set.iter().position(|slot| slot.as_ref().is_some_and(|s| s.key == key));
        let oldest = || (0..set.len()).min_by_key(|&way| set[way].as_ref().map_or(0, |s| s.used));
        if let Some(way) = same.or_else(oldest) {
            set[way] = slot;
        }
    }

    fn is_full_for(&mut self, key: K) -> bool {
        let Some(set) = self.set(key) else { return true };
        set.iter().all(|slot| slot.as_ref().is_some_and(|slot| slot.key != key))
    }

    /// Doubles the number of sets. Each set splits in two, so that every entry keeps a slot.
    fn grow(&mut self) {
        let doubled = (self.slots.len() * 2).max(WAYS);
        let slots = std::mem::replace(&mut self.slots, vec![None; doubled]);
        for slot in slots.into_iter().flatten() {
            let place = self.set(slot.key).and_then(|set| set.iter_mut().find(|s| s.is_none()));
            if let Some(place) = place {
                *place = Some(slot);
            }
        }
    }

    fn set(&mut self, key: K) -> Option<&mut [Option<Slot<K, V>>]> {
        let sets = self.slots.len() / WAYS;
        let set = (key.spread() as usize) & sets.checked_sub(1)?;
        self.slots.get_mut(set * WAYS..(set + 1) * WAYS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_what_it_was_given_until_it_is_full() {
        let mut cache = BoundedCache::new(1 << 12);
        for key in 0..1000_u64 {
            cache.insert(key, key * 3);
        }
        assert_eq!(cache.len(), 1000);
        for key in 0..1000_u64 {
            assert_eq!(cache.get(key), Some(key * 3));
        }
        assert_eq!(cache.get(1000), None);
    }

    #[test]
    fn it_never_exceeds_its_size_and_forgets_the_least_recently_used() {
        let mut cache = BoundedCache::new(15);
        for key in 0..1000_u64 {
            cache.insert(key, key);
            assert_eq!(cache.get(0), Some(0), "the one that is always used stays");
            assert!(cache.len() <= 8);
        }
        let kept: Vec<u64> = (1..1000).filter(|&key| cache.get(key).is_some()).collect();
        assert_eq!(kept, [993, 994, 995, 996, 997, 998, 999]);
    }

    #[test]
    fn what_is_replaced_or_removed_is_not_found() {
        let mut cache = BoundedCache::new(64);
        cache.insert((1, 2), 'a');
        cache.insert((1, 2), 'b');
        assert_eq!((cache.len(), cache.get((1, 2))), (1, Some('b')));
        cache.remove((1, 2));
        assert_eq!((cache.len(), cache.get((1, 2))), (0, None));
        cache.insert((2, 1), 'c');
        cache.clear();
        assert_eq!(cache.get((2, 1)), None);
    }
}
