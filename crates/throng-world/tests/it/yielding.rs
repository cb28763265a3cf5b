//! Units that rest in a dead end, and others that want past them.

use std::collections::BTreeSet;

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, UnitId};
use throng_testkit::rng;
use throng_world::{Event, Order, Spawn, UnitStatus, Why, World, WorldOptions};

use crate::refereed::RefereedWorld;

const PASSAGE: &str = "...######\n.........\n...######";

fn drawn(drawing: &str, window: u32) -> RefereedWorld {
    RefereedWorld::new(
        throng_testkit::map(drawing),
        WorldOptions { window, ..WorldOptions::default() },
    )
}

fn is_there(refereed: &RefereedWorld, &(unit, goal): &(UnitId, Cell)) -> bool {
    refereed.world.status(unit) == Some(UnitStatus::Arrived)
        && refereed.world.location(unit) == Some((goal, None))
}

/// All units reach their goals within `most` ticks, and no event follows.
fn check_settles(refereed: &mut RefereedWorld, goals: &[(UnitId, Cell)], most: u32) {
    refereed.until(most, |refereed| goals.iter().all(|unit| is_there(refereed, unit)));
    // A unit that yielded to one that has arrived notices it in the next tick.
    refereed.tick();
    for _ in 0..100 {
        let events = refereed.tick().to_vec();
        assert!(events.is_empty(), "{events:?}\n{}", refereed.show());
        let moved = refereed.world.steps().iter().any(|step| step.from != step.at);
        assert!(!moved, "{}", refereed.show());
    }
}

#[test]
fn the_outer_of_two_in_a_dead_end_lets_the_other_in() {
    for window in [8, 16, 32] {
        for gap in [0, 3, 20] {
            let mut refereed = drawn(PASSAGE, window);
            let goals =
                [(refereed.scout((1, 1)), (4, 1).into()), (refereed.scout((0, 0)), (8, 1).into())];
            refereed.go(goals[0].0, goals[0].1);
            refereed.ticks(gap);
            refereed.go(goals[1].0, goals[1].1);
            check_settles(&mut refereed, &goals, 200);
        }
    }
}

/// A unit that yields is reported once, does not arrive a second time when it returns, and obeys
/// orders in between.
/// The two exchange places in the passage, and the one that had arrived returns.
#[test]
fn a_unit_that_had_arrived_makes_way_and_returns() {
    let mut refereed = drawn(PASSAGE, 8);
    let (outer, inner) = (refereed.scout((1, 1)), refereed.scout((0, 0)));
    refereed.go(outer, (4, 1));
    refereed.ticks(20);
    refereed.go(inner, (8, 1));
    check_settles(&mut refereed, &[(outer, (4, 1).into()), (inner, (8, 1).into())], 150);
    assert_eq!(refereed.world.why(outer), Some(Why::Arrived));
}

#[test]
fn an_idle_unit_leaves_the_dead_end_that_another_wants() {
    for window in [8, 16, 32] {
        for x in 4..9 {
            let mut refereed = drawn(PASSAGE, window);
            let (_, comer) = (refereed.scout((x, 1)), refereed.scout((0, 0)));
            refereed.go(comer, (8, 1));
            check_settles(&mut refereed, &[(comer, (8, 1).into())], 200);
        }
    }
}

#[test]
fn units_that_hold_do_not_yield() {
    let mut refereed = drawn(PASSAGE, 8);
    let (rock, comer) = (refereed.scout((5, 1)), refereed.scout((0, 0)));
    refereed.world.order(rock, Order::Hold).unwrap();
    refereed.go(comer, (8, 1));
    let events = refereed.ticks(200);
    assert!(!events.iter().any(|event| matches!(event, Event::Yielding { .. })), "{events:?}");
    assert_eq!(refereed.at(rock), Cell::new(5, 1));
}

#[test]
fn three_that_come_in_the_wrong_order_all_get_in() {
    let drawing = "...######\n.........\n...######\n...######";
    for window in [8, 16] {
        for gap in [0, 30] {
            let mut refereed = drawn(drawing, window);
            let units = [(1, 1), (0, 0), (0, 3)].map(|start| refereed.scout(start));
            let goals = [4, 6, 8].map(|x| Cell::new(x, 1));
            for (&unit, goal) in units.iter().zip(goals) {
                refereed.go(unit, goal);
                refereed.ticks(gap);
            }
            let goals: Vec<_> = units.into_iter().zip(goals).collect();
            check_settles(&mut refereed, &goals, 600);
        }
    }
}

#[test]
fn large_and_slow_units_make_way_too() {
    let drawing = "......########\n..............\n..............\n......########\n......########";
    for (footprint, pace) in [(2, 1), (2, 2)] {
        for window in [8, 16] {
            let mut refereed = drawn(drawing, window);
            let movement = MovementProfile { footprint, pace, ..MovementProfile::four_connected() };
            let mut spawn =
                |at: (u16, u16)| refereed.spawn(at.into(), &Spawn::new(movement.clone()));
            let units = [spawn((3, 1)).unwrap(), spawn((0, 0)).unwrap()];
            let goals = [Cell::new(7, 1), Cell::new(12, 1)];
            refereed.go(units[0], goals[0]);
            refereed.ticks(20);
            refereed.go(units[1], goals[1]);
            check_settles(&mut refereed, &[(units[0], goals[0]), (units[1], goals[1])], 400);
        }
    }
}

