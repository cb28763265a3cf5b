//! Makes a path shorter within a band around itself.
//!
//! A path over gates bends where the gates are. The best path is seldom far from it: it is
//! looked for among the cells that lie within a few steps of it. They are gone through once
//! or twice, in the order of the path, so that no queue is needed: what leads back against
//! the path is missed, and seldom worth anything. Where much was gained, the band is laid anew around
//! the path that was found.

use throng_model::Cell;

use super::plane::{DIRECTIONS, Plane, Steps};

/// How far from the path the band reaches, in cells.
const REACH: u32 = 3;
/// The band is laid anew around a path that got shorter by more than one part in this many.
const MUCH: u32 = 16;
/// How often it is laid at most.
const BANDS_MAX: u32 = 4;
/// Not part of the band. Twice as much is still a number.
const OUTSIDE: u32 = 1 << 30;
/// Part of the band, not reached yet.
const UNREACHED: u32 = OUTSIDE - 1;

/// A cell of the band.
#[derive(Clone, Copy, Debug)]
struct Member {
    at: u32,
    steps: Steps,
}

/// The band and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Band {
    /// For every cell of the map what it costs to come there, with a margin of a row and a
    /// cell on both sides.
    costs: Vec<u32>,
    members: Vec<Member>,
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
        self.mark(plane, path);
        let (start, goal) = (self.at(start), self.at(goal));
        self.costs[start] = 0;
        if plane.rules.has_diagonals {
            self.pass::<true>();
        } else {
            // Such a path is a staircase: what leads round its corners is found only by the
            // second pass.
            self.pass::<false>();
            self.pass::<false>();
        }
        self.expanded += self.members.len() as u64;
        let cost = self.costs[goal];
        self.trace(plane, (start, goal), path);
        for member in self.members.drain(..) {
            self.costs[member.at as usize] = OUTSIDE;
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

    /// Marks the cells on both sides of each step: together they are the band.
    fn mark(&mut self, plane: &Plane, path: &[Cell]) {
        let mut before = None;
        for &cell in path {
            let at = u32::from(cell.y) * self.width + u32::from(cell.x);
            let steps = plane.steps(at);
            self.mark_cell(at, steps);
            // Nothing is known of the first cell: all its sides count.
            let aside = |same: fn(Cell, Cell) -> bool| before.is_none_or(|it| !same(it, cell));
            if aside(|a, b| a.x == b.x) {
                self.mark_arm(plane, at, steps, 0);
                self.mark_arm(plane, at, steps, 2);
            }
            if aside(|a, b| a.y == b.y) {
                self.mark_arm(plane, at, steps, 1);
                self.mark_arm(plane, at, steps, 3);
            }
            before = Some(cell);
        }
    }

    #[inline]
    fn mark_arm(&mut self, plane: &Plane, mut at: u32, mut steps: Steps, direction: usize) {
        for _ in 0..REACH {
            if steps.legal >> direction & 1 == 0 {
                break;
            }
            at = at.wrapping_add_signed(self.offsets[direction] as i32);
            steps = plane.steps(at);
            self.mark_cell(at, steps);
        }
    }

    #[inline]
    fn mark_cell(&mut self, at: u32, steps: Steps) {
        let at = at + self.margin;
        let cost = &mut self.costs[at as usize];
        if *cost == OUTSIDE {
            *cost = UNREACHED;
            self.members.push(Member { at, steps });
        }
    }

    fn at(&self, cell: Cell) -> usize {
        (u32::from(cell.y) * self.width + u32::from(cell.x) + self.margin) as usize
    }

    /// Goes through the band once.
    fn pass<const DIAGONALS: bool>(&mut self) {
        let row = self.width as usize;
        let [straight, .., diagonal] = self.bases;
        for &Member { at, steps: Steps { legal, factor } } in &self.members {
            let (at, factor) = (at as usize, u32::from(factor));
            let [up, here, down] =
                [at - row, at, at + row].map(|middle| &self.costs[middle - 1..middle + 2]);
            let least = |around: [u32; 4], legal: u8| {
                let mut least = OUTSIDE;
                for (direction, before) in around.into_iter().enumerate() {
                    least = least.min(if legal >> direction & 1 != 0 { before } else { OUTSIDE });
                }
                least
            };
            let beside = least([up[1], here[2], down[1], here[0]], legal);
            let mut cost = here[1].min(beside + straight * factor);
            if DIAGONALS {
                let aslant = least([up[2], down[2], down[0], up[0]], legal >> 4);
                cost = cost.min(aslant + diagonal * factor);
            }
            self.costs[at] = cost;
        }
    }

    /// Goes back from the goal, always to where it was cheapest to come from.
    fn trace(&self, plane: &Plane, (start, goal): (usize, usize), path: &mut Vec<Cell>) {
        if self.costs[goal] >= UNREACHED {
            return;
        }
        let Some(&last) = path.last() else { return };
        path.clear();
        let (mut at, mut x, mut y) = (goal, i32::from(last.x), i32::from(last.y));
        while at != start {
            path.push(Cell::new(x as u16, y as u16));
            let Some(direction) = self.back(plane, at) else { break };
            at = at.wrapping_add_signed(self.offsets[direction]);
            (x, y) = (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1);
        }
        path.push(Cell::new(x as u16, y as u16));
        path.reverse();
    }

    /// The direction from which it is cheapest to come to a cell.
    #[inline]
    fn back(&self, plane: &Plane, at: usize) -> Option<usize> {
        let Steps { mut legal, factor } = plane.steps(at as u32 - self.margin);
        let (mut least, mut found) = (u32::MAX, None);
        while legal != 0 {
            let direction = legal.trailing_zeros() as usize;
            legal &= legal - 1;
            let from = at.wrapping_add_signed(self.offsets[direction]);
            let cost = self.costs[from] + self.bases[direction] * u32::from(factor);
            if cost < least {
                (least, found) = (cost, Some(direction));
            }
        }
        found
    }
}
