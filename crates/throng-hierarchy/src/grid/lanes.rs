//! The distances inside a cluster from many cells at once.
//!
//! Not Dijkstra's algorithm once for each: every cell holds one distance for each source,
//! side by side, and whole rows are swept down and up until nothing gets shorter. All
//! sources share the looking up of cells and steps, a compiler makes vector instructions
//! of the rest, and a cluster is so small that few sweeps do.

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

/// For each cell of a tile, the distance from (or to) each of some sources.
pub(crate) type Field<L, const N: usize> = [[L; N]; CELLS];

/// What a sweep changes a cell by: where it looks, and what it costs to come from there.
struct Sweep<'a, L, const N: usize> {
    tile: &'a Tile,
    field: &'a mut Field<L, N>,
    diagonal: u32,
    changed: bool,
}

/// Fills the field with the distances from the sources, source k in lane k; `TO` turns all
/// steps round, for the distances to them.
pub(crate) fn fill<L: Lane, const N: usize, const TO: bool>(
    tile: &Tile,
    rules: Rules,
    sources: &[usize],
    field: &mut Field<L, N>,
) {
    field.fill([L::FAR; N]);
    for (lane, &source) in sources.iter().take(N).enumerate() {
        field[source][lane] = L::default();
    }
    let mut sweep = Sweep { tile, field, diagonal: rules.diagonal, changed: true };
    sweep.down::<TO>();
    loop {
        sweep.changed = false;
        sweep.up::<TO>();
        if !std::mem::take(&mut sweep.changed) {
            return;
        }
        sweep.down::<TO>();
        if !sweep.changed {
            return;
        }
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
    fn down<const TO: bool>(&mut self) {
        for y in 1..STRIDE - 1 {
            let (left, right) = (self.tile.up_left[y], self.tile.up_right[y]);
            self.row::<TO>(y, y - 1, left, right);
        }
    }

    fn up<const TO: bool>(&mut self) {
        for y in (1..STRIDE - 1).rev() {
            // A step down and to the left is one up and to the right seen from below.
            let left = self.tile.up_right[y + 1] << 1;
            let right = self.tile.up_left[y + 1] >> 1;
            self.row::<TO>(y, y + 1, left, right);
        }
    }

    /// Takes over what is shorter by way of the row before, then along the row itself.
    fn row<const TO: bool>(&mut self, y: usize, before: usize, left: u32, right: u32) {
        let (row, before) = (y * STRIDE, before * STRIDE);
        for x in 1..STRIDE - 1 {
            let at = row + x;
            if self.tile.factors[at] == 0 {
                continue;
            }
            let mut best = self.field[at];
            self.pull::<TO>(&mut best, at, before + x, STRAIGHT);
            if left >> x & 1 != 0 {
                self.pull::<TO>(&mut best, at, before + x - 1, self.diagonal);
            }
            if right >> x & 1 != 0 {
                self.pull::<TO>(&mut best, at, before + x + 1, self.diagonal);
            }
            self.pull::<TO>(&mut best, at, at - 1, STRAIGHT);
            self.put(at, best);
        }
        for at in (row + 1..row + STRIDE - 2).rev() {
            if self.tile.factors[at] != 0 {
                let mut best = self.field[at];
                self.pull::<TO>(&mut best, at, at + 1, STRAIGHT);
                self.put(at, best);
            }
        }
    }

    #[inline(always)]
    fn pull<const TO: bool>(&self, best: &mut [L; N], at: usize, from: usize, base: u32) {
        let entered = if TO { from } else { at };
        let cost = base * u32::from(self.tile.factors[entered]);
        for (best, &known) in best.iter_mut().zip(&self.field[from]) {
            *best = known.plus(cost).min(*best);
        }
    }

    #[inline(always)]
    fn put(&mut self, at: usize, best: [L; N]) {
        self.changed |= best != self.field[at];
        self.field[at] = best;
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Cell, Map, Movement};
    use throng_search::Ground;

    use super::*;
    use crate::grid::plane::{Plane, SIDE};
    use crate::grid::tile;

    /// Every lane, whatever its width, holds what Dijkstra's algorithm says on the raw map.
    fn check(map: &Map, sources: &[Cell]) {
        let movement = Movement { footprint: 1, ..Movement::four_connected() };
        let plane = Plane::new(&Ground::new(map, movement.clone()).unwrap());
        let tile = Tile::new(&plane, 0);
        let place = |cell: Cell| tile::at(u32::from(cell.x), u32::from(cell.y));
        let places: Vec<usize> = sources.iter().map(|&source| place(source)).collect();
        let mut narrow = Box::new([[0_u16; 8]; CELLS]);
        fill::<u16, 8, false>(&tile, plane.rules, &places, &mut narrow);
        let mut wide = Box::new([[0_u32; 16]; CELLS]);
        fill::<u32, 16, false>(&tile, plane.rules, &places, &mut wide);
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
