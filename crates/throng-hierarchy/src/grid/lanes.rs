//! The distances inside a cluster from many cells at once.
//!
//! Not Dijkstra's algorithm once for each: every cell holds one distance for each source,
//! side by side, and rows are swept down and up until nothing gets shorter, those left out
//! beside which nothing has. All sources share the looking up of cells and steps, a compiler
//! makes vector instructions of the rest, and a cluster is so small that few sweeps do.

use super::plane::{Rules, STRAIGHT};
use super::tile::{CELLS, STRIDE, Tile};

/// A number that holds a distance.
pub(crate) trait Lane: Copy + Ord + Default {
    /// Not reached.
    const FAR: Self;
    fn plus(self, cost: u32) -> Self;
    fn cost(self) -> u32;
}

impl Lane for u16 {
    const FAR: Self = Self::MAX;
    #[inline]
    fn plus(self, cost: u32) -> Self {
        self.saturating_add(cost as Self)
    }
    fn cost(self) -> u32 {
        if self == Self::FAR { FAR } else { u32::from(self) }
    }
}

impl Lane for u32 {
    const FAR: Self = Self::MAX;
    #[inline]
    fn plus(self, cost: u32) -> Self {
        self.saturating_add(cost)
    }
    fn cost(self) -> u32 {
        self
    }
}

/// No arrow: the source itself, or not reached.
pub(crate) const NO_ARROW: u8 = 8;

/// How far away in a tile each arrow points: up, right, down, left, then the diagonals
/// clockwise from up and right.
pub(crate) const ARROWS: [isize; 8] = {
    let row = STRIDE as isize;
    [-row, 1, row, -1, 1 - row, 1 + row, row - 1, -1 - row]
};

/// There is no way inside of the cluster.
pub(crate) const FAR: u32 = u32::MAX;

/// For each cell of a tile, the distance from each of some sources.
pub(crate) type Field<L, const N: usize> = [[L; N]; CELLS];

/// What a sweep changes a cell by: where it looks, and what it costs to come from there.
struct Sweep<'a, L, const N: usize> {
    tile: &'a Tile,
    field: &'a mut Field<L, N>,
    diagonal: u32,
    changed: bool,
    /// A bit for each row that was not relaxed along itself yet.
    fresh: u32,
    /// A bit for each row that got shorter since the row below was relaxed, and the same for
    /// the row above.
    waiting: [u32; 2],
}

/// Fills the field with the distances from the sources, source k in lane k.
pub(crate) fn fill<L: Lane, const N: usize>(
    tile: &Tile,
    rules: Rules,
    sources: &[usize],
    field: &mut Field<L, N>,
) {
    field.fill([L::FAR; N]);
    for (lane, &source) in sources.iter().take(N).enumerate() {
        field[source][lane] = L::default();
    }
    let fresh = sources.iter().fold(0, |rows, source| rows | 1 << (source / STRIDE));
    let mut sweep =
        Sweep { tile, field, diagonal: rules.diagonal, changed: false, fresh, waiting: [0; 2] };
    while sweep.fresh | sweep.waiting[0] | sweep.waiting[1] != 0 {
        sweep.down();
        sweep.up();
    }
}

/// For a cell of a filled field, the arrow of each lane to the cell before it on the best
/// way from the source.
#[inline]
pub(crate) fn arrows<L: Lane, const N: usize>(
    tile: &Tile,
    rules: Rules,
    field: &Field<L, N>,
    at: usize,
) -> [u8; N] {
    let mut arrows = [L::FAR; N];
    let legal = tile.legal(at);
    let factor = u32::from(tile.factors[at]);
    for (arrow, offset) in ARROWS.iter().enumerate() {
        if legal >> arrow & 1 == 0 {
            continue;
        }
        let base = if arrow < 4 { STRAIGHT } else { rules.diagonal };
        let from = &field[at.wrapping_add_signed(*offset)];
        let code = L::default().plus(arrow as u32);
        for lane in 0..N {
            let fits = from[lane].plus(base * factor) == field[at][lane];
            arrows[lane] = if fits { code } else { arrows[lane] };
        }
    }
    std::array::from_fn(|lane| {
        let is_way = field[at][lane] != L::FAR && arrows[lane] != L::FAR;
        if is_way { arrows[lane].cost() as u8 } else { NO_ARROW }
    })
}

