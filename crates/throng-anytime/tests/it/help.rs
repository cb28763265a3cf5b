//! Shared by the tests: movements, problems, and plans that the referee has checked.

use throng_anytime::Lacam;
use throng_model::{
    Budget, Cell, CornerRule, DiagonalCost, Map, MovementProfile, Outcome, Planner as _, Problem,
    Report, Silent, Unit, ValidProblem,
};

/// The 4-connected world and the 8-connected ones with each rule for corners.
pub(crate) fn movements() -> Vec<MovementProfile> {
    let eight = |corners| MovementProfile {
        corners,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    };
    let corners = [CornerRule::AlwaysCut, CornerRule::OneSideFree, CornerRule::NeverCut];
    std::iter::once(MovementProfile::four_connected()).chain(corners.map(eight)).collect()
}

pub(crate) fn problem(
    map: &Map,
    movement: &MovementProfile,
    starts: &[Cell],
    goals: &[Cell],
) -> ValidProblem {
    let units = starts.iter().zip(goals).map(|(&start, &goal)| Unit::new(start, goal)).collect();
    Problem::new(map.clone(), movement.clone(), units).validate().unwrap()
}

pub(crate) fn plan(planner: &Lacam, problem: &ValidProblem, budget: Budget<'_>) -> Report {
    planner.plan(problem, 1, budget, &mut Silent).unwrap()
}

/// Whether the planner found a plan, which the referee must accept, or proved that there is
/// none.
#[track_caller]
pub(crate) fn is_solved(planner: &Lacam, problem: &ValidProblem) -> bool {
    match plan(planner, problem, Budget::unlimited()).outcome {
        Outcome::Solved(solution) => {
            let verdict = throng_referee::check(problem, &solution.plan);
            assert!(verdict.is_valid(), "{:?} {planner:?} {problem:?}", verdict.violations);
            assert_eq!(verdict.sum_of_costs, solution.cost);
            assert!(solution.proven_bound <= solution.cost);
            true
        }
        Outcome::ProvenUnsolvable(_) => false,
        other => panic!("{other:?}: {planner:?} {problem:?}"),
    }
}
