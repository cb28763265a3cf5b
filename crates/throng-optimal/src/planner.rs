//! From a problem to its groups, and from their paths to a report.

use throng_model::{
    Budget, Cell, Limit, MovementProfile, Objective, Observer, Outcome, Plan, PlanError, Planner,
    Problem, Report, Solution, UnitId, ValidProblem,
};
use throng_spacetime::{FootprintRules, GridSpace};

use crate::JointAStar;
use crate::independence::{Failure, IndependenceDetection};
use crate::position_table::PositionTable;
use crate::search::SearchOptions;
use crate::statistics::{JointReport, Statistics};

impl JointAStar {
    /// Plans as [`Planner::plan`] does, and reports the effort in full.
    ///
    /// # Errors
    /// When a unit covers more than one cell or takes more than one tick per step.
    pub fn plan_detailed(
        &self,
        problem: &ValidProblem,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<JointReport, PlanError> {
        check_support(problem)?;
        let space = |movement: &MovementProfile| {
            let movement = movement.by_time(&problem.map);
            GridSpace::new(&problem.map, movement, &FootprintRules::default()).ok()
        };
        let spaces: Vec<_> = problem.movements.iter().map(space).collect();
        let tables = match position_tables(problem, &spaces, self.objective, budget) {
            Ok(tables) => tables,
            Err(outcome) => return Ok(without_search(outcome)),
        };
        let options = SearchOptions::new(self, problem.conflicts);
        let mut detection = IndependenceDetection::new(self, options, budget, tables);
        let result = detection.run(observer);
        Ok(report(problem, &detection, result))
    }
}

/// One table per unit. The outcome if a goal is unreachable, or the interrupt says stop: the
/// first distance of a unit may flood the map.
fn position_tables<'s>(
    problem: &Problem,
    spaces: &'s [Option<GridSpace>],
    objective: Objective,
    budget: Budget<'_>,
) -> Result<Vec<PositionTable<'s>>, Outcome> {
    let mut tables: Vec<PositionTable<'_>> = Vec::with_capacity(problem.units.len());
    for (index, unit) in problem.units.iter().enumerate() {
        if budget.is_interrupted() {
            let distance = |table: &PositionTable<'_>| u64::from(table.distance(table.start()));
            let proven_bound = tables.iter().map(distance).sum();
            let limit = Limit::Interrupt;
            return Err(Outcome::BudgetSpent { best: None, proven_bound, limit });
        }
        let table = spaces[unit.movement].as_ref().and_then(|space| {
            let (start, goal) = space.position(unit.start).zip(space.position(unit.goal))?;
            PositionTable::new(space, objective, start, goal)
        });
        tables.push(table.ok_or_else(|| unreachable(problem, index))?);
    }
    Ok(tables)
}

impl Planner for JointAStar {
    /// Joint A* makes no random choices: the seed has no effect.
    fn plan(
        &self,
        problem: &ValidProblem,
        _seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        Ok(self.plan_detailed(problem, budget, observer)?.report)
    }
}

/// Refuses units that cover more than one cell or take more than one tick per step.
fn check_support(problem: &Problem) -> Result<(), PlanError> {
    for (index, unit) in problem.units.iter().enumerate() {
        let MovementProfile { footprint, pace, .. } = problem.movements[unit.movement];
        let movement = match (footprint, pace) {
            (1, 1) => continue,
            (1, _) => format!("a pace of {pace} ticks per step"),
            _ => format!("a footprint of {footprint} x {footprint} cells"),
        };
        let (planner, unit, instead) = ("joint A*", UnitId::new(index as u32), "HCA* or WHCA*");
        return Err(PlanError::Unsupported { planner, unit, movement, instead });
    }
    Ok(())
}

fn without_search(outcome: Outcome) -> JointReport {
    let is_interrupted = matches!(outcome, Outcome::BudgetSpent { .. });
    let report =
        Report { outcome, expanded: 0, generated: 0, peak_open: 0, reproducible: !is_interrupted };
    JointReport { report, statistics: Statistics::default() }
}

fn unreachable(problem: &Problem, unit: usize) -> Outcome {
    let (id, unit) = (UnitId::new(unit as u32), &problem.units[unit]);
    Outcome::ProvenUnsolvable(format!(
        "{id} cannot get from {} to {}: there is no way, even alone",
        unit.start, unit.goal
    ))
}

fn report(
    problem: &Problem,
    detection: &IndependenceDetection<'_, '_>,
    result: Result<(), Failure>,
) -> JointReport {
    let mut reproducible = true;
    let outcome = match result {
        Ok(()) => Outcome::Solved(Solution {
            plan: plan(problem, detection),
            cost: detection.cost(),
            proven_bound: detection.bound(),
        }),
        Err(Failure::Impossible(units)) => Outcome::ProvenUnsolvable(no_plan(&units)),
        Err(Failure::Spent(limit)) => {
            reproducible = limit != Limit::Interrupt;
            Outcome::BudgetSpent { best: None, proven_bound: detection.bound(), limit }
        }
    };
    let statistics = Statistics { groups: detection.groups.len(), ..detection.statistics };
    let Statistics { expanded, generated, peak_open, .. } = statistics;
    let report = Report { outcome, expanded, generated, peak_open, reproducible };
    JointReport { report, statistics }
}

/// Most units named in a message.
const NAMED_MAX: usize = 10;

fn no_plan(units: &[usize]) -> String {
    let mut units = units.to_vec();
    units.sort_unstable();
    let named: Vec<_> = units.iter().take(NAMED_MAX).map(ToString::to_string).collect();
    let more = match units.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "units {}{more} cannot all reach their goals: the search of all their joint states found no \
         plan",
        named.join(", ")
    )
}

/// The paths of all groups, each up to its unit's last arrival.
fn plan(problem: &Problem, detection: &IndependenceDetection<'_, '_>) -> Plan {
    let width = problem.map.width();
    let mut paths: Vec<Vec<Cell>> = vec![Vec::new(); problem.units.len()];
    for group in &detection.groups {
        for (&unit, path) in group.units.iter().zip(&group.paths) {
            let last = path.last().copied().unwrap_or_default();
            let end = path.iter().rposition(|&at| at != last).map_or(0, |tick| tick + 1);
            paths[unit] = path.iter().take(end + 1).map(|at| at.cell(width)).collect();
        }
    }
    Plan { paths }
}
