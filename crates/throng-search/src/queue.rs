//! The open list: buckets of nodes by estimated total cost.

/// Buckets in the ring: a power of two.
const RING: u64 = 4096;

/// A priority queue for searches whose priorities never fall behind the last one taken,
/// and never run ahead of it by more than the ring holds.
///
/// Nodes within one bucket come out last in, first out, which favours those furthest on.
/// Priorities in a bucket differ by less than its width, so a search must be ready to meet
/// a node again on a slightly better path.
#[derive(Clone, Debug)]
pub(crate) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    occupied: Vec<u64>,
    /// The bucket that nodes are taken from now, counted from priority 0.
    cursor: u64,
    shift: u32,
    len: usize,
    peak_len: usize,
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            buckets: vec![Vec::new(); RING as usize],
            occupied: vec![0; (RING / 64) as usize],
            cursor: 0,
            shift: 0,
            len: 0,
            peak_len: 0,
        }
    }
}

impl BucketQueue {
    /// Empties the queue for priorities from `least` on. Buckets get the width 2^`shift`,
    /// or more if priorities may rise by `rise_max` at once.
    pub(crate) fn reset(&mut self, least: u64, shift: u32, rise_max: u64) {
        for word in 0..self.occupied.len() {
            while self.occupied[word] != 0 {
                let slot = word * 64 + self.occupied[word].trailing_zeros() as usize;
                self.buckets[slot].clear();
                self.occupied[word] &= self.occupied[word] - 1;
            }
        }
        let bits_needed = u64::BITS - rise_max.leading_zeros();
        self.shift = shift.max((bits_needed + 1).saturating_sub(RING.ilog2()));
        self.cursor = least >> self.shift;
        self.len = 0;
        self.peak_len = 0;
    }

    /// The bucket of a priority.
    pub(crate) fn bucket(&self, priority: u64) -> u64 {
        priority >> self.shift
    }

    /// Most nodes that were in the queue at once.
    pub(crate) fn peak_len(&self) -> usize {
        self.peak_len
    }

    /// Adds a node. A priority behind the cursor counts as the cursor's.
    #[inline]
    pub(crate) fn push(&mut self, priority: u64, node: u32) {
        let bucket = (priority >> self.shift).max(self.cursor);
        debug_assert!(bucket - self.cursor < RING, "a priority beyond the ring");
        let slot = (bucket % RING) as usize;
        self.buckets[slot].push(node);
        self.occupied[slot / 64] |= 1 << (slot % 64);
        self.len += 1;
        self.peak_len = self.peak_len.max(self.len);
    }

    /// Takes a node of the current bucket.
    #[inline]
    pub(crate) fn pop_current(&mut self) -> Option<u32> {
        let node = self.buckets[(self.cursor % RING) as usize].pop()?;
        self.len -= 1;
        Some(node)
    }

    /// The first bucket after the current one that holds a node. The current one is empty.
    pub(crate) fn next_bucket(&mut self) -> Option<u64> {
        let slot = (self.cursor % RING) as usize;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        if self.len == 0 {
            return None;
        }
        let words = self.occupied.len();
        // From the cursor's word on, around the ring, and the cursor's word again: its
        // lower bits are the ring's far end.
        (0..=words).find_map(|step| {
            let word = (slot / 64 + step) % words;
            let from_cursor = !0_u64 << (slot % 64);
            let mask = match step {
                0 => from_cursor,
                s if s == words => !from_cursor,
                _ => !0,
            };
            let bits = self.occupied[word] & mask;
            let found = (word * 64) as u64 + u64::from(bits.trailing_zeros());
            (bits != 0).then(|| self.cursor + (found.wrapping_sub(slot as u64)) % RING)
        })
    }

    /// Moves on to a bucket.
    pub(crate) fn advance(&mut self, bucket: u64) {
        self.cursor = bucket;
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
        for round in 0..20 {
            queue.reset(round * 1_000_000, 4, 60_000);
            queue.push(round * 1_000_000, 0);
            let mut priorities = vec![round * 1_000_000];
            let mut taken = Vec::new();
            loop {
                while let Some(node) = queue.pop_current() {
                    let priority = priorities[node as usize];
                    taken.push(queue.bucket(priority));
                    for _ in 0..rng.random_range(0..3) {
                        if priorities.len() < 3000 {
                            let next = priority + rng.random_range(0..60_000);
                            queue.push(next, priorities.len() as u32);
                            priorities.push(next);
                        }
                    }
                }
                let Some(bucket) = queue.next_bucket() else { break };
                queue.advance(bucket);
            }
            assert_eq!(taken.len(), priorities.len());
            assert!(taken.is_sorted());
        }
    }
}
