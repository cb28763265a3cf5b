//! Interrupts stop planners at once, and what is spent is counted.

use std::sync::atomic::{AtomicU32, Ordering};

use throng_cooperative::{Arrival, CooperativeAStar, LocalRepair, Windowed};
use throng_model::{
    Budget, Map, MovementProfile, Outcome, Planner, Problem, Report, Silent, Unit, ValidProblem,
};

fn planners() -> Vec<(&'static str, Box<dyn Planner>)> {
    let paper = |planner| CooperativeAStar { arrival: Arrival::Obstacle, ..planner };
    vec![
        ("LRA*", Box::new(LocalRepair::default())),
        ("CA*", Box::new(CooperativeAStar::ca())),
        ("HCA*", Box::new(CooperativeAStar::hca())),
        ("CA* of the paper", Box::new(paper(CooperativeAStar::ca()))),
        ("HCA* of the paper", Box::new(paper(CooperativeAStar::hca()))),
        ("WHCA*", Box::new(Windowed::default())),
    ]
}

/// Units from corner to corner of a map that has a wall with a gap at one end, so that
/// everyone floods half of the map to find out.
fn wide(side: u16) -> ValidProblem {
    let mut map = Map::empty(u32::from(side), u32::from(side)).unwrap();
    let wall = throng_model::Rect::new((side / 2, 1).into(), 1, side - 1);
    map.fill(wall, Map::WALL).unwrap();
    let unit = |row| Unit::new((0, side - 1 - row), (side - 1, side - 8 + row));
    let units = (0..8).map(unit).collect();
    Problem::new(map, MovementProfile::four_connected(), units).validate().unwrap()
}

fn is_spent(problem: &ValidProblem, report: &Report) -> bool {
    let Outcome::BudgetSpent { best, .. } = &report.outcome else { return false };
    let is_legal = |plan| throng_referee::check(problem, plan).is_legal();
    best.as_ref().is_none_or(is_legal)
}

#[test]
fn an_interrupt_is_heard_in_the_middle_of_a_search() {
    let problem = wide(500);
    for (name, planner) in planners() {
        for questions in [0, 1, 5, 20] {
            let asked = AtomicU32::new(0);
            let is_late = || asked.fetch_add(1, Ordering::Relaxed) >= questions;
            let budget = Budget::unlimited().with_interrupt(&is_late);
            let report = planner.plan(&problem, 0, budget, &mut Silent).unwrap();
            let what = format!("{name}, interrupted after {questions} questions");
            assert!(is_spent(&problem, &report) && !report.reproducible, "{what}");
            // A question for about a thousand nodes, and what is open runs dry.
            let most = 1100 * (u64::from(questions) + 1) + 3000;
            assert!(report.expanded < most, "{what}: {} expanded", report.expanded);
        }
    }
}

/// A unit whose plan was interrupted must not flood the map to find its next step.
#[test]
fn an_interrupt_among_the_first_plans_ends_the_turn() {
    let problem = wide(500);
    let planner = CooperativeAStar { arrival: Arrival::Obstacle, ..CooperativeAStar::hca() };
    let report = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
    // The first polls are those of the true distances; the plans come last.
    let polls = (report.expanded / 1024) as u32;
    let late_polls = [polls / 2, polls * 3 / 4, polls * 9 / 10];
    for questions in late_polls {
        let asked = AtomicU32::new(0);
        let is_late = || asked.fetch_add(1, Ordering::Relaxed) >= questions;
        let budget = Budget::unlimited().with_interrupt(&is_late);
        let report = planner.plan(&problem, 0, budget, &mut Silent).unwrap();
        assert!(is_spent(&problem, &report) && !report.reproducible, "{questions}");
        let most = 1100 * u64::from(questions) + 5000;
        assert!(report.expanded < most, "{questions}: {} expanded", report.expanded);
    }
}

#[test]
fn the_first_distances_and_the_planners_of_the_paper_keep_to_the_budget() {
    let problem = wide(200);
    for (name, planner) in planners() {
        for expansions in [0, 10, 3000, 30_000] {
            let what = format!("{name}, {expansions} expansions");
            let report =
                planner.plan(&problem, 0, Budget::expansions(expansions), &mut Silent).unwrap();
            assert!(
                is_spent(&problem, &report) && report.reproducible,
                "{what}: {:?}",
                report.outcome
            );
            let most = expansions + expansions / 2 + 1000;
            assert!(report.expanded <= most, "{what}: {} expanded", report.expanded);
        }
    }
}

#[test]
fn a_budget_of_what_it_took_is_enough() {
    let problem = wide(40);
    for (name, planner) in planners() {
        let free = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
        assert!(matches!(free.outcome, Outcome::Solved(_)), "{name}");
        let just = Budget::expansions(free.expanded);
        assert!(
            free == planner.plan(&problem, 0, just, &mut Silent).unwrap(),
            "{name}: just enough"
        );
        let less = Budget::expansions(free.expanded / 2);
        assert!(
            is_spent(&problem, &planner.plan(&problem, 0, less, &mut Silent).unwrap()),
            "{name}: half"
        );
    }
}

/// Two units that face each other in a corridor, and two undisturbed ones in a room beside it.
#[test]
fn those_that_can_arrive_do_when_others_cannot() {
    let map = throng_testkit::map("......\n@@@@@@\n......\n......\n");
    let units = vec![
        Unit::new((0, 0), (5, 0)),
        Unit::new((5, 0), (0, 0)),
        Unit::new((0, 2), (5, 3)),
        Unit::new((5, 2), (0, 3)),
    ];
    let problem = Problem::new(map, MovementProfile::four_connected(), units).validate().unwrap();
    for planner in [CooperativeAStar::ca(), CooperativeAStar::hca()] {
        let report = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
        let Outcome::Partial { plan, arrived } = report.outcome else { panic!("not partial") };
        let verdict = throng_referee::check(&problem, &plan);
        assert!(verdict.is_legal(), "{:?}", verdict.violations);
        assert_eq!((arrived, verdict.arrived), (2, 2));
    }
}

/// The first of the corridor would walk through the second: it has to stay, and each unit that needs
/// its place too.
#[test]
fn a_unit_that_would_run_into_one_that_stays_stays_too() {
    let map = throng_testkit::map(".......\n");
    let units =
        vec![Unit::new((1, 0), (6, 0)), Unit::new((6, 0), (0, 0)), Unit::new((0, 0), (1, 0))];
    let problem = Problem::new(map, MovementProfile::four_connected(), units).validate().unwrap();
    let report =
        CooperativeAStar::hca().plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
    let Outcome::Partial { plan, arrived } = report.outcome else { panic!("not partial") };
    assert_eq!((arrived, throng_referee::check(&problem, &plan).arrived), (0, 0));
}
