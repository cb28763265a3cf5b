//! The cells of one cluster with a margin that cannot be entered: what is looked at inside
//! of a cluster needs no test for its bounds.

use throng_model::CornerRule;

use super::plane::{Plane, Rules, SIDE};

/// Cells a row, margins included.
pub(crate) const STRIDE: usize = SIDE as usize + 2;
/// All cells, margins included.
pub(crate) const CELLS: usize = STRIDE * STRIDE;

/// Where a cell of the cluster is in a tile.
pub(crate) fn at(x: u32, y: u32) -> usize {
    (y as usize + 1) * STRIDE + x as usize + 1
}

/// One cluster's factors, and which diagonal steps are legal between its cells.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) factors: [u8; CELLS],
    /// Row by row, a bit for each cell from which a step up and to the left is legal.
    pub(crate) up_left: [u32; STRIDE],
    /// The same for up and to the right.
    pub(crate) up_right: [u32; STRIDE],
    /// More than any way inside of the cluster costs.
    pub(crate) cost_bound: u32,
}

impl Tile {
    pub(crate) fn new(plane: &Plane, cluster: u32) -> Self {
        let (left, top) = plane.origin(cluster);
        let (right, bottom) = ((left + SIDE).min(plane.width), (top + SIDE).min(plane.height));
        let mut tile = Self {
            factors: [0; CELLS],
            up_left: [0; STRIDE],
            up_right: [0; STRIDE],
            cost_bound: 0,
        };
        for y in top..bottom {
            let row = plane.row(y, left, right);
            tile.factors[at(0, y - top)..][..row.len()].copy_from_slice(row);
        }
        tile.find_diagonals(plane.rules);
        let sum: u32 = tile.factors.iter().map(|&factor| u32::from(factor)).sum();
        tile.cost_bound = sum * plane.rules.diagonal.max(super::plane::STRAIGHT) + 1;
        tile
    }

    fn find_diagonals(&mut self, rules: Rules) {
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

    /// The steps from a cell that are legal inside of the cluster, a bit for each arrow.
    #[inline]
    pub(crate) fn legal(&self, cell: usize) -> u8 {
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
