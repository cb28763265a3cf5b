//! Scenes that a loop of the kernel alone must solve.

use throng_model::{Cell, Map, MovementProfile};
use throng_spacetime::FootprintRules;

use super::sim::Sim;

fn four() -> MovementProfile {
    MovementProfile::four_connected()
}

fn eight() -> MovementProfile {
    MovementProfile::eight_connected()
}

/// Lower-case letters start, upper-case letters are the goals.
fn drawn(drawing: &str, kind: MovementProfile) -> Sim {
    let map = throng_testkit::map(drawing);
    let mut sim = Sim::new(map, vec![kind], &FootprintRules::default(), 1);
    for letter in 'a'..='z' {
        if let Some(&at) = throng_testkit::find(drawing, letter).first() {
            let goal = throng_testkit::place(drawing, letter.to_ascii_uppercase());
            assert!(sim.add(0, at, goal), "unit {letter}");
        }
    }
    sim
}

/// Two rooms with a wall between them, and a door of some cells in its middle.
fn rooms(side: u32, door: u32) -> Map {
    let mut map = Map::empty(side, side).unwrap();
    let (middle, begin) = (side / 2, side / 2 - door / 2);
    let wall = (0..side).filter(|row| !(begin..begin + door).contains(row));
    let cells: Vec<_> = wall.map(|row| Cell::new(middle as u16, row as u16)).collect();
    map.paint(&cells, Map::WALL).unwrap();
    map
}

/// Units of both rooms that change rooms: a column after the other, from the outside in.
fn door_scene(side: u32, door: u32, units: u32, kind: MovementProfile) -> Sim {
    let mut sim = Sim::new(rooms(side, door), vec![kind], &FootprintRules::default(), 1);
    for number in 0..units {
        let (column, row) = ((number / 2 / side) as u16, (number / 2 % side) as u16);
        let (left, right) = (Cell::new(column, row), Cell::new(side as u16 - 1 - column, row));
        let (at, goal) = if number % 2 == 0 { (left, right) } else { (right, left) };
        assert!(sim.add(0, at, goal));
    }
    sim
}

#[test]
fn two_units_pass_in_a_corridor_with_a_siding() {
    for kind in [four(), eight()] {
        let ticks = drawn("Ba......bA\n#####.####\n", kind.clone()).run_until_resting(100);
        assert!(ticks.is_some_and(|ticks| ticks < 40), "{ticks:?}");
        let ticks = drawn("Ba.......bA\n#.#########\n", kind).run_until_resting(100);
        assert!(ticks.is_some_and(|ticks| ticks < 60), "{ticks:?}");
    }
}

#[test]
fn a_unit_at_the_end_of_a_dead_end_lets_another_in() {
    for kind in [four(), eight()] {
        let ticks = drawn("##B..\n##.##\nAb.a.\n", kind).run_until_resting(100);
        assert!(ticks.is_some(), "{ticks:?}");
    }
}

#[test]
fn crowds_pass_a_door_both_ways() {
    for (door, units) in [(1, 20), (1, 60), (2, 20), (2, 100), (2, 200)] {
        for kind in [four(), eight()] {
            let mut sim = door_scene(32, door, units, kind);
            assert!(sim.run_until_resting(600).is_some(), "{}", sim.drawing());
        }
    }
}

/// The bound is what LaCAM2 takes, whose units have four neighbours: 535 ticks.
#[test]
fn five_hundred_units_pass_a_door_of_two_cells() {
    let mut sim = door_scene(64, 2, 500, eight());
    let ticks = sim.run_until_resting(535);
    assert!(ticks.is_some(), "{}", sim.drawing());
}

/// Columns of units of three sizes and paces that change sides.
#[test]
fn mixed_sizes_cross() {
    let kinds: Vec<_> =
        (1..=3).map(|size| MovementProfile { footprint: size, pace: size, ..eight() }).collect();
    let mut sim = Sim::new(Map::empty(30, 24).unwrap(), kinds, &FootprintRules::default(), 1);
    for (kind, column) in [(0, 0), (1, 2), (2, 5)] {
        for row in (0..24 - kind as u16).step_by(kind + 1) {
            let (left, right) = (Cell::new(column, row), Cell::new(29 - kind as u16 - column, row));
            assert!(sim.add(kind, left, right) && sim.add(kind, right, left));
        }
    }
    assert_eq!(sim.units.len(), 88);
    let ticks = sim.run_until_arrived(1000);
    assert!(ticks.is_some(), "{} of 88\n{}", sim.arrived(), sim.drawing());
}

#[test]
fn a_unit_that_holds_stays_and_is_passed() {
    let mut sim = drawn("........\na....b.A\n....B...\n", eight());
    sim.units[1].holds = true;
    assert_eq!(sim.run_until(20, |sim| sim.arrived() == 1), Some(7), "{}", sim.drawing());
    assert!(sim.units[0].has_arrived);
}

/// The first units of scenario 1 of a benchmark map.
fn benchmark(map: &str, units: usize) -> Option<Sim> {
    let maps = throng_testkit::bench_data::folder("maps")?;
    let scenarios = throng_testkit::bench_data::folder("scen/random")?;
    let read = throng_testkit::bench_data::read;
    let scenario = read(&scenarios.join(format!("{map}-random-1.scen")));
    let map = read(&maps.join(format!("{map}.map")));
    let map = throng_formats::map::read(&map, throng_formats::map::MapOptions::default()).unwrap();
    let scenario = throng_formats::scen::read(&scenario).unwrap();
    let mut sim = Sim::new(map, vec![four()], &FootprintRules::default(), 1);
    for row in scenario.first(Some(units)).unwrap() {
        assert!(sim.add(0, row.start, row.goal));
    }
    Some(sim)
}

#[test]
fn a_loop_of_the_kernel_solves_benchmarks() {
    let cases = [("random-32-32-20", 100), ("random-32-32-20", 400), ("room-64-64-8", 400)];
    for (map, units) in cases {
        let Some(mut sim) = benchmark(map, units) else { return };
        let ticks = sim.run_until_resting(1000);
        assert!(ticks.is_some(), "{map}: {} of {units} rest", sim.resting());
    }
}
