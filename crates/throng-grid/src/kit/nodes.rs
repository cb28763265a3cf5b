//! The node table of a search: a cost per cell, reset in constant time between searches.

/// The search's number is in the top 12 bits.
const STAMP_SHIFT: u32 = 52;
const STAMP_MAX: u64 = (1 << 12) - 1;
const CLOSED: u64 = 1;
const COST_MASK: u64 = (1 << (STAMP_SHIFT - 1)) - 1;

/// The best cost known for every cell, and whether the cell was expanded with it.
///
/// A key is one integer: the search number in the top bits, then the cost, then the closed
/// bit. Search numbers count down, so every key of an earlier search is larger than any key
/// of this one. One comparison thus rejects worse costs and replaces stale entries. 51 bits
/// of cost are enough for 4096 x 4096 cells of factor 255. After 4095 searches the numbers
/// are used up and the table is cleared.
///
/// Each entry also holds a value of type `T`, because it is read together with the cost.
#[derive(Clone, Debug, Default)]
pub struct Nodes<T> {
    entries: Vec<Entry<T>>,
    stamp: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    key: u64,
    with: T,
}

impl<T: Copy + Default> Nodes<T> {
    /// Forgets everything, for a search over this many cells.
    pub fn begin(&mut self, cells: usize) {
        if self.entries.len() != cells || self.stamp == 0 {
            self.entries.clear();
            self.entries.resize(cells, Entry { key: u64::MAX, with: T::default() });
            // Cleared entries have the largest number, so that every search replaces them.
            self.stamp = STAMP_MAX;
        }
        self.stamp -= 1;
    }

    /// Stores a cost and opens the node if the cost is lower than the known one. Returns
    /// whether it was.
    #[inline]
    pub fn improve(&mut self, at: usize, cost: u64) -> bool {
        let key = self.stamp << STAMP_SHIFT | cost << 1;
        let known = &mut self.entries[at].key;
        let better = key < *known & !CLOSED;
        if better {
            *known = key;
        }
        better
    }

    /// Marks a node as expanded and returns its cost; `None` if it was already expanded with
    /// this cost.
    #[inline]
    pub fn close(&mut self, at: usize) -> Option<u64> {
        let key = &mut self.entries[at].key;
        if *key & CLOSED != 0 {
            return None;
        }
        *key |= CLOSED;
        Some(*key >> 1 & COST_MASK)
    }

    /// A node's cost, if it was expanded in this search.
    #[inline]
    pub fn closed_cost(&self, at: usize) -> Option<u64> {
        let key = self.entries[at].key;
        let closed = key >> STAMP_SHIFT == self.stamp && key & CLOSED != 0;
        closed.then_some(key >> 1 & COST_MASK)
    }

    /// The value stored with a node.
    #[inline]
    pub fn with(&self, at: usize) -> T {
        self.entries[at].with
    }

    /// The value stored with a node, mutable.
    #[inline]
    pub fn with_mut(&mut self, at: usize) -> &mut T {
        &mut self.entries[at].with
    }

    /// The best cost known for a cell in this search.
    pub fn cost(&self, at: usize) -> Option<u64> {
        let key = self.entries.get(at)?.key;
        (key >> STAMP_SHIFT == self.stamp).then_some(key >> 1 & COST_MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_knows_nothing_of_the_old_ones() {
        let mut nodes = Nodes::<()>::default();
        for round in 0..10_000_u64 {
            nodes.begin(3);
            assert_eq!(nodes.cost(1), None);
            assert!(nodes.improve(1, 1 << 50));
            assert!(nodes.improve(1, round));
            assert!(!nodes.improve(1, round));
            assert!(!nodes.improve(1, round + 1));
            assert_eq!(nodes.close(1), Some(round));
            assert_eq!(nodes.close(1), None);
            assert!(!nodes.improve(1, round));
            assert_eq!(nodes.cost(1), Some(round));
        }
    }

    #[test]
    fn the_most_expensive_path_of_the_largest_map_fits() {
        let largest = 4096 * 4096 * throng_model::DIAGONAL * 255;
        assert!(largest < COST_MASK);
    }
}
