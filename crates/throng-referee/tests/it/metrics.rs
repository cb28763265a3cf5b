//! The costs of plans, in a corridor of one row.

use throng_model::{Cell, Map, MovementProfile, Plan, Problem, Unit};
use throng_referee::check;

/// Columns of each unit by tick, and its goal column.
fn check_costs(
    paths: &[(&[u16], u16)],
    sum_of_costs: u64,
    time_away: u64,
    makespan: u32,
    arrived: usize,
) {
    let cell = |x: u16| Cell::new(x, 0);
    let start = |columns: &[u16]| cell(columns.first().copied().unwrap_or(0));
    let units =
        paths.iter().map(|(columns, goal)| Unit::new(start(columns), cell(*goal))).collect();
    let problem =
        Problem::new(Map::empty(20, 1).unwrap(), MovementProfile::four_connected(), units);
    let plan = Plan {
        paths: paths
            .iter()
            .map(|(columns, _)| columns.iter().map(|&x| cell(x)).collect())
            .collect(),
    };
    let verdict = check(&problem, &plan);
    let got = (verdict.sum_of_costs, verdict.time_away, verdict.makespan.0, verdict.arrived);
    assert_eq!(got, (sum_of_costs, time_away, makespan, arrived), "{paths:?}");
}

#[test]
fn a_unit_that_walks_and_stays_costs_its_steps() {
    check_costs(&[(&[0, 1, 2, 3], 3)], 3, 3, 3, 1);
    check_costs(&[(&[0, 1, 2, 3, 3, 3], 3)], 3, 3, 3, 1);
    check_costs(&[(&[0, 0, 1], 1)], 2, 2, 2, 1);
}

#[test]
fn a_unit_that_never_leaves_its_goal_costs_nothing() {
    check_costs(&[(&[4], 4)], 0, 0, 0, 1);
    check_costs(&[(&[4, 4, 4], 4), (&[0, 1], 1)], 1, 1, 1, 2);
}

#[test]
fn a_unit_that_yields_and_comes_back_rests_free_in_time_away_only() {
    // On the goal at ticks 1 to 3, away at 4, back at 5: the ticks 2 and 3 were at rest.
    check_costs(&[(&[3, 4, 4, 4, 5, 4], 4)], 5, 3, 5, 1);
    check_costs(&[(&[4, 4, 4, 5, 4], 4)], 4, 2, 4, 1);
}

/// A unit of pace 3 is shown on its goal until its step ends, but it rests there no longer.
#[test]
fn a_slow_step_from_the_goal_is_no_rest() {
    let slow = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
    let cell = |x: u16| Cell::new(x, 0);
    let unit = Unit::new(cell(4), cell(4));
    let problem = Problem::new(Map::empty(9, 1).unwrap(), slow, vec![unit]);
    let path = [4, 4, 4, 4, 4, 5, 5, 5, 4, 4].map(cell).to_vec();
    let verdict = check(&problem, &Plan { paths: vec![path] });
    assert!(verdict.is_valid(), "{:?}", verdict.violations);
    assert_eq!((verdict.sum_of_costs, verdict.time_away), (8, 6));
}

#[test]
fn a_unit_that_does_not_arrive_counts_the_whole_plan() {
    check_costs(&[(&[0, 1], 9), (&[12, 13, 14, 15, 16], 16)], 8, 8, 4, 1);
    check_costs(&[(&[], 9), (&[12, 13, 14], 14)], 4, 4, 2, 1);
    // It rested on its goal for one tick before it left for good.
    check_costs(&[(&[4, 4, 5, 6], 4)], 3, 2, 3, 0);
}

#[test]
fn a_plan_of_nothing_costs_nothing() {
    check_costs(&[], 0, 0, 0, 0);
}
