//! The lowest level of the pyramid: blocks of cells, and the components within each.

use super::Connectivity;
use super::pyramid::unite;

/// Cells per side of a block: a row is one machine word.
pub(super) const SIDE: usize = 32;

/// A square of cells with the labels of its components.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Which cells belong to the grid; the lowest bit is the first column.
    rows: [u32; SIDE],
    /// The label of each cell's component, from 1; 0 for cells that do not belong to the grid.
    labels: [u16; SIDE * SIDE],
}

/// A maximal sequence of free cells in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    row: u8,
    start: u8,
    /// One past its last column.
    end: u8,
}

impl Run {
    fn on_rim(self) -> bool {
        let last = SIDE as u8 - 1;
        self.row == 0 || self.row == last || self.start == 0 || self.end > last
    }
}

/// Memory for labelling, reused between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    roots: Vec<u16>,
    names: Vec<u16>,
}

/// Divides a grid into blocks. Cells beyond its edge belong to no component.
pub(super) fn cut(width: u32, standable: &[u8], across: usize) -> Vec<Block> {
    let width = width as usize;
    let down = (standable.len() / width).div_ceil(SIDE);
    let empty = Block { rows: [0; SIDE], labels: [0; SIDE * SIDE] };
    let mut blocks = vec![empty; across * down];
    for (y, row) in standable.chunks_exact(width).enumerate() {
        for (column, cells) in row.chunks(SIDE).enumerate() {
            let bits = cells.iter().rev().fold(0, |bits, &cell| bits << 1 | u32::from(cell != 0));
            blocks[y / SIDE * across + column].rows[y % SIDE] = bits;
        }
    }
    blocks
}

/// Whether a cell has a free neighbour, and all free neighbours are connected within the ring
/// of eight around the cell. `around` has their bits row by row, without the cell itself.
pub(super) fn stay_connected(connectivity: Connectivity, around: u8) -> bool {
    let around = u32::from(around);
    let rows = [around & 7, around >> 3 & 1 | around >> 4 << 2 & 4, around >> 5];
    let ring = rows[0] | rows[1] << 3 | rows[2] << 6;
    let neighbours = ring
        & match connectivity {
            Connectivity::Four => 0o252,
            Connectivity::Eight => 0o757,
        };
    let mut reached = neighbours & neighbours.wrapping_neg();
    loop {
        let more = ring & (reached | spread(connectivity, reached));
        if more == reached {
            break neighbours != 0 && neighbours & !reached == 0;
        }
        reached = more;
    }
}

/// The neighbours of some cells of a 3 x 3 square, one octal digit per row.
fn spread(connectivity: Connectivity, cells: u32) -> u32 {
    let sideways = |cells: u32| cells << 1 & 0o666 | cells >> 1 & 0o333;
    let up_and_down = |cells: u32| (cells << 3 | cells >> 3) & 0o777;
    match connectivity {
        Connectivity::Four => sideways(cells) | up_and_down(cells),
        Connectivity::Eight => {
            let row = cells | sideways(cells);
            row | up_and_down(row)
        }
    }
}

impl Block {
    pub(super) fn is_free(&self, x: usize, y: usize) -> bool {
        self.rows[y] >> x & 1 != 0
    }

    pub(super) fn set(&mut self, x: usize, y: usize, free: bool) {
        self.rows[y] = self.rows[y] & !(1 << x) | u32::from(free) << x;
    }

    pub(super) fn label(&self, x: usize, y: usize) -> u16 {
        self.labels[y * SIDE + x]
    }

    pub(super) fn set_label(&mut self, x: usize, y: usize, name: u16) {
        self.labels[y * SIDE + x] = name;
    }

    /// The free cells around one inside the block, row by row, itself left out.
    pub(super) fn around(&self, x: usize, y: usize) -> u8 {
        let three = |y: usize| self.rows[y] >> (x - 1) & 7;
        let beside = three(y);
        (three(y - 1) | (beside & 1) << 3 | (beside >> 2) << 4 | three(y + 1) << 5) as u8
    }

