//! Shortens a path within a corridor of cells around it.
//!
//! A path over transitions bends where the transitions are; the shortest path is rarely far
//! from it. So the search is limited to the cells within two or three steps of the path. They
//! are relaxed once, in the order of the path, one line of cells across it at a time, and no
//! queue is needed. Paths that lead back against the given one are missed; they rarely pay.
//! Where the path got much shorter, the corridor is laid around the new path and searched
//! again.
//!
//! A line is relaxed without branches: walls cost so much that no path leads through them.
//! `docs/decisions/hierarchy-smoothing.md` has the reasons and measurements.

use throng_grid::{Ground, OFFSETS};
use throng_model::Cell;

use crate::layout::{ClusteredGround, STRAIGHT_COST, StepRules, UNREACHED};

/// Cells of a line where diagonal steps exist: two on each side of the path, and one more at
/// each end that is only read. Diagonal steps make up for the narrower corridor.
const LINE_WITH_DIAGONALS: usize = 7;
/// Cells of a line where steps are straight: three on each side, and the ends.
const LINE_STRAIGHT: usize = 9;
/// The corridor is searched again if the path got shorter by more than one part in this many.
const GAIN_PARTS: u32 = 16;
/// Most searches of one corridor.
const ROUNDS_MAX: u32 = 4;
/// Cells of the longest path that cannot meet itself in the wrapped cost buffer, even after
/// every round has moved it aside as far as a line reaches.
pub(crate) const PATH_CELLS_MAX: usize =
    ROW as usize - 2 * ROUNDS_MAX as usize * (LINE_STRAIGHT / 2);
/// More than any path through a corridor costs.
const COST_MAX: u32 = (PATH_CELLS_MAX as u32 + 1) * 2 * STRAIGHT_COST * 255;

/// Cost of a straight step onto each factor. Factor 0 is a wall.
const STRAIGHT_COSTS: [u32; 256] = costs_by_factor(STRAIGHT_COST);

const fn costs_by_factor(base: u32) -> [u32; 256] {
    let mut costs = [UNREACHED; 256];
    let mut factor = 1;
    while factor < 256 {
        costs[factor] = base * factor as u32;
        factor += 1;
    }
    costs
}

/// One cost per cell, row by row, wrapped in both directions: column 256 is column 0 of the
/// next row, row 256 is row 0.
type CostBuffer = [u32; 1 << 16];
/// Cells per row of the buffer.
const ROW: u16 = 1 << 8;
/// The offset of each direction in the buffer.
const BUFFER_OFFSETS: [u16; 8] = {
    let mut offsets = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = OFFSETS[direction];
        offsets[direction] = (dy * ROW as i32 + dx) as u16;
        direction += 1;
    }
    offsets
};

/// For each set of free neighbours, 0 for a legal diagonal step and a huge cost for others.
type DiagonalMasks = [[u32; 4]; 256];

/// The buffers of the corridor search.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    /// The cost to reach each cell. The buffer is not cleared between searches: each starts
    /// from an offset so low that leftover values always lose the comparison.
    costs: Box<CostBuffer>,
    /// The offset of the latest search.
    offset: u32,
    /// The rules for which the next three fields were made.
    rules: Option<StepRules>,
    diagonal_cost: u32,
    /// Cost of a diagonal step onto each factor.
    diagonal_costs: Box<[u32; 256]>,
    diagonal_masks: Box<DiagonalMasks>,
    /// The path being traced.
    traced: Vec<Cell>,
    pub(crate) expanded: u64,
}

impl Default for Corridor {
    fn default() -> Self {
        Self {
            costs: Box::new([UNREACHED; 1 << 16]),
            offset: UNREACHED,
            rules: None,
            diagonal_cost: 0,
            diagonal_costs: Box::new([UNREACHED; 256]),
            diagonal_masks: Box::new([[0; 4]; 256]),
            traced: Vec::new(),
            expanded: 0,
        }
    }
}

/// A line of cells across the path, given by the cell in its middle.
#[derive(Clone, Copy, Debug)]
struct Line {
    middle: Cell,
    is_vertical: bool,
}

/// What relaxing a cell needs to know of the ground.
#[derive(Clone, Copy)]
struct Terrain {
    /// The factor of the cell, 0 for a wall.
    factor: u8,
    /// One bit for each neighbouring cell on which the unit can stand.
    around: u8,
}

impl Corridor {
    /// Replaces the path by a shorter one with the same ends, if the corridor has one.
    pub(crate) fn shorten(&mut self, ground: &ClusteredGround<'_>, path: &mut Vec<Cell>) {
        self.set_rules(ground);
        for _ in 0..ROUNDS_MAX {
            let costs = if ground.rules().has_diagonals {
                self.shorten_once::<LINE_WITH_DIAGONALS, true>(ground.ground, path)
            } else {
                self.shorten_once::<LINE_STRAIGHT, false>(ground.ground, path)
            };
            if costs.is_none_or(|[before, after]| after >= before - before / GAIN_PARTS) {
                return;
            }
        }
    }

