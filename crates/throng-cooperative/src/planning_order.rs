//! The order in which units plan.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Effort, UnitId};
use throng_spacetime::Space;

use crate::PlanningOrder;
use crate::distances::Distances;

/// The units in the order in which they plan.
pub(crate) fn order<S: Space>(
    spaces: &[S],
    by: PlanningOrder,
    seed: u64,
    distances: &mut Distances,
    effort: &mut Effort<'_>,
) -> Vec<UnitId> {
    let mut units: Vec<_> = (0..distances.len() as u32).map(UnitId::new).collect();
    match by {
        PlanningOrder::Given => {}
        PlanningOrder::LongestFirst => {
            let mut length = |&unit: &UnitId| distances.rough_length(spaces, unit, effort);
            units.sort_by_cached_key(|unit| std::cmp::Reverse(length(unit)));
        }
        PlanningOrder::Random => shuffle(&mut units, &mut Pcg64Mcg::seed_from_u64(seed)),
    }
    units
}

/// The same on every machine: 32 bits at a time.
pub(crate) fn shuffle(units: &mut [UnitId], rng: &mut Pcg64Mcg) {
    for at in (1..units.len()).rev() {
        let other = rng.random_range(0..=at as u32) as usize;
        units.swap(at, other);
    }
}
