//! A group: units that are planned for together.

use throng_model::{Budget, Limit, Objective, Weight};

use crate::move_table::TableView;
use crate::options::JointAStar;
use crate::pairs::Pairs;
use crate::position_table::{GOAL, PositionTable};
use crate::rules::Rules;
use crate::search::{Ending, OnProgress, SearchOptions, SearchProblem, search};
use crate::statistics::Statistics;

/// Most units in a group. The search for a larger one would never end.
pub(crate) const UNITS_MAX: usize = 256;
/// Most units in a group whose heuristic uses pairs: their number grows with the square.
const PAIRED_UNITS_MAX: usize = 64;

/// A group of units and its plan.
pub(crate) struct Group<'a, R: Rules> {
    /// The units, by their index in the problem.
    pub(crate) units: Vec<usize>,
    tables: Vec<PositionTable<'a, R>>,
    pairs: Option<Pairs<'a>>,
    /// The plan: one path per unit.
    pub(crate) paths: Vec<Vec<R::Place>>,
    /// The plan's cost.
    pub(crate) cost: u64,
    /// A proven lower bound on the cost of any plan for these units.
    pub(crate) bound: u64,
}

/// Conditions on a group's new plan.
pub(crate) struct PlanRequest<'t, R: Rules> {
    /// Moves that conflict with these are illegal.
    pub(crate) illegal_moves: Option<TableView<'t, R>>,
    /// Conflicts with these break ties.
    pub(crate) conflict_avoidance: Option<TableView<'t, R>>,
    /// The most that the plan may cost.
    pub(crate) cost_max: u64,
    pub(crate) weight: Weight,
}

/// The result of planning for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupOutcome {
    /// The group has a new plan.
    Planned,
    /// There is no such plan; the group is unchanged.
    Impossible,
    /// A limit was reached; only the group's lower bound may have changed.
    Spent(Limit),
}

impl<R: Rules> PlanRequest<'_, R> {
    /// A plan within this weight of the best, without regard to other groups.
    pub(crate) fn alone(weight: Weight) -> Self {
        Self { illegal_moves: None, conflict_avoidance: None, cost_max: u64::MAX, weight }
    }
}

impl<'a, R: Rules> Group<'a, R> {
    pub(crate) fn new(
        units: Vec<usize>,
        tables: Vec<PositionTable<'a, R>>,
        options: &JointAStar,
        budget: Budget<'a>,
    ) -> Self {
        let distances = tables.iter().map(|table| u64::from(table.distance(table.start())));
        let bound = distances.sum();
        let uses_pairs = options.uses_pairs() && units.len() <= PAIRED_UNITS_MAX;
        let pairs = uses_pairs.then(|| Pairs::new(units.len(), budget));
        Self { units, tables, pairs, paths: Vec::new(), cost: 0, bound }
    }

    /// Two groups merged into one, without a plan yet.
    pub(crate) fn merged(first: Self, second: Self) -> Self {
        let units = [first.units, second.units].concat();
        let pairs = first.pairs.zip(second.pairs);
        let pairs = pairs.filter(|_| units.len() <= PAIRED_UNITS_MAX);
        let mut tables = first.tables;
        tables.extend(second.tables);
        Self {
            units,
            tables,
            pairs: pairs.map(|(first, second)| Pairs::merged(first, second)),
            paths: Vec::new(),
            cost: 0,
            bound: first.bound + second.bound,
        }
    }

