//! Distances inside a cluster from many cells at once.
//!
//! Dijkstra's algorithm would run once per source. Here every cell holds one distance per
//! source, side by side, and rows are swept down and up until no distance falls. Rows next to
//! which nothing changed are skipped. All sources share the lookups of cells and legal steps,
//! and the compiler turns the inner loops into vector instructions. Clusters are so small that
//! few sweeps suffice.

use crate::layout::{STRAIGHT_COST, StepRules, UNREACHED};
use crate::padded_cluster::{CELLS, PaddedCluster, STRIDE};

/// An integer that holds a distance. Its maximum means "not reached".
pub(crate) trait Distance: Copy + Ord + Default {
    const MAX: Self;
    fn plus(self, cost: u32) -> Self;
    /// The distance as a cost: [`UNREACHED`] for the maximum.
    fn cost(self) -> u32;
}

impl Distance for u16 {
    const MAX: Self = Self::MAX;
    #[inline]
    fn plus(self, cost: u32) -> Self {
        self.saturating_add(cost as Self)
    }
    fn cost(self) -> u32 {
        if self == Self::MAX { UNREACHED } else { u32::from(self) }
    }
}

impl Distance for u32 {
    const MAX: Self = Self::MAX;
    #[inline]
    fn plus(self, cost: u32) -> Self {
        self.saturating_add(cost)
    }
    fn cost(self) -> u32 {
        self.min(UNREACHED)
    }
}

/// No step back: the cell is the source, or was not reached.
pub(crate) const NO_STEP: u8 = 8;

/// The offset of each direction among a padded cluster's cells: up, right, down, left, then
/// the diagonals clockwise from up and right, as in [`throng_grid::OFFSETS`].
pub(crate) const STEP_OFFSETS: [isize; 8] = {
    let row = STRIDE as isize;
    [-row, 1, row, -1, 1 - row, 1 + row, row - 1, -1 - row]
};

/// For each cell of a padded cluster, its distance from each of N sources.
pub(crate) type Distances<D, const N: usize> = [[D; N]; CELLS];

/// Fills in the distances from the sources; those of source k are at index k.
pub(crate) fn fill<D: Distance, const N: usize>(
    cluster: &PaddedCluster,
    rules: StepRules,
    sources: &[usize],
    distances: &mut Distances<D, N>,
) {
    distances.fill([D::MAX; N]);
    for (source, &cell) in sources.iter().take(N).enumerate() {
        distances[cell][source] = D::default();
    }
    let fresh = sources.iter().fold(0, |rows, source| rows | 1 << (source / STRIDE));
    let diagonal_cost = rules.diagonal_cost;
    let mut sweep =
        Sweep { cluster, distances, diagonal_cost, changed: false, fresh, pending: [0; 2] };
    while sweep.fresh | sweep.pending[0] | sweep.pending[1] != 0 {
        sweep.down();
        sweep.up();
    }
}

/// For a cell of filled distances, the direction of the step back towards each source.
#[inline]
pub(crate) fn steps_back<D: Distance, const N: usize>(
    cluster: &PaddedCluster,
    rules: StepRules,
    distances: &Distances<D, N>,
    cell: usize,
) -> [u8; N] {
    let mut steps = [D::MAX; N];
    let legal = cluster.legal_steps(cell);
    let factor = u32::from(cluster.factors[cell]);
    for (direction, offset) in STEP_OFFSETS.iter().enumerate() {
        if legal >> direction & 1 == 0 {
            continue;
        }
        let cost = rules.step_cost(direction) * factor;
        let from = &distances[cell.wrapping_add_signed(*offset)];
        let code = D::default().plus(direction as u32);
        for source in 0..N {
            let fits = from[source].plus(cost) == distances[cell][source];
            steps[source] = if fits { code } else { steps[source] };
        }
    }
    std::array::from_fn(|source| {
        let is_reached = distances[cell][source] != D::MAX && steps[source] != D::MAX;
        if is_reached { steps[source].cost() as u8 } else { NO_STEP }
    })
}

/// Sweeps over the rows of a cluster, and which rows still need one.
struct Sweep<'a, D, const N: usize> {
    cluster: &'a PaddedCluster,
    distances: &'a mut Distances<D, N>,
    diagonal_cost: u32,
    changed: bool,
    /// One bit per row that holds a source and was not swept yet.
    fresh: u32,
    /// One bit per row that changed since the row below it was swept, then the same for the
    /// row above it.
    pending: [u32; 2],
}

