//! In which order units decide.
//!
//! A unit's priority is the number of ticks since it was last on its goal, then its initial
//! distance. Two units that block each other would keep their order for as long as both wait. So
//! when the search runs in a circle it begins a new *epoch* with a random order that is fixed for
//! the epoch. In every other epoch, units that wait twice as long still go first; in the epochs
//! between, all units away from their goals are equal, since the unit that waited longest may be
//! the one that drives all others back and forth.

use std::cmp::Reverse;

use throng_grid::kit::mix;

/// The units of one node by priority.
#[derive(Clone, Debug)]
pub(super) struct Order {
    seed: u64,
    /// The epoch of the ranks below.
    epoch: u32,
    /// Units by initial distance, the furthest first.
    by_distance: Vec<u32>,
    /// Units by rank in the epoch.
    by_rank: Vec<u32>,
    /// Highest first: ticks waited, then inverse rank.
    priorities: Vec<u64>,
    units: Vec<u32>,
}

impl Order {
    pub(super) fn new(by_distance: Vec<u32>, seed: u64) -> Self {
        let by_rank = by_distance.clone();
        Self { seed, epoch: 0, by_distance, by_rank, priorities: Vec::new(), units: Vec::new() }
    }

    /// The units, the highest priority first.
    pub(super) fn units(&self) -> &[u32] {
        &self.units
    }

    /// Sorts the units of a node.
    pub(super) fn load(&mut self, epoch: u32, waited: &[u32]) {
        self.rank(epoch);
        let count = self.by_rank.len();
        let ranked = self.by_rank.iter().enumerate();
        self.priorities.clear();
        self.priorities.extend(
            ranked.map(|(rank, &unit)| priority(epoch, waited[unit as usize], rank, count)),
        );
        self.sort();
    }

    /// Sorts the units of a child of the node that was loaded last: nearly the same order.
    pub(super) fn load_child(&mut self, epoch: u32, waited: &[u32]) {
        if epoch != self.epoch || self.priorities.is_empty() {
            return self.load(epoch, waited);
        }
        let count = self.by_rank.len();
        for entry in &mut self.priorities {
            let rank = rank_of(*entry, count);
            *entry = priority(epoch, waited[self.by_rank[rank] as usize], rank, count);
        }
        self.sort();
    }

    fn rank(&mut self, epoch: u32) {
        if epoch == self.epoch {
            return;
        }
        self.by_rank.clone_from(&self.by_distance);
        if epoch > 0 {
            let salt = mix(self.seed ^ u64::from(epoch) << 32);
            self.by_rank.sort_by_cached_key(|&unit| mix(salt ^ u64::from(unit)));
        }
        self.epoch = epoch;
    }

    fn sort(&mut self) {
        // The stable sort finds the runs that are sorted already.
        self.priorities.sort_by_key(|&entry| Reverse(entry));
        let count = self.by_rank.len();
        self.units.clear();
        let by_rank = &self.by_rank;
        self.units.extend(self.priorities.iter().map(|&entry| by_rank[rank_of(entry, count)]));
    }
}

/// Waiting longer goes first, then the lower rank. After epoch 0 the logarithm counts, in odd
/// epochs only whether the unit waits at all.
fn priority(epoch: u32, waited: u32, rank: usize, count: usize) -> u64 {
    let waited = match epoch {
        0 => waited,
        odd if odd % 2 == 1 => waited.min(1),
        _ => u32::BITS - waited.leading_zeros(),
    };
    u64::from(waited) << 32 | (count - 1 - rank) as u64
}

fn rank_of(priority: u64, count: usize) -> usize {
    count - 1 - (priority & 0xffff_ffff) as usize
}
