//! The cells of one cluster with a margin of walls, so that loops need no bounds test.

use throng_model::CornerRule;

use crate::layout::{ClusteredGround, SIDE, STRAIGHT_COST, StepRules};

/// Cells per row, margins included.
pub(crate) const STRIDE: usize = SIDE as usize + 2;
/// All cells, margins included.
pub(crate) const CELLS: usize = STRIDE * STRIDE;

/// The index of a cell of the cluster.
pub(crate) fn index(x: u32, y: u32) -> usize {
    (y as usize + 1) * STRIDE + x as usize + 1
}

/// One cluster's factors, and which diagonal steps are legal between its cells.
#[derive(Clone, Debug)]
pub(crate) struct PaddedCluster {
    pub(crate) factors: [u8; CELLS],
    /// Per row, one bit for each cell from which a step up and left is legal.
    pub(crate) up_left: [u32; STRIDE],
    /// Per row, one bit for each cell from which a step up and right is legal.
    pub(crate) up_right: [u32; STRIDE],
    /// A cost above that of any path inside the cluster.
    pub(crate) cost_bound: u32,
}

impl PaddedCluster {
    pub(crate) fn new(ground: &ClusteredGround<'_>, cluster: u32) -> Self {
        let mut padded = Self {
            factors: [0; CELLS],
            up_left: [0; STRIDE],
            up_right: [0; STRIDE],
            cost_bound: 0,
        };
        for y in 0..SIDE {
            let row = ground.cluster_row(cluster, y);
            padded.factors[index(0, y)..][..row.len()].copy_from_slice(row);
        }
        let rules = ground.rules();
        padded.find_diagonals(rules);
        let sum: u32 = padded.factors.iter().map(|&factor| u32::from(factor)).sum();
        padded.cost_bound = sum * rules.diagonal_cost.max(STRAIGHT_COST) + 1;
        padded
    }

    fn find_diagonals(&mut self, rules: StepRules) {
        if !rules.has_diagonals {
            return;
        }
        let mut above = 0_u32;
        for (y, row) in self.factors.chunks_exact(STRIDE).enumerate() {
            let bits = row.iter().enumerate();
            let free = bits.fold(0, |all, (x, &factor)| all | u32::from(factor != 0) << x);
            let allowed = |beside: u32| match rules.corners {
                CornerRule::NeverCut => beside & above,
                CornerRule::OneSideFree => beside | above,
                CornerRule::AlwaysCut => u32::MAX,
            };
            self.up_left[y] = free & above << 1 & allowed(free << 1);
            self.up_right[y] = free & above >> 1 & allowed(free >> 1);
            above = free;
        }
    }

    /// The steps from a cell that are legal inside the cluster, one bit per direction.
    #[inline]
    pub(crate) fn legal_steps(&self, cell: usize) -> u8 {
        let (x, y) = (cell % STRIDE, cell / STRIDE);
        let free = |at: usize| u8::from(self.factors[at] != 0);
        let bit = |row: u32, x: usize| (row >> x & 1) as u8;
        free(cell - STRIDE)
            | free(cell + 1) << 1
            | free(cell + STRIDE) << 2
            | free(cell - 1) << 3
            | bit(self.up_right[y], x) << 4
            | bit(self.up_left[y + 1], x + 1) << 5
            | bit(self.up_right[y + 1], x - 1) << 6
            | bit(self.up_left[y], x) << 7
    }
}
