//! The referee answers for malformed plans too.

use proptest::prelude::*;
use throng_model::limits::HORIZON_MAX;
use throng_model::{Cell, Map, MovementProfile, Plan, Problem, Unit};
use throng_referee::{VIOLATIONS_MAX, check, check_path};

use crate::cases::random_movement;

fn any_cell() -> impl Strategy<Value = Cell> {
    let near = (0..9_u16, 0..9_u16);
    let far = (any::<u16>(), any::<u16>());
    prop_oneof![6 => near, 1 => far, 1 => Just((u16::MAX, u16::MAX))].prop_map(Cell::from)
}

fn any_unit() -> impl Strategy<Value = Unit> {
    let parts = (any_cell(), any_cell(), 0..6_usize);
    parts.prop_map(|(start, goal, movement)| Unit { start, goal, movement })
}

fn any_problem() -> impl Strategy<Value = Problem> {
    let parts = (1..9_u32, 1..9_u32, any::<u64>(), prop::collection::vec(any_unit(), 0..12));
    parts.prop_map(|(width, height, seed, units)| {
        let map = throng_testkit::random_map(seed, width, height, 20);
        let mut rng = throng_testkit::rng(seed);
        let mut problem = Problem::new(map, random_movement(&mut rng), units);
        problem.movements.push(random_movement(&mut rng));
        problem.movements.push(MovementProfile {
            footprint: 16,
            pace: 64,
            ..random_movement(&mut rng)
        });
        problem.movements.push(MovementProfile { footprint: 0, ..random_movement(&mut rng) });
        problem.movements.push(MovementProfile { pace: 255, ..random_movement(&mut rng) });
        problem
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_plan_gets_a_consistent_verdict(
        problem in any_problem(),
        paths in prop::collection::vec(prop::collection::vec(any_cell(), 0..30), 0..14),
    ) {
        let plan = Plan { paths };
        let verdict = check(&problem, &plan);
        prop_assert_eq!(&verdict, &check(&problem, &plan));
        prop_assert!(verdict.violations.len() <= VIOLATIONS_MAX);
        prop_assert!(verdict.arrived <= problem.units.len());
        prop_assert!(verdict.time_away <= verdict.sum_of_costs);
        prop_assert!(verdict.makespan <= plan.last_tick());
        prop_assert!(!verdict.is_valid() || verdict.arrived == problem.units.len());
        prop_assert!(verdict.violations.iter().all(|v| !v.to_string().is_empty()));
    }

    #[test]
    fn any_path_gets_an_answer(
        problem in any_problem(),
        path in prop::collection::vec(any_cell(), 0..30),
    ) {
        for movement in &problem.movements {
            if let Err(violations) = check_path(&problem.map, movement, &path) {
                prop_assert!(!violations.is_empty());
            }
        }
    }
}

#[test]
fn an_empty_problem_is_solved_by_an_empty_plan() {
    let problem =
        Problem::new(Map::empty(1, 1).unwrap(), MovementProfile::four_connected(), Vec::new());
    assert!(check(&problem, &Plan::default()).is_valid());
}

#[test]
fn the_largest_map_with_units_in_its_last_corner() {
    let corner = Cell::new(4095, 4095);
    let units = vec![Unit::new(corner, corner), Unit::new((0, 0), (0, 0))];
    let problem =
        Problem::new(Map::empty(4096, 4096).unwrap(), MovementProfile::four_connected(), units);
    let paths = vec![vec![corner; 4096], vec![Cell::new(0, 0)]];
    assert!(check(&problem, &Plan { paths }).is_valid());
}

#[test]
fn a_plan_may_reach_the_horizon_but_not_past_it() {
    let cell = Cell::new(0, 0);
    let problem = Problem::new(
        Map::empty(1, 1).unwrap(),
        MovementProfile::four_connected(),
        vec![Unit::new(cell, cell)],
    );
    let at_rest = |ticks: u32| Plan { paths: vec![vec![cell; ticks as usize]] };
    assert!(check(&problem, &at_rest(HORIZON_MAX + 1)).is_valid());
    let found = check(&problem, &at_rest(HORIZON_MAX + 2)).violations;
    let expected = format!("tick {}: unit 0 is past the limits on plans", HORIZON_MAX + 1);
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}

/// A thousand units for a thousand ticks: the size of a large scenario.
#[test]
fn a_thousand_units_march_for_a_thousand_ticks() {
    let side = 1_100;
    let path = |row: u16| (0..1_000).map(|x| Cell::new(x, row)).collect::<Vec<_>>();
    let paths: Vec<_> = (0..1_000).map(path).collect();
    let units = paths.iter().map(|path| Unit::new(path[0], path[999])).collect();
    let problem =
        Problem::new(Map::empty(side, side).unwrap(), MovementProfile::four_connected(), units);
    let verdict = check(&problem, &Plan { paths });
    assert!(verdict.is_valid());
    assert_eq!((verdict.sum_of_costs, verdict.makespan.0), (999_000, 999));
}