impl<L: Lane, const N: usize> Sweep<'_, L, N> {
    fn down(&mut self) {
        for y in 1..STRIDE - 1 {
            if (self.waiting[0] >> (y - 1) | self.fresh >> y) & 1 != 0 {
                let (left, right) = (self.tile.up_left[y], self.tile.up_right[y]);
                self.row(y, y - 1, left, right);
                self.note(y);
            }
        }
        self.waiting[0] = 0;
    }

    fn up(&mut self) {
        for y in (1..STRIDE - 1).rev() {
            if self.waiting[1] >> (y + 1) & 1 != 0 {
                // A step down and to the left is one up and to the right seen from below.
                let left = self.tile.up_right[y + 1] << 1;
                let right = self.tile.up_left[y + 1] >> 1;
                self.row(y, y + 1, left, right);
                self.note(y);
            }
        }
        self.waiting[1] = 0;
    }

    /// A row was relaxed: if it got shorter, those beside it wait for it.
    fn note(&mut self, y: usize) {
        let is_fresh = self.fresh >> y & 1 != 0;
        if std::mem::take(&mut self.changed) || is_fresh {
            self.waiting.iter_mut().for_each(|rows| *rows |= 1 << y);
        }
        self.fresh &= !(1 << y);
    }

    /// Takes over what is shorter by way of the row before, then along the row itself.
    fn row(&mut self, y: usize, before: usize, left: u32, right: u32) {
        let Self { tile, field, diagonal, changed, .. } = self;
        let factors = &tile.factors[y * STRIDE..][..STRIDE];
        let (row, before) = rows(field, y, before);
        let mut beside = [L::FAR; N];
        for x in 1..STRIDE - 1 {
            let factor = u32::from(factors[x]);
            if factor == 0 {
                beside = [L::FAR; N];
                continue;
            }
            let mut best = row[x];
            pull(&mut best, &before[x], STRAIGHT * factor);
            if left >> x & 1 != 0 {
                pull(&mut best, &before[x - 1], *diagonal * factor);
            }
            if right >> x & 1 != 0 {
                pull(&mut best, &before[x + 1], *diagonal * factor);
            }
            pull(&mut best, &beside, STRAIGHT * factor);
            *changed |= best != row[x];
            row[x] = best;
            beside = best;
        }
        beside = [L::FAR; N];
        for x in (1..STRIDE - 1).rev() {
            let factor = u32::from(factors[x]);
            if factor == 0 {
                beside = [L::FAR; N];
                continue;
            }
            let mut best = row[x];
            pull(&mut best, &beside, STRAIGHT * factor);
            *changed |= best != row[x];
            row[x] = best;
            beside = best;
        }
    }
}

/// A row to be changed, and another to look at.
fn rows<L, const N: usize>(
    field: &mut Field<L, N>,
    row: usize,
    other: usize,
) -> (&mut [[L; N]], &[[L; N]]) {
    let (above, below) = field.split_at_mut(row.max(other) * STRIDE);
    let above = &mut above[row.min(other) * STRIDE..];
    if row < other { (above, below) } else { (below, above) }
}

/// Takes over what is shorter by way of a neighbour.
#[inline(always)]
fn pull<L: Lane, const N: usize>(best: &mut [L; N], neighbour: &[L; N], cost: u32) {
    for (best, known) in best.iter_mut().zip(neighbour) {
        *best = known.plus(cost).min(*best);
    }
}

#[cfg(test)]
mod tests {
    use throng_grid::Ground;
    use throng_model::{Cell, Map, MovementProfile};

    use super::*;
    use crate::grid::plane::{Plane, SIDE};
    use crate::grid::tile;

    /// Every lane, whatever its width, holds what Dijkstra's algorithm says on the raw map.
    fn check(map: &Map, sources: &[Cell]) {
        let movement = MovementProfile { footprint: 1, ..MovementProfile::four_connected() };
        let plane = Plane::new(&Ground::new(map, movement.clone()).unwrap());
        let tile = Tile::new(&plane, 0);
        let place = |cell: Cell| tile::at(u32::from(cell.x), u32::from(cell.y));
        let places: Vec<usize> = sources.iter().map(|&source| place(source)).collect();
        let mut narrow = Box::new([[0_u16; 8]; CELLS]);
        fill::<u16, 8>(&tile, plane.rules, &places, &mut narrow);
        let mut wide = Box::new([[0_u32; 16]; CELLS]);
        fill::<u32, 16>(&tile, plane.rules, &places, &mut wide);
        for (lane, &source) in sources.iter().enumerate() {
            let costs = throng_testkit::oracle::costs_from(map, &movement, &[source]);
            for cell in map.cells() {
                let index = usize::from(cell.y) * SIDE as usize + usize::from(cell.x);
                let expected = costs[index]
                    .map_or(FAR, |cost| (cost / throng_model::STRAIGHT) as u32 * STRAIGHT);
                assert_eq!(narrow[place(cell)][lane].cost(), expected, "{source} to {cell}");
                assert_eq!(wide[place(cell)][lane].cost(), expected, "{source} to {cell}");
            }
        }
    }

    #[test]
    fn lanes_hold_true_distances() {
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
