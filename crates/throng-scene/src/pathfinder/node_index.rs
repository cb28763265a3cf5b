//! The slot of a lattice node in a search: an open-addressing table that grows with the explored
//! area and is reused from search to search.
//!
//! throng-grid has a table of this kind. This crate keeps its own 60 lines, so that it depends on
//! the model only and a polygon world compiles no grid search.

use super::bounded_cache::mix;

/// Slots by the key of a lattice node. An entry is valid only with the present search's number, so
/// a new search clears the table by taking the next number.
#[derive(Clone, Debug)]
pub(crate) struct NodeIndex {
    entries: Vec<Entry>,
    used: usize,
    search: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    slot: u32,
    search: u32,
}

impl Default for NodeIndex {
    fn default() -> Self {
        Self { entries: vec![Entry::default(); 1 << 10], used: 0, search: 1 }
    }
}

impl NodeIndex {
    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entries.fill(Entry::default());
            self.search = 1;
        }
    }

    /// The slot of a key; a new key gets `next`.
    pub(crate) fn slot(&mut self, key: u64, next: u32) -> u32 {
        if self.used * 2 >= self.entries.len() {
            self.grow();
        }
        let at = self.find(key);
        if self.entries[at].search != self.search {
            self.entries[at] = Entry { key, slot: next, search: self.search };
            self.used += 1;
        }
        self.entries[at].slot
    }

    /// Assigns another slot to a known key.
    pub(crate) fn set(&mut self, key: u64, slot: u32) {
        let at = self.find(key);
        self.entries[at].slot = slot;
    }

    /// The entry of a key, or the empty entry where it belongs. At most half of the entries are in
    /// use, so there is one.
    fn find(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = mix(key) as usize & mask;
        while self.entries[at].search == self.search && self.entries[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let doubled = vec![Entry::default(); self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, doubled);
        for entry in old.into_iter().filter(|entry| entry.search == self.search) {
            let at = self.find(entry.key);
            self.entries[at] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_given_in_order_and_forgotten_at_once() {
        let mut index = NodeIndex::default();
        for search in 0..3_u64 {
            for key in 0..5000 {
                assert_eq!(index.slot(key * 7 + search, key as u32), key as u32);
            }
            for key in 0..5000 {
                assert_eq!(index.slot(key * 7 + search, u32::MAX), key as u32);
            }
            index.clear();
        }
    }
}
