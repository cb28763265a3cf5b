//! The steps between positions, each with the number of the passage that it takes.
//!
//! Two units conflict between two ticks when they take one passage: the edge between two
//! cells, or the corner point of a 2 x 2 block for diagonal steps. Units that take a passage in
//! the same direction share a position before and after, which is excluded already.

use throng_model::Conflicts;

use crate::{Graph, Vertex};

/// A passage that no other unit can block.
pub(crate) const OPEN: u32 = u32::MAX;

/// One step to a neighbour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) to: u32,
    /// The passage that the step takes, or [`OPEN`].
    pub(crate) passage: u32,
}

/// All steps, by the position from which they start.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    /// Where the steps of each position begin; one more entry at the end.
    first: Vec<u32>,
    steps: Vec<Step>,
    passages: usize,
}

impl Steps {
    pub(crate) fn new(graph: &Graph, conflicts: Conflicts) -> Self {
        let mut first = vec![0];
        let mut steps = Vec::new();
        for from in (0..graph.len() as u32).map(Vertex) {
            steps.extend(graph.neighbours(from).iter().map(|&to| {
                let passage = passage(graph, conflicts, from, to).unwrap_or(OPEN);
                Step { to: to.0, passage }
            }));
            first.push(steps.len() as u32);
        }
        let passages = number_densely(&mut steps);
        Self { first, steps, passages }
    }

    /// How many positions there are.
    pub(crate) fn positions(&self) -> usize {
        self.first.len() - 1
    }

    /// How many passages there are.
    pub(crate) fn passages(&self) -> usize {
        self.passages
    }

    /// The steps from a position.
    #[inline]
    pub(crate) fn from(&self, position: u32) -> &[Step] {
        let at = position as usize;
        &self.steps[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The passage between two neighbours; `None` if they are no neighbours or none can be
    /// blocked. [`OPEN`] for a rest.
    pub(crate) fn passage(&self, from: u32, to: u32) -> Option<u32> {
        if from == to {
            return Some(OPEN);
        }
        self.from(from).iter().find(|step| step.to == to).map(|step| step.passage)
    }
}

/// A number that two steps share if and only if they conflict; `None` for a step that cannot
/// conflict. Where crossings count but swaps do not, diagonal swaps are excluded too: the plans
/// stay legal.
fn passage(graph: &Graph, conflicts: Conflicts, from: Vertex, to: Vertex) -> Option<u32> {
    let (low, high) = (from.min(to), from.max(to));
    let positions = graph.len() as u32;
    match graph.block(from, to) {
        Some(block) if conflicts.crossing => Some(4 * positions + block as u32),
        Some(_) => {
            let falls = graph.cell(low).x < graph.cell(high).x;
            conflicts.swap.then_some((2 + u32::from(falls)) * positions + low.0)
        }
        None => {
            let is_row = graph.cell(low).y == graph.cell(high).y;
            conflicts.swap.then_some(u32::from(is_row) * positions + low.0)
        }
    }
}

/// Renumbers the passages from 0 on, in order of their numbers; how many there are.
fn number_densely(steps: &mut [Step]) -> usize {
    let mut numbers: Vec<u32> = steps.iter().map(|step| step.passage).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.last() == Some(&OPEN) {
        numbers.pop();
    }
    for step in steps.iter_mut().filter(|step| step.passage != OPEN) {
        step.passage = numbers.partition_point(|&number| number < step.passage) as u32;
    }
    numbers.len()
}
