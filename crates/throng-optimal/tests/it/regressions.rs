//! Effort on random maps of the size of Standley's, and units of different profiles.

use throng_model::{Budget, MovementProfile, Objective, Silent};
use throng_optimal::JointAStar;

use crate::help::{random_problem, refereed};

/// Most expansions for thirty units on a map of the paper's size and density. Measured: a
/// tenth of it.
const EXPANSIONS_MAX: u64 = 200_000;

#[test]
fn thirty_units_on_a_map_like_the_papers_take_few_nodes() {
    let mut solved = 0;
    for seed in 0..10 {
        let problem = random_problem(seed, 32, 20, 30, crate::help::eight()).unwrap();
        let planner = JointAStar::new();
        let budget = Budget::expansions(EXPANSIONS_MAX);
        let report = planner.plan_detailed(&problem, budget, &mut Silent).unwrap().report;
        if let throng_model::Outcome::Solved(_) = report.outcome {
            let solution = refereed(&problem, Objective::SumOfCosts, report.outcome);
            assert_eq!(solution.cost, solution.proven_bound);
            solved += 1;
        }
    }
    assert!(solved >= 5, "only {solved} of 10");
}

#[test]
fn units_of_different_profiles_plan_together() {
    let problem = random_problem(11, 6, 15, 4, MovementProfile::four_connected()).unwrap();
    let mut problem = problem.into_inner();
    problem.movements.push(crate::help::eight());
    problem.units[1].movement = 1;
    problem.units.truncate(3);
    let problem = problem.validate().unwrap();
    let expected = throng_testkit::joint::optimum(&problem, Objective::SumOfCosts);
    let report =
        JointAStar::new().plan_detailed(&problem, Budget::unlimited(), &mut Silent).unwrap().report;
    let solution = refereed(&problem, Objective::SumOfCosts, report.outcome);
    assert_eq!(Some(solution.cost), expected);
}
