//! Checks of single paths.

use throng_model::{
    Cell, CornerRule, Cost, DIAGONAL, Factor, MovementProfile, STRAIGHT, TerrainId, TerrainOverride,
};
use throng_referee::check_path;
use throng_testkit::map;

use crate::cases::cells;

#[track_caller]
fn legal(drawing: &str, movement: &MovementProfile, path: &[(u16, u16)], cost: u64) {
    assert_eq!(check_path(&map(drawing), movement, &cells(path)), Ok(Cost(cost)));
}

#[track_caller]
fn illegal(
    drawing: &str,
    movement: &MovementProfile,
    path: &[(u16, u16)],
    expected: &[(u32, &str)],
) {
    let found = check_path(&map(drawing), movement, &cells(path)).unwrap_err();
    let found: Vec<_> = found.iter().map(|v| (v.tick.0, v.name())).collect();
    assert_eq!(found, expected);
}

const TERRAIN: &str = "
    ..3.
    .#9.
    ..2.";

#[test]
fn a_step_costs_the_factor_of_the_cell_entered() {
    let eight = MovementProfile::eight_connected();
    legal(TERRAIN, &eight, &[(0, 0)], 0);
    legal(TERRAIN, &eight, &[(2, 0)], 0);
    legal(TERRAIN, &eight, &[(1, 0), (2, 0), (3, 0)], 4 * STRAIGHT);
    legal(TERRAIN, &eight, &[(3, 1), (2, 2)], 2 * DIAGONAL);
    let one_tick = MovementProfile { diagonal: throng_model::DiagonalCost::OneTick, ..eight };
    legal(TERRAIN, &one_tick, &[(3, 1), (2, 2)], 2 * STRAIGHT);
}

#[test]
fn a_step_costs_the_largest_factor_under_the_footprint() {
    let big = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
    legal("....\n.3..\n....\n.2..", &big, &[(2, 0), (1, 0), (0, 0)], 6 * STRAIGHT);
    legal("....\n.3..\n....\n.2..", &big, &[(2, 1), (2, 2), (1, 2)], 3 * STRAIGHT);
}

#[test]
fn overrides_count_and_the_last_one_wins() {
    let give = |class, factor| TerrainOverride { terrain: TerrainId(class), factor };
    let hover = MovementProfile {
        terrain: vec![give(9, None), give(9, Some(Factor::ONE)), give(1, Factor::new(5).ok())],
        ..MovementProfile::four_connected()
    };
    legal(TERRAIN, &hover, &[(0, 1), (1, 1), (2, 1)], 6 * STRAIGHT);
    let barred =
        MovementProfile { terrain: vec![give(3, None)], ..MovementProfile::four_connected() };
    illegal(TERRAIN, &barred, &[(1, 0), (2, 0)], &[(1, "terrain")]);
}

#[test]
fn corners() {
    let rule = |corners| MovementProfile { corners, ..MovementProfile::eight_connected() };
    let (never, one, always) =
        (rule(CornerRule::NeverCut), rule(CornerRule::OneSideFree), rule(CornerRule::AlwaysCut));
    let (half, closed) = (".#\n..", ".#\n#.");
    let path = [(0, 0), (1, 1)];
    illegal(half, &never, &path, &[(1, "corner")]);
    legal(half, &one, &path, DIAGONAL);
    illegal(closed, &one, &path, &[(1, "corner")]);
    legal(closed, &always, &path, DIAGONAL);
    let big = MovementProfile { footprint: 2, ..one };
    legal("..#\n...\n...", &big, &path, DIAGONAL);
    illegal("..#\n...\n#..", &big, &path, &[(1, "corner")]);
}

#[test]
fn everything_wrong_is_reported() {
    let four = MovementProfile::four_connected();
    illegal(TERRAIN, &four, &[], &[(0, "empty_path")]);
    illegal(TERRAIN, &four, &[(0, 0), (0, 0)], &[(1, "contiguity")]);
    illegal(TERRAIN, &four, &[(0, 0), (3, 0)], &[(1, "contiguity")]);
    illegal(TERRAIN, &four, &[(2, 1), (3, 2)], &[(1, "contiguity")]);
    illegal(TERRAIN, &four, &[(3, 0), (4, 0)], &[(1, "bounds")]);
    illegal(TERRAIN, &four, &[(0, 1), (1, 1)], &[(1, "terrain")]);
    illegal(
        TERRAIN,
        &four,
        &[(9, 9), (1, 1), (1, 0), (65_535, 65_535)],
        &[(0, "bounds"), (1, "terrain"), (1, "contiguity"), (3, "bounds"), (3, "contiguity")],
    );
    let invalid = MovementProfile { footprint: 0, ..MovementProfile::four_connected() };
    illegal(TERRAIN, &invalid, &[(0, 0)], &[(0, "movement")]);
    let found = check_path(&map(TERRAIN), &four, &cells(&[(1, 1)])).unwrap_err();
    assert_eq!(found[0].cells, [Cell::new(1, 1)]);
}
