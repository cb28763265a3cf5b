//! From a problem to its groups, and from their paths to a report.

use throng_model::{
    Budget, Cell, Limit, MovementProfile, Observer, Outcome, Plan, PlanError, Planner, Problem,
    Report, Solution, UnitId, ValidProblem,
};
use throng_spacetime::{FootprintRules, GridSpace};

use crate::JointAStar;
use crate::effort::{JointReport, Statistics};
use crate::independence::{Ended, Team};
use crate::search::Settings;
use crate::track::Track;

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
                None => return Ok(without_search(unreachable(problem, tracks.len()))),
            }
        }
        let settings = Settings::new(self, problem.conflicts);
        let mut team = Team::new(self, settings, budget, tracks);
        let ended = team.run(observer);
        Ok(report(problem, &team, ended))
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
    let report = Report { outcome, expanded: 0, generated: 0, peak_open: 0, reproducible: true };
    JointReport { report, statistics: Statistics::default() }
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
        Ended::Spent(limit) => {
            reproducible = limit != Limit::Interrupt;
            Outcome::BudgetSpent { best: None, proven_bound: team.bound(), limit }
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
