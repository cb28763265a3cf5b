//! Repair of a group: its paths are removed and planned again, one unit after the other.

use throng_model::{Effort, Objective};

use super::flood_search::FloodSearch;
use super::occupancy::Occupancy;
use super::search::{Query, Search};
use super::state::{Change, State};
use super::tactics::Tactic;
use super::taken::Taken;
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
    flood: FloodSearch,
}

impl Repairer {
    pub(crate) fn new(state: State) -> Self {
        Self { state, search: Search::default(), flood: FloodSearch::default() }
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
            self.state.taken.toggle(task, &change.path);
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
            self.state.taken.toggle(task, &change.path);
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
        let cost = match (&self.state.taken, &task.layout) {
            (Taken::Rows(rows), _) => {
                search(task, unit, rows, &mut self.search, query, effort, &mut path)
            }
            (Taken::Boards(boards), Some(layout)) => {
                self.flood.run(layout, boards, task.least[unit], query, effort, &mut path)
            }
            (Taken::Boards(_), None) => None,
        }?;
        Some(Change { unit, path, cost })
    }
}

/// A path of a unit by A*, and its cost.
fn search(
    task: &Task,
    unit: usize,
    rows: &Occupancy,
    search: &mut Search,
    query: Query,
    effort: &mut Effort<'_>,
    path: &mut Vec<u32>,
) -> Option<u32> {
    let steps = &task.steps;
    match (task.objective, task.distances.table(unit)) {
        (Objective::SumOfCosts, Table::Narrow(table)) => {
            search.run::<false, _>(steps, rows, table, query, effort, path)
        }
        (Objective::SumOfCosts, Table::Wide(table)) => {
            search.run::<false, _>(steps, rows, table, query, effort, path)
        }
        (Objective::TimeAway, Table::Narrow(table)) => {
            search.run::<true, _>(steps, rows, table, query, effort, path)
        }
        (Objective::TimeAway, Table::Wide(table)) => {
            search.run::<true, _>(steps, rows, table, query, effort, path)
        }
    }
}
