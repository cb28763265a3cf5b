//! The paper's figures, as maps.

use throng_model::{Budget, Movement, Objective, Outcome, Silent, ValidProblem};
use throng_optimal::JointAStar;

use crate::help::{OBJECTIVES, drawn, eight, plan, planners, refereed};

/// Every combination of switches finds a plan of this cost, for both objectives; `None`: all
/// prove that there is none.
#[track_caller]
fn costs(starts: &str, goals: &str, movement: &Movement, expected: Option<u64>) {
    let problem = drawn(starts, goals, movement.clone());
    for objective in OBJECTIVES {
        for planner in planners() {
            let planner = planner.with_objective(objective);
            match (plan(&planner, &problem).outcome, expected) {
                (Outcome::ProvenUnsolvable(_), None) => {}
                (outcome, expected) => {
                    let solution = refereed(&problem, objective, outcome);
                    assert_eq!(Some(solution.cost), expected, "{planner:?}");
                    assert_eq!(solution.proven_bound, solution.cost);
                }
            }
        }
    }
}

/// Ten units among walls; most are not in each other's way.
#[test]
fn figure_1_falls_apart_into_small_groups() {
    let starts = "
        ..a....#..
        .#..b..#c.
        .#d.......
        ...#..e.#.
        .f.#....#.
        ....g.....
        ##.....h..
        ...i.#....
        .j...#....
        ..........";
    let goals = "
        d......#.c
        .#.....#..
        .#....a..b
        ..f#....#.
        ...#.e..#.
        ..h...g...
        ##........
        .....#...i
        .....#.j..
        ..........";
    let problem = drawn(starts, goals, eight());
    for objective in OBJECTIVES {
        let planner = JointAStar::new().with_objective(objective);
        let found = planner.plan_detailed(&problem, Budget::unlimited(), &mut Silent);
        let solution = refereed(&problem, objective, found.report.outcome);
        assert_eq!(solution.cost, solution.proven_bound);
        assert_eq!(problem.units.len(), 10);
        assert!(found.statistics.groups >= 7, "{:?}", found.statistics);
    }
}

#[test]
fn figure_2_left_two_units_cannot_exchange_places() {
    costs("ab", "ba", &eight(), None);
    costs("ab.", "ba.", &Movement::four_connected(), None);
    // With a cell beside the way, one of them goes around.
    let starts = "
        ab
        ..";
    let goals = "
        ba
        ..";
    costs(starts, goals, &eight(), Some(3));
    costs(starts, goals, &Movement::four_connected(), Some(4));
}

#[test]
fn figure_2_right_two_units_cannot_cross() {
    let starts = "
        ab
        ..";
    let goals = "
        ..
        ba";
    costs(starts, goals, &eight(), Some(3));
}

#[test]
fn figure_3_a_rotation_is_legal() {
    let starts = "
        ab
        dc";
    let goals = "
        da
        cb";
    costs(starts, goals, &Movement::four_connected(), Some(4));
    costs(starts, goals, &eight(), Some(4));
}

/// Decomposed without care, the first unit could never enter the cell of the second.
#[test]
fn figure_4_two_units_move_east_together() {
    let starts = "
        .###
        ab.#";
    let goals = "
        .###
        .ab#";
    costs(starts, goals, &eight(), Some(2));
    costs(starts, goals, &Movement::four_connected(), Some(2));
}

/// A unit that rests on its goal, gives way and comes back pays less for time away.
#[test]
fn the_objectives_differ_for_a_unit_that_gives_way() {
    let starts = "
        a...b
        ####.";
    let goals = "
        ....a
        ####b";
    let problem = drawn(starts, goals, Movement::four_connected());
    costs(starts, goals, &Movement::four_connected(), Some(5));
    let passing = drawn(
        "
        a...b.
        ####.#",
        "
        ....ba
        ####.#",
        Movement::four_connected(),
    );
    let cost = |problem: &ValidProblem, objective| {
        let planner = JointAStar::new().with_objective(objective);
        refereed(problem, objective, plan(&planner, problem).outcome).cost
    };
    assert_eq!(cost(&problem, Objective::TimeAway), 5);
    assert_eq!(cost(&passing, Objective::TimeAway), 7);
    assert_eq!(cost(&passing, Objective::SumOfCosts), 10);
}
