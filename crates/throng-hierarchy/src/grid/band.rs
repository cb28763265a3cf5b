//! Makes a path shorter within a band around itself.
//!
//! A path over gates bends where the gates are. The best path is seldom far from it: it is
//! looked for among the cells that lie within a few steps of it. They are gone through once,
//! in the order of the path, away from it and towards it, so that no queue is needed: what
//! leads back against the path is missed, and seldom worth anything. Where much was gained,
//! the band is laid anew around the path that was found.

use throng_model::Cell;

use super::plane::{DIRECTIONS, Plane, Steps};

/// How far from the path the band reaches, in cells, where there are steps aslant: they lead
/// over to where the band was not laid around sooner.
const REACH_OF_EIGHT: u32 = 2;
/// The same where there are none.
const REACH_OF_FOUR: u32 = 3;
/// The band is laid anew around a path that got shorter by more than one part in this many.
const MUCH: u32 = 16;
/// How often it is laid at most.
const BANDS_MAX: u32 = 4;
/// Not part of the band. Twice as much is still a number.
const OUTSIDE: u32 = 1 << 30;
/// Part of the band, not reached yet.
const UNREACHED: u32 = OUTSIDE - 1;

/// For each set of legal steps, straight or aslant, what makes the cost over any other too much.
const ILLEGAL: [[u32; 4]; 16] = {
    let mut illegal = [[0; 4]; 16];
    let mut at = 0;
    while at < 16 * 4 {
        illegal[at / 4][at % 4] = if (at / 4) >> (at % 4) & 1 == 0 { OUTSIDE } else { 0 };
        at += 1;
    }
    illegal
};

/// The band and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    /// For every cell of the map what it costs to come there, with a margin of a row and a
    /// cell on both sides.
    costs: Vec<u32>,
    /// Where the cells of the band are in there, in the order of the path.
    members: Vec<u32>,
    /// How far each direction leads.
    offsets: [isize; 8],
    /// What each costs at factor 1.
    bases: [u32; 8],
    margin: u32,
    width: u32,
    pub(crate) expanded: u64,
}

impl Band {
    /// Replaces the path by a shorter one with the same ends, if there is one beside it.
    pub(crate) fn improve(&mut self, plane: &Plane, path: &mut Vec<Cell>) {
        self.fit(plane);
        let mut known = plane.cost_within(path);
        for _ in 0..BANDS_MAX {
            match self.improve_once(plane, path) {
                Some(cost) if cost < known - known / MUCH => known = cost,
                _ => return,
            }
        }
    }

    /// Replaces the path by the best found inside of its band; what that costs.
    fn improve_once(&mut self, plane: &Plane, path: &mut Vec<Cell>) -> Option<u32> {
        let (&start, &goal) = (path.first()?, path.last()?);
        if path.len() < 3 {
            return None;
        }
        let (start, goal) = (self.at(start), self.at(goal));
        self.costs[start] = 0;
        self.members.push(start as u32);
        if plane.rules.has_diagonals {
            self.sweep::<true>(plane, path);
        } else {
            self.sweep::<false>(plane, path);
        }
        self.expanded += self.members.len() as u64;
        let cost = self.costs[goal];
        self.trace(plane, (start, goal), path);
        for member in self.members.drain(..) {
            self.costs[member as usize] = OUTSIDE;
        }
        Some(cost)
    }

    fn fit(&mut self, plane: &Plane) {
        self.margin = plane.width + 1;
        let size = (plane.width * plane.height + 2 * self.margin) as usize;
        if self.costs.len() != size || self.width != plane.width {
            self.costs.clear();
            self.costs.resize(size, OUTSIDE);
            self.width = plane.width;
        }
        self.offsets = plane.offsets();
        self.bases = plane.rules.bases();
    }

    /// Goes through the cells on both sides of each step: together they are the band.
    fn sweep<const DIAGONALS: bool>(&mut self, plane: &Plane, path: &[Cell]) {
        let mut before = None;
        for &cell in path {
            let at = u32::from(cell.y) * self.width + u32::from(cell.x);
            let steps = plane.steps(at);
            self.reach::<DIAGONALS>(at, steps);
            // Nothing is known of the first cell: all its sides count.
            let aside = |same: fn(Cell, Cell) -> bool| before.is_none_or(|it| !same(it, cell));
            if aside(|a, b| a.x == b.x) {
                self.sweep_arm::<DIAGONALS>(plane, at, steps, 0);
                self.sweep_arm::<DIAGONALS>(plane, at, steps, 2);
            }
            if aside(|a, b| a.y == b.y) {
                self.sweep_arm::<DIAGONALS>(plane, at, steps, 1);
                self.sweep_arm::<DIAGONALS>(plane, at, steps, 3);
            }
            before = Some(cell);
        }
    }

