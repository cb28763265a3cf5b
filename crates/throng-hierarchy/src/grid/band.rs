//! Makes a path exact within a band around itself.
//!
//! A path over gates bends where the gates are. The best path is seldom far from it: it is
//! looked for among the cells that lie within a few steps of it. They are gone through in
//! the order of the path, so that no queue is needed: after a pass or two along it, hardly
//! anything gets shorter.

use throng_model::Cell;

use super::plane::Plane;

/// How far from the path the band reaches, in cells.
const REACH: u32 = 4;
/// Most passes over the band.
const PASSES_MAX: u32 = 4;
/// Not part of the band. Twice as much is still a number.
const OUTSIDE: u32 = 1 << 30;
/// Part of the band, not reached yet.
const UNREACHED: u32 = OUTSIDE - 1;

/// A cell of the band.
#[derive(Clone, Copy, Debug)]
struct Member {
    at: u32,
    /// The directions in which there are legal steps.
    legal: u8,
    factor: u8,
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
    /// Replaces the path by the best one inside of its band, with the same ends.
    pub(crate) fn improve(&mut self, plane: &Plane, path: &mut Vec<Cell>) {
        let (Some(&start), Some(&goal)) = (path.first(), path.last()) else { return };
        if path.len() < 3 {
            return;
        }
        self.fit(plane);
        self.mark(plane, path);
        let (start, goal) = (self.at(start), self.at(goal));
        self.costs[start] = 0;
        for _ in 0..PASSES_MAX {
            self.expanded += self.members.len() as u64;
            if !self.pass() {
                break;
            }
        }
        self.trace(plane, start, goal, path);
        for member in self.members.drain(..) {
            self.costs[member.at as usize] = OUTSIDE;
        }
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

    /// Marks a cross around each cell of the path: together they are the band.
    fn mark(&mut self, plane: &Plane, path: &[Cell]) {
        for cell in path {
            let at = u32::from(cell.y) * self.width + u32::from(cell.x);
            self.mark_cell(plane, at);
            for direction in 0..4 {
                let mut at = at;
                for _ in 0..REACH {
                    if plane.legal(at) >> direction & 1 == 0 {
                        break;
                    }
                    at = at.wrapping_add_signed(self.offsets[direction] as i32);
                    self.mark_cell(plane, at);
                }
            }
        }
    }

    #[inline]
    fn mark_cell(&mut self, plane: &Plane, at: u32) {
        let (legal, factor) = (plane.legal(at), plane.factor_at(at));
        let at = at + self.margin;
        let cost = &mut self.costs[at as usize];
        if *cost == OUTSIDE {
            *cost = UNREACHED;
            self.members.push(Member { at, legal, factor });
        }
    }

    fn at(&self, cell: Cell) -> usize {
        (u32::from(cell.y) * self.width + u32::from(cell.x) + self.margin) as usize
    }

    /// Goes through the band once; whether anything got shorter.
    fn pass(&mut self) -> bool {
        let mut changed = false;
        for &member in &self.members {
            let at = member.at as usize;
            let mut best = self.costs[at];
            let known = best;
            for direction in 0..8 {
                let before = self.costs[at.wrapping_add_signed(self.offsets[direction])];
                let cost = before + self.bases[direction] * u32::from(member.factor);
                let cost = if member.legal >> direction & 1 != 0 { cost } else { OUTSIDE };
                best = best.min(cost);
            }
            self.costs[at] = best;
            changed |= best != known;
        }
        changed
    }

    /// Goes back from the goal, always to where it was cheapest to come from.
    fn trace(&self, plane: &Plane, start: usize, goal: usize, path: &mut Vec<Cell>) {
        if self.costs[goal] >= UNREACHED {
            return;
        }
        path.clear();
        let mut at = goal;
        while at != start {
            path.push(self.cell(at));
            let legal = plane.legal(at as u32 - self.margin);
            let factor = u32::from(plane.factor_at(at as u32 - self.margin));
            let from = (0..8).filter(|direction| legal >> direction & 1 != 0).map(|direction| {
                let from = at.wrapping_add_signed(self.offsets[direction]);
                (self.costs[from] + self.bases[direction] * factor, from)
            });
            let Some((_, from)) = from.min_by_key(|&(cost, _)| cost) else { break };
            at = from;
        }
        path.push(self.cell(at));
        path.reverse();
    }

    fn cell(&self, at: usize) -> Cell {
        let at = at as u32 - self.margin;
        Cell::new((at % self.width) as u16, (at / self.width) as u16)
    }
}
