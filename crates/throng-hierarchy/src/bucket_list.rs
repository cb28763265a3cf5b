//! An open list of buckets by cost. Entries of one bucket come out newest first.
//!
//! A node may be expanded before its cheapest path is known and once more afterwards. That is
//! rare, and cheaper than an exact order. Unlike the kit's `BucketQueue` it holds entries of
//! any type; all lie in one vector in the order of insertion, chained bucket by bucket, because
//! entries are mostly read again soon after they were written.

/// The open list.
#[derive(Clone, Debug)]
pub(crate) struct BucketList<T> {
    /// The newest entry of each bucket.
    heads: Vec<u32>,
    entries: Vec<Entry<T>>,
    /// The cost at which the first bucket begins.
    base: u64,
    /// Two to the power of this many costs share a bucket.
    width_log2: u32,
    /// The bucket from which entries are taken.
    current: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    node: T,
    /// The entry of the same bucket inserted before it.
    before: u32,
}

/// No entry: the end of a chain.
const NONE: u32 = u32::MAX;
/// Most buckets; the last one holds everything beyond.
const BUCKETS_MAX: usize = 1 << 16;
/// Buckets added at a time.
const BUCKETS_ADDED: usize = 256;

impl<T> Default for BucketList<T> {
    fn default() -> Self {
        Self { heads: Vec::new(), entries: Vec::new(), base: 0, width_log2: 0, current: 0 }
    }
}

impl<T: Copy> BucketList<T> {
    /// Empties it, for costs from about `base` on.
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

    /// Many at once: most searches go on to the next bucket.
    #[cold]
    fn add_buckets(&mut self, bucket: usize) {
        self.heads.resize((bucket | (BUCKETS_ADDED - 1)) + 1, NONE);
    }

    /// Takes an entry of the lowest bucket, unless that bucket begins at `limit` or above.
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
