//! Effort on random maps of the size of Standley's, and units of different profiles.

use throng_model::{Budget, MovementProfile, Objective, Outcome, Silent};
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

use crate::help::{OBJECTIVES, eight, random_problem, refereed};

/// Most expansions for thirty units on a map of the paper's size and density. Measured: a
/// tenth of it.
const EXPANSIONS_MAX: u64 = 200_000;

#[test]
fn thirty_units_on_a_map_like_the_papers_take_few_nodes() {
    let mut solved = 0;
    for seed in 0..10 {
        let problem = random_problem(seed, 32, 20, 30, eight()).unwrap();
        let planner = JointAStar::new();
        let budget = Budget::expansions(EXPANSIONS_MAX);
        let report = planner.plan_detailed(&problem, budget, &mut Silent).unwrap().report;
        if let Outcome::Solved(_) = report.outcome {
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
    problem.movements.push(eight());
    problem.units[1].movement = 1;
    problem.units.truncate(3);
    let problem = problem.validate().unwrap();
    let expected = throng_testkit::joint::optimum(&problem, Objective::SumOfCosts);
    let report =
        JointAStar::new().plan_detailed(&problem, Budget::unlimited(), &mut Silent).unwrap().report;
    let solution = refereed(&problem, Objective::SumOfCosts, report.outcome);
    assert_eq!(Some(solution.cost), expected);
}

/// Partial expansion chose other plans of the same cost. Independence detection then merged other
/// groups, and an instance of the paper's experiment took a hundred times as many nodes.
#[test]
fn partial_expansion_finds_the_same_plan_as_full_expansion() {
    let mut compared = 0;
    for seed in 0..40 {
        let Some(problem) = random_problem(seed, 12, 20, 9, eight()) else { continue };
        for objective in OBJECTIVES {
            for order in [ExpansionOrder::Fixed, ExpansionOrder::Dynamic] {
                let full = JointAStar::standard()
                    .with_heuristic(Heuristic::Sum)
                    .with_independence(Independence::Merge)
                    .with_decomposition(order)
                    .with_objective(objective);
                let partial = full.clone().with_partial_expansion();
                let budget = Budget::expansions(20_000);
                let [full, partial] = [full, partial]
                    .map(|planner| planner.plan_detailed(&problem, budget, &mut Silent).unwrap());
                let (Outcome::Solved(_), Outcome::Solved(_)) =
                    (&full.report.outcome, &partial.report.outcome)
                else {
                    continue;
                };
                assert_eq!(full.report.outcome, partial.report.outcome, "seed {seed}");
                assert!(partial.report.generated <= full.report.generated, "seed {seed}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} compared");
}
