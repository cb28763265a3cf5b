//! An open list of buckets: what lies within a few units of cost is taken in any order,
//! the latest first. Nodes may be expanded twice for it, but seldom are.

/// Nodes by the cost of the whole way over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    buckets: Vec<Vec<u32>>,
    /// The cost at which the first bucket begins.
    base: u64,
    /// Costs that share a bucket: two to the power of this.
    width_log2: u32,
    current: usize,
    highest: usize,
}

/// More are not made; the last one holds the rest.
const BUCKETS_MAX: usize = 1 << 16;

impl Buckets {
    /// Empties it for a search whose first node has about this cost.
    pub(crate) fn reset(&mut self, base: u64, width_log2: u32) {
        if let Some(used) = self.buckets.get_mut(self.current..=self.highest) {
            used.iter_mut().for_each(Vec::clear);
        }
        (self.base, self.width_log2, self.current, self.highest) = (base, width_log2, 0, 0);
    }

    #[inline]
    pub(crate) fn push(&mut self, cost: u64, node: u32) {
        let bucket = (cost.saturating_sub(self.base) >> self.width_log2) as usize;
        let bucket = bucket.clamp(self.current, BUCKETS_MAX - 1);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, Vec::new());
        }
        self.highest = self.highest.max(bucket);
        self.buckets[bucket].push(node);
    }

    /// Takes a node of the lowest cost, unless all cost as much as this or more.
    #[inline]
    pub(crate) fn pop_below(&mut self, limit: u64) -> Option<u32> {
        while self.current <= self.highest {
            if self.floor() >= limit {
                return None;
            }
            if let Some(node) = self.buckets.get_mut(self.current)?.pop() {
                return Some(node);
            }
            self.current += 1;
        }
        self.current = self.highest;
        None
    }

    fn floor(&self) -> u64 {
        self.base + ((self.current as u64) << self.width_log2)
    }
}
