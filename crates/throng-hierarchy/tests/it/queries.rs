//! Paths are legal and hardly longer than the best; there is one exactly when A* finds one.

use rand::RngExt;
use throng_grid::{Answer, PathSearch, Query, QueryError};
use throng_model::{Budget, Cell, Cost, Factor, Map, MovementProfile, TerrainClass, TerrainId};

use crate::support::{World, movements};

#[test]
fn random_walls_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        for percent in [5, 25, 40] {
            let map = throng_testkit::random_map(seed as u64 + 1, 90, 70, percent);
            let lengths = World::new(map, movement.clone()).check_random(seed as u64, 12);
            assert!(lengths.longest <= 1.10, "{movement:?} at {percent}%: {lengths:?}");
        }
    }
}

/// Noise is the hardest terrain: the best path turns at every cell, and no
/// transition lies where it should.
#[test]
fn random_terrain_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        let map = throng_testkit::random_terrain(seed as u64 + 1, 80, 80, 15, 8);
        let lengths = World::new(map, movement.clone()).check_random(seed as u64, 20);
        assert!(lengths.mean() <= 1.10 && lengths.longest <= 1.40, "{movement:?}: {lengths:?}");
    }
}

/// Paths over short distances are compared with A*.
#[test]
fn near_paths_are_never_much_longer() {
    for (seed, movement) in movements().into_iter().enumerate() {
        let map = throng_testkit::random_terrain(seed as u64 + 1, 40, 40, 15, 3);
        let lengths = World::new(map, movement.clone()).check_random(seed as u64, 40);
        assert!(lengths.longest <= 16.0 / 15.0, "{movement:?}: {lengths:?}");
    }
}

/// Patches of terrain, as maps of games have them.
#[test]
fn patches_of_terrain() {
    for footprint in 1..=3 {
        let mut map = throng_testkit::random_map(7, 256, 256, 3);
        let mut rng = throng_testkit::rng(8);
        for factor in [2, 3, 5, 8] {
            let class = TerrainClass::passable("patch", '2', Factor::new(factor).unwrap());
            let terrain = map.add_class(class).unwrap();
            for _ in 0..40 {
                let origin = Cell::new(rng.random_range(0..236), rng.random_range(0..236));
                let (width, height) = (rng.random_range(3..20), rng.random_range(3..20));
                paint_ground(&mut map, origin, (width, height), terrain);
            }
        }
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        let lengths = World::new(map, movement).check_random(9, 150);
        assert!(lengths.mean() <= 1.01 && lengths.longest <= 1.10, "{footprint}: {lengths:?}");
    }
}

/// Squares of ground, each with a cost of its own, with borders where clusters have theirs:
/// the best paths go from corner to corner, where spread transitions alone would not be.
#[test]
fn squares_of_terrain_along_the_clusters() {
    for (side, movement) in [8, 24, 48].into_iter().flat_map(|side| {
        [(side, MovementProfile::four_connected()), (side, MovementProfile::eight_connected())]
    }) {
        let mut map = Map::empty(240, 240).unwrap();
        let terrains: Vec<TerrainId> = (1..=8)
            .map(|factor| TerrainClass::passable("square", '2', Factor::new(factor).unwrap()))
            .map(|class| map.add_class(class).unwrap())
            .collect();
        let mut rng = throng_testkit::rng(u64::from(side));
        for corner in (0..240 / side).flat_map(|y| (0..240 / side).map(move |x| (x, y))) {
            let origin = Cell::new(corner.0 * side, corner.1 * side);
            let terrain = terrains[rng.random_range(0..terrains.len())];
            paint_ground(&mut map, origin, (side, side), terrain);
        }
        let lengths = World::new(map, movement.clone()).check_random(10, 150);
        assert!(
            lengths.mean() <= 1.025 && lengths.longest <= 1.12,
            "{side}, {:?}: {lengths:?}",
            movement.neighbours
        );
    }
}

fn paint_ground(map: &mut Map, origin: Cell, size: (u16, u16), terrain: TerrainId) {
    let cells = throng_model::Rect::new(origin, size.0, size.1).cells();
    let cells: Vec<Cell> = cells.filter(|&cell| map.is_passable(cell)).collect();
    map.paint(&cells, terrain).unwrap();
}

/// Factors so large that a cluster's distances do not fit into sixteen bits.
#[test]
fn the_costliest_terrain() {
    let mut map = throng_testkit::random_map(3, 60, 60, 30);
    let class = TerrainClass::passable("tar", 't', Factor::new(255).unwrap());
    let tar = map.add_class(class).unwrap();
    paint_ground(&mut map, Cell::new(0, 20), (60, 20), tar);
    let lengths = World::new(map, MovementProfile::eight_connected()).check_random(4, 60);
    assert!(lengths.found > 20 && lengths.longest <= 1.10, "{lengths:?}");
}

