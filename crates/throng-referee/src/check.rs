//! The judgement of a whole plan, tick by tick.

use throng_model::limits::{HORIZON_MAX, PLAN_CELLS_MAX, UNITS_MAX};
use throng_model::{Plan, Problem, Tick, Unit, UnitId};

use crate::ground::Ground;
use crate::metrics::measure;
use crate::occupancy::Occupancy;
use crate::walker::Walker;
use crate::{Violation, ViolationKind};

/// Most violations that a verdict lists: the first ones in its order.
pub const VIOLATIONS_MAX: usize = 10_000;

/// What the referee found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Everything that is wrong, by tick, then unit, then kind.
    pub violations: Vec<Violation>,
    /// Whether there was more than [`VIOLATIONS_MAX`] to list.
    pub truncated: bool,
    /// Ticks until the last arrival on the goal, summed over the units.
    pub sum_of_costs: u64,
    /// Ticks not spent resting on the goal, summed over the units.
    pub time_away: u64,
    /// The tick from which on every unit rests on its goal.
    pub makespan: Tick,
    /// How many units end on their goals.
    pub arrived: usize,
}

impl Verdict {
    /// Whether the plan is a solution: it breaks no rule, and every unit ends on its goal.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether the plan can be carried out, even if units end elsewhere than on their goals:
    /// what is asked of a partial outcome.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        !self.truncated && self.violations.iter().all(|v| v.kind == ViolationKind::Goal)
    }
}

/// Judges a plan for a problem. The problem need not be valid either.
///
/// Time grows with units times ticks times the cells of a footprint (and of the step that
/// it is in), memory with the cells of the map; see the [crate] for the rules.
#[must_use]
pub fn check(problem: &Problem, plan: &Plan) -> Verdict {
    let movements = problem.movements.iter();
    let grounds: Vec<_> = movements.map(|m| Ground::new(&problem.map, m)).collect();
    let mut violations = call_the_roll(problem, plan, &grounds);
    judge_ticks(problem, plan, walkers(problem, plan, &grounds), &mut violations);
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

/// Reports the units that cannot be followed through the plan at all.
fn call_the_roll(problem: &Problem, plan: &Plan, grounds: &[Option<Ground<'_>>]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for index in 0..problem.units.len().max(plan.paths.len()) {
        let mut report = |kind| {
            violations.push(Violation::of_one(kind, 0, UnitId(index as u32), Vec::new()));
        };
        let (unit, path) = (problem.units.get(index), plan.paths.get(index));
        if unit.is_none() || path.is_none() {
            report(ViolationKind::UnitCount);
        }
        if path.is_some_and(Vec::is_empty) {
            report(ViolationKind::EmptyPath);
        }
        if unit.is_some_and(|unit| grounds.get(unit.movement).is_none_or(Option::is_none)) {
            report(ViolationKind::MovementProfile);
        }
        if index >= UNITS_MAX {
            report(ViolationKind::Horizon);
        }
    }
    violations
}

fn walkers<'a>(
    problem: &'a Problem,
    plan: &'a Plan,
    grounds: &'a [Option<Ground<'a>>],
) -> Vec<Walker<'a>> {
    let pairs = problem.units.iter().zip(&plan.paths).take(UNITS_MAX).enumerate();
    let walker = |(index, (unit, path)): (usize, (&Unit, &'a Vec<_>))| {
        let ground = grounds.get(unit.movement)?.as_ref()?;
        Walker::new(UnitId(index as u32), *unit, ground, path)
    };
    pairs.filter_map(walker).collect()
}

fn judge_ticks(
    problem: &Problem,
    plan: &Plan,
    mut walkers: Vec<Walker<'_>>,
    violations: &mut Vec<Violation>,
) {
    // The roll call belongs to tick 0 but came before it. With so many more found, the
    // first VIOLATIONS_MAX in the order of the report are certainly among them.
    let enough = violations.len() + VIOLATIONS_MAX;
    let last = last_judged_tick(plan, walkers.len());
    let mut occupancy = Occupancy::default();
    for tick in 0..=last {
        walkers.iter_mut().for_each(|walker| walker.advance(tick));
        occupancy.begin_tick(&problem.map);
        walkers.iter().for_each(|walker| occupancy.enter(walker.presence(&problem.map)));
        for (number, walker) in walkers.iter().enumerate() {
            walker.judge(tick, violations);
            occupancy.judge_meetings(number, tick, problem.conflicts, violations);
            if violations.len() > enough {
                return;
            }
        }
    }
    for walker in walkers.iter().filter(|walker| walker.goes_on_after(last)) {
        let kind = ViolationKind::Horizon;
        violations.push(Violation::of_one(kind, last + 1, walker.id, Vec::new()));
    }
}

/// Plans are judged as far as the model lets them go.
fn last_judged_tick(plan: &Plan, units: usize) -> usize {
    let ticks_max = (PLAN_CELLS_MAX / units.max(1)).max(1);
    (plan.last_tick().0 as usize).min(HORIZON_MAX as usize).min(ticks_max - 1)
}
