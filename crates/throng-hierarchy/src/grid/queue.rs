//! An open list of buckets: what lies within a few units of cost is taken in any order,
//! the latest first. Nodes may be expanded twice for it, but seldom are.

/// Nodes by the cost of the whole way over them.
///
/// All entries lie in one list in the order in which they came, chained bucket by bucket:
/// what is written goes to the end, and is mostly read again soon.
#[derive(Clone, Debug)]
pub(crate) struct Buckets<T> {
    /// The latest entry of each bucket.
    heads: Vec<u32>,
    entries: Vec<Entry<T>>,
    /// The cost at which the first bucket begins.
    base: u64,
    /// Costs that share a bucket: two to the power of this.
    width_log2: u32,
    current: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    node: T,
    /// The entry of the same bucket that came before it.
    before: u32,
}

/// No entry: the bucket is empty.
const NONE: u32 = u32::MAX;
/// More are not made; the last one holds the rest.
const BUCKETS_MAX: usize = 1 << 16;
/// So many are made together.
const BUCKETS_ADDED: usize = 256;

impl<T> Default for Buckets<T> {
    fn default() -> Self {
        Self { heads: Vec::new(), entries: Vec::new(), base: 0, width_log2: 0, current: 0 }
    }
}

impl<T: Copy> Buckets<T> {
    /// Empties it for a search whose first node has about this cost.
    pub(crate) fn reset(&mut self, base: u64, width_log2: u32) {
        self.heads.clear();
        self.entries.clear();
        (self.base, self.width_log2, self.current) = (base, width_log2, 0);
    }

    #[inline]
    pub(crate) fn push(&mut self, cost: u64, node: T) {
        let bucket = (cost.saturating_sub(self.base) >> self.width_log2) as usize;
        let bucket = bucket.clamp(self.current, BUCKETS_MAX - 1);
        if bucket >= self.heads.len() {
            self.add_buckets(bucket);
        }
        let head = &mut self.heads[bucket];
        self.entries.push(Entry { node, before: *head });
        *head = self.entries.len() as u32 - 1;
    }

    /// Many at once: most searches go on to the next.
    #[cold]
    fn add_buckets(&mut self, bucket: usize) {
        self.heads.resize((bucket | (BUCKETS_ADDED - 1)) + 1, NONE);
    }

    /// Takes a node of the lowest cost, unless all cost as much as this or more.
    #[inline]
    pub(crate) fn pop_below(&mut self, limit: u64) -> Option<T> {
        loop {
            let head = self.heads.get_mut(self.current)?;
            if self.base + ((self.current as u64) << self.width_log2) >= limit {
                return None;
            }
            if let Some(entry) = self.entries.get(*head as usize) {
                *head = entry.before;
                return Some(entry.node);
            }
            self.current += 1;
        }
    }
}
