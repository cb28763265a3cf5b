//! A lower bound on the excess of a whole group, from the excesses of its pairs.
//!
//! If units i and j together need e_ij ticks more than alone, then the excesses x of all
//! units satisfy x_i + x_j >= e_ij for every pair. The least sum of such x is a lower bound
//! on the group's excess: an edge-weighted minimum vertex cover, as in J. Li et al., "Improved
//! Heuristics for Multi-Agent Path Finding with Conflict-Based Search" (IJCAI 2019).

/// Two units and their excess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) units: [u16; 2],
    pub(crate) excess: u32,
}

/// Edges taken into account. Leaving edges out lowers the bound, which stays admissible.
const EDGES_MAX: usize = 12;

/// Solver for edge-weighted vertex covers. Reuses its memory.
#[derive(Default)]
pub(crate) struct VertexCover {
    edges: Vec<Edge>,
    /// Excess assigned to each unit on the current branch.
    assigned: Vec<u32>,
    best: u32,
}

impl VertexCover {
    pub(crate) fn begin(&mut self, units: usize) {
        self.edges.clear();
        self.assigned.clear();
        self.assigned.resize(units, 0);
    }

    pub(crate) fn push(&mut self, edge: Edge) {
        if self.edges.len() < EDGES_MAX {
            self.edges.push(edge);
        }
    }

    /// The least sum that covers all edges, by branch and bound.
    pub(crate) fn least(&mut self) -> u32 {
        match self.edges[..] {
            [] => 0,
            [only] => only.excess,
            _ => {
                self.best = u32::MAX;
                self.branch(0, 0);
                self.best
            }
        }
    }

    fn branch(&mut self, first: usize, sum: u32) {
        if sum >= self.best {
            return;
        }
        let uncovered = |edge: &Edge| {
            let [a, b] = edge.units.map(usize::from);
            edge.excess.saturating_sub(self.assigned[a] + self.assigned[b])
        };
        let next = (first..self.edges.len()).find(|&at| uncovered(&self.edges[at]) > 0);
        let Some(next) = next else {
            self.best = sum;
            return;
        };
        let missing = uncovered(&self.edges[next]);
        let [a, b] = self.edges[next].units.map(usize::from);
        for by_first in 0..=missing {
            self.assigned[a] += by_first;
            self.assigned[b] += missing - by_first;
            self.branch(next + 1, sum + missing);
            self.assigned[a] -= by_first;
            self.assigned[b] -= missing - by_first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(edges: &[(u16, u16, u32)]) -> u32 {
        let mut cover = VertexCover::default();
        cover.begin(8);
        for &(a, b, excess) in edges {
            cover.push(Edge { units: [a, b], excess });
        }
        cover.least()
    }

    #[test]
    fn disjoint_pairs_add_up_and_a_star_is_covered_by_its_centre() {
        assert_eq!(least(&[]), 0);
        assert_eq!(least(&[(0, 1, 2), (2, 3, 1)]), 3);
        assert_eq!(least(&[(0, 1, 1), (0, 2, 1), (0, 3, 1)]), 1);
        assert_eq!(least(&[(0, 1, 1), (1, 2, 1), (2, 0, 1)]), 2);
        assert_eq!(least(&[(0, 1, 1), (1, 2, 3), (2, 3, 1)]), 3);
    }
}
