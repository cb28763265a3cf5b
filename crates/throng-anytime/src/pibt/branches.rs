//! Branches: the parts of a map without a ring, and how many units are in each.
//!
//! Positions of degree 1 are peeled off the graph until none is left. A peeled position hangs on
//! its *parent*, the neighbour that was left; with all that hangs on it, it is a branch. A branch
//! that is full is no way for others, however many cells it has. A step changes the count of one
//! branch at most: the one whose root is left for the parent, or entered from it.

use crate::{Graph, Vertex};

#[derive(Clone, Debug)]
pub(super) struct Branches {
    /// By position; [`Vertex::NONE`] for those on rings or between them.
    parents: Vec<Vertex>,
    /// Positions of the branch, by its root.
    sizes: Vec<u32>,
    /// Units in the branch, by its root.
    units: Vec<u32>,
    /// Peeled positions, each before its parent.
    order: Vec<Vertex>,
}

impl Branches {
    pub(super) fn new(graph: &Graph) -> Self {
        let positions = (0..graph.len() as u32).map(Vertex);
        let mut degrees: Vec<usize> = positions.clone().map(|at| graph.degree(at)).collect();
        let mut parents = vec![Vertex::NONE; graph.len()];
        let mut order: Vec<Vertex> = positions.filter(|&at| graph.degree(at) == 1).collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            let is_left = |to: &&Vertex| degrees[to.get()] > 0 && parents[to.get()] != at;
            let Some(&parent) = graph.neighbours(at).iter().find(is_left) else { continue };
            parents[at.get()] = parent;
            degrees[at.get()] = 0;
            degrees[parent.get()] -= 1;
            if degrees[parent.get()] == 1 {
                order.push(parent);
            }
        }
        let mut branches =
            Self { parents, sizes: vec![1; graph.len()], units: vec![0; graph.len()], order };
        branches.sum(|branches| &mut branches.sizes);
        branches
    }

    /// Adds the counts of all branches up.
    fn sum(&mut self, counts: impl Fn(&mut Self) -> &mut Vec<u32>) {
        for index in 0..self.order.len() {
            let at = self.order[index];
            let parent = self.parents[at.get()];
            if parent != Vertex::NONE {
                let counts = counts(self);
                counts[parent.get()] += counts[at.get()];
            }
        }
    }

    /// Counts the units from scratch.
    pub(super) fn place(&mut self, positions: &[Vertex]) {
        if self.order.is_empty() {
            return;
        }
        self.units.fill(0);
        positions.iter().for_each(|at| self.units[at.get()] = 1);
        self.sum(|branches| &mut branches.units);
    }

    /// Counts a step.
    #[inline]
    pub(super) fn step(&mut self, from: Vertex, to: Vertex) {
        if self.parents[from.get()] == to {
            self.units[from.get()] -= 1;
        } else if self.parents[to.get()] == from {
            self.units[to.get()] += 1;
        }
    }

    /// Whether the positions behind a step have room for some more units. Beyond branches they
    /// always do.
    #[inline]
    pub(super) fn has_room(&self, from: Vertex, to: Vertex, more: u32) -> bool {
        self.parents[to.get()] != from || self.sizes[to.get()] - self.units[to.get()] >= more
    }
}
