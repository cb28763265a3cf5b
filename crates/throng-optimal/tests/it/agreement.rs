//! Every combination of switches agrees with brute force.

use throng_model::{MovementProfile, Outcome, ValidProblem};

use crate::help::{OBJECTIVES, eight, plan, planners, random_problem, refereed};

#[track_caller]
fn agrees(problem: &ValidProblem, name: &str) {
    for objective in OBJECTIVES {
        let expected = throng_testkit::joint::optimum(problem, objective);
        for planner in planners() {
            let planner = planner.with_objective(objective);
            let outcome = plan(&planner, problem).outcome;
            let found = match outcome {
                Outcome::ProvenUnsolvable(_) => None,
                outcome => {
                    let solution = refereed(problem, objective, outcome);
                    assert_eq!(solution.cost, solution.proven_bound, "{name} {planner:?}");
                    Some(solution.cost)
                }
            };
            assert_eq!(found, expected, "{name} {planner:?}");
        }
    }
}

#[test]
fn small_random_problems() {
    for (movement, kind) in [(MovementProfile::four_connected(), 4), (eight(), 8)] {
        for seed in 0..60 {
            let (side, units) = [(2, 2), (3, 2), (3, 3), (4, 2)][seed as usize % 4];
            if let Some(problem) = random_problem(seed, side, 25, units, movement.clone()) {
                agrees(&problem, &format!("{kind}-connected, seed {seed}"));
            }
        }
    }
}
