//! Figures 2 and 3 of Standley's paper as drawings: each letter is a unit, before and after a
//! tick.

use throng_model::{CornerRule, DiagonalCost, MovementProfile, Plan, Problem, Unit};
use throng_referee::check;
use throng_testkit::{map, place};

fn standley() -> MovementProfile {
    MovementProfile {
        corners: CornerRule::AlwaysCut,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    }
}

fn step(before: &str, after: &str, units: &str) -> Vec<String> {
    let ends = units.chars().map(|unit| (place(before, unit), place(after, unit)));
    let (starts, goals): (Vec<_>, Vec<_>) = ends.unzip();
    let units = starts.iter().zip(&goals).map(|(&s, &g)| Unit::new(s, g)).collect();
    let paths = starts.into_iter().zip(goals).map(|(s, g)| vec![s, g]).collect();
    let verdict = check(&Problem::new(map(before), standley(), units), &Plan { paths });
    verdict.violations.iter().map(ToString::to_string).collect()
}

#[test]
fn figure_2_left_two_units_may_not_switch_locations() {
    let found = step("ab", "ba", "ab");
    assert_eq!(found, ["tick 1: unit 0 and unit 1 exchange places: (0,0) (1,0)"]);
}

#[test]
fn figure_2_right_two_units_may_not_cross_through_each_other() {
    let before = "
        ab
        ..";
    let after = "
        ..
        ba";
    let crossing = "tick 1: unit 0 and unit 1 cross on two diagonals: (0,0) (1,1) (1,0) (0,1)";
    assert_eq!(step(before, after, "ab"), [crossing]);
}

#[test]
fn figure_3_a_rotation_is_legal() {
    let before = "
        ab
        dc";
    let after = "
        da
        cb";
    assert!(step(before, after, "abcd").is_empty());
}

#[test]
fn following_is_legal_straight_and_round_a_bend() {
    let straight = step("cba.", ".cba", "abc");
    let bend = step(
        "
        bc
        a.",
        "
        .b
        ac",
        "abc",
    );
    assert_eq!((straight, bend), (Vec::new(), Vec::new()));
}

#[test]
fn two_units_may_not_end_on_one_cell() {
    let units = vec![Unit::new((0, 0), (1, 0)), Unit::new((2, 0), (1, 0))];
    let paths = units.iter().map(|unit| vec![unit.start, unit.goal]).collect();
    let verdict = check(&Problem::new(map("..."), standley(), units), &Plan { paths });
    let found: Vec<_> = verdict.violations.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["tick 1: unit 0 and unit 1 hold the same cells: (1,0)"]);
}
