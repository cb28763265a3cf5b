//! The steps of a kind of unit among standing units, from the raw map. It shares no code with the
//! planners.

use throng_model::{Cell, Map, MovementProfile};

use crate::oracle::steps;

/// No unit.
pub(crate) const NOBODY: u16 = u16::MAX;

/// The steps of one movement profile on a map, by the index of the cell.
pub(crate) struct Bodies {
    width: usize,
    side: usize,
    /// Diagonal steps also need the corners between start and end.
    needs_corners: bool,
    steps: Vec<Vec<usize>>,
}

impl Bodies {
    /// A slow unit holds all cells that it touches during a diagonal step; a unit of one tick
    /// per step does so only under the `strict` passing rule.
    pub(crate) fn new(map: &Map, movement: &MovementProfile, strict: bool) -> Self {
        let width = usize::from(map.width());
        let index = |cell: Cell| usize::from(cell.y) * width + usize::from(cell.x);
        let stands = |cell: Cell| {
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            crate::oracle::standing_factor(map, movement, x, y).is_some()
        };
        let from = |cell: Cell| {
            let onward = if stands(cell) { steps(map, movement, cell) } else { Vec::new() };
            onward.into_iter().map(|(to, _)| index(to)).collect()
        };
        Self {
            width,
            side: usize::from(movement.footprint),
            needs_corners: strict || movement.pace > 1,
            steps: map.cells().map(from).collect(),
        }
    }

    /// The cells of the body at a position.
    pub(crate) fn body(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        rectangle(at, self.width, (self.side, self.side))
    }

    /// The cells that a step needs.
    fn needed(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + use<> {
        let [(x, y), (to_x, to_y)] = [from, to].map(|at| (at % self.width, at / self.width));
        let is_diagonal = x != to_x && y != to_y;
        let (corner, extra) = if is_diagonal && self.needs_corners {
            (y.min(to_y) * self.width + x.min(to_x), 1)
        } else {
            (to, 0)
        };
        rectangle(corner, self.width, (self.side + extra, self.side + extra))
    }

    /// Writes a unit, or [`NOBODY`], onto the cells of its body.
    pub(crate) fn put(&self, holders: &mut [u16], at: usize, unit: u16) {
        self.body(at).for_each(|cell| holders[cell] = unit);
    }

    /// Whether no other unit is on the cells of the body.
    pub(crate) fn fits(&self, holders: &[u16], at: usize, unit: u16) -> bool {
        self.body(at).all(|cell| [NOBODY, unit].contains(&holders[cell]))
    }

    /// The steps of a unit while all others stand.
    pub(crate) fn free_steps(
        &self,
        holders: &[u16],
        from: usize,
        unit: u16,
    ) -> impl Iterator<Item = usize> {
        let is_free = move |cell: usize| [NOBODY, unit].contains(&holders[cell]);
        self.steps[from].iter().copied().filter(move |&to| self.needed(from, to).all(is_free))
    }

    /// The positions that a unit can reach while all others stand, nearest first. The search
    /// ends at `goal`, which is then the last.
    pub(crate) fn reach(
        &self,
        holders: &[u16],
        from: usize,
        unit: u16,
        goal: Option<usize>,
    ) -> Vec<usize> {
        let mut seen = vec![false; holders.len()];
        let (mut queue, mut next) = (vec![from], 0);
        seen[from] = true;
        while let Some(&at) = queue.get(next) {
            if Some(at) == goal {
                queue.truncate(next + 1);
                break;
            }
            next += 1;
            for to in self.free_steps(holders, at, unit) {
                if !std::mem::replace(&mut seen[to], true) {
                    queue.push(to);
                }
            }
        }
        queue
    }
}

fn rectangle(
    corner: usize,
    width: usize,
    (columns, rows): (usize, usize),
) -> impl Iterator<Item = usize> {
    (0..columns * rows).map(move |at| corner + at / columns * width + at % columns)
}
