//! What a search knows of every cell, without clearing anything between two searches.

/// The search's number is in the top 12 bits.
const STAMP_SHIFT: u32 = 52;
const STAMP_MAX: u64 = (1 << 12) - 1;
const CLOSED: u64 = 1;
const COST_MASK: u64 = (1 << (STAMP_SHIFT - 1)) - 1;

/// The best cost known for every cell, and whether the cell was expanded with it.
///
/// Search number, cost and mark are one integer, the number on top, and numbers count
/// down: what an earlier search left is larger than all that this search can write, so one
/// comparison tells both whether an entry is stale and whether an offer is better. 51 bits
/// of cost are enough for 4096 x 4096 cells of factor 255. When the numbers run out, after
/// 4095 searches, the table is cleared.
///
/// Beside each key lies what else the search keeps for the node: it is read together with
/// the cost.
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
            // The largest number is that of the cleared table.
            self.stamp = STAMP_MAX;
        }
        self.stamp -= 1;
    }

    /// Offers a cost for a cell; whether it is the best so far. It is then stored, and the
    /// node is open.
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

    /// Marks a node as expanded; its cost, unless it was expanded with it already.
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

    /// What lies beside a node's cost.
    #[inline]
    pub fn with(&self, at: usize) -> T {
        self.entries[at].with
    }

    /// The same, to be written.
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
