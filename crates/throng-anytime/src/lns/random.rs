//! Random numbers by counter: each draw is a hash of the seed, a name and a count.

use throng_grid::kit::mix;

/// A sequence of random numbers that depends on nothing but its key.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    key: u64,
    count: u64,
}

impl Random {
    /// The sequence of a seed, and of two numbers that tell it from others of that seed.
    pub(crate) fn new(seed: u64, major: u64, minor: u64) -> Self {
        Self { key: mix(mix(mix(seed) ^ major) ^ minor), count: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.count += 1;
        mix(self.key ^ self.count)
    }

    /// A number below `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// An index below `len`, or 0 if there is none.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}
