//! Order, limit and names of the reported violations.

use std::collections::BTreeSet;

use throng_model::limits::UNITS_MAX;
use throng_model::{Cell, Map, MovementProfile, Plan, Problem, Unit};
use throng_referee::{VIOLATIONS_MAX, ViolationKind, check};

use crate::cases::random_walks;

fn crowd_on_one_cell(units: usize, ticks: usize) -> (Problem, Plan) {
    let cell = Cell::new(1, 1);
    let units = vec![Unit::new(cell, cell); units];
    let plan = Plan { paths: vec![vec![cell; ticks]; units.len()] };
    (Problem::new(Map::empty(3, 3).unwrap(), MovementProfile::four_connected(), units), plan)
}

#[test]
fn violations_are_sorted_by_tick_unit_and_kind() {
    for seed in 0..50 {
        let (problem, plan) = random_walks(&mut throng_testkit::rng(seed), 20, 20);
        let found = check(&problem, &plan).violations;
        let rank =
            |i: usize| (found[i].tick, found[i].units[0], found[i].kind, found[i].units.get(1));
        assert!((1..found.len()).all(|i| rank(i - 1) < rank(i)), "seed {seed}");
    }
}

#[test]
fn the_list_is_cut_at_the_limit_and_says_so() {
    for (ticks, truncated) in [(VIOLATIONS_MAX, false), (VIOLATIONS_MAX + 1, true)] {
        let (problem, plan) = crowd_on_one_cell(2, ticks);
        let verdict = check(&problem, &plan);
        assert_eq!((verdict.violations.len(), verdict.truncated), (VIOLATIONS_MAX, truncated));
    }
    // 45 pairs per tick: the last one listed is the tenth of tick 222.
    let (problem, plan) = crowd_on_one_cell(10, 223);
    let verdict = check(&problem, &plan);
    assert_eq!((verdict.violations.len(), verdict.truncated), (VIOLATIONS_MAX, true));
    let (tick, last) = (verdict.violations[9_999].tick.0, &verdict.violations[9_999]);
    assert_eq!((tick, last.units[0].to_bits(), last.units[1].to_bits()), (222, 1, 2));
    assert!(!verdict.is_legal());
}

#[test]
fn the_first_violations_are_kept_even_when_unmatched_units_fill_the_list() {
    let (mut problem, mut plan) = crowd_on_one_cell(3, 1);
    let elsewhere = Cell::new(0, 0);
    (problem.units[0], plan.paths[0]) = (Unit::new(elsewhere, elsewhere), vec![elsewhere]);
    problem.units.extend(vec![problem.units[0]; 2 * VIOLATIONS_MAX]);
    let verdict = check(&problem, &plan);
    assert_eq!(verdict.violations[0].kind, ViolationKind::Vertex);
    assert_eq!(verdict.violations[1].kind, ViolationKind::UnitCount);
    assert!(verdict.truncated);
}

#[test]
fn units_past_the_limit_are_reported() {
    let cells = (0..UNITS_MAX as u32 + 2).map(|i| Cell::new((i % 400) as u16, (i / 400) as u16));
    let units = cells.clone().map(|cell| Unit::new(cell, cell)).collect();
    let problem =
        Problem::new(Map::empty(400, 300).unwrap(), MovementProfile::four_connected(), units);
    let found = check(&problem, &Plan { paths: cells.map(|cell| vec![cell]).collect() }).violations;
    let expected = ["unit 100000", "unit 100001"]
        .map(|unit| format!("tick 0: {unit} is past the limits on plans"));
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
}

#[test]
fn a_plan_short_of_its_goals_is_legal_but_not_valid() {
    let units = vec![Unit::new((0, 0), (2, 0))];
    let problem = Problem::new(Map::empty(3, 1).unwrap(), MovementProfile::four_connected(), units);
    let verdict = check(&problem, &Plan { paths: vec![vec![Cell::new(0, 0), Cell::new(1, 0)]] });
    assert!(verdict.is_legal() && !verdict.is_valid());
    assert_eq!(
        verdict.violations[0].to_string(),
        "tick 1: unit 0 ends elsewhere than on its goal (found, wanted): (1,0) (2,0)"
    );
}

#[test]
fn names_are_distinct() {
    let names: BTreeSet<_> = ViolationKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), ViolationKind::ALL.len());
    assert!(ViolationKind::ALL.is_sorted());
}
