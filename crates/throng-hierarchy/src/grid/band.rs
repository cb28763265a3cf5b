//! Makes a path shorter within a band around itself.
//!
//! A path over gates bends where the gates are. The best path is seldom far from it: it is
//! looked for among the cells that lie within a few steps of it. They are gone through once,
//! in the order of the path, a line of them across it at a time, so that no queue is needed:
//! what leads back against the path is missed, and seldom worth anything. Where much was
//! gained, the band is laid anew around the path that was found.
//!
//! A line is relaxed without a single branch: walls are so dear that nothing gets through.

use throng_model::Cell;

use super::plane::{DIRECTIONS, Plane, STRAIGHT, Steps};

/// Cells of a line across the path, where there are steps aslant, and one more at each end
/// that is looked at only: two on both sides. Steps aslant lead over to where the band was
/// not laid around sooner.
const LINE_OF_EIGHT: usize = 7;
/// The same where there are none: three on both sides.
const LINE_OF_FOUR: usize = 9;
/// The band is laid anew around a path that got shorter by more than one part in this many.
const MUCH: u32 = 16;
/// How often it is laid at most.
const BANDS_MAX: u32 = 4;
/// Not reached, or a wall. Three times as much is still a number.
const OUTSIDE: u32 = 1 << 30;
/// A path of more cells might meet itself on the other side of the sheet, after every band
/// has gone as far aside as it can.
pub(crate) const PATH_MAX: usize = ROW as usize - 2 * BANDS_MAX as usize * (LINE_OF_FOUR / 2);

/// More than any path through a band costs.
const COST_MAX: u32 = (PATH_MAX as u32 + 1) * 2 * STRAIGHT * 255;

/// For each set of legal steps aslant what makes the cost over any other too much.
const ILLEGAL: [[u32; 4]; 16] = {
    let mut illegal = [[0; 4]; 16];
    let mut at = 0;
    while at < 16 * 4 {
        illegal[at / 4][at % 4] = if (at / 4) >> (at % 4) & 1 == 0 { OUTSIDE } else { 0 };
        at += 1;
    }
    illegal
};

/// What a straight step costs, factor by factor: no wall is ever worth it.
const TOLLS: [u32; 256] = {
    let mut tolls = [OUTSIDE; 256];
    let mut factor = 1;
    while factor < 256 {
        tolls[factor] = STRAIGHT * factor as u32;
        factor += 1;
    }
    tolls
};

/// A cost for each cell, row by row, rolled up: after 256 columns comes the next row, after
/// 256 rows the first.
type Sheet = [u32; 1 << 16];
/// Places of a sheet from one row to the next.
const ROW: u16 = 1 << 8;
/// How many places of a sheet away each direction leads.
const OFFSETS: [u16; 8] = {
    let mut offsets = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = DIRECTIONS[direction];
        offsets[direction] = (dy * ROW as i32 + dx) as u16;
        direction += 1;
    }
    offsets
};

/// The band and its memory.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    /// What it costs to come to each cell of the band. What earlier bands wrote stays: it is
    /// more than any way through this one costs, because this one began with less.
    costs: Box<Sheet>,
    /// The cost with which the latest band began.
    begin: u32,
    /// What a step aslant costs at factor 1.
    diagonal: u32,
    /// The path that is being found.
    found: Vec<Cell>,
    pub(crate) expanded: u64,
}

impl Default for Band {
    fn default() -> Self {
        Self {
            costs: Box::new([OUTSIDE; 1 << 16]),
            begin: OUTSIDE,
            diagonal: 0,
            found: Vec::new(),
            expanded: 0,
        }
    }
}

/// A line of cells across the path, by the one in its middle.
#[derive(Clone, Copy, Debug)]
struct Line {
    place: usize,
    at: u16,
    is_upright: bool,
}

impl Band {
    /// Replaces the path by a shorter one with the same ends, if there is one beside it.
    pub(crate) fn improve(&mut self, plane: &Plane, path: &mut Vec<Cell>) {
        self.diagonal = plane.rules.diagonal;
        for _ in 0..BANDS_MAX {
            let costs = if plane.rules.has_diagonals {
                self.improve_once::<LINE_OF_EIGHT, true>(plane, path)
            } else {
                self.improve_once::<LINE_OF_FOUR, false>(plane, path)
            };
            if costs.is_none_or(|[before, after]| after >= before - before / MUCH) {
                return;
            }
        }
    }

    /// Replaces the path by the best found inside of its band; what they cost.
    fn improve_once<const LINE: usize, const DIAGONALS: bool>(
        &mut self,
        plane: &Plane,
        path: &mut Vec<Cell>,
    ) -> Option<[u32; 2]> {
        let (&start, &goal) = (path.first()?, path.last()?);
        if path.len() < 3 {
            return None;
        }
        self.begin_at(start);
        let before = for_each_line(plane, path, |line| {
            if line.is_upright {
                self.relax::<LINE, DIAGONALS, true>(plane, line);
            } else {
                self.relax::<LINE, DIAGONALS, false>(plane, line);
            }
        });
        let after = self.costs[usize::from(at(goal))] - self.begin;
        if after > before {
            return None;
        }
        self.trace(plane, start, goal);
        std::mem::swap(path, &mut self.found);
        Some([before, after])
    }

    fn begin_at(&mut self, start: Cell) {
        if self.begin < COST_MAX {
            self.costs.fill(OUTSIDE);
            self.begin = OUTSIDE;
        }
        self.begin -= COST_MAX;
        self.costs[usize::from(at(start))] = self.begin;
    }

