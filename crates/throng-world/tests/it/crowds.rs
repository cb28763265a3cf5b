//! Units in crowds: doors flow, and small groups of any size and pace untangle.

use throng_model::{Cell, Map, MovementProfile, Problem, UnitId};
use throng_testkit::{mixed_scene, one_by_one, pair_scene, shuffled_scene};
use throng_world::{Layer, Order, Spawn, Team, World, WorldOptions};

use crate::refereed::RefereedWorld;

/// A wall with a door in its middle, and so many units on each side that change sides.
fn door(width: u16, units: u16) -> (RefereedWorld, Vec<(UnitId, Cell)>) {
    let side = 40_u16;
    let mut map = Map::empty(side.into(), side.into()).unwrap();
    let is_open = |row: u16| (side / 2..side / 2 + width).contains(&row);
    let wall = (0..side).filter(|&row| !is_open(row)).map(|row| Cell::new(side / 2, row));
    map.paint(&wall.collect::<Vec<_>>(), Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let mut goals = Vec::new();
    for number in 0..units {
        let (column, row) = (number / side, number % side);
        let (left, right) = (Cell::new(column, row), Cell::new(side - 1 - column, row));
        for (at, goal) in [(left, right), (right, left)] {
            let unit = refereed.spawn(at, &spawn).unwrap();
            refereed.go(unit, goal);
            goals.push((unit, goal));
        }
    }
    (refereed, goals)
}

fn are_home(refereed: &RefereedWorld, goals: &[(UnitId, Cell)]) -> bool {
    goals.iter().all(|&(unit, goal)| refereed.world.location(unit) == Some((goal, None)))
}

/// About the time that the door's width allows, and twice that in a door of one cell.
#[test]
fn doors_flow_both_ways() {
    for (width, units, ticks) in [(1, 30, 240), (2, 100, 260), (3, 120, 240)] {
        let (mut refereed, goals) = door(width, units);
        refereed.until(ticks, |refereed| are_home(refereed, &goals));
    }
}

/// A crowd goes on exactly as before after it was saved and restored.
#[test]
fn a_crowd_is_restored_as_it_was() {
    let (refereed, _) = door(2, 60);
    let mut world = refereed.world;
    for tick in 0..120 {
        if tick % 10 == 3 {
            let bytes = world.snapshot();
            let mut restored = World::restore(&bytes, 2).unwrap();
            assert_eq!(bytes, restored.snapshot());
            let mut twin = world.clone();
            (0..12).for_each(|_| assert_eq!(restored.tick(), twin.tick()));
        }
        world.tick();
    }
}

/// The units of a scene at their starts, with their goals.
fn scene(problem: &Problem) -> (RefereedWorld, Vec<(UnitId, Cell)>) {
    let mut refereed = RefereedWorld::new(problem.map.clone(), WorldOptions::default());
    let mut goals = Vec::new();
    for unit in &problem.units {
        let spawn = Spawn::new(problem.movements[unit.movement].clone());
        goals.push((refereed.spawn(unit.start, &spawn).unwrap(), unit.goal));
    }
    goals.iter().for_each(|&(unit, goal)| refereed.go(unit, goal));
    (refereed, goals)
}

/// Runs a scene under the referee. Returns whether all units are on their goals in the end.
fn settles(problem: &Problem, ticks: u32) -> bool {
    let (mut refereed, goals) = scene(problem);
    (0..ticks).any(|_| {
        refereed.tick();
        are_home(&refereed, &goals)
    })
}

/// Sizes 1 to 4, paces 1 to 4, up to 12 units between walls: where the units could walk one by
/// one, all arrive.
#[test]
fn units_of_all_sizes_and_paces_untangle() {
    let mut settled = 0;
    for seed in 0..120 {
        let problem = mixed_scene(seed);
        let is_settled = settles(&problem, 3000);
        settled += u32::from(is_settled);
        assert!(is_settled || one_by_one(&problem, false).is_none(), "scene {seed}");
    }
    assert!(settled > 100, "{settled} scenes");
}

/// The effort for a jam grows from attempt to attempt, until there is a plan.
#[test]
fn jams_that_need_long_searches_are_resolved() {
    let mixed =
        [1102, 1470, 4076, 6563, 6654, 7517, 7544, 8423, 12403, 14905, 16732, 17337, 17380, 18031];
    for seed in mixed {
        assert!(settles(&mixed_scene(seed), 3000), "scene {seed}");
    }
    for seed in [477, 2964, 4860, 17235, 19014] {
        assert!(settles(&shuffled_scene(seed), 3000), "shuffled scene {seed}");
    }
}

/// A problem with a lane at the right, behind a wall.
fn with_lane(problem: &Problem) -> Problem {
    let (width, height) = (problem.map.width(), problem.map.height());
    let mut map = Map::empty(u32::from(width) + 2, u32::from(height)).unwrap();
    let walls = problem.map.cells().filter(|&cell| !problem.map.is_passable(cell));
    let lane = (0..height).map(|y| Cell::new(width, y));
    map.paint(&walls.chain(lane).collect::<Vec<_>>(), Map::WALL).unwrap();
    Problem { map, ..problem.clone() }
}

/// Jams are resolved as well where there are other sides and layers: a unit of another side walks up
/// and down a lane beside them, and one is on another layer.
#[test]
fn jams_are_resolved_beside_strangers_and_below_flyers() {
    for seed in [1102, 4076, 8423, 17337, 17380] {
        let problem = with_lane(&mixed_scene(seed));
        let (mut refereed, goals) = scene(&problem);
        let kind = Spawn::new(MovementProfile::four_connected());
        let (top, bottom) = (problem.map.width() - 1, problem.map.height() - 1);
        let beat = vec![Cell::new(top, 0), Cell::new(top, bottom)];
        for spawn in [kind.clone().with_team(Team(1)), kind.with_layer(Layer::AIR)] {
            let unit = refereed.spawn(beat[0], &spawn).unwrap();
            refereed.world.order(unit, Order::Patrol(beat.clone())).unwrap();
        }
        let is_settled = (0..3000).any(|_| {
            refereed.tick();
            are_home(&refereed, &goals)
        });
        assert!(is_settled, "scene {seed}:\n{}", refereed.show());
    }
}

/// A long search is divided over ticks, and a restored world goes on with it as the saved one.
#[test]
fn a_search_over_several_ticks_is_bounded_and_restored_as_it_was() {
    let mut world = scene(&mixed_scene(17380)).0.world;
    for tick in 0..700 {
        if tick % 50 == 3 {
            let mut restored = World::restore(&world.snapshot(), 1).unwrap();
            let mut twin = world.clone();
            (0..5).for_each(|_| assert_eq!(restored.tick(), twin.tick()));
        }
        let expanded = world.tick().expanded;
        assert!(expanded < 131_072, "{expanded} nodes in tick {tick}");
    }
}

/// Units of both directions take turns: a door of one cell passes nearly a unit per tick, where it
/// passed one every two ticks before it had batches.
#[test]
fn a_door_of_one_cell_is_passed_in_batches() {
    let (mut refereed, goals) = door(1, 70);
    refereed.until(230, |refereed| are_home(refereed, &goals));
}

/// The state of the batches belongs to snapshot and hash.
#[test]
fn a_door_with_batches_is_restored_as_it_was() {
    let (refereed, _) = door(1, 40);
    let mut world = refereed.world;
    for tick in 0..100 {
        if tick % 10 == 3 {
            let mut restored = World::restore(&world.snapshot(), 1).unwrap();
            let mut twin = world.clone();
            (0..20).for_each(|_| assert_eq!(restored.tick(), twin.tick()));
        }
        world.tick();
    }
}

/// Two units of 2 x 2 and 3 x 3 cells, two ticks per step, on 10 x 16 cells.
#[test]
fn pairs_of_large_units_untangle() {
    for seed in (0..200).chain([1079]) {
        let problem = pair_scene(seed);
        let is_settled = settles(&problem, 1500);
        assert!(is_settled || one_by_one(&problem, false).is_none(), "scene {seed}");
    }
}

/// A wall with a gate of three cells, and units of three, two and one cells per side that change
/// sides.
fn gate(rows: u16) -> RefereedWorld {
    let mut map = Map::empty(41, 40).unwrap();
    let wall = (0..40).filter(|row| !(18..21).contains(row)).map(|row| Cell::new(20, row));
    map.paint(&wall.collect::<Vec<_>>(), Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    for (row, footprint) in (0..rows).zip([3_u8, 2, 1].into_iter().cycle()) {
        let movement = MovementProfile {
            footprint,
            pace: 4 - footprint,
            ..MovementProfile::eight_connected()
        };
        let (left, right) = (Cell::new(8, 3 * row), Cell::new(30, 3 * row));
        for (at, goal) in [(left, right), (right, left)] {
            let unit = refereed.spawn(at, &Spawn::new(movement.clone())).unwrap();
            refereed.go(unit, goal);
        }
    }
    refereed
}

/// Large units take turns at a gate: all arrive, and a restored world goes on as the saved one.
#[test]
fn large_units_take_turns_at_a_gate() {
    let mut refereed = gate(12);
    for tick in 0..200 {
        if tick % 20 == 7 {
            let bytes = refereed.world.snapshot();
            let mut restored = World::restore(&bytes, 2).unwrap();
            assert_eq!(bytes, restored.snapshot());
            let mut twin = refereed.world.clone();
            (0..30).for_each(|_| assert_eq!(restored.tick(), twin.tick()));
        }
        refereed.tick();
    }
    let arrived = |refereed: &RefereedWorld| {
        let world = &refereed.world;
        world.units().all(|unit| world.location(unit).map(|at| at.0) == world.destination(unit))
    };
    refereed.until(1000, arrived);
}
