//! LaCAM's promises: legal plans, honest answers, the same plan for any number of threads.

use throng_anytime::Lacam;
use throng_model::{Budget, Limit, Map, MovementProfile, Outcome, Problem, Unit};
use throng_testkit::{find, map};

use crate::help::{is_solved, plan, problem};

#[test]
fn two_units_in_a_corridor_without_a_junction_are_proven_unsolvable() {
    let drawing = "a..b";
    let ends = [find(drawing, 'a')[0], find(drawing, 'b')[0]];
    let problem =
        problem(&map(drawing), &MovementProfile::four_connected(), &ends, &[ends[1], ends[0]]);
    assert!(!is_solved(&Lacam::default(), &problem));
}

#[test]
fn units_exchange_places_in_a_corridor_with_a_niche() {
    let drawing = "a..b..\n###.##";
    let ends = [find(drawing, 'a')[0], find(drawing, 'b')[0]];
    let problem =
        problem(&map(drawing), &MovementProfile::four_connected(), &ends, &[ends[1], ends[0]]);
    assert!(is_solved(&Lacam::default(), &problem));
}

#[test]
fn an_unreachable_goal_is_named() {
    let units = vec![Unit::new((0, 0), (0, 0)), Unit::new((0, 1), (2, 0))];
    let problem = Problem::new(map(".#.\n.#."), MovementProfile::four_connected(), units);
    let report = plan(&Lacam::default(), &problem.validate().unwrap(), Budget::unlimited());
    let Outcome::ProvenUnsolvable(why) = report.outcome else { panic!("{report:?}") };
    assert!(why.starts_with("unit 1 cannot get from (0,1) to (2,0)"), "{why}");
}

/// A crowd on an open map whose units go to the opposite cells.
fn crowd() -> throng_model::ValidProblem {
    let map = Map::empty(12, 12).unwrap();
    let cells: Vec<_> = map.cells().collect();
    let starts: Vec<_> = cells.iter().copied().take(70).collect();
    let goals: Vec<_> = cells.iter().rev().copied().take(70).collect();
    problem(&map, &MovementProfile::four_connected(), &starts, &goals)
}

#[test]
fn a_spent_budget_gives_a_legal_plan() {
    for budget in [0, 70, 300, 1000] {
        let report = plan(&Lacam::default(), &crowd(), Budget::expansions(budget));
        assert!(report.expanded <= budget && report.reproducible);
        let Outcome::BudgetSpent { best: Some(best), limit, .. } = report.outcome else {
            panic!("{report:?}")
        };
        assert_eq!(limit, Limit::Expansions);
        assert!(throng_referee::check(&crowd(), &best).is_legal());
    }
}

#[test]
fn an_interrupt_is_told_from_a_spent_budget() {
    let stop = || true;
    let budget = Budget::unlimited().with_interrupt(&stop);
    let report = plan(&Lacam::default(), &crowd(), budget);
    assert!(!report.reproducible);
    let Outcome::BudgetSpent { limit, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(limit, Limit::Interrupt);
}

#[test]
fn the_limit_on_memory_is_kept() {
    let planner = Lacam { megabytes_max: 0, ..Lacam::default() };
    let report = plan(&planner, &crowd(), Budget::unlimited());
    let Outcome::BudgetSpent { limit, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(limit, Limit::Memory);
}

#[test]
fn threads_do_not_change_the_report() {
    let one = plan(&Lacam::default(), &crowd(), Budget::unlimited());
    for threads in [2, 8] {
        let planner = Lacam { threads, ..Lacam::default() };
        assert_eq!(plan(&planner, &crowd(), Budget::unlimited()), one);
    }
}

#[test]
fn what_is_not_supported_is_named() {
    use throng_model::{PlanError, Planner as _, Silent};
    let refused = |movements: Vec<MovementProfile>| {
        let units = vec![
            Unit::new((0, 0), (3, 3)),
            Unit { movement: movements.len() - 1, ..Unit::new((4, 4), (0, 4)) },
        ];
        let problem = Problem {
            movements,
            ..Problem::new(Map::empty(8, 8).unwrap(), MovementProfile::four_connected(), units)
        };
        let result = Lacam::default().plan(
            &problem.validate().unwrap(),
            0,
            Budget::unlimited(),
            &mut Silent,
        );
        let Err(PlanError::Unsupported { movement, .. }) = result else { panic!("{result:?}") };
        movement
    };
    let four = MovementProfile::four_connected;
    assert_eq!(refused(vec![MovementProfile { pace: 3, ..four() }]), "a pace of 3 ticks per step");
    let eight = MovementProfile::eight_connected();
    let uneven = MovementProfile { diagonal: throng_model::DiagonalCost::Ticks(2), ..eight };
    assert!(refused(vec![uneven]).starts_with("steps of several durations"));
    assert_eq!(
        refused(vec![MovementProfile { footprint: 2, ..four() }]),
        "a footprint of 2 x 2 cells"
    );
    assert_eq!(
        refused(vec![four(), MovementProfile::eight_connected()]),
        "several movement profiles in one problem"
    );
}
