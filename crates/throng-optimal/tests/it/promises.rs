//! Budgets, caps, weights, threads, and what is not supported.

use std::cell::Cell as Counter;

use throng_model::Weight;
use throng_model::{
    Budget, Limit, MovementProfile, Objective, Observer, Outcome, Planner as _, Progress, Silent,
    ValidProblem,
};
use throng_optimal::{ExpansionOrder, Independence, JointAStar};

use crate::help::{OBJECTIVES, drawn, eight, plan, planners, random_problem, refereed};

/// A problem whose best plan takes some search, and what that costs.
fn crowded(seed: u64, movement: MovementProfile) -> (ValidProblem, u64) {
    let problem = random_problem(seed, 7, 20, 6, movement).unwrap();
    let outcome = plan(&JointAStar::new(), &problem).outcome;
    let cost = match outcome {
        Outcome::ProvenUnsolvable(_) => u64::MAX,
        outcome => refereed(&problem, Objective::SumOfCosts, outcome).cost,
    };
    (problem, cost)
}

/// The outcome is the optimum, or that the budget is spent with a bound that holds.
#[track_caller]
fn is_honest(outcome: &Outcome, optimum: u64) -> bool {
    match outcome {
        Outcome::Solved(solution) => {
            assert_eq!((solution.cost, solution.proven_bound), (optimum, optimum));
            false
        }
        Outcome::BudgetSpent { proven_bound, .. } => {
            assert!(*proven_bound <= optimum, "{proven_bound} for {optimum}");
            assert!(*proven_bound > 0);
            true
        }
        Outcome::ProvenUnsolvable(_) => {
            assert_eq!(optimum, u64::MAX);
            false
        }
        Outcome::Partial { .. } => panic!("{outcome:?}"),
    }
}

#[test]
fn caps_and_budgets_end_with_a_bound_that_holds() {
    let mut spent = 0;
    for seed in 0..5 {
        let (problem, optimum) = crowded(seed, MovementProfile::four_connected());
        for planner in planners() {
            for limit in [1, 30, 1000] {
                let capped = planner.clone().with_nodes_max(limit);
                let expansions = Budget::expansions(u64::from(limit));
                for (planner, budget) in
                    [(&capped, Budget::expansions(20_000)), (&planner, expansions)]
                {
                    let report = planner.plan(&problem, 0, budget, &mut Silent).unwrap();
                    assert!(report.reproducible);
                    assert!(budget.expansions.is_none_or(|most| report.expanded <= most));
                    spent += u32::from(is_honest(&report.outcome, optimum));
                }
            }
        }
    }
    assert!(spent > 100, "only {spent} were cut short");
}

#[test]
fn the_byte_cap_stops_a_search_that_would_not_end_soon() {
    let problem = random_problem(3, 16, 10, 12, eight()).unwrap();
    let planner =
        JointAStar::standard().with_decomposition(ExpansionOrder::Fixed).with_megabytes_max(1);
    let found = planner.plan_detailed(&problem, Budget::unlimited(), &mut Silent).unwrap();
    let outcome = &found.report.outcome;
    assert!(matches!(outcome, Outcome::BudgetSpent { limit: Limit::Memory, .. }), "{outcome:?}");
    assert!(found.statistics.bytes < 3 << 20, "{:?}", found.statistics);
}

#[test]
fn an_interrupted_plan_says_that_it_is_not_reproducible() {
    let problem = random_problem(3, 16, 10, 12, eight()).unwrap();
    let budget = Budget::unlimited().with_interrupt(&|| true);
    let report = JointAStar::standard().plan(&problem, 0, budget, &mut Silent).unwrap();
    assert!(!report.reproducible);
    assert!(matches!(report.outcome, Outcome::BudgetSpent { limit: Limit::Interrupt, .. }));
}

/// Three hundred units on an open map: without a look at the interrupt, distances, first
/// plans and conflicts would all be computed before the first expansion that asks.
#[test]
fn an_interrupt_is_heard_while_planning_is_prepared() {
    let problem = random_problem(5, 64, 0, 300, eight()).unwrap();
    for independence in [Independence::Off, Independence::Avoid] {
        for questions in [0, 1, 150, 299, 301, 450] {
            let asked = std::sync::atomic::AtomicU32::new(0);
            let order = std::sync::atomic::Ordering::Relaxed;
            let stop = || asked.fetch_add(1, order) >= questions;
            let budget = Budget::unlimited().with_interrupt(&stop);
            let planner = JointAStar::new().with_independence(independence);
            let report = planner.plan(&problem, 0, budget, &mut Silent).unwrap();
            let Outcome::BudgetSpent { limit, .. } = report.outcome else { panic!() };
            let is_too_large = independence == Independence::Off && questions > 299;
            let expected = if is_too_large { Limit::Size } else { Limit::Interrupt };
            assert_eq!((limit, report.reproducible), (expected, is_too_large), "{questions}");
            let most = if is_too_large { 300 } else { questions + 1 };
            assert_eq!(asked.into_inner(), most, "asked again after it said stop");
        }
    }
}