    fn sweep_arm<const DIAGONALS: bool>(
        &mut self,
        plane: &Plane,
        mut at: u32,
        mut steps: Steps,
        direction: usize,
    ) {
        let mut length = 0;
        let reach = if DIAGONALS { REACH_OF_EIGHT } else { REACH_OF_FOUR };
        while length < reach && steps.legal >> direction & 1 != 0 {
            at = at.wrapping_add_signed(self.offsets[direction] as i32);
            steps = plane.steps(at);
            self.reach::<DIAGONALS>(at, steps);
            length += 1;
        }
        // And back: ways lead towards the path, too.
        for _ in 0..length {
            let outer = self.costs[(at + self.margin) as usize];
            at = at.wrapping_add_signed(-self.offsets[direction] as i32);
            let cost = outer + self.bases[0] * u32::from(plane.steps(at).factor);
            let inner = &mut self.costs[(at + self.margin) as usize];
            *inner = cost.min(*inner);
        }
    }

    /// Takes a cell into the band, unless it is there already, at what it costs to come there
    /// over the cells that were taken before it.
    #[inline(always)]
    fn reach<const DIAGONALS: bool>(&mut self, at: u32, steps: Steps) {
        let at = at + self.margin;
        if self.costs[at as usize] == OUTSIDE {
            self.costs[at as usize] = self.least::<DIAGONALS>(at as usize, steps).min(UNREACHED);
            self.members.push(at);
        }
    }

    fn at(&self, cell: Cell) -> usize {
        (u32::from(cell.y) * self.width + u32::from(cell.x) + self.margin) as usize
    }

    /// What it costs to come to a cell over those around it.
    #[inline(always)]
    fn least<const DIAGONALS: bool>(&self, at: usize, Steps { legal, factor }: Steps) -> u32 {
        let (row, factor) = (self.width as usize, u32::from(factor));
        let [straight, .., diagonal] = self.bases;
        let three = |middle: usize| self.costs[middle - 1..].first_chunk::<3>();
        let (Some(up), Some(here), Some(down)) = (three(at - row), three(at), three(at + row))
        else {
            return OUTSIDE;
        };
        // Whatever is in the band can be stood on, so that a straight step between two of its
        // cells is legal, unless it leads from the end of a row to the beginning of the next.
        let illegal = &ILLEGAL[usize::from(legal & 15)];
        let along = (here[2] | illegal[1]).min(here[0] | illegal[3]);
        let beside = up[1].min(down[1]).min(along) + straight * factor;
        if !DIAGONALS {
            return beside;
        }
        let illegal = &ILLEGAL[usize::from(legal >> 4)];
        let aslant = (up[2] | illegal[0])
            .min(down[2] | illegal[1])
            .min((down[0] | illegal[2]).min(up[0] | illegal[3]));
        beside.min(aslant + diagonal * factor)
    }

    /// Goes back from the goal, always to where it was cheapest to come from.
    fn trace(&self, plane: &Plane, (start, goal): (usize, usize), path: &mut Vec<Cell>) {
        if self.costs[goal] >= UNREACHED {
            return;
        }
        let Some(&last) = path.last() else { return };
        path.clear();
        let (mut at, mut x, mut y) = (goal, i32::from(last.x), i32::from(last.y));
        let mut straight_on = 0;
        while at != start {
            path.push(Cell::new(x as u16, y as u16));
            let Some(direction) = self.back(plane, at, straight_on) else { break };
            straight_on = direction;
            at = at.wrapping_add_signed(self.offsets[direction]);
            (x, y) = (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1);
        }
        path.push(Cell::new(x as u16, y as u16));
        path.reverse();
    }

    /// The direction from which it is cheapest to come to a cell: straight on, if that is as
    /// good as any.
    #[inline]
    fn back(&self, plane: &Plane, at: usize, straight_on: usize) -> Option<usize> {
        let Steps { mut legal, factor } = plane.steps(at as u32 - self.margin);
        let cost = |direction: usize| {
            let from = at.wrapping_add_signed(self.offsets[direction]);
            self.costs[from] + self.bases[direction] * u32::from(factor)
        };
        if legal >> straight_on & 1 != 0 && cost(straight_on) == self.costs[at] {
            return Some(straight_on);
        }
        let (mut least, mut found) = (u32::MAX, None);
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
