//! How a ground is cut into clusters, and in what unit the hierarchy counts costs.

use throng_grid::Ground;
use throng_grid::kit::mix;
use throng_model::{Cell, CornerRule, DiagonalCost, MovementProfile, Neighbours, Rect};

/// Cells per side of a cluster.
pub(crate) const SIDE: u32 = 16;
/// Cells of a cluster.
pub(crate) const AREA: usize = (SIDE * SIDE) as usize;

/// Cost of a straight step at factor 1, in the hierarchy's own unit.
///
/// The unit is small so that sixteen 16-bit distances fit into two vector registers. 17 to 12
/// differs from the diagonal of a square by 0.2%. Costs that leave the hierarchy are computed
/// again in the model's unit.
pub(crate) const STRAIGHT_COST: u32 = 12;
const DIAGONAL_COST: u32 = 17;
/// The cost of what was not reached or cannot be. Three times as much still fits into 32 bits.
pub(crate) const UNREACHED: u32 = 1 << 30;

/// The part of a movement profile that decides which steps are legal and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepRules {
    pub(crate) has_diagonals: bool,
    pub(crate) corners: CornerRule,
    /// Cost of a diagonal step at factor 1.
    pub(crate) diagonal_cost: u32,
}

impl StepRules {
    fn new(movement: &MovementProfile) -> Self {
        let (straight, diagonal) = movement.step_costs();
        Self {
            has_diagonals: movement.neighbours == Neighbours::Eight,
            corners: movement.corners,
            diagonal_cost: match movement.diagonal {
                DiagonalCost::Ticks(_) => {
                    let scaled = diagonal.0 * u64::from(STRAIGHT_COST) + straight.0 / 2;
                    (scaled / straight.0) as u32
                }
                _ if straight == diagonal => STRAIGHT_COST,
                _ => DIAGONAL_COST,
            },
        }
    }

    /// Cost at factor 1 of a step in a direction; the first four directions are straight.
    #[inline]
    pub(crate) fn step_cost(self, direction: usize) -> u32 {
        if direction < 4 { STRAIGHT_COST } else { self.diagonal_cost }
    }

    /// Whether a diagonal step between two walls is legal.
    pub(crate) fn diagonals_pass_walls(self) -> bool {
        self.has_diagonals && self.corners == CornerRule::AlwaysCut
    }
}

/// The clusters of a ground: squares of [`SIDE`] cells, row by row, cut off at the map's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) rules: StepRules,
    footprint: u8,
    width: u32,
    height: u32,
    pub(crate) clusters_wide: u32,
    pub(crate) clusters_high: u32,
}

impl Layout {
    pub(crate) fn new(ground: &Ground) -> Self {
        let (width, height) = (ground.width(), ground.height());
        Self {
            rules: StepRules::new(ground.movement()),
            footprint: ground.movement().footprint,
            width,
            height,
            clusters_wide: width.div_ceil(SIDE),
            clusters_high: height.div_ceil(SIDE),
        }
    }

    pub(crate) fn cluster_count(&self) -> usize {
        (self.clusters_wide * self.clusters_high) as usize
    }

    /// The cluster of a cell.
    #[inline]
    pub(crate) fn cluster_of(&self, cell: Cell) -> u32 {
        u32::from(cell.y) / SIDE * self.clusters_wide + u32::from(cell.x) / SIDE
    }

    /// The cells of a cluster.
    pub(crate) fn rect(&self, cluster: u32) -> Rect {
        let (x, y) = self.origin(cluster);
        let (width, height) = (SIDE.min(self.width - x), SIDE.min(self.height - y));
        Rect::new(Cell::new(x as u16, y as u16), width as u16, height as u16)
    }

    /// The top-left cell of a cluster.
    #[inline]
    pub(crate) fn origin(&self, cluster: u32) -> (u32, u32) {
        (cluster % self.clusters_wide * SIDE, cluster / self.clusters_wide * SIDE)
    }
}

/// A ground seen cluster by cluster. It borrows; nothing of the ground is copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusteredGround<'a> {
    pub(crate) ground: &'a Ground,
    pub(crate) layout: Layout,
    factors: &'a [u8],
}

impl<'a> ClusteredGround<'a> {
    pub(crate) fn new(ground: &'a Ground) -> Self {
        Self { ground, layout: Layout::new(ground), factors: ground.factors() }
    }

    pub(crate) fn rules(&self) -> StepRules {
        self.layout.rules
    }

    /// The factor of a position, 0 for walls and off the map.
    #[inline]
    pub(crate) fn factor(&self, x: i32, y: i32) -> u8 {
        let Layout { width, height, .. } = self.layout;
        let inside = (x as u32) < width && (y as u32) < height;
        if inside { self.factors[y as usize * width as usize + x as usize] } else { 0 }
    }

    /// The factors of one row of a cluster, as far as the map goes.
    pub(crate) fn cluster_row(&self, cluster: u32, row: u32) -> &'a [u8] {
        let Layout { width, height, .. } = self.layout;
        let (left, top) = self.layout.origin(cluster);
        let y = top + row;
        if y >= height {
            return &[];
        }
        let right = (left + SIDE).min(width);
        &self.factors[(y * width + left) as usize..(y * width + right) as usize]
    }

    /// A hash of a cluster's factors: edits that leave it the same change nothing inside.
    pub(crate) fn content_hash(&self, cluster: u32) -> u64 {
        let mut hash = 0;
        for row in 0..SIDE {
            let mut padded = [0; SIDE as usize];
            let factors = self.cluster_row(cluster, row);
            padded[..factors.len()].copy_from_slice(factors);
            let (low, high) = padded.split_at(8);
            for half in [low, high] {
                let word = half.iter().fold(0, |word, &factor| word << 8 | u64::from(factor));
                hash = mix(hash ^ word);
            }
        }
        hash
    }
}
