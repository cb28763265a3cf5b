//! Who plans first.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_spacetime::Space;

use crate::Order;
use crate::distances::Distances;

/// The units in the order in which they plan.
pub(crate) fn order<S: Space>(
    spaces: &[S],
    by: Order,
    seed: u64,
    distances: &mut Distances,
) -> Vec<u32> {
    let mut units: Vec<u32> = (0..distances.len() as u32).collect();
    match by {
        Order::Given => {}
        Order::LongestFirst => {
            let mut length = |&unit: &u32| distances.rough(spaces, unit);
            units.sort_by_cached_key(|unit| std::cmp::Reverse(length(unit)));
        }
        Order::Random => shuffle(&mut units, &mut Pcg64Mcg::seed_from_u64(seed)),
    }
    units
}

/// The same on every machine: 32 bits at a time.
pub(crate) fn shuffle(units: &mut [u32], rng: &mut Pcg64Mcg) {
    for at in (1..units.len()).rev() {
        let other = rng.random_range(0..=at as u32) as usize;
        units.swap(at, other);
    }
}
