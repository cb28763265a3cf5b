//! Slow units: when they may step, and what they hold during a step.

use throng_model::{Cell, CornerRule, Map, MovementProfile, Plan, Problem, Unit};
use throng_referee::check;

use crate::cases::cells;

fn judge(movements: &[MovementProfile], paths: &[&[(u16, u16)]]) -> Vec<String> {
    let paths: Vec<Vec<Cell>> = paths.iter().map(|path| cells(path)).collect();
    let units = paths.iter().enumerate().map(|(i, path)| Unit {
        start: path[0],
        goal: path[path.len() - 1],
        movement: i,
    });
    let problem = Problem {
        units: units.collect(),
        movements: movements.to_vec(),
        ..Problem::new(Map::empty(8, 8).unwrap(), MovementProfile::eight_connected(), Vec::new())
    };
    check(&problem, &Plan { paths }).violations.iter().map(ToString::to_string).collect()
}

fn slow(pace: u8) -> MovementProfile {
    MovementProfile { pace, ..MovementProfile::eight_connected() }
}

#[test]
fn the_first_step_ends_at_the_pace_and_the_next_as_much_later() {
    assert!(judge(&[slow(2)], &[&[(0, 0), (0, 0), (1, 0), (1, 0), (2, 0)]]).is_empty());
    let hasty = judge(&[slow(2)], &[&[(0, 0), (1, 0), (1, 0), (1, 0), (2, 0), (3, 0)]]);
    let expected = [
        "tick 1: unit 0 steps sooner than its pace allows: (0,0) (1,0)",
        "tick 5: unit 0 steps sooner than its pace allows: (2,0) (3,0)",
    ];
    assert_eq!(hasty, expected);
}

#[test]
fn during_a_step_both_ends_are_held() {
    let walk: &[_] = &[(0, 0), (0, 0), (0, 0), (1, 0)];
    let fast = MovementProfile::eight_connected();
    let leaves_late: &[_] = &[(1, 0), (2, 0)];
    assert_eq!(judge(&[slow(3), fast.clone()], &[walk, leaves_late]), Vec::<String>::new());
    let too_late: &[_] = &[(1, 0), (1, 0), (2, 0)];
    let found = judge(&[slow(3), fast], &[walk, too_late]);
    assert_eq!(found, ["tick 1: unit 0 and unit 1 hold the same cells: (1,0)"]);
}

#[test]
fn a_slow_diagonal_holds_the_square_under_every_corner_rule() {
    let walk: &[_] = &[(0, 0), (0, 0), (1, 1)];
    let quick = MovementProfile { corners: CornerRule::AlwaysCut, ..slow(1) };
    for corners in [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut] {
        let kinds = [MovementProfile { corners, ..slow(2) }, quick.clone()];
        let beside = judge(&kinds, &[walk, &[(1, 0)]]);
        assert_eq!(beside, ["tick 1: unit 0 and unit 1 hold the same cells: (1,0)"]);
        let crosses_late = judge(&kinds, &[walk, &[(1, 0), (1, 0), (0, 1)]]);
        assert_eq!(crosses_late, ["tick 1: unit 0 and unit 1 hold the same cells: (1,0)"]);
        let crosses_early = judge(&kinds, &[walk, &[(1, 0), (0, 1)]]);
        assert_eq!(crosses_early, ["tick 1: unit 0 and unit 1 hold the same cells: (0,1)"]);
        assert!(judge(&kinds, &[walk, &[(1, 0), (2, 0), (1, 0)]]).is_empty());
    }
}

#[test]
fn walls_and_the_edge_in_the_square_do_not_matter() {
    let cutting = MovementProfile { corners: CornerRule::AlwaysCut, ..slow(2) };
    let path = cells(&[(0, 0), (0, 0), (1, 1)]);
    let units = vec![Unit::new(path[0], path[2])];
    let problem = Problem::new(throng_testkit::map(".#\n#."), cutting, units);
    assert!(check(&problem, &Plan { paths: vec![path] }).is_valid());
    // A step off the map is reported, and what it holds there causes no panic.
    let off = judge(&[slow(2)], &[&[(7, 7), (7, 7), (8, 8)]]);
    assert_eq!(
        off,
        [
            "tick 2: unit 0 is partly or wholly off the map: (8,8)",
            "tick 2: unit 0 cuts a corner: (7,7) (8,8)",
        ]
    );
}

#[test]
fn a_large_slow_diagonal_holds_the_larger_square() {
    let big = MovementProfile { footprint: 2, ..slow(2) };
    let walk: &[_] = &[(1, 1), (1, 1), (2, 2)];
    let found = judge(&[big, slow(1)], &[walk, &[(3, 1)]]);
    assert_eq!(found, ["tick 1: unit 0 and unit 1 hold the same cells: (3,1)"]);
}
