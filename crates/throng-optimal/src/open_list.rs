//! The open list: buckets by f, within a bucket by rank, within a rank last in, first out.

use crate::nodes::NodeId;

/// Greater ranks share the last stack.
const RANK_MAX: u32 = 4095;

/// The open nodes of one f. They are sorted by rank when the first one is asked for: most
/// buckets never are.
#[derive(Default)]
struct Bucket {
    unsorted: Vec<(u32, NodeId)>,
    by_rank: Vec<Vec<NodeId>>,
    lowest: usize,
    is_sorted: bool,
}

impl Bucket {
    fn push(&mut self, rank: u32, node: NodeId) {
        if self.is_sorted {
            self.push_sorted(rank, node);
        } else {
            self.unsorted.push((rank, node));
        }
    }

    fn push_sorted(&mut self, rank: u32, node: NodeId) {
        let rank = rank.min(RANK_MAX) as usize;
        if rank >= self.by_rank.len() {
            self.by_rank.resize_with(rank + 1, Vec::new);
        }
        self.lowest = self.lowest.min(rank);
        self.by_rank[rank].push(node);
    }

    fn pop(&mut self) -> Option<NodeId> {
        if !self.is_sorted {
            self.is_sorted = true;
            for (rank, node) in std::mem::take(&mut self.unsorted) {
                self.push_sorted(rank, node);
            }
        }
        while let Some(stack) = self.by_rank.get_mut(self.lowest) {
            if let Some(node) = stack.pop() {
                return Some(node);
            }
            self.lowest += 1;
        }
        None
    }
}

/// The open list.
#[derive(Default)]
pub(crate) struct OpenList {
    /// The f of the first bucket.
    first: u32,
    buckets: Vec<Bucket>,
    lowest: usize,
    count: usize,
}

impl OpenList {
    /// An empty list for values of `first` and above.
    pub(crate) fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// Adds a node. The lowest value is popped first, then the lowest rank, then the newest.
    pub(crate) fn push(&mut self, value: u32, rank: u32, node: NodeId) {
        let bucket = value.saturating_sub(self.first) as usize;
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Bucket::default);
        }
        self.lowest = self.lowest.min(bucket);
        self.buckets[bucket].push(rank, node);
        self.count += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(node) = bucket.pop() {
                self.count -= 1;
                return Some(node);
            }
            self.lowest += 1;
        }
        None
    }

    pub(crate) fn bytes(&self) -> usize {
        self.count * size_of::<(u32, NodeId)>()
    }
}

/// How many open nodes have each f. The least f of an open node is the bound that the search
/// has proven.
#[derive(Default)]
pub(crate) struct CostHistogram {
    first: u32,
    counts: Vec<u32>,
    lowest: usize,
    count: usize,
    peak: usize,
}

impl CostHistogram {
    pub(crate) fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    fn index(&self, value: u32) -> usize {
        value.saturating_sub(self.first) as usize
    }

    pub(crate) fn add(&mut self, value: u32) {
        let index = self.index(value);
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += 1;
        self.lowest = self.lowest.min(index);
        self.count += 1;
        self.peak = self.peak.max(self.count);
    }

    pub(crate) fn remove(&mut self, value: u32) {
        let index = self.index(value);
        self.counts[index] -= 1;
        self.count -= 1;
    }

    /// How many nodes are open.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Most nodes open at once.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }

    /// The least f of an open node.
    pub(crate) fn least(&mut self) -> Option<u32> {
        while self.counts.get(self.lowest).is_some_and(|&count| count == 0) {
            self.lowest += 1;
        }
        (self.lowest < self.counts.len()).then_some(self.first + self.lowest as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_then_rank_then_the_newest() {
        let mut open = OpenList::new(10);
        for (value, rank, node) in [(12, 0, 1), (11, 5, 2), (11, 3, 3), (11, 3, 4), (10, 9, 5)] {
            open.push(value, rank, node);
        }
        let order: Vec<_> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order, [5, 4, 3, 2, 1]);
        assert_eq!(open.bytes(), 0);
    }

    #[test]
    fn a_lower_value_may_come_later() {
        let mut open = OpenList::new(0);
        open.push(7, 0, 1);
        assert_eq!(open.pop(), Some(1));
        open.push(5, 2, 2);
        open.push(5, 1, 3);
        assert_eq!((open.pop(), open.pop(), open.pop()), (Some(3), Some(2), None));
    }

    #[test]
    fn the_histogram_knows_the_least() {
        let mut histogram = CostHistogram::new(4);
        [6, 5, 6].into_iter().for_each(|value| histogram.add(value));
        assert_eq!(histogram.least(), Some(5));
        histogram.remove(5);
        assert_eq!(histogram.least(), Some(6));
        histogram.add(4);
        assert_eq!((histogram.least(), histogram.count(), histogram.peak()), (Some(4), 3, 3));
    }
}
