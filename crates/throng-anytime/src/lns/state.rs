//! The current plan: the path and cost of every unit, and what they take.

use super::taken::Taken;
use super::task::Task;

/// Ticks of room beyond the longest path.
const ROOM: u32 = 32;

/// The paths of all units, free of conflicts.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) taken: Taken,
    /// Positions by tick up to the last arrival.
    pub(crate) paths: Vec<Vec<u32>>,
    pub(crate) costs: Vec<u32>,
}

impl State {
    /// The paths must be free of conflicts.
    pub(crate) fn new(task: &Task, paths: Vec<Vec<u32>>) -> Self {
        let costs = paths.iter().enumerate().map(|(unit, path)| task.cost(unit, path)).collect();
        let taken = Taken::new(task, horizon(&paths));
        let mut state = Self { taken, paths, costs };
        state.take(task);
        state
    }

    fn take(&mut self, task: &Task) {
        for path in &self.paths {
            self.taken.toggle(task, path);
        }
    }

    /// Lowers the horizon once half of it is not needed any more: short rows of bits stay in
    /// the cache.
    pub(crate) fn shrink(&mut self, task: &Task) {
        let horizon = horizon(&self.paths);
        if self.taken.is_too_long_for(horizon) {
            self.taken = Taken::new(task, horizon);
            self.take(task);
        }
    }

    pub(crate) fn cost(&self) -> u64 {
        self.costs.iter().map(|&cost| u64::from(cost)).sum()
    }

    pub(crate) fn remove(&mut self, task: &Task, unit: usize) {
        self.taken.toggle(task, &self.paths[unit]);
    }

    pub(crate) fn add(&mut self, task: &Task, unit: usize) {
        self.taken.toggle(task, &self.paths[unit]);
    }

    /// Gives units new paths if these conflict with nothing else; whether they do not.
    pub(crate) fn replace(&mut self, task: &Task, changes: &mut [Change]) -> bool {
        for change in changes.iter() {
            self.remove(task, change.unit);
        }
        let is_free = changes.iter().all(|change| self.taken.is_free(task, &change.path));
        for change in changes.iter_mut().filter(|_| is_free) {
            std::mem::swap(&mut self.paths[change.unit], &mut change.path);
            std::mem::swap(&mut self.costs[change.unit], &mut change.cost);
        }
        for change in changes.iter() {
            self.add(task, change.unit);
        }
        is_free
    }

    /// Gives units the paths that another copy of the state has kept, in order.
    pub(crate) fn follow(&mut self, task: &Task, changes: &[Change]) {
        for change in changes {
            self.remove(task, change.unit);
            self.paths[change.unit].clone_from(&change.path);
            self.costs[change.unit] = change.cost;
            self.add(task, change.unit);
        }
        self.shrink(task);
    }
}

/// The new path of a unit, or its old one once it was replaced.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) unit: usize,
    pub(crate) path: Vec<u32>,
    pub(crate) cost: u32,
}

fn horizon(paths: &[Vec<u32>]) -> u32 {
    paths.iter().map(Vec::len).max().unwrap_or(0) as u32 + ROOM
}
