//! The open list: buckets of nodes by estimated total cost.
//!
//! Nodes of one bucket (in A* a third of a step wide) come out last in, first out. A node can
//! therefore be expanded before its best path is known, and is then opened again. That is rare,
//! and much cheaper than a heap. A goal is final once no bucket before its own holds a node.

/// Buckets in the ring: a power of two.
const RING: u64 = 4096;

/// A priority queue for searches whose priorities never fall behind the last one taken.
///
/// `push` and `pop_current` take constant time; `advance` looks at up to 64 words of bits.
/// Nodes within one bucket come out last in, first out, which favours those furthest on.
/// Priorities in a bucket differ by less than its width, so a search may reach an expanded node
/// again by a slightly better path. Nodes beyond the ring of buckets are kept in a separate list
/// until the ring has advanced.
#[derive(Clone, Debug)]
pub struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    occupied: [u64; (RING / 64) as usize],
    /// The bucket that nodes are taken from now, counted from priority 0.
    cursor: u64,
    shift: u32,
    far: Vec<(u64, u32)>,
    /// The least bucket among those in `far`.
    far_bucket: u64,
    len: usize,
    peak_len: usize,
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            buckets: vec![Vec::new(); RING as usize],
            occupied: [0; (RING / 64) as usize],
            cursor: 0,
            shift: 0,
            far: Vec::new(),
            far_bucket: u64::MAX,
            len: 0,
            peak_len: 0,
        }
    }
}

impl BucketQueue {
    /// Empties the queue, for priorities from `least` on and buckets of width 2^`shift`.
    pub fn reset(&mut self, least: u64, shift: u32) {
        for word in 0..self.occupied.len() {
            while self.occupied[word] != 0 {
                let slot = word * 64 + self.occupied[word].trailing_zeros() as usize;
                self.buckets[slot].clear();
                self.occupied[word] &= self.occupied[word] - 1;
            }
        }
        self.far.clear();
        self.far_bucket = u64::MAX;
        self.shift = shift;
        self.cursor = least >> shift;
        (self.len, self.peak_len) = (0, 0);
    }

    /// The bucket of a priority.
    pub fn bucket(&self, priority: u64) -> u64 {
        priority >> self.shift
    }

    /// The bucket that nodes are taken from now.
    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    /// Most nodes that were in the queue at once.
    pub fn peak_len(&self) -> usize {
        self.peak_len
    }

    /// Adds a node. A priority behind the cursor counts as the cursor's.
    #[inline]
    pub fn push(&mut self, priority: u64, node: u32) {
        let bucket = self.bucket(priority).max(self.cursor);
        self.len += 1;
        self.peak_len = self.peak_len.max(self.len);
        if bucket - self.cursor < RING {
            self.put(bucket, node);
        } else {
            self.far_bucket = self.far_bucket.min(bucket);
            self.far.push((bucket, node));
        }
    }

    #[inline]
    fn put(&mut self, bucket: u64, node: u32) {
        let slot = (bucket % RING) as usize;
        self.buckets[slot].push(node);
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    /// Takes a node of the current bucket.
    #[inline]
    pub fn pop_current(&mut self) -> Option<u32> {
        let node = self.buckets[(self.cursor % RING) as usize].pop()?;
        self.len -= 1;
        Some(node)
    }

    /// Takes all nodes of the current bucket, in the order in which they were pushed. For
    /// searches in which nodes of one bucket cannot improve each other.
    pub(crate) fn take_current(&mut self, nodes: &mut Vec<u32>) {
        nodes.clear();
        std::mem::swap(nodes, &mut self.buckets[(self.cursor % RING) as usize]);
        self.len -= nodes.len();
    }

    /// Moves on to the next bucket that holds a node, if that is not behind `last`. The
    /// current one is empty.
    pub fn advance(&mut self, last: u64) -> bool {
        let slot = (self.cursor % RING) as usize;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        let next = self.next_in_ring(slot).unwrap_or(u64::MAX).min(self.far_bucket);
        if next > last || next == u64::MAX {
            return false;
        }
        self.cursor = next;
        if self.far_bucket < next + RING {
            self.bring_near();
        }
        true
    }

    /// The first occupied bucket after the cursor's, which is in `slot`: from its word on,
    /// around the ring, and its word again, whose lower bits are the ring's far end.
    fn next_in_ring(&self, slot: usize) -> Option<u64> {
        let words = self.occupied.len();
        (0..=words).find_map(|step| {
            let word = (slot / 64 + step) % words;
            let from_cursor = !0_u64 << (slot % 64);
            let mask = match step {
                0 => from_cursor,
                _ if step == words => !from_cursor,
                _ => !0,
            };
            let bits = self.occupied[word] & mask;
            let found = (word * 64) as u64 + u64::from(bits.trailing_zeros());
            (bits != 0).then(|| self.cursor + found.wrapping_sub(slot as u64) % RING)
        })
    }

    /// Moves nodes that fit into the ring now from the separate list.
    #[cold]
    fn bring_near(&mut self) {
        let end = self.cursor + RING;
        let mut far = std::mem::take(&mut self.far);
        far.iter().filter(|&&(bucket, _)| bucket < end).for_each(|&(b, node)| self.put(b, node));
        far.retain(|&(bucket, _)| bucket >= end);
        self.far_bucket = far.iter().map(|&(bucket, _)| bucket).min().unwrap_or(u64::MAX);
        self.far = far;
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn nodes_come_out_in_the_order_of_their_buckets() {
        let mut rng = throng_testkit::rng(1);
        let mut queue = BucketQueue::default();
        for (round, leap) in [60_000, 100, 1_000_000, 65_535, 65_536].into_iter().enumerate() {
            let least = round as u64 * 1_000_000;
            queue.reset(least, 4);
            queue.push(least, 0);
            let mut priorities = vec![least];
            let mut taken = Vec::new();
            loop {
                while let Some(node) = queue.pop_current() {
                    let priority = priorities[node as usize];
                    taken.push(queue.bucket(priority));
                    for _ in 0..3 {
                        if priorities.len() < 3000 {
                            let next = priority + rng.random_range(0..leap);
                            queue.push(next, priorities.len() as u32);
                            priorities.push(next);
                        }
                    }
                }
                if !queue.advance(u64::MAX) {
                    break;
                }
            }
            assert_eq!(taken.len(), 3000);
            assert!(taken.is_sorted());
        }
    }

    #[test]
    fn a_reset_queue_is_empty() {
        let mut queue = BucketQueue::default();
        for priority in [0, 5, 900, 1 << 40] {
            queue.push(priority, 1);
        }
        queue.reset(0, 0);
        assert_eq!(queue.pop_current(), None);
        assert!(!queue.advance(u64::MAX));
    }
}