/// On a map that is too large for exact distances, a unit on an errand has a route.
#[test]
fn a_large_map_is_no_different() {
    let mut map = Map::empty(200, 100).unwrap();
    let walls: Vec<Cell> = map.cells().filter(|c| c.x >= 150 && c.y != 50).collect();
    map.paint(&walls, Map::WALL).unwrap();
    for window in [8, 16] {
        let mut refereed =
            RefereedWorld::new(map.clone(), WorldOptions { window, ..WorldOptions::default() });
        let goals = [
            (refereed.scout((140, 50)), Cell::new(155, 50)),
            (refereed.scout((120, 40)), Cell::new(199, 50)),
        ];
        for (unit, goal) in goals {
            refereed.go(unit, goal);
            refereed.ticks(25);
        }
        check_settles(&mut refereed, &goals, 500);
    }
}

/// A world in which units yield, saved and restored before every tick, gives the same hashes.
#[test]
fn errands_are_part_of_a_snapshot() {
    for large in [false, true] {
        let mut map = Map::empty(if large { 150 } else { 20 }, 120).unwrap();
        let walls: Vec<Cell> = map.cells().filter(|c| c.x >= 4 && c.y != 1).collect();
        map.paint(&walls, Map::WALL).unwrap();
        let mut world = World::new(map, WorldOptions { window: 8, ..Default::default() }).unwrap();
        for (start, goal) in [((3, 1), (9, 1)), ((2, 1), (12, 1)), ((0, 0), (16, 1))] {
            let spawn = Spawn::new(MovementProfile::four_connected());
            let unit = world.spawn(start, &spawn).unwrap();
            world.order(unit, Order::go(goal)).unwrap();
            for _ in 0..10 {
                world.tick();
            }
        }
        let mut other = world.clone();
        let mut errands = 0;
        for _ in 0..150 {
            other = World::restore(&other.snapshot(), 1).unwrap();
            let (report, restored) = (world.tick(), other.tick());
            assert_eq!((report.hash, &report.events), (restored.hash, &restored.events));
            let is_errand = |event: &&Event| matches!(event, Event::Yielding { .. });
            errands += report.events.iter().filter(is_errand).count();
            assert_eq!(world.snapshot(), other.snapshot());
        }
        assert!(errands > 0);
    }
}

/// Units, and a room with dead ends that are as wide as the units.
struct DeadEnds {
    /// Cells per side of a unit.
    side: u16,
    pace: u8,
}

impl DeadEnds {
    /// The top-left cells of the free squares, each of a unit's size.
    fn open(&self, rng: &mut rand_pcg::Pcg64Mcg) -> Vec<Cell> {
        let (width, height) = (rng.random_range(3..6_u16), rng.random_range(3..6_u16));
        let room = (0..width).flat_map(|x| (0..height).map(move |y| (12 + x, 12 + y)));
        let mut open: BTreeSet<(u16, u16)> = room.collect();
        for _ in 0..rng.random_range(1..4) {
            let length = rng.random_range(2..10_u16);
            let (x, y) = (12 + rng.random_range(0..width), 12 + rng.random_range(0..height));
            let direction = rng.random_range(0..4);
            open.extend((1..=length).map(|step| match direction {
                0 => (11 + width + step, y),
                1 => (12 - step, y),
                2 => (x, 11 + height + step),
                _ => (x, 12 - step),
            }));
        }
        open.into_iter().map(|(x, y)| Cell::new(x * self.side, y * self.side)).collect()
    }

    fn map(&self, open: &[Cell]) -> Map {
        let size = 32 * u32::from(self.side);
        let mut map = Map::empty(size, size).unwrap();
        let corner =
            |cell: Cell| Cell::new(cell.x - cell.x % self.side, cell.y - cell.y % self.side);
        let walls: Vec<Cell> = map.cells().filter(|&cell| !open.contains(&corner(cell))).collect();
        map.paint(&walls, Map::WALL).unwrap();
        map
    }

    /// Two to four units with random goals, some without. Returns whether all come to rest.
    fn settles(&self, seed: u64) -> bool {
        let mut rng = rng(seed);
        let mut open = self.open(&mut rng);
        let window = [8, 16][rng.random_range(0..2_u32) as usize];
        let options = WorldOptions { window, ..WorldOptions::default() };
        let mut refereed = RefereedWorld::new(self.map(&open), options);
        let mut draw = |from: &mut Vec<Cell>| {
            let index = rng.random_range(0..from.len() as u32);
            from.swap_remove(index as usize)
        };
        let (footprint, pace) = (self.side as u8, self.pace);
        let spawn =
            Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::four_connected() });
        let mut starts = open.clone();
        let units = 0..2 + seed % 3;
        let units: Vec<UnitId> =
            units.map(|_| refereed.spawn(draw(&mut starts), &spawn).unwrap()).collect();
        let mut goals = Vec::new();
        for unit in units {
            if unit.index() == 0 || !seed.is_multiple_of(5) {
                let goal = draw(&mut open);
                refereed.go(unit, goal);
                goals.push((unit, goal));
            }
            refereed.ticks(if seed.is_multiple_of(2) { 0 } else { 15 });
        }
        refereed.ticks(700);
        let events = refereed.ticks(100);
        events.is_empty() && goals.iter().all(|unit| is_there(&refereed, unit))
    }

    /// With at most `most` of the first seeds some unit does not come to rest.
    fn check(&self, seeds: u64, most: usize) {
        let failed: Vec<u64> = (0..seeds).filter(|&seed| !self.settles(seed)).collect();
        assert!(failed.len() <= most, "{} of {seeds} did not: {failed:?}", failed.len());
    }
}

#[test]
fn in_rooms_with_dead_ends_nearly_all_settle() {
    DeadEnds { side: 1, pace: 1 }.check(300, 1);
    DeadEnds { side: 1, pace: 2 }.check(60, 1);
    DeadEnds { side: 2, pace: 1 }.check(60, 1);
}
