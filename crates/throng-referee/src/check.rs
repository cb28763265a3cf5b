//! Checks a whole plan, tick by tick.

use throng_model::limits::{HORIZON_MAX, PLAN_CELLS_MAX, UNITS_MAX};
use throng_model::{Plan, Problem, Tick, Unit, UnitId};

use crate::metrics::measure;
use crate::occupancy::Occupancy;
use crate::passable_map::PassableMap;
use crate::planned_unit::PlannedUnit;
use crate::{Violation, ViolationKind};

/// The most violations that a verdict lists. The first ones in report order are kept.
pub const VIOLATIONS_MAX: usize = 10_000;

/// What the referee found out about a plan: its violations and its costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Every broken rule, sorted by tick, then unit, then kind.
    pub violations: Vec<Violation>,
    /// Whether there were more than [`VIOLATIONS_MAX`] violations.
    pub truncated: bool,
    /// Ticks until the last arrival on the goal, summed over the units.
    pub sum_of_costs: u64,
    /// Ticks not spent resting on the goal, summed over the units.
    pub time_away: u64,
    /// The first tick after which every unit stays on its goal.
    pub makespan: Tick,
    /// The number of units that end on their goals.
    pub arrived: usize,
}

impl Verdict {
    /// Whether the plan is a solution: it breaks no rule, and every unit ends on its goal.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether the plan can be executed, even if some units do not end on their goals.
    ///
    /// A partial outcome must be legal, but need not be valid.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        !self.truncated && self.violations.iter().all(|v| v.kind == ViolationKind::Goal)
    }
}

/// Checks a plan for a problem. Neither of the two needs to be valid.
///
/// The rules are in the documentation of the [crate]. Time is proportional to units times
/// ticks times the cells that a unit holds. Memory is proportional to the cells of the map.
#[must_use]
pub fn check(problem: &Problem, plan: &Plan) -> Verdict {
    let movements = problem.movements.iter();
    let passable_maps: Vec<_> = movements.map(|m| PassableMap::new(&problem.map, m)).collect();
    let mut violations = report_unjudgeable_units(problem, plan, &passable_maps);
    let units = planned_units(problem, plan, &passable_maps);
    judge_ticks(problem, plan, units, &mut violations);
    violations.sort_by_key(Violation::rank);
    let truncated = violations.len() > VIOLATIONS_MAX;
    violations.truncate(VIOLATIONS_MAX);
    let metrics = measure(problem, plan);
    Verdict {
        violations,
        truncated,
        sum_of_costs: metrics.sum_of_costs,
        time_away: metrics.time_away,
        makespan: metrics.makespan,
        arrived: metrics.arrived,
    }
}

/// Reports the units that cannot be followed through the plan: no path, no valid movement
/// profile, or a number past the limit.
fn report_unjudgeable_units(
    problem: &Problem,
    plan: &Plan,
    passable_maps: &[Option<PassableMap<'_>>],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for index in 0..problem.units.len().max(plan.paths.len()) {
        let mut report = |kind| {
            violations.push(Violation::of_one(kind, 0, UnitId::new(index as u32), Vec::new()));
        };
        let (unit, path) = (problem.units.get(index), plan.paths.get(index));
        if unit.is_none() || path.is_none() {
            report(ViolationKind::UnitCount);
        }
        if path.is_some_and(Vec::is_empty) {
            report(ViolationKind::EmptyPath);
        }
        if unit.is_some_and(|unit| passable_maps.get(unit.movement).is_none_or(Option::is_none)) {
            report(ViolationKind::MovementProfile);
        }
        if index >= UNITS_MAX {
            report(ViolationKind::Horizon);
        }
    }
    violations
}

fn planned_units<'a>(
    problem: &'a Problem,
    plan: &'a Plan,
    passable_maps: &'a [Option<PassableMap<'a>>],
) -> Vec<PlannedUnit<'a>> {
    let pairs = problem.units.iter().zip(&plan.paths).take(UNITS_MAX).enumerate();
    let planned_unit = |(index, (unit, path)): (usize, (&Unit, &'a Vec<_>))| {
        let passable = passable_maps.get(unit.movement)?.as_ref()?;
        PlannedUnit::new(UnitId::new(index as u32), *unit, passable, path)
    };
    pairs.filter_map(planned_unit).collect()
}

fn judge_ticks(
    problem: &Problem,
    plan: &Plan,
    mut units: Vec<PlannedUnit<'_>>,
    violations: &mut Vec<Violation>,
) {
    // The violations found so far belong to tick 0, but the report sorts them among those
    // found below. After VIOLATIONS_MAX more, the list to report is certainly complete.
    let enough = violations.len() + VIOLATIONS_MAX;
    let last = last_judged_tick(plan, units.len());
    let mut occupancy = Occupancy::default();
    for tick in 0..=last {
        units.iter_mut().for_each(|unit| unit.advance(tick));
        occupancy.begin_tick(&problem.map);
        units.iter().for_each(|unit| occupancy.enter(unit.occupant(&problem.map)));
        for (number, unit) in units.iter().enumerate() {
            unit.judge(tick, violations);
            occupancy.report_conflicts(number, tick, problem.conflicts, violations);
            if violations.len() > enough {
                return;
            }
        }
    }
    for unit in units.iter().filter(|unit| unit.continues_after(last)) {
        let kind = ViolationKind::Horizon;
        violations.push(Violation::of_one(kind, last + 1, unit.id, Vec::new()));
    }
}

/// The last tick that the model's limits allow to check.
fn last_judged_tick(plan: &Plan, units: usize) -> usize {
    let ticks_max = (PLAN_CELLS_MAX / units.max(1)).max(1);
    (plan.last_tick().0 as usize).min(HORIZON_MAX as usize).min(ticks_max - 1)
}