#[test]
fn maps_smaller_than_a_cluster_and_slim_ones() {
    for (width, height) in [(1, 1), (1, 40), (40, 1), (5, 5), (16, 16), (17, 33), (3, 100)] {
        let map = throng_testkit::random_map(5, width, height, 10);
        for movement in movements() {
            World::new(map.clone(), movement).check_random(6, 10);
        }
    }
}

/// Two walls that touch at a corner, just where four clusters meet.
#[test]
fn gaps_between_walls_join_clusters() {
    let mut map = Map::empty(32, 32).unwrap();
    for i in 0..16 {
        for (x, y) in [(15, i), (i, 15), (16, 16 + i), (16 + i, 16)] {
            map.set(Cell::new(x, y), Map::WALL).unwrap();
        }
    }
    for corner in [Cell::new(15, 15), Cell::new(16, 16)] {
        map.set(corner, Map::GROUND).unwrap();
    }
    for movement in movements() {
        World::new(map.clone(), movement).check_random(2, 60);
    }
}

#[test]
fn many_starts_and_goals() {
    let map = throng_testkit::random_terrain(11, 120, 90, 20, 4);
    let mut world = World::new(map, MovementProfile::eight_connected());
    let mut rng = throng_testkit::rng(12);
    for _ in 0..30 {
        let mut cells = || -> Vec<Cell> {
            let count = rng.random_range(1..6_u32);
            (0..count)
                .map(|_| Cell::new(rng.random_range(0..120), rng.random_range(0..90)))
                .collect()
        };
        let (starts, goals) = (cells(), cells());
        let query = Query::new(&starts, &goals);
        let mut exact = throng_grid::AStar::default();
        let best = exact.find(&world.ground, &query, Budget::unlimited());
        let Ok(Answer::Found(best)) = best else { continue };
        let path = world.ask(&query).found().unwrap();
        assert!(starts.contains(&path.start().unwrap()) && goals.contains(&path.end().unwrap()));
        assert_eq!(
            throng_referee::check_path(&world.map, world.ground.movement(), &path.cells),
            Ok(path.cost)
        );
        assert!(path.cost.0 as f64 <= 1.25 * best.cost.0 as f64, "{} {}", path.cost, best.cost);
    }
}

#[test]
fn the_exact_questions_go_to_a_star() {
    let drawing = "
        a...............................................
        ................................................
        ........................#########...............
        ........................#......................b
        ........................#..x.#..................
        ........................######..................";
    let (a, b) = ([throng_testkit::place(drawing, 'a')], [throng_testkit::place(drawing, 'b')]);
    let mut world = World::new(throng_testkit::map(drawing), MovementProfile::eight_connected());
    let best = world.ask(&Query::new(&a, &b)).found().unwrap();
    let less = Query::new(&a, &b).with_cost_max(Cost(best.cost.0 / 2)).or_nearest();
    assert_eq!(world.ask(&less), Answer::CostLimit);
    let wall = [Cell::new(24, 3)];
    let Answer::Unreachable { nearest: Some(path) } =
        world.ask(&Query::new(&a, &wall).or_nearest())
    else {
        panic!("a wall was reached")
    };
    assert_eq!(path.end(), Some(Cell::new(23, 3)));
}

#[test]
fn bad_queries_are_errors() {
    let map = throng_testkit::random_map(1, 40, 40, 0);
    let mut world = World::new(map, MovementProfile::eight_connected());
    let here = Cell::new(3, 3);
    let mut search = throng_hierarchy::HierarchySearch::new(&world.hierarchy, &mut world.memory);
    let mut begin = |starts: &[Cell], goals: &[Cell]| {
        search.begin(&world.ground, &Query::new(starts, goals)).unwrap_err()
    };
    assert_eq!(begin(&[], &[here]), QueryError::Missing("start"));
    assert!(matches!(begin(&[here], &[Cell::new(99, 0)]), QueryError::Blocked { .. }));
    // The ground changes and the hierarchy does not follow.
    let change = world.map.set(Cell::new(5, 5), Map::WALL).unwrap();
    world.ground.apply(&world.map, &change);
    let mut search = throng_hierarchy::HierarchySearch::new(&world.hierarchy, &mut world.memory);
    let late = search.begin(&world.ground, &Query::new(&[here], &[here]));
    assert_eq!(late, Err(QueryError::GroundChanged));
}
