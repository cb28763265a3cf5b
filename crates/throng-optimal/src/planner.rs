//! From a problem to its groups, and from their paths to a report.

use throng_model::{
    Budget, Cell, MovementProfile, Observer, Outcome, Plan, Planner, Problem, Report, Solution,
    UnitId, ValidProblem,
};
use throng_spacetime::{FootprintRules, GridSpace};

use crate::JointAStar;
use crate::effort::{JointReport, Statistics};
use crate::independence::{Ended, Team};
use crate::search::Settings;
use crate::track::Track;

impl JointAStar {
    /// Whether units that move like this can be planned for: those that cover one cell and
    /// take one tick a step.
    #[must_use]
    pub fn supports(movement: &MovementProfile) -> bool {
        movement.footprint == 1 && movement.pace == 1
    }

    /// Plans as [`Planner::plan`], and says in full what it took.
    pub fn plan_detailed(
        &self,
        problem: &ValidProblem,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> JointReport {
        if !is_supported(problem) {
            return without_search(everyone_stays(problem));
        }
        let space = |movement: &MovementProfile| {
            let movement = movement.by_time(&problem.map);
            GridSpace::new(&problem.map, movement, &FootprintRules::default())
        };
        let spaces: Vec<_> = problem.movements.iter().map(space).collect();
        let mut tracks = Vec::with_capacity(problem.units.len());
        for unit in &problem.units {
            let space = spaces[unit.movement].as_ref().ok();
            let track = space.and_then(|space| {
                let (start, goal) = space.position(unit.start).zip(space.position(unit.goal))?;
                Track::new(space, self.objective, start, goal)
            });
            match track {
                Some(track) => tracks.push(track),
                None => return without_search(unreachable(problem, tracks.len())),
            }
        }
        let settings = Settings::new(self, problem.conflicts);
        let mut team = Team::new(self, settings, budget, tracks);
        let ended = team.run(observer);
        report(problem, &team, ended)
    }
}

impl Planner for JointAStar {
    /// Nothing is left to chance: the seed does not matter.
    fn plan(
        &self,
        problem: &ValidProblem,
        _seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Report {
        self.plan_detailed(problem, budget, observer).report
    }
}

fn is_supported(problem: &Problem) -> bool {
    problem.units.iter().all(|unit| JointAStar::supports(&problem.movements[unit.movement]))
}

fn without_search(outcome: Outcome) -> JointReport {
    let report = Report { outcome, expanded: 0, generated: 0, peak_open: 0, reproducible: true };
    JointReport { report, statistics: Statistics::default() }
}

/// What to say of units that cover several cells or take several ticks a step.
fn everyone_stays(problem: &Problem) -> Outcome {
    let paths = problem.units.iter().map(|unit| vec![unit.start]).collect();
    let arrived = problem.units.iter().filter(|unit| unit.start == unit.goal).count();
    let plan = Plan { paths };
    if arrived == problem.units.len() {
        return Outcome::Solved(Solution { plan, cost: 0, proven_bound: 0 });
    }
    Outcome::Partial { plan, arrived }
}

fn unreachable(problem: &Problem, unit: usize) -> Outcome {
    let (id, unit) = (UnitId::new(unit as u32), &problem.units[unit]);
    Outcome::ProvenUnsolvable(format!(
        "{id} cannot get from {} to {}: there is no way, even alone",
        unit.start, unit.goal
    ))
}

fn report(problem: &Problem, team: &Team<'_, '_>, ended: Ended) -> JointReport {
    let mut reproducible = true;
    let outcome = match ended {
        Ended::Solved => Outcome::Solved(Solution {
            plan: plan(problem, team),
            cost: team.groups.iter().map(|group| group.cost).sum(),
            proven_bound: team.bound(),
        }),
        Ended::Impossible(units) => Outcome::ProvenUnsolvable(no_plan(&units)),
        Ended::Spent { interrupted } => {
            reproducible = !interrupted;
            Outcome::BudgetSpent { best: None, proven_bound: team.bound() }
        }
    };
    let statistics = Statistics { groups: team.groups.len(), ..team.statistics };
    let Statistics { expanded, generated, peak_open, .. } = statistics;
    let report = Report { outcome, expanded, generated, peak_open, reproducible };
    JointReport { report, statistics }
}

/// How many units are named.
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
        "units {}{more} cannot all reach their goals: every state that they can get into was \
         looked at",
        named.join(", ")
    )
}

/// The paths of all groups, each up to its unit's last arrival.
fn plan(problem: &Problem, team: &Team<'_, '_>) -> Plan {
    let width = problem.map.width();
    let mut paths: Vec<Vec<Cell>> = vec![Vec::new(); problem.units.len()];
    for group in &team.groups {
        for (&unit, path) in group.units.iter().zip(&group.paths) {
            let last = path.last().copied().unwrap_or_default();
            let end = path.iter().rposition(|&at| at != last).map_or(0, |tick| tick + 1);
            paths[unit] = path.iter().take(end + 1).map(|at| at.cell(width)).collect();
        }
    }
    Plan { paths }
}
