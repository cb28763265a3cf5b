//! A lattice of nodes, some joined to the next: the plan of mazes and rooms.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::components::neighbours;

/// Which neighbouring nodes are joined.
pub(super) struct Lattice {
    pub(super) columns: usize,
    /// Whether a node is joined to the one on its right.
    pub(super) right: Vec<bool>,
    /// Whether a node is joined to the one below.
    pub(super) below: Vec<bool>,
}

impl Lattice {
    /// Joins all nodes without a loop, by depth-first search with backtracking: long winding
    /// corridors with short branches.
    pub(super) fn tree(columns: usize, rows: usize, rng: &mut Pcg64Mcg) -> Self {
        let count = columns * rows;
        let mut lattice = Self { columns, right: vec![false; count], below: vec![false; count] };
        let mut visited = vec![false; count];
        let mut way = Vec::new();
        let start = rng.random_range(0..count.max(1) as u64) as usize;
        if let Some(first) = visited.get_mut(start) {
            *first = true;
            way.push(start as u32);
        }
        while let Some(&here) = way.last() {
            let here = here as usize;
            match choose(neighbours(here, columns, count).filter(|&n| !visited[n]), rng) {
                Some(next) => {
                    visited[next] = true;
                    lattice.join(here.min(next), here.max(next));
                    way.push(next as u32);
                }
                None => {
                    way.pop();
                }
            }
        }
        lattice
    }

    fn join(&mut self, first: usize, second: usize) {
        if first + 1 == second && self.columns > 1 {
            self.right[first] = true;
        } else {
            self.below[first] = true;
        }
    }

    /// Joins each pair of neighbours that is not joined yet with the given probability.
    pub(super) fn add_joins(&mut self, percent: u32, rng: &mut Pcg64Mcg) {
        let count = self.right.len();
        for place in 0..count {
            if place % self.columns + 1 < self.columns && !self.right[place] {
                self.right[place] = rng.random_range(0..100_u32) < percent;
            }
            if place + self.columns < count && !self.below[place] {
                self.below[place] = rng.random_range(0..100_u32) < percent;
            }
        }
    }
}

/// One of at most four, with equal probability.
fn choose(among: impl Iterator<Item = usize>, rng: &mut Pcg64Mcg) -> Option<usize> {
    let mut found = [0; 4];
    let mut count = 0;
    for (slot, place) in found.iter_mut().zip(among) {
        *slot = place;
        count += 1;
    }
    (count > 0).then(|| found[rng.random_range(0..count as u32) as usize])
}
