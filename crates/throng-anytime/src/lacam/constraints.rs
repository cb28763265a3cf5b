//! Constraints of configurations, grown lazily: which units must go where in the next step.
//!
//! Every configuration has a tree of constraints, walked breadth first. The root constrains no
//! unit; a constraint on level d fixes the step of one unit more than its parent. A constraint
//! stores its parent instead of a copy of its ancestors.

use throng_grid::kit::mix;
use throng_model::Conflicts;

use crate::{Graph, Vertex};

/// No constraint: the root.
const ROOT: u32 = u32::MAX;

/// One unit's step, on top of the parent's constraints.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    parent: u32,
    /// The next constraint of the same configuration.
    next: u32,
    unit: u32,
    to: Vertex,
    /// How many units are constrained.
    depth: u32,
}

/// How far a configuration's tree has been walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    /// Not at all: the root has no children yet.
    Fresh,
    /// The first and last constraint not yet taken; [`ROOT`] when there is none.
    Queue { first: u32, last: u32 },
}

/// The trees of all configurations.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    arena: Vec<Constraint>,
    /// By configuration.
    walks: Vec<Walk>,
}

/// What a tree grows from: a configuration and the order in which its units are constrained.
pub(super) struct NodeContext<'a> {
    pub(super) graph: &'a Graph,
    pub(super) conflicts: Conflicts,
    pub(super) now: &'a [Vertex],
    pub(super) order: &'a [u32],
}

impl Constraints {
    /// Adds the tree of the next configuration.
    pub(super) fn add(&mut self) {
        self.walks.push(Walk::Fresh);
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.arena.len() * size_of::<Constraint>() + self.walks.len() * size_of::<Walk>()
    }

    /// Takes the next constraint of a configuration into `fixed`; whether there was one. The
    /// root, which constrains nothing, is left out.
    pub(super) fn take(
        &mut self,
        node: u32,
        context: &NodeContext<'_>,
        fixed: &mut Vec<(u32, Vertex)>,
    ) -> bool {
        fixed.clear();
        if self.walks[node as usize] == Walk::Fresh {
            self.walks[node as usize] = Walk::Queue { first: ROOT, last: ROOT };
            self.grow(node, ROOT, context, fixed);
        }
        let Walk::Queue { first, last } = self.walks[node as usize] else { return false };
        if first == ROOT {
            return false;
        }
        let next = self.arena[first as usize].next;
        let last = if next == ROOT { ROOT } else { last };
        self.walks[node as usize] = Walk::Queue { first: next, last };
        self.collect(first, fixed);
        self.grow(node, first, context, fixed);
        true
    }

    /// The steps of a constraint and its ancestors.
    fn collect(&self, mut at: u32, fixed: &mut Vec<(u32, Vertex)>) {
        while at != ROOT {
            let Constraint { parent, unit, to, .. } = self.arena[at as usize];
            fixed.push((unit, to));
            at = parent;
        }
    }

    /// Adds the children of a constraint: all steps of one unit more that are compatible.
    fn grow(&mut self, node: u32, parent: u32, context: &NodeContext<'_>, fixed: &[(u32, Vertex)]) {
        let depth = if parent == ROOT { 0 } else { self.arena[parent as usize].depth };
        let Some(&unit) = context.order.get(depth as usize) else { return };
        let at = context.now[unit as usize];
        let neighbours = context.graph.neighbours(at);
        let count = neighbours.len() + 1;
        let turn = mix(u64::from(node) << 32 ^ u64::from(parent)) as usize % count;
        for index in 0..count {
            let to = neighbours.get((index + turn) % count).copied().unwrap_or(at);
            if fixed.iter().all(|&other| context.is_compatible(other, (unit, to))) {
                self.push(node, Constraint { parent, next: ROOT, unit, to, depth: depth + 1 });
            }
        }
    }

    fn push(&mut self, node: u32, constraint: Constraint) {
        let new = self.arena.len() as u32;
        self.arena.push(constraint);
        if let Walk::Queue { first, last } = &mut self.walks[node as usize] {
            match *last {
                ROOT => *first = new,
                last => self.arena[last as usize].next = new,
            }
            *last = new;
        }
    }
}

impl NodeContext<'_> {
    /// Whether two units can make these steps at once.
    fn is_compatible(&self, a: (u32, Vertex), b: (u32, Vertex)) -> bool {
        if a.1 == b.1 {
            return false;
        }
        let (a_from, b_from) = (self.now[a.0 as usize], self.now[b.0 as usize]);
        let middle = |from: Vertex, to: Vertex| {
            let (from, to) = (self.graph.cell(from), self.graph.cell(to));
            (from.x + to.x, from.y + to.y)
        };
        if middle(a_from, a.1) != middle(b_from, b.1) {
            return true;
        }
        let counts = if a_from == b.1 { self.conflicts.swap } else { self.conflicts.crossing };
        !counts
    }
}