    fn set_rules(&mut self, ground: &ClusteredGround<'_>) {
        let rules = ground.rules();
        if self.rules == Some(rules) {
            return;
        }
        self.rules = Some(rules);
        self.diagonal_cost = rules.diagonal_cost;
        *self.diagonal_costs = costs_by_factor(rules.diagonal_cost);
        for (masks, legal) in self.diagonal_masks.iter_mut().zip(ground.ground.steps_by_around()) {
            for (direction, mask) in (4..).zip(masks) {
                *mask = if legal >> direction & 1 == 0 { UNREACHED } else { 0 };
            }
        }
    }

    /// Replaces the path by the cheapest one in its corridor. The costs of both.
    fn shorten_once<const LINE: usize, const DIAGONALS: bool>(
        &mut self,
        ground: &Ground,
        path: &mut Vec<Cell>,
    ) -> Option<[u32; 2]> {
        let (&start, &goal) = (path.first()?, path.last()?);
        if path.len() < 3 {
            return None;
        }
        self.start_at(start);
        let before = for_each_line(ground, self.diagonal_cost, path, |line| {
            if line.is_vertical {
                self.relax_line::<LINE, DIAGONALS, true>(ground, line.middle);
            } else {
                self.relax_line::<LINE, DIAGONALS, false>(ground, line.middle);
            }
        });
        let after = self.costs[usize::from(buffer_index(goal))] - self.offset;
        if after > before {
            return None;
        }
        self.trace(ground, start, goal);
        std::mem::swap(path, &mut self.traced);
        Some([before, after])
    }

    fn start_at(&mut self, start: Cell) {
        if self.offset < COST_MAX {
            self.costs.fill(UNREACHED);
            self.offset = UNREACHED;
        }
        self.offset -= COST_MAX;
        self.costs[usize::from(buffer_index(start))] = self.offset;
    }

    /// Relaxes a line of cells, whether it lies on the map or reaches beyond it.
    #[inline(always)]
    fn relax_line<const LINE: usize, const DIAGONALS: bool, const VERTICAL: bool>(
        &mut self,
        ground: &Ground,
        middle: Cell,
    ) {
        let (width, half) = (ground.width() as usize, LINE / 2);
        let (x, y) = (usize::from(middle.x), usize::from(middle.y));
        let (place, end, stride) =
            if VERTICAL { (y, ground.height() as usize, width) } else { (x, width, 1) };
        let index = y * width + x;
        if place >= half && place + half < end {
            let cells = index - half * stride..=index + half * stride;
            let (factors, around) = (&ground.factors()[cells.clone()], &ground.around()[cells]);
            self.relax::<LINE, DIAGONALS, VERTICAL>(middle, |k| Terrain {
                factor: factors[k * stride],
                around: around[k * stride],
            });
        } else {
            self.relax::<LINE, DIAGONALS, VERTICAL>(middle, |k| {
                if place + k < half || place + k >= end + half {
                    return Terrain { factor: 0, around: 0 };
                }
                let index = index + k * stride - half * stride;
                Terrain { factor: ground.factors()[index], around: ground.around()[index] }
            });
        }
    }

    /// Relaxes the cells of a line from the cells next to it and from each other: from the
    /// ends to the middle and back, which is enough along a line.
    #[inline(always)]
    fn relax<const LINE: usize, const DIAGONALS: bool, const VERTICAL: bool>(
        &mut self,
        middle: Cell,
        terrain: impl Fn(usize) -> Terrain,
    ) {
        let along = if VERTICAL { ROW } else { 1 };
        let first = buffer_index(middle).wrapping_sub((LINE / 2) as u16 * along);
        let cell = |k: usize| first.wrapping_add(k as u16 * along);
        let (mut here, mut steps) = ([UNREACHED; LINE], [UNREACHED; LINE]);
        here[0] = self.costs[usize::from(cell(0))];
        here[LINE - 1] = self.costs[usize::from(cell(LINE - 1))];
        let middle = LINE / 2;
        for k in 1..middle {
            let known = here[k - 1];
            (here[k], steps[k]) = self.least::<DIAGONALS, VERTICAL>(cell(k), terrain(k), known);
            let k = LINE - 1 - k;
            let known = here[k + 1];
            (here[k], steps[k]) = self.least::<DIAGONALS, VERTICAL>(cell(k), terrain(k), known);
        }
        let known = here[middle - 1].min(here[middle + 1]);
        (here[middle], _) = self.least::<DIAGONALS, VERTICAL>(cell(middle), terrain(middle), known);
        self.costs[usize::from(cell(middle))] = here[middle];
        for k in middle + 1..LINE - 1 {
            here[k] = here[k].min(here[k - 1] + steps[k]);
            self.costs[usize::from(cell(k))] = here[k];
            let k = LINE - 1 - k;
            here[k] = here[k].min(here[k + 1] + steps[k]);
            self.costs[usize::from(cell(k))] = here[k];
        }
        self.expanded += LINE as u64 - 2;
    }

