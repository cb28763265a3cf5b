//! LaCAM solves exactly the solvable instances: every small one, and a sample of larger ones.

use rand::RngExt;
use throng_anytime::Lacam;
use throng_model::{Cell, Map, MovementProfile};

use crate::help::{is_solved, movements, problem};
use crate::small_worlds::{Placements, maps};

/// Every instance of some units on a map, up to the units' names: how many, and how many are
/// solvable.
fn judge_all(map: &Map, movement: &MovementProfile, units: usize, planner: &Lacam) -> [u64; 2] {
    let placements = Placements::new(map, movement, units);
    let all = placements.all();
    let mut counts = [0, 0];
    for goals in all.iter().filter(|goals| goals.is_sorted()) {
        for starts in &all {
            let expected = placements.is_solvable(starts, goals);
            let problem = problem(map, movement, starts, goals);
            assert_eq!(is_solved(planner, &problem), expected, "{planner:?} {problem:?}");
            counts[0] += 1;
            counts[1] += u64::from(expected);
        }
    }
    counts
}

fn judge_maps(units: usize, movements: &[MovementProfile]) -> [u64; 2] {
    let (planner, mut counts) = (&Lacam::default(), [0, 0]);
    for map in SIZES.iter().flat_map(|&(width, height)| maps(width, height)) {
        for movement in movements {
            let more = judge_all(&map, movement, units, planner);
            counts = [counts[0] + more[0], counts[1] + more[1]];
        }
    }
    counts
}

const SIZES: [(u32, u32); 6] = [(2, 1), (3, 1), (2, 2), (3, 2), (3, 3), (4, 1)];

#[test]
fn all_instances_of_two_units() {
    let counts = judge_maps(2, &movements());
    assert_eq!(counts, [118_992, 94_260]);
}

#[test]
fn all_instances_of_three_units_four_connected() {
    assert_eq!(judge_maps(3, &movements()[..1]), [216_516, 155_970]);
}

#[test]
fn all_instances_of_three_units_eight_connected() {
    assert_eq!(judge_maps(3, &movements()[1..2]), [216_516, 208_729]);
}

/// Random starts and goals on random maps of up to 4 x 4 cells.
#[test]
fn a_sample_of_larger_instances() {
    let mut counts = [0, 0];
    for seed in 0..300 {
        let mut rng = throng_testkit::rng(seed);
        let (width, height) = (rng.random_range(2..=4), rng.random_range(3..=4));
        let percent = rng.random_range(20..60);
        let map = throng_testkit::random_map(seed, width, height, percent);
        let movement = &movements()[seed as usize % 4];
        let units = rng.random_range(2..=5_usize);
        let free = map.cells().filter(|&cell| map.is_passable(cell)).count();
        if free < units || free.pow(units as u32) > 60_000 {
            continue;
        }
        let placements = Placements::new(&map, movement, units);
        let all: Vec<Vec<Cell>> = placements.all();
        for number in 0..40_u32 {
            let [starts, goals] =
                [(), ()].map(|()| &all[rng.random_range(0..all.len() as u32) as usize]);
            let expected = placements.is_solvable(starts, goals);
            let problem = problem(&map, movement, starts, goals);
            let planner =
                Lacam { swap: number % 4 != 0, hindrance: number % 3 != 0, ..Lacam::default() };
            assert_eq!(is_solved(&planner, &problem), expected, "{planner:?} {problem:?}");
            counts[0] += 1;
            counts[1] += u64::from(expected);
        }
    }
    assert!(counts[0] > 4000 && counts[1] > 1000, "{counts:?}");
}