    /// Brings a line of cells to what it costs to come there over those around it, and over
    /// each other: from the ends to the middle and back, which is enough along a line.
    #[inline(always)]
    fn relax<const LINE: usize, const DIAGONALS: bool, const UPRIGHT: bool>(
        &mut self,
        plane: &Plane,
        Line { place, at, .. }: Line,
    ) {
        let (along, row) = if UPRIGHT { (ROW, plane.stride() as usize) } else { (1, 1) };
        let (first, at) = (place - LINE / 2 * row, at.wrapping_sub((LINE / 2) as u16 * along));
        let steps = &plane.all_steps()[first..=first + (LINE - 1) * row];
        let cell = |k: usize| at.wrapping_add(k as u16 * along);
        let (mut here, mut tolls) = ([OUTSIDE; LINE], [OUTSIDE; LINE]);
        here[0] = self.costs[usize::from(cell(0))];
        here[LINE - 1] = self.costs[usize::from(cell(LINE - 1))];
        let middle = LINE / 2;
        for k in 1..middle {
            let known = here[k - 1];
            (here[k], tolls[k]) = self.least::<DIAGONALS, UPRIGHT>(cell(k), steps[k * row], known);
            let k = LINE - 1 - k;
            let known = here[k + 1];
            (here[k], tolls[k]) = self.least::<DIAGONALS, UPRIGHT>(cell(k), steps[k * row], known);
        }
        let known = here[middle - 1].min(here[middle + 1]);
        (here[middle], _) =
            self.least::<DIAGONALS, UPRIGHT>(cell(middle), steps[middle * row], known);
        self.costs[usize::from(cell(middle))] = here[middle];
        for k in middle + 1..LINE - 1 {
            here[k] = here[k].min(here[k - 1] + tolls[k]);
            self.costs[usize::from(cell(k))] = here[k];
            let k = LINE - 1 - k;
            here[k] = here[k].min(here[k + 1] + tolls[k]);
            self.costs[usize::from(cell(k))] = here[k];
        }
        self.expanded += LINE as u64 - 2;
    }

    /// What it costs to come to a cell from those beside its line, and from one in it that
    /// costs so much; and what a straight step to it costs.
    #[inline(always)]
    fn least<const DIAGONALS: bool, const UPRIGHT: bool>(
        &self,
        at: u16,
        Steps { legal, factor }: Steps,
        known: u32,
    ) -> (u32, u32) {
        let cost = |offset: u16| self.costs[usize::from(at.wrapping_add(offset))];
        let [before, after] =
            if UPRIGHT { [OFFSETS[3], OFFSETS[1]] } else { [OFFSETS[0], OFFSETS[2]] };
        let straight = cost(before).min(cost(after)).min(known);
        let toll = TOLLS[usize::from(factor)];
        let least = cost(0).min(straight + toll);
        if !DIAGONALS {
            return (least, toll);
        }
        let illegal = &ILLEGAL[usize::from(legal >> 4)];
        let rising = (cost(OFFSETS[4]) | illegal[0]).min(cost(OFFSETS[6]) | illegal[2]);
        let falling = (cost(OFFSETS[5]) | illegal[1]).min(cost(OFFSETS[7]) | illegal[3]);
        (least.min(rising.min(falling) + self.diagonal * u32::from(factor)), toll)
    }

    /// Goes back from the goal, always to where it was cheapest to come from.
    fn trace(&mut self, plane: &Plane, start: Cell, goal: Cell) {
        self.found.clear();
        let (mut cell, mut straight_on) = (goal, 0);
        while cell != start {
            self.found.push(cell);
            let Some(direction) = self.back(plane, cell, straight_on) else { break };
            straight_on = direction;
            let (dx, dy) = DIRECTIONS[direction];
            cell.x = cell.x.wrapping_add_signed(dx as i16);
            cell.y = cell.y.wrapping_add_signed(dy as i16);
        }
        self.found.push(cell);
        self.found.reverse();
    }

    /// The direction from which it is cheapest to come to a cell: straight on, if that is as
    /// good as any.
    #[inline]
    fn back(&self, plane: &Plane, cell: Cell, straight_on: usize) -> Option<usize> {
        let Steps { mut legal, factor } = plane.steps(u32::from(cell.x), u32::from(cell.y));
        let here = self.costs[usize::from(at(cell))];
        let cost = |direction: usize| {
            let base = if direction < 4 { STRAIGHT } else { self.diagonal };
            let from = at(cell).wrapping_add(OFFSETS[direction]);
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

/// Where a cell is on the sheet.
fn at(cell: Cell) -> u16 {
    cell.y.wrapping_mul(ROW).wrapping_add(cell.x)
}

/// Calls back for the lines across a path: one at a straight step, two at a step aslant and
/// at the start. What the path costs.
#[inline(always)]
fn for_each_line(plane: &Plane, path: &[Cell], mut call: impl FnMut(Line)) -> u32 {
    let mut before = None;
    let mut cost = 0;
    for &cell in path {
        let place = plane.place(u32::from(cell.x), u32::from(cell.y));
        let [aside, ahead] = before.map_or([true; 2], |it: Cell| [it.x != cell.x, it.y != cell.y]);
        if aside {
            call(Line { place, at: at(cell), is_upright: true });
        }
        if ahead {
            call(Line { place, at: at(cell), is_upright: false });
        }
        if before.is_some() {
            let base = if aside && ahead { plane.rules.diagonal } else { STRAIGHT };
            cost += base * u32::from(plane.all_steps()[place].factor);
        }
        before = Some(cell);
    }
    cost
}
