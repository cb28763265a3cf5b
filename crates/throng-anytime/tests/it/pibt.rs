//! The kernel alone: every step is legal, and crowds arrive where PIBT promises it.

use throng_anytime::{Distances, Graph, Guidance, Pibt, Vertex};
use throng_model::{Cell, Conflicts, Map, Plan, Problem, Unit};

use crate::help::movements;

/// Plays some steps of a random crowd and shows them to the referee.
fn play(seed: u64, conflicts: Conflicts) {
    let map = throng_testkit::random_map(seed, 9, 8, 20);
    let movement = &movements()[seed as usize % 4];
    let graph = Graph::new(&map, movement).unwrap();
    let mut cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let mut rng = throng_testkit::rng(seed);
    let mut draw = || {
        for index in (1..cells.len()).rev() {
            cells.swap(index, rand::RngExt::random_range(&mut rng, 0..=index as u32) as usize);
        }
        cells.iter().copied().take(cells.len() * 2 / 3).collect::<Vec<_>>()
    };
    let (starts, goals) = (draw(), draw());
    let at = |cells: &[Cell]| cells.iter().filter_map(|&c| graph.vertex(c)).collect::<Vec<_>>();
    let mut distances = Distances::new(&graph, &at(&goals));
    let mut pibt = Pibt::new(&graph, conflicts, starts.len());
    pibt.place(&at(&starts));
    let order: Vec<u32> = (0..starts.len() as u32).collect();
    let mut paths: Vec<Vec<Cell>> = starts.iter().map(|&start| vec![start]).collect();
    for round in 0..40 {
        let hints = if round % 2 == 0 { Vec::new() } else { at(&goals) };
        let hints: Vec<Vertex> = hints;
        let late: Vec<bool> = (0..starts.len()).map(|unit| unit % 3 == 0).collect();
        let hindrance = !seed.is_multiple_of(3);
        let guidance = Guidance {
            hints: &hints,
            hindrance,
            late: &late,
            swap: seed.is_multiple_of(2),
            swap_steps: &[],
            round,
        };
        assert!(pibt.step(&order, &[], &mut distances, &guidance), "without fixed units it can");
        pibt.advance();
        for (path, &at) in paths.iter_mut().zip(pibt.now()) {
            path.push(graph.cell(at));
        }
    }
    let units = starts.iter().zip(&goals).map(|(&start, &goal)| Unit::new(start, goal)).collect();
    let problem = Problem { conflicts, ..Problem::new(map, movement.clone(), units) };
    let verdict = throng_referee::check(&problem, &Plan { paths });
    assert!(verdict.is_legal(), "seed {seed}: {:?}", verdict.violations);
}

#[test]
fn steps_of_dense_crowds_are_legal() {
    (0..300).for_each(|seed| play(seed, Conflicts::default()));
}

#[test]
fn conflicts_that_do_not_count_are_allowed_and_the_others_are_not() {
    for seed in 0..100 {
        play(seed, Conflicts { swap: false, crossing: true });
        play(seed, Conflicts { swap: true, crossing: false });
    }
}

#[test]
fn fixed_units_go_where_they_must_or_the_step_is_refused() {
    let graph = Graph::new(&Map::empty(3, 1).unwrap(), &movements()[0]).unwrap();
    let [left, middle, right] = [0, 1, 2].map(|x| graph.vertex(Cell::new(x, 0)).unwrap());
    let mut distances = Distances::new(&graph, &[left, right]);
    let mut pibt = Pibt::new(&graph, Conflicts::default(), 2);
    pibt.place(&[left, middle]);
    let guidance = Guidance::default();
    assert!(pibt.step(&[0, 1], &[(0, middle)], &mut distances, &guidance));
    assert_eq!(pibt.next(), [middle, right]);
    let both = [(0, middle), (1, left)];
    assert!(!pibt.step(&[0, 1], &both, &mut distances, &guidance), "they would exchange places");
    assert!(!pibt.step(&[0, 1], &[(0, middle), (1, middle)], &mut distances, &guidance));
    assert!(pibt.step(&[0, 1], &[(0, left)], &mut distances, &guidance), "nothing is left over");
}
