//! Figure 5 of Xu & Zou: with terrain factors the cheapest way is not the shortest one.

use throng_grid::{AStar, Ground, PathSearch, Query};
use throng_model::{Budget, Factor, MovementProfile, TerrainOverride};
use throng_testkit::{find, map, place};

/// Lawn of factor 1, a mountain road of factor 2 between start and goal.
const FIGURE_5: &str = "
    ...........
    ...22222...
    ...22222...
    .S.22222.G.
    ...22222...
    ...22222...
    ...........";

/// How many cells of the best path lie on the mountain.
fn mountain_cells(movement: MovementProfile) -> usize {
    let drawn = map(FIGURE_5);
    let ground = Ground::new(&drawn, movement).unwrap();
    let (start, goal) = ([place(FIGURE_5, 'S')], [place(FIGURE_5, 'G')]);
    let answer = AStar::default().find(&ground, &Query::new(&start, &goal), Budget::unlimited());
    let path = answer.unwrap().found().unwrap();
    assert_eq!(throng_referee::check_path(&drawn, ground.movement(), &path.cells), Ok(path.cost));
    let mountain = find(FIGURE_5, '2');
    path.cells.iter().filter(|cell| mountain.contains(cell)).count()
}

#[test]
fn figure_5_left_terrain_not_considered() {
    let terrain = map(FIGURE_5).class_by_symbol('2').unwrap();
    let all_alike = vec![TerrainOverride { terrain, factor: Some(Factor::ONE) }];
    let movement = MovementProfile { terrain: all_alike, ..MovementProfile::eight_connected() };
    assert_eq!(mountain_cells(movement), 5);
}

#[test]
fn figure_5_right_terrain_considered() {
    assert_eq!(mountain_cells(MovementProfile::eight_connected()), 0);
}