    /// The largest label among the neighbours of a cell inside the block; 0 if none is free.
    pub(super) fn label_beside(&self, x: usize, y: usize, connectivity: Connectivity) -> u16 {
        let straight = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)];
        let corners = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)];
        let corners = match connectivity {
            Connectivity::Four => &corners[..0],
            Connectivity::Eight => &corners[..],
        };
        let labels = straight.iter().chain(corners).map(|&(x, y)| self.label(x, y));
        labels.max().unwrap_or(0)
    }

    /// Labels the components, those that reach the rim first, and counts their cells. Returns
    /// how many reach the rim. Their labels depend only on which rim cells are connected: if
    /// the labels on the rim do not change, nothing changes for the blocks above.
    pub(super) fn label_components(
        &mut self,
        reach: usize,
        memory: &mut Runs,
        sizes: &mut Vec<u32>,
    ) -> u16 {
        self.join_runs(reach as u8, memory);
        let Runs { runs, roots, names } = memory;
        for run in 0..roots.len() {
            roots[run] = roots[usize::from(roots[run])];
        }
        names.clear();
        names.resize(runs.len(), 0);
        let mut named = 0;
        for (_, &root) in runs.iter().zip(&*roots).filter(|(run, _)| run.on_rim()) {
            assign_label(&mut names[usize::from(root)], &mut named);
        }
        let open = named;
        for &root in &*roots {
            assign_label(&mut names[usize::from(root)], &mut named);
        }
        sizes.clear();
        sizes.resize(usize::from(named), 0);
        for (run, &root) in runs.iter().zip(&*roots) {
            let name = names[usize::from(root)];
            let from = usize::from(run.row) * SIDE;
            self.labels[from + usize::from(run.start)..from + usize::from(run.end)].fill(name);
            sizes[usize::from(name) - 1] += u32::from(run.end - run.start);
        }
        open
    }

    /// Finds the runs of all rows and unites those that touch.
    fn join_runs(&self, reach: u8, memory: &mut Runs) {
        let Runs { runs, roots, .. } = memory;
        runs.clear();
        roots.clear();
        let mut above = 0..0;
        for (row, &bits) in self.rows.iter().enumerate() {
            let first = runs.len();
            let mut bits = bits;
            while bits != 0 {
                let start = bits.trailing_zeros();
                let end = start + (bits >> start).trailing_ones();
                // The carry clears the run, and the bit it ends up in was clear.
                bits &= bits.wrapping_add(1 << start);
                let run = Run { row: row as u8, start: start as u8, end: end as u8 };
                let new = runs.len();
                roots.push(new as u16);
                while !above.is_empty() && runs[above.start].end + reach <= run.start {
                    above.start += 1;
                }
                let touching = above.clone().take_while(|&r| runs[r].start < run.end + reach);
                touching.for_each(|other| unite(roots, other as u16, new as u16));
                runs.push(run);
            }
            above = first..runs.len();
        }
    }

    /// Copies the labels of the rim: north, east, south, west. Returns whether they changed.
    pub(super) fn copy_rim(&self, rim: &mut [u16]) -> bool {
        let mut changed = false;
        let starts_and_strides = [(0, 1), (SIDE - 1, SIDE), ((SIDE - 1) * SIDE, 1), (0, SIDE)];
        for (side, (start, stride)) in rim.chunks_exact_mut(SIDE).zip(starts_and_strides) {
            let labels = self.labels[start..].iter().step_by(stride);
            for (old, &new) in side.iter_mut().zip(labels) {
                changed |= *old != new;
                *old = new;
            }
        }
        changed
    }
}

/// Assigns the next label, unless there is one already.
pub(super) fn assign_label(slot: &mut u16, named: &mut u16) {
    if *slot == 0 {
        *named += 1;
        *slot = *named;
    }
}
