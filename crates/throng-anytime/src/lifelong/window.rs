//! The plan of the next ticks: a path per unit, free of conflicts, and who is where.

use throng_model::Conflicts;

use crate::lns::steps::{OPEN, Steps};
use crate::{Graph, Vertex};

/// No unit.
pub(super) const NOBODY: u32 = u32::MAX;

/// The paths of all units for the ticks of a window.
#[derive(Clone, Debug)]
pub(super) struct Window {
    ticks: usize,
    positions: usize,
    pub(super) steps: Steps,
    /// Positions by unit and tick, from now to the last tick of the window.
    paths: Vec<Vertex>,
    /// The unit on each position, by tick.
    units_at: Vec<u32>,
    /// Units that take each passage, by the tick at which their steps end.
    taken: Vec<u8>,
}

impl Window {
    /// Paths without positions: [`set`](Self::set) those of each tick, then [`occupy`](Self::occupy).
    pub(super) fn new(graph: &Graph, conflicts: Conflicts, units: usize, ticks: usize) -> Self {
        let steps = Steps::new(graph, conflicts);
        Self {
            ticks,
            positions: graph.len(),
            paths: vec![Vertex::NONE; units * (ticks + 1)],
            units_at: vec![NOBODY; (ticks + 1) * graph.len()],
            taken: vec![0; (ticks + 1) * steps.passages()],
            steps,
        }
    }

    /// The number of steps of each path.
    pub(super) fn ticks(&self) -> usize {
        self.ticks
    }

    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Where a unit is at each tick.
    #[inline]
    pub(super) fn path(&self, unit: usize) -> &[Vertex] {
        &self.paths[unit * (self.ticks + 1)..][..=self.ticks]
    }

    /// Writes the positions of all units at a tick. Call [`occupy`](Self::occupy) afterwards.
    pub(super) fn set(&mut self, tick: usize, positions: &[Vertex]) {
        for (unit, &at) in positions.iter().enumerate() {
            self.paths[unit * (self.ticks + 1) + tick] = at;
        }
    }

    /// Enters the paths of all units where none is entered.
    pub(super) fn occupy(&mut self) {
        for unit in 0..self.paths.len() / (self.ticks + 1) {
            self.add(unit);
        }
    }

    /// Takes the paths of all units out.
    pub(super) fn vacate(&mut self) {
        for unit in 0..self.paths.len() / (self.ticks + 1) {
            self.remove(unit);
        }
    }

    /// Enters the path of a unit that was taken out.
    pub(super) fn add(&mut self, unit: usize) {
        self.mark(unit, unit as u32, 1);
    }

    /// Takes the path of a unit out.
    pub(super) fn remove(&mut self, unit: usize) {
        self.mark(unit, NOBODY, 1_u8.wrapping_neg());
    }

    fn mark(&mut self, unit: usize, mark: u32, count: u8) {
        let path = &self.paths[unit * (self.ticks + 1)..][..=self.ticks];
        for (tick, &at) in path.iter().enumerate() {
            self.units_at[tick * self.positions + at.get()] = mark;
        }
        for (tick, step) in path.windows(2).enumerate().filter(|(_, step)| step[0] != step[1]) {
            let passage = self.steps.passage(step[0].0, step[1].0).unwrap_or(OPEN);
            if passage != OPEN {
                let taken = &mut self.taken[(tick + 1) * self.steps.passages() + passage as usize];
                *taken = taken.wrapping_add(count);
            }
        }
    }

    /// Gives a unit that is taken out another path.
    pub(super) fn replace(&mut self, unit: usize, path: &[Vertex]) {
        self.paths[unit * (self.ticks + 1)..][..=self.ticks].copy_from_slice(path);
    }

    /// The unit that is on a position at a tick, or [`NOBODY`].
    #[inline]
    fn unit_at(&self, position: Vertex, tick: usize) -> u32 {
        self.units_at[tick * self.positions + position.get()]
    }

    /// The unit on a position at a tick, and the one that a step to it would meet on the way: the one
    /// that comes from there. [`NOBODY`] where there is none.
    pub(super) fn units_in_the_way(&self, to: Vertex, passage: u32, tick: usize) -> [u32; 2] {
        let there = self.unit_at(to, tick);
        let is_met = there == NOBODY && !self.is_free(to.0, passage, tick);
        [there, if is_met { self.unit_at(to, tick - 1) } else { NOBODY }]
    }

    /// Whether a step to a neighbour that ends at a tick meets nobody.
    #[inline]
    pub(super) fn is_free(&self, to: u32, passage: u32, tick: usize) -> bool {
        self.units_at[tick * self.positions + to as usize] == NOBODY
            && (passage == OPEN || self.taken[tick * self.steps.passages() + passage as usize] == 0)
    }
}
