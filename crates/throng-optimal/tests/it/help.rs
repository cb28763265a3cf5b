//! Planners, problems and checks that the tests share.

use rand::RngExt;
use throng_model::{
    Budget, Cell, CornerRule, DiagonalCost, MovementProfile, Objective, Outcome, Problem, Report,
    Silent, Solution, Unit, ValidProblem,
};
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

/// Standley's movement: eight neighbours, corners may be cut, one tick per step.
pub(crate) fn eight() -> MovementProfile {
    MovementProfile {
        corners: CornerRule::AlwaysCut,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    }
}

pub(crate) const OBJECTIVES: [Objective; 2] = [Objective::SumOfCosts, Objective::TimeAway];

/// Every combination of techniques.
pub(crate) fn planners() -> Vec<JointAStar> {
    let mut planners = Vec::new();
    for independence in [Independence::Off, Independence::Merge, Independence::Avoid] {
        for heuristic in [Heuristic::Sum, Heuristic::Pairs] {
            let standard =
                JointAStar::standard().with_independence(independence).with_heuristic(heuristic);
            for base in [
                standard.clone(),
                standard.clone().with_decomposition(ExpansionOrder::Fixed),
                standard.with_decomposition(ExpansionOrder::Dynamic),
            ] {
                planners.push(base.clone());
                planners.push(base.with_partial_expansion());
            }
        }
    }
    planners
}

/// A problem with units at random places; `None` if there is too little room.
pub(crate) fn random_problem(
    seed: u64,
    side: u32,
    percent: u32,
    units: usize,
    movement: MovementProfile,
) -> Option<ValidProblem> {
    let map = throng_testkit::random_map(seed, side, side, percent);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    if free.len() < units {
        return None;
    }
    let mut rng = throng_testkit::rng(seed ^ 0x5eed);
    let mut draw = || {
        let mut cells = free.clone();
        (0..units)
            .map(|_| cells.swap_remove(rng.random_range(0..cells.len() as u32) as usize))
            .collect::<Vec<_>>()
    };
    let (starts, goals) = (draw(), draw());
    let units = starts.into_iter().zip(goals).map(|(start, goal)| Unit::new(start, goal));
    Some(Problem::new(map, movement, units.collect()).validate().unwrap())
}

pub(crate) fn plan(planner: &JointAStar, problem: &ValidProblem) -> Report {
    planner.plan_detailed(problem, Budget::unlimited(), &mut Silent).unwrap().report
}

/// The solution, once the referee agrees with what it says.
#[track_caller]
pub(crate) fn refereed(problem: &Problem, objective: Objective, outcome: Outcome) -> Solution {
    let Outcome::Solved(solution) = outcome else { panic!("{outcome:?}") };
    let verdict = throng_referee::check(problem, &solution.plan);
    assert!(verdict.is_valid(), "{:?}", verdict.violations);
    let cost = match objective {
        Objective::SumOfCosts => verdict.sum_of_costs,
        Objective::TimeAway => verdict.time_away,
    };
    assert_eq!(cost, solution.cost);
    assert!(solution.proven_bound <= cost);
    solution
}

/// Units by letter: where they start in one drawing, and where they go in another.
pub(crate) fn drawn(starts: &str, goals: &str, movement: MovementProfile) -> ValidProblem {
    let mut units = Vec::new();
    for letter in 'a'..='z' {
        let place = |drawing| throng_testkit::find(drawing, letter).first().copied();
        if let Some((start, goal)) = place(starts).zip(place(goals)) {
            units.push(Unit::new(start, goal));
        }
    }
    Problem::new(throng_testkit::map(starts), movement, units).validate().unwrap()
}