impl<D: Distance, const N: usize> Sweep<'_, D, N> {
    fn down(&mut self) {
        for y in 1..STRIDE - 1 {
            if (self.pending[0] >> (y - 1) | self.fresh >> y) & 1 != 0 {
                let (left, right) = (self.cluster.up_left[y], self.cluster.up_right[y]);
                self.relax_row(y, y - 1, left, right);
                self.mark_changed(y);
            }
        }
        self.pending[0] = 0;
    }

    fn up(&mut self) {
        for y in (1..STRIDE - 1).rev() {
            if self.pending[1] >> (y + 1) & 1 != 0 {
                // A step down and left is a step up and right seen from below.
                let left = self.cluster.up_right[y + 1] << 1;
                let right = self.cluster.up_left[y + 1] >> 1;
                self.relax_row(y, y + 1, left, right);
                self.mark_changed(y);
            }
        }
        self.pending[1] = 0;
    }

    /// After a row was relaxed: if it changed, the rows next to it are due.
    fn mark_changed(&mut self, y: usize) {
        let is_fresh = self.fresh >> y & 1 != 0;
        if std::mem::take(&mut self.changed) || is_fresh {
            self.pending.iter_mut().for_each(|rows| *rows |= 1 << y);
        }
        self.fresh &= !(1 << y);
    }

    /// Relaxes a row from the row before it, then along itself in both directions.
    fn relax_row(&mut self, y: usize, before: usize, left: u32, right: u32) {
        let Self { cluster, distances, diagonal_cost, changed, .. } = self;
        let factors = &cluster.factors[y * STRIDE..][..STRIDE];
        let (row, before) = two_rows(distances, y, before);
        let mut neighbour = [D::MAX; N];
        for x in 1..STRIDE - 1 {
            let factor = u32::from(factors[x]);
            if factor == 0 {
                neighbour = [D::MAX; N];
                continue;
            }
            let mut best = row[x];
            relax(&mut best, &before[x], STRAIGHT_COST * factor);
            if left >> x & 1 != 0 {
                relax(&mut best, &before[x - 1], *diagonal_cost * factor);
            }
            if right >> x & 1 != 0 {
                relax(&mut best, &before[x + 1], *diagonal_cost * factor);
            }
            relax(&mut best, &neighbour, STRAIGHT_COST * factor);
            *changed |= best != row[x];
            row[x] = best;
            neighbour = best;
        }
        neighbour = [D::MAX; N];
        for x in (1..STRIDE - 1).rev() {
            let factor = u32::from(factors[x]);
            if factor == 0 {
                neighbour = [D::MAX; N];
                continue;
            }
            let mut best = row[x];
            relax(&mut best, &neighbour, STRAIGHT_COST * factor);
            *changed |= best != row[x];
            row[x] = best;
            neighbour = best;
        }
    }
}

/// A row to change, and another to read.
fn two_rows<D, const N: usize>(
    distances: &mut Distances<D, N>,
    row: usize,
    other: usize,
) -> (&mut [[D; N]], &[[D; N]]) {
    let (above, below) = distances.split_at_mut(row.max(other) * STRIDE);
    let above = &mut above[row.min(other) * STRIDE..];
    if row < other { (above, below) } else { (below, above) }
}

/// Lowers distances to those by way of a neighbour.
#[inline(always)]
fn relax<D: Distance, const N: usize>(best: &mut [D; N], neighbour: &[D; N], cost: u32) {
    for (best, known) in best.iter_mut().zip(neighbour) {
        *best = known.plus(cost).min(*best);
    }
}

#[cfg(test)]
mod tests {
    use throng_grid::Ground;
    use throng_model::{Cell, Map, MovementProfile};

    use super::*;
    use crate::layout::{ClusteredGround, SIDE};
    use crate::padded_cluster;

    /// Distances of both widths equal those of Dijkstra's algorithm on the raw map.
    fn check(map: &Map, sources: &[Cell]) {
        let movement = MovementProfile::four_connected();
        let ground = Ground::new(map, movement.clone()).unwrap();
        let ground = ClusteredGround::new(&ground);
        let cluster = PaddedCluster::new(&ground, 0);
        let index = |cell: Cell| padded_cluster::index(u32::from(cell.x), u32::from(cell.y));
        let indices: Vec<usize> = sources.iter().map(|&source| index(source)).collect();
        let mut narrow = Box::new([[0_u16; 8]; CELLS]);
        fill::<u16, 8>(&cluster, ground.rules(), &indices, &mut narrow);
        let mut wide = Box::new([[0_u32; 16]; CELLS]);
        fill::<u32, 16>(&cluster, ground.rules(), &indices, &mut wide);
        for (number, &source) in sources.iter().enumerate() {
            let costs = throng_testkit::oracle::costs_from(map, &movement, &[source]);
            for cell in map.cells() {
                let at = usize::from(cell.y) * SIDE as usize + usize::from(cell.x);
                let expected = costs[at].map_or(UNREACHED, |cost| {
                    (cost / throng_model::STRAIGHT) as u32 * STRAIGHT_COST
                });
                assert_eq!(narrow[index(cell)][number].cost(), expected, "{source} to {cell}");
                assert_eq!(wide[index(cell)][number].cost(), expected, "{source} to {cell}");
            }
        }
    }

    #[test]
    fn distances_are_true() {
        for seed in 0..30 {
            let map = throng_testkit::random_terrain(seed, SIDE, SIDE, 30, 9);
            let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
            let sources: Vec<Cell> = free.iter().copied().step_by(29).take(8).collect();
            check(&map, &sources);
        }
    }

    /// A spiral takes as many sweeps as it has turns.
    #[test]
    fn a_spiral_is_swept_to_its_end() {
        let drawing = "
            ................
            .##############.
            .#............#.
            .#.##########.#.
            .#.#........#.#.
            .#.#.######.#.#.
            .#.#.#....#.#.#.
            .#.#.#.##.#.#.#.
            .#.#.#.##.#.#.#.
            .#.#.#..#.#.#.#.
            .#.#.####.#.#.#.
            .#.#......#.#.#.
            .#.########.#.#.
            .#..........#.#.
            .############.#.
            ..............#.";
        check(&throng_testkit::map(drawing), &[Cell::new(0, 0), Cell::new(7, 9)]);
    }
}
