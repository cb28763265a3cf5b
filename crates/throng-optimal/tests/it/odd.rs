//! Odd problems: nothing to do, nothing that can be done, and more than can be done.

use throng_model::Weight;
use throng_model::{
    Budget, Cell, DiagonalCost, Factor, Map, MovementProfile, Objective, Outcome, Problem, Silent,
    TerrainId, TerrainOverride, Unit, ValidProblem,
};
use throng_optimal::JointAStar;

use crate::brute::{judge, weighted};
use crate::help::{OBJECTIVES, drawn, eight, plan, planners, refereed};

/// All planners, weighted ones too, agree with the oracle on what the drawing costs by each
/// objective; `None`: there is no plan.
#[track_caller]
fn costs(starts: &str, goals: &str, movement: &MovementProfile, expected: Option<[u64; 2]>) {
    let problem = drawn(starts, goals, movement.clone());
    for (index, objective) in OBJECTIVES.into_iter().enumerate() {
        let expected = expected.map(|costs| costs[index]);
        assert_eq!(throng_testkit::joint::optimum(&problem, objective), expected);
        for planner in planners().into_iter().chain(weighted()) {
            judge(&planner.with_objective(objective), &problem, expected);
        }
    }
}

#[test]
fn a_map_of_one_cell() {
    costs("a", "a", &eight(), Some([0, 0]));
}

#[test]
fn every_unit_starts_on_its_goal() {
    costs("ab#c", "ab#c", &MovementProfile::four_connected(), Some([0, 0]));
}

#[test]
fn two_cells_leave_no_room_to_exchange() {
    costs("ab", "ba", &MovementProfile::four_connected(), None);
    costs("ab", "ba", &eight(), None);
}

#[test]
fn a_full_map_where_no_unit_can_move() {
    costs("abc", "abc", &eight(), Some([0, 0]));
    costs("abc", "acb", &eight(), None);
}

#[test]
fn a_corridor_where_one_stands_in_the_way_for_ever() {
    costs("ab...", "..ba.", &MovementProfile::four_connected(), None);
    costs("a.b", ".ab", &MovementProfile::four_connected(), Some([1, 1]));
    costs("ab", ".a", &MovementProfile::four_connected(), Some([1, 1]));
}

/// Unit b is at home in a doorway that a has to pass.
#[test]
fn one_at_home_lets_another_pass() {
    let starts = "
        #.#
        ab.";
    let goals = "
        #.#
        .ba";
    costs(starts, goals, &MovementProfile::four_connected(), Some([4, 4]));
}

#[test]
fn a_goal_in_the_doorway_waits_for_those_behind() {
    let starts = "
        ab.
        ###";
    let goals = "
        .ab
        ###";
    costs(starts, goals, &MovementProfile::four_connected(), Some([2, 2]));
    let starts = "
        #.#
        b.a";
    let goals = "
        #.#
        .ab";
    costs(starts, goals, &MovementProfile::four_connected(), Some([6, 6]));
}

#[test]
fn a_goal_behind_a_wall_is_proven_out_of_reach() {
    costs("a.#.", "..#a", &eight(), None);
    let starts = "
        a#
        #.";
    let goals = "
        .#
        #a";
    costs(starts, goals, &MovementProfile::four_connected(), None);
    costs(starts, goals, &MovementProfile::eight_connected(), None);
    costs(starts, goals, &eight(), Some([1, 1]));
}

/// Terrain and the length of diagonals change what a path costs, not how long it takes.
#[test]
fn a_step_takes_a_tick_on_any_ground() {
    for seed in 0..40 {
        let map = throng_testkit::random_terrain(seed, 4, 3, 25, 9);
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        if free.len() < 4 {
            continue;
        }
        let last = free.len() - 1;
        let swamp = TerrainOverride { terrain: TerrainId(2), factor: None };
        let plain = TerrainOverride { terrain: TerrainId(5), factor: Some(Factor::ONE) };
        for diagonal in [DiagonalCost::TrueLength, DiagonalCost::OneTick] {
            for terrain in [vec![], vec![swamp, plain]] {
                let movement = MovementProfile { diagonal, terrain, ..eight() };
                let ends = [(free[0], free[last]), (free[last], free[1]), (free[1], free[0])];
                let units = ends.map(|(start, goal)| Unit::new(start, goal)).to_vec();
                let Ok(problem) = Problem::new(map.clone(), movement, units).validate() else {
                    continue;
                };
                let expected = throng_testkit::joint::optimum(&problem, Objective::SumOfCosts);
                planners().iter().for_each(|planner| judge(planner, &problem, expected));
            }
        }
    }
}

#[test]
fn settings_at_their_ends_change_nothing() {
    let starts = "
        a.b
        .#.";
    let goals = "
        b.a
        .#.";
    let problem = drawn(starts, goals, eight());
    let expected = throng_testkit::joint::optimum(&problem, Objective::SumOfCosts);
    for portions in [[0, 0, 0], [1, 1, 1], [u32::MAX, 1, 0]] {
        for planner in planners() {
            judge(&JointAStar { portions, threads: 0, ..planner }, &problem, expected);
        }
    }
    let weight = Weight::MAX;
    for planner in planners() {
        let caps =
            planner.with_weight(weight).with_nodes_max(u32::MAX).with_megabytes_max(u32::MAX);
        judge(&caps, &problem, expected);
    }
}

/// Three hundred units, each one step from its goal.
fn parade() -> ValidProblem {
    let units = (0..300).map(|row| Unit::new((0, row), (1, row))).collect();
    let map = Map::empty(2, 300).unwrap();
    Problem::new(map, MovementProfile::four_connected(), units).validate().unwrap()
}

#[test]
fn more_units_than_a_group_can_have_get_an_honest_answer() {
    let problem = parade();
    for objective in OBJECTIVES {
        let planner = JointAStar::new().with_objective(objective);
        assert_eq!(refereed(&problem, objective, plan(&planner, &problem).outcome).cost, 300);
        let found = JointAStar::standard()
            .plan_detailed(&problem, Budget::unlimited(), &mut Silent)
            .unwrap();
        let Outcome::BudgetSpent { proven_bound, .. } = found.report.outcome else { panic!() };
        assert_eq!(proven_bound, 300);
    }
}

/// A large or slow movement profile does no harm where no unit has it, nor where all units rest.
#[test]
fn large_and_slow_profiles_do_no_harm() {
    for odd in [
        MovementProfile { footprint: 2, ..MovementProfile::four_connected() },
        MovementProfile { pace: 2, ..MovementProfile::four_connected() },
    ] {
        let mut unused = drawn("a...", "..a.", MovementProfile::four_connected()).into_inner();
        unused.movements.insert(0, odd.clone());
        unused.units[0].movement = 1;
        let starts = "
            a.b.
            ....";
        let at_home = drawn(starts, starts, odd.clone()).into_inner();
        let no_units = drawn("...", "...", odd).into_inner();
        for (problem, cost) in [(unused, 2), (at_home, 0), (no_units, 0)] {
            let problem = problem.validate().unwrap();
            for objective in OBJECTIVES {
                let planner = JointAStar::new().with_objective(objective);
                let found = refereed(&problem, objective, plan(&planner, &problem).outcome);
                assert_eq!((found.cost, found.proven_bound), (cost, cost));
            }
        }
    }
}