    /// The least cost to reach a cell from those next to its line, and from a cell of the line
    /// whose cost is `known`; and the cost of a straight step onto it.
    #[inline(always)]
    fn least<const DIAGONALS: bool, const VERTICAL: bool>(
        &self,
        at: u16,
        Terrain { factor, around }: Terrain,
        known: u32,
    ) -> (u32, u32) {
        let cost =
            |direction: usize| self.costs[usize::from(at.wrapping_add(BUFFER_OFFSETS[direction]))];
        let [before, after] = if VERTICAL { [3, 1] } else { [0, 2] };
        let straight = cost(before).min(cost(after)).min(known);
        let step = STRAIGHT_COSTS[usize::from(factor)];
        let least = self.costs[usize::from(at)].min(straight + step);
        if !DIAGONALS {
            return (least, step);
        }
        let masks = &self.diagonal_masks[usize::from(around)];
        let rising = (cost(4) | masks[0]).min(cost(6) | masks[2]);
        let falling = (cost(5) | masks[1]).min(cost(7) | masks[3]);
        let diagonal = rising.min(falling) + self.diagonal_costs[usize::from(factor)];
        (least.min(diagonal), step)
    }

    /// Follows the cheapest steps back from the goal to the start.
    fn trace(&mut self, ground: &Ground, start: Cell, goal: Cell) {
        self.traced.clear();
        let (mut cell, mut straight_on) = (goal, 0);
        while cell != start {
            self.traced.push(cell);
            let Some(direction) = self.step_back(ground, cell, straight_on) else { break };
            straight_on = direction;
            let (dx, dy) = OFFSETS[direction];
            cell.x = cell.x.wrapping_add_signed(dx as i16);
            cell.y = cell.y.wrapping_add_signed(dy as i16);
        }
        self.traced.push(cell);
        self.traced.reverse();
    }

    /// The direction of the cheapest step back from a cell: `straight_on` among equals.
    #[inline]
    fn step_back(&self, ground: &Ground, cell: Cell, straight_on: usize) -> Option<usize> {
        let index = ground.index(cell)?;
        let (mut legal, factor) = (ground.legal_steps(index), ground.factors()[index.get()]);
        let here = self.costs[usize::from(buffer_index(cell))];
        let cost = |direction: usize| {
            let base = if direction < 4 { STRAIGHT_COST } else { self.diagonal_cost };
            let from = buffer_index(cell).wrapping_add(BUFFER_OFFSETS[direction]);
            self.costs[usize::from(from)] + base * u32::from(factor)
        };
        if legal >> straight_on & 1 != 0 && cost(straight_on) == here {
            return Some(straight_on);
        }
        let (mut least, mut found) = (here + 1, None);
        while legal != 0 {
            let direction = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let cost = cost(direction);
            if cost < least {
                (least, found) = (cost, Some(direction));
            }
        }
        found
    }
}

/// The index of a cell in the cost buffer.
#[inline]
fn buffer_index(cell: Cell) -> u16 {
    cell.y.wrapping_mul(ROW).wrapping_add(cell.x)
}

/// Calls back for the lines across a path: one per straight step, two per diagonal step and
/// at the start. The cost of the path.
#[inline(always)]
fn for_each_line(
    ground: &Ground,
    diagonal_cost: u32,
    path: &[Cell],
    mut call: impl FnMut(Line),
) -> u32 {
    let mut before = None;
    let mut cost = 0;
    for &cell in path {
        let [column_changed, row_changed] =
            before.map_or([true; 2], |it: Cell| [it.x != cell.x, it.y != cell.y]);
        if column_changed {
            call(Line { middle: cell, is_vertical: true });
        }
        if row_changed {
            call(Line { middle: cell, is_vertical: false });
        }
        if before.is_some() {
            let is_diagonal = column_changed && row_changed;
            let base = if is_diagonal { diagonal_cost } else { STRAIGHT_COST };
            let index = usize::from(cell.y) * ground.width() as usize + usize::from(cell.x);
            cost += base * u32::from(ground.factors()[index]);
        }
        before = Some(cell);
    }
    cost
}
