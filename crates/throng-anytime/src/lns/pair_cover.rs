//! From the excesses of pairs to a lower bound of the sum: clusters and vertex covers.
//!
//! If unit i loses x(i) ticks in a plan, x(i) + x(j) is at least the excess of the pair i, j. So
//! the least sum of such numbers, the edge-weighted minimum vertex cover, is a lower bound (J.
//! Li, A. Felner, E. Boyarski, H. Ma, S. Koenig, "Improved heuristics for multi-agent path
//! finding with conflict-based search", 2019). It is hard to compute for many units. Here the
//! units are divided into small clusters, and the covers of the clusters are summed.

use throng_model::Effort;

use super::lower_bound::{Pair, spend};

/// Most units per cluster.
const SIZE_MAX: usize = 7;
/// Most steps for the cover of a cluster.
const STEPS_MAX: u32 = 20_000;

/// The clusters of all units.
struct Clusters {
    /// The pairs of each unit: the other unit and the excess.
    pairs: Vec<Vec<(usize, u32)>>,
    /// The cluster of each unit.
    of_unit: Vec<usize>,
    members: Vec<Vec<usize>>,
    covers: Vec<u32>,
}

/// The sum of the covers of clusters that were made to be large: first the clusters are single
/// units, then those are joined whose common cover costs more than their covers apart, in the
/// order of the pairs, those of the largest excess first.
pub(crate) fn cover(units: usize, mut pairs: Vec<Pair>, effort: &mut Effort<'_>) -> u64 {
    pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.excess), pair.units));
    let mut clusters = Clusters::new(units, &pairs);
    // A join without a gain can make another one gain.
    for gain_min in [1, 0, 1] {
        while clusters.join_all(&pairs, gain_min, effort) {}
    }
    clusters.covers.iter().map(|&cover| u64::from(cover)).sum()
}

impl Clusters {
    fn new(units: usize, pairs: &[Pair]) -> Self {
        let mut of_unit = vec![Vec::new(); units];
        for &Pair { units: [first, second], excess } in pairs {
            of_unit[first].push((second, excess));
            of_unit[second].push((first, excess));
        }
        let members = (0..units).map(|unit| vec![unit]).collect();
        Self { pairs: of_unit, of_unit: (0..units).collect(), members, covers: vec![0; units] }
    }

    /// Joins the clusters of each pair if that gains enough; whether any are joined.
    fn join_all(&mut self, pairs: &[Pair], gain_min: u32, effort: &mut Effort<'_>) -> bool {
        let mut has_joined = false;
        for pair in pairs {
            let clusters = pair.units.map(|unit| self.of_unit[unit]);
            has_joined |= self.join(clusters, gain_min, effort);
        }
        has_joined
    }

    /// Joins two clusters if that gains enough; whether they are joined.
    fn join(&mut self, clusters: [usize; 2], gain_min: u32, effort: &mut Effort<'_>) -> bool {
        let [first, second] = clusters;
        let size = self.members[first].len() + self.members[second].len();
        if first == second || size > SIZE_MAX {
            return false;
        }
        let mut members = [&self.members[first][..], &self.members[second]].concat();
        let weights = self.weights(&mut members);
        let mut search =
            CoverSearch { size, weights, values: [0; SIZE_MAX], best: u32::MAX, steps: 0 };
        search.assign(0, 0);
        let is_exact = search.steps <= STEPS_MAX && spend(effort, search.steps as usize);
        if !is_exact || search.best < self.covers[first] + self.covers[second] + gain_min {
            return false;
        }
        for &unit in &members {
            self.of_unit[unit] = first;
        }
        self.members[first] = members;
        self.members[second].clear();
        self.covers[first] = search.best;
        self.covers[second] = 0;
        true
    }

    /// The excesses among some units, which are ordered by the sum of theirs, largest first.
    fn weights(&self, members: &mut [usize]) -> Weights {
        let total = |members: &[usize], unit: usize| -> u32 {
            let inside = self.pairs[unit].iter().filter(|(other, _)| members.contains(other));
            inside.map(|&(_, excess)| excess).sum()
        };
        let mut totals: Vec<(u32, usize)> =
            members.iter().map(|&unit| (total(members, unit), unit)).collect();
        totals.sort_unstable_by_key(|&(total, unit)| (std::cmp::Reverse(total), unit));
        for (member, (_, unit)) in members.iter_mut().zip(totals) {
            *member = unit;
        }
        let mut weights = [[0; SIZE_MAX]; SIZE_MAX];
        for (row, &unit) in members.iter().enumerate() {
            for &(other, excess) in &self.pairs[unit] {
                if let Some(column) = members.iter().position(|&member| member == other) {
                    weights[row][column] = excess;
                }
            }
        }
        weights
    }
}

type Weights = [[u32; SIZE_MAX]; SIZE_MAX];

/// Depth-first search for the least sum of values that cover all weights.
struct CoverSearch {
    size: usize,
    weights: Weights,
    values: [u32; SIZE_MAX],
    best: u32,
    steps: u32,
}

impl CoverSearch {
    /// Tries all values of a vertex and of those after it.
    fn assign(&mut self, vertex: usize, sum: u32) {
        self.steps += 1;
        if self.steps > STEPS_MAX || sum >= self.best {
            return;
        }
        if vertex == self.size {
            self.best = sum;
            return;
        }
        let weights = self.weights[vertex];
        let missing = |other: usize| weights[other].saturating_sub(self.values[other]);
        let least = (0..vertex).map(missing).max().unwrap_or(0);
        let most = weights[vertex..self.size].iter().copied().max().unwrap_or(0).max(least);
        for value in least..=most {
            self.values[vertex] = value;
            self.assign(vertex + 1, sum + value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(units: usize, pairs: &[(usize, usize, u32)], expected: u64) {
        let pair = |&(first, second, excess): &_| Pair { units: [first, second], excess };
        let pairs = pairs.iter().map(pair).collect();
        assert_eq!(cover(units, pairs, &mut Effort::unlimited()), expected);
    }

    #[test]
    fn covers_of_small_graphs_are_exact() {
        check(3, &[], 0);
        check(2, &[(0, 1, 5)], 5);
        check(3, &[(0, 1, 1), (1, 2, 1), (0, 2, 1)], 2);
        check(4, &[(0, 1, 1), (0, 2, 1), (0, 3, 1)], 1);
        check(4, &[(0, 1, 2), (1, 2, 3), (2, 3, 2)], 4);
        check(5, &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (0, 4, 1)], 3);
    }

    #[test]
    fn many_units_are_divided_into_clusters() {
        let clique: Vec<_> = (0..20).flat_map(|b| (0..b).map(move |a| (a, b, 1))).collect();
        check(20, &clique, 17);
    }
}
