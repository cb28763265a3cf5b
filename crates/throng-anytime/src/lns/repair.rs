//! Repair of a group: its paths are removed and planned again, one unit after the other.

use throng_model::{Effort, Objective};

use super::search::{Query, Search};
use super::state::{Change, State};
use super::tactics::Tactic;
use super::task::Task;
use crate::distances::Table;

/// Units that are planned again together, in the order of planning.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) units: Vec<usize>,
    pub(crate) tactic: Tactic,
    /// For the ties of the searches.
    pub(crate) rotation: usize,
}

/// What came of a repair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repair {
    /// New paths that together cost no more than the old ones; `None` if none were found.
    pub(crate) changes: Option<Vec<Change>>,
    pub(crate) expanded: u64,
}

/// A copy of the state, and the memory to repair groups in it.
#[derive(Clone, Debug)]
pub(crate) struct Repairer {
    pub(crate) state: State,
    search: Search,
}

impl Repairer {
    pub(crate) fn new(state: State) -> Self {
        Self { state, search: Search::default() }
    }

    /// Plans the units of a group again, around all others. The state is as before afterwards.
    pub(crate) fn repair(&mut self, task: &Task, group: &Group, effort: &mut Effort<'_>) -> Repair {
        let before = effort.left();
        for &unit in &group.units {
            self.state.remove(task, unit);
        }
        let mut changes = Vec::with_capacity(group.units.len());
        let is_complete = self.plan(task, group, effort, &mut changes);
        for change in &changes {
            self.state.occupancy.remove(&task.steps, &change.path);
        }
        for &unit in &group.units {
            self.state.add(task, unit);
        }
        Repair { changes: is_complete.then_some(changes), expanded: before - effort.left() }
    }

    /// Adds a path for every unit of the group, as long as the sum of the costs can stay at or
    /// below the old one; whether it could.
    fn plan(
        &mut self,
        task: &Task,
        group: &Group,
        effort: &mut Effort<'_>,
        changes: &mut Vec<Change>,
    ) -> bool {
        let old: u32 = group.units.iter().map(|&unit| self.state.costs[unit]).sum();
        let least: u32 = group.units.iter().map(|&unit| task.least[unit]).sum();
        let mut slack = old - least;
        for &unit in &group.units {
            let cost_max = task.least[unit] + slack;
            let Some(change) = self.plan_unit(task, group, unit, cost_max, effort) else {
                return false;
            };
            slack = cost_max - change.cost;
            self.state.occupancy.add(&task.steps, &change.path);
            changes.push(change);
        }
        true
    }

    fn plan_unit(
        &mut self,
        task: &Task,
        group: &Group,
        unit: usize,
        cost_max: u32,
        effort: &mut Effort<'_>,
    ) -> Option<Change> {
        let (start, goal) = (task.starts[unit], task.goals[unit]);
        let (greed, rotation) = (group.tactic.greed(), group.rotation);
        let query = Query { start, goal, cost_max, greed, rotation };
        let mut path = Vec::new();
        let (steps, occupancy) = (&task.steps, &self.state.occupancy);
        let search = &mut self.search;
        let cost = match (task.objective, task.distances.table(unit)) {
            (Objective::SumOfCosts, Table::Narrow(table)) => {
                search.run::<false, _>(steps, occupancy, table, query, effort, &mut path)
            }
            (Objective::SumOfCosts, Table::Wide(table)) => {
                search.run::<false, _>(steps, occupancy, table, query, effort, &mut path)
            }
            (Objective::TimeAway, Table::Narrow(table)) => {
                search.run::<true, _>(steps, occupancy, table, query, effort, &mut path)
            }
            (Objective::TimeAway, Table::Wide(table)) => {
                search.run::<true, _>(steps, occupancy, table, query, effort, &mut path)
            }
        }?;
        Some(Change { unit, path, cost })
    }
}
