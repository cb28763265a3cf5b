//! What stays the same while a plan is improved: the steps, the distances, the units.

use throng_model::Objective;

use super::boards::Layout;
use super::steps::Steps;
use crate::path_cost::path_cost;
use crate::{Distances, Graph, Vertex};

/// The problem in flat arrays.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) graph: Graph,
    pub(crate) steps: Steps,
    /// Where cells are on boards of bits, if the units' moves allow boards.
    pub(crate) layout: Option<Layout>,
    pub(crate) distances: Distances,
    pub(crate) starts: Vec<u32>,
    pub(crate) goals: Vec<u32>,
    /// What each unit would cost alone.
    pub(crate) least: Vec<u32>,
    pub(crate) objective: Objective,
}

impl Task {
    pub(crate) fn units(&self) -> usize {
        self.starts.len()
    }

    /// The sum of what each unit would cost alone.
    pub(crate) fn lower_bound(&self) -> u64 {
        self.least.iter().map(|&cost| u64::from(cost)).sum()
    }

    /// Ticks from a position to the goal of a unit.
    #[inline]
    pub(crate) fn distance(&self, unit: usize, position: u32) -> u32 {
        self.distances.get(unit, Vertex(position))
    }

    /// The cost of a unit's path, which has to end on its goal and not to rest there at its end.
    pub(crate) fn cost(&self, unit: usize, path: &[u32]) -> u32 {
        path_cost(path, &self.goals[unit], self.objective) as u32
    }
}