#[test]
fn a_weighted_answer_is_within_its_weight_and_its_bound_holds() {
    let mut costlier = 0;
    for seed in 0..20 {
        let (problem, optimum) = crowded(seed, eight());
        if optimum == u64::MAX {
            continue;
        }
        for permille in [1000, 1100, 1500, 3000] {
            let weight = Weight::from_permille(permille).unwrap();
            for planner in planners().into_iter().filter(|planner| planner.partial_expansion) {
                let planner = planner.with_weight(weight);
                let outcome = plan(&planner, &problem).outcome;
                let solution = refereed(&problem, Objective::SumOfCosts, outcome);
                assert!(solution.cost <= weight.times(solution.proven_bound), "{planner:?}");
                assert!((solution.proven_bound..=solution.cost).contains(&optimum));
                costlier += u32::from(solution.cost > optimum);
            }
        }
    }
    assert!(costlier > 0, "no weight made a difference");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for seed in 0..6 {
        let problem = random_problem(seed, 12, 20, 14, MovementProfile::four_connected()).unwrap();
        for independence in [Independence::Merge, Independence::Avoid] {
            for weight in [1000, 1100] {
                let planner = JointAStar::new()
                    .with_independence(independence)
                    .with_weight(Weight::from_permille(weight).unwrap());
                let budget = Budget::expansions(30_000);
                let run = |threads| {
                    let planner = planner.clone().with_threads(threads);
                    planner.plan_detailed(&problem, budget, &mut Silent).unwrap()
                };
                let alone = run(1);
                assert_eq!(alone, run(2));
                assert_eq!(alone, run(5));
            }
        }
    }
}

#[test]
fn a_unit_without_a_way_is_named() {
    let problem = drawn("a.#b.", ".a#.b", MovementProfile::four_connected());
    let walled = drawn("ab#..", "a.#.b", MovementProfile::four_connected());
    for planner in planners() {
        assert!(matches!(plan(&planner, &problem).outcome, Outcome::Solved(_)));
        let Outcome::ProvenUnsolvable(reason) = plan(&planner, &walled).outcome else {
            panic!("{planner:?}")
        };
        assert_eq!(reason, "unit 1 cannot get from (1,0) to (4,0): there is no way, even alone");
    }
}

#[test]
fn units_that_cannot_all_arrive_are_named() {
    let problem = drawn("ab.", "ba.", MovementProfile::four_connected());
    let Outcome::ProvenUnsolvable(reason) = plan(&JointAStar::new(), &problem).outcome else {
        panic!()
    };
    assert!(reason.starts_with("units 0, 1 cannot all reach their goals"), "{reason}");
}

#[test]
fn a_problem_without_units_is_solved() {
    let problem = drawn("...", "...", MovementProfile::four_connected());
    for planner in planners() {
        for objective in OBJECTIVES {
            let outcome = plan(&planner.clone().with_objective(objective), &problem).outcome;
            assert_eq!(refereed(&problem, objective, outcome).cost, 0);
        }
    }
}

struct Watcher<'a> {
    told: &'a Counter<u32>,
    best: u64,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, progress: Progress) {
        self.told.set(self.told.get() + 1);
        self.best = self.best.max(progress.lower_bound.unwrap());
        assert!(progress.groups.is_some());
    }
}

#[test]
fn the_observer_hears_of_nodes_bound_and_groups() {
    let told = Counter::new(0);
    let problem = random_problem(3, 16, 10, 12, eight()).unwrap();
    let planner =
        JointAStar::standard().with_decomposition(ExpansionOrder::Fixed).with_nodes_max(40_000);
    let mut watcher = Watcher { told: &told, best: 0 };
    let found = planner.plan_detailed(&problem, Budget::unlimited(), &mut watcher).unwrap();
    let Outcome::BudgetSpent { proven_bound, .. } = found.report.outcome else { panic!() };
    assert!(told.get() > 1 && (1..=proven_bound).contains(&watcher.best));
}
