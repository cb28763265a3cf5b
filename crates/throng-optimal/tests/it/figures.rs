//! The paper's figures, as maps.

use throng_model::{
    Budget, Conflicts, MovementProfile, Objective, Outcome, Plan, Problem, Silent, ValidProblem,
};
use throng_optimal::{Independence, JointAStar};

use crate::help::{OBJECTIVES, drawn, eight, plan, planners, refereed};

/// Every combination of techniques finds a plan of this cost, for both objectives; `None`: all
/// prove that there is none.
#[track_caller]
fn costs(starts: &str, goals: &str, movement: &MovementProfile, expected: Option<u64>) {
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
        let found = planner.plan_detailed(&problem, Budget::unlimited(), &mut Silent).unwrap();
        let solution = refereed(&problem, objective, found.report.outcome);
        assert_eq!(solution.cost, solution.proven_bound);
        assert_eq!(problem.units.len(), 10);
        assert!(found.statistics.groups >= 7, "{:?}", found.statistics);
        let merge = planner.with_independence(Independence::Merge);
        let merged =
            merge.clone().plan_detailed(&problem, Budget::unlimited(), &mut Silent).unwrap();
        assert!((5..10).contains(&merged.statistics.groups), "{:?}", merged.statistics);
        assert!(merged.statistics.most_expanded < merged.statistics.expanded);
        let whole = merge.with_independence(Independence::Off);
        let budget = Budget::expansions(500);
        let whole = whole.plan_detailed(&problem, budget, &mut Silent).unwrap().statistics;
        assert_eq!(whole.most_expanded, whole.expanded, "one search");
        assert_eq!(refereed(&problem, objective, merged.report.outcome).cost, solution.cost);
    }
}

#[test]
fn figure_2_left_two_units_cannot_exchange_places() {
    costs("ab", "ba", &eight(), None);
    costs("ab.", "ba.", &MovementProfile::four_connected(), None);
    // With a cell beside the way, one of them goes around.
    let starts = "
        ab
        ..";
    let goals = "
        ba
        ..";
    costs(starts, goals, &eight(), Some(3));
    costs(starts, goals, &MovementProfile::four_connected(), Some(4));
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

/// It is the rule that forbids it: where it does not count, both go straight through.
#[test]
fn figure_2_is_allowed_where_it_does_not_count() {
    let below = "
        ab
        ..";
    let crossed = "
        ..
        ba";
    let free = Conflicts { swap: false, crossing: false };
    for (starts, goals, allowed) in [
        ("ab", "ba", Conflicts { crossing: true, ..free }),
        (below, crossed, Conflicts { swap: true, ..free }),
    ] {
        let mut problem = drawn(starts, goals, eight()).into_inner();
        problem.conflicts = allowed;
        let problem = problem.validate().unwrap();
        for objective in OBJECTIVES {
            for planner in planners() {
                let outcome = plan(&planner.with_objective(objective), &problem).outcome;
                assert_eq!(refereed(&problem, objective, outcome).cost, 2);
            }
        }
        let straight = problem.units.iter().map(|unit| vec![unit.start, unit.goal]).collect();
        let problem = Problem { conflicts: Conflicts::default(), ..problem.into_inner() };
        assert!(!throng_referee::check(&problem, &Plan { paths: straight }).is_legal());
    }
}

#[test]
fn figure_3_a_rotation_is_legal() {
    let starts = "
        ab
        dc";
    let goals = "
        da
        cb";
    costs(starts, goals, &MovementProfile::four_connected(), Some(4));
    costs(starts, goals, &eight(), Some(4));
    all_move_at_once(starts, goals, &MovementProfile::four_connected());
    all_move_at_once(starts, goals, &eight());
}

#[test]
fn figure_3_rotations_of_three_and_of_eight() {
    let starts = "
        ab
        c#";
    let goals = "
        ca
        b#";
    costs(starts, goals, &eight(), Some(3));
    all_move_at_once(starts, goals, &eight());
    let starts = "
        abc
        h#d
        gfe";
    let goals = "
        hab
        g#c
        fed";
    costs(starts, goals, &MovementProfile::four_connected(), Some(8));
    all_move_at_once(starts, goals, &MovementProfile::four_connected());
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
    for movement in [eight(), MovementProfile::four_connected()] {
        costs(starts, goals, &movement, Some(2));
        all_move_at_once(starts, goals, &movement);
        assert_eq!(naive(&drawn(starts, goals, movement)), 3);
    }
}

/// What the best plan costs if the first unit, in the first tick, must not enter the cell that
/// the second is about to leave: it can only go north or stay.
fn naive(problem: &ValidProblem) -> u64 {
    let [first, second] = [problem.units[0], problem.units[1]];
    let steps = |from| throng_testkit::oracle::steps(&problem.map, &problem.movements[0], from);
    let legal = steps(first.start).into_iter().map(|(to, _)| to).filter(|&to| to != second.start);
    let legal: Vec<_> = legal.chain([first.start]).collect();
    assert_eq!(legal, [first.start.offset(0, -1).unwrap(), first.start]);
    let onward = |at| {
        let mut later = Problem::clone(problem);
        (later.units[0].start, later.units[1].start) = (at, second.goal);
        2 + throng_testkit::joint::optimum(&later, Objective::TimeAway).unwrap()
    };
    legal.into_iter().map(onward).min().unwrap()
}

/// Every combination of techniques finds the plan of a single tick in which every unit moves.
#[track_caller]
fn all_move_at_once(starts: &str, goals: &str, movement: &MovementProfile) {
    let problem = drawn(starts, goals, movement.clone());
    let expected = problem.units.iter().map(|unit| vec![unit.start, unit.goal]).collect();
    let expected = Plan { paths: expected };
    for objective in OBJECTIVES {
        for planner in planners() {
            let outcome = plan(&planner.with_objective(objective), &problem).outcome;
            assert_eq!(refereed(&problem, objective, outcome).plan, expected);
        }
    }
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
    let problem = drawn(starts, goals, MovementProfile::four_connected());
    costs(starts, goals, &MovementProfile::four_connected(), Some(5));
    let passing = drawn(
        "
        a...b.
        ####.#",
        "
        ....ba
        ####.#",
        MovementProfile::four_connected(),
    );
    let cost = |problem: &ValidProblem, objective| {
        let planner = JointAStar::new().with_objective(objective);
        refereed(problem, objective, plan(&planner, problem).outcome).cost
    };
    assert_eq!(cost(&problem, Objective::TimeAway), 5);
    assert_eq!(cost(&passing, Objective::TimeAway), 7);
    assert_eq!(cost(&passing, Objective::SumOfCosts), 10);
}