    /// Searches for a plan. Without illegal moves, this also proves a lower bound.
    pub(crate) fn plan(
        &mut self,
        request: &PlanRequest<'_, R>,
        objective: Objective,
        options: SearchOptions<R>,
        budget: Budget<'_>,
        on_progress: OnProgress<'_>,
    ) -> (GroupOutcome, Statistics) {
        if self.units.len() > UNITS_MAX {
            return (GroupOutcome::Spent(Limit::Size), Statistics::default());
        }
        let small = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let problem = SearchProblem {
            tables: &mut self.tables,
            pairs: self.pairs.as_mut().filter(|_| self.units.len() > 1),
            illegal_moves: request.illegal_moves,
            conflict_avoidance: request.conflict_avoidance,
            cost_max: small(request.cost_max),
            floor: small(self.bound),
            weight: request.weight,
        };
        let (ending, statistics) = search(problem, options, budget, on_progress);
        let proves = request.illegal_moves.is_none();
        let planned = match ending {
            Ending::Found { paths, bound } => {
                self.accept(paths, objective);
                self.raise_bound(proves.then_some(bound));
                GroupOutcome::Planned
            }
            Ending::Exhausted => GroupOutcome::Impossible,
            Ending::Spent { bound, limit } => {
                self.raise_bound(proves.then_some(bound));
                GroupOutcome::Spent(limit)
            }
        };
        (planned, statistics)
    }

    fn raise_bound(&mut self, bound: Option<u32>) {
        self.bound = self.bound.max(bound.map_or(0, u64::from));
    }

    fn accept(&mut self, paths: Vec<Vec<R::Place>>, objective: Objective) {
        self.paths = paths;
        self.update_cost(objective);
    }

    fn update_cost(&mut self, objective: Objective) {
        let goals = self.tables.iter().map(|table| table.place(GOAL));
        let paths = self.paths.iter().zip(goals);
        self.cost = paths.map(|(path, goal)| cost(path, goal, objective)).sum();
    }

    /// The cost of one path, by its index in the group.
    fn path_cost(&self, index: usize, objective: Objective) -> u64 {
        cost(&self.paths[index], self.tables[index].place(GOAL), objective)
    }
}

/// Searches for other paths of some units of two groups and leaves all other paths as they
/// are. A unit is given by its group (0 or 1) and its index there.
pub(crate) fn replan_units<R: Rules>(
    groups: &mut [Group<'_, R>; 2],
    chosen: &[(usize, usize)],
    request: &PlanRequest<'_, R>,
    objective: Objective,
    options: SearchOptions<R>,
    budget: Budget<'_>,
    on_progress: OnProgress<'_>,
) -> (GroupOutcome, Statistics) {
    let costs = chosen.iter().map(|&(side, index)| groups[side].path_cost(index, objective));
    let cost_max = costs.sum::<u64>().saturating_add(request.cost_max);
    let pairs = groups[0].pairs.as_ref().filter(|_| chosen.len() > 1);
    let mut pairs = pairs.map(|pairs| Pairs::new(chosen.len(), pairs.budget()));
    let mut tables: Vec<_> =
        chosen.iter().map(|&(side, index)| groups[side].tables.remove(index)).collect();
    let problem = SearchProblem {
        tables: &mut tables,
        pairs: pairs.as_mut(),
        illegal_moves: request.illegal_moves,
        conflict_avoidance: request.conflict_avoidance,
        cost_max: u32::try_from(cost_max).unwrap_or(u32::MAX),
        floor: 0,
        weight: request.weight,
    };
    let (ending, statistics) = search(problem, options, budget, on_progress);
    for (&(side, index), table) in chosen.iter().zip(tables) {
        groups[side].tables.insert(index, table);
    }
    let planned = match ending {
        Ending::Found { paths, .. } => {
            for (&(side, index), path) in chosen.iter().zip(paths) {
                groups[side].paths[index] = path;
            }
            groups.iter_mut().for_each(|group| group.update_cost(objective));
            GroupOutcome::Planned
        }
        Ending::Exhausted => GroupOutcome::Impossible,
        Ending::Spent { limit, .. } => GroupOutcome::Spent(limit),
    };
    (planned, statistics)
}

/// The cost of a path.
fn cost<P: Copy + PartialEq>(path: &[P], goal: P, objective: Objective) -> u64 {
    let arrival = path.iter().rposition(|&at| at != goal).map_or(0, |tick| tick + 1);
    let waits = match objective {
        Objective::SumOfCosts => 0,
        Objective::TimeAway => {
            let ticks = path[..=arrival.min(path.len() - 1)].windows(2);
            ticks.filter(|ends| ends[0] == goal && ends[1] == goal).count()
        }
    };
    (arrival - waits) as u64
}
