//! Units of any size and pace on grids, against brute force and the referee.

use rand::RngExt as _;
use throng_model::{
    Budget, Cell, Map, MovementProfile, Outcome, Planner as _, Problem, Silent, Unit,
};
use throng_optimal::JointAStar;
use throng_referee::{MoveLists, TimedMove, Traveller};
use throng_testkit::timed_moves::optimum;

use crate::help::{OBJECTIVES, eight, plan, planners, refereed};

/// A four-connected grid as lists. A body is a square whose top-left cell is its node. A slow
/// step holds all cells of both ends while it lasts; two small units cannot exchange places.
fn lists(map: &Map, movement: &MovementProfile) -> MoveLists {
    let (width, height) = (usize::from(map.width()), usize::from(map.height()));
    let (side, pace) = (usize::from(movement.footprint), usize::from(movement.pace));
    let body = |node: usize| -> Vec<u32> {
        let (x, y) = (node % width, node / width);
        let fits = x + side <= width && y + side <= height;
        let cells = (0..side * side).filter(|_| fits);
        cells.map(|at| ((y + at / side) * width + x + at % side) as u32).collect()
    };
    let cell =
        |index: u32| Cell::new((index as usize % width) as u16, (index as usize / width) as u16);
    let stands = |node: usize| {
        let body = body(node);
        !body.is_empty() && body.iter().all(|&index| map.is_passable(cell(index)))
    };
    let nodes = width * height;
    let mut moves = Vec::new();
    for from in (0..nodes).filter(|&node| stands(node)) {
        let right = (from % width + 1 < width).then_some(from + 1);
        let down = (from + width < nodes).then_some(from + width);
        for to in [right, down].into_iter().flatten().filter(|&node| stands(node)) {
            for (from, to) in [(from, to), (to, from)] {
                let mut held = vec![[body(from), body(to)].concat(); pace - 1];
                let gap = (nodes + 2 * from.min(to) + usize::from(from.abs_diff(to) == 1)) as u32;
                held.push(if side == 1 && pace == 1 { vec![gap] } else { Vec::new() });
                moves.push(TimedMove { from, to, held });
            }
        }
    }
    MoveLists::new((0..nodes).map(body).collect(), moves)
}

const KINDS: [(u8, u8); 4] = [(1, 1), (2, 1), (1, 2), (2, 2)];

/// A problem with units of two kinds at random places; `None` if they do not fit.
fn random_problem(seed: u64) -> Option<Problem> {
    let map = throng_testkit::random_map(seed, 4, 3, 10);
    let mut rng = throng_testkit::rng(seed ^ 0xb0d1e5);
    let profile = |(footprint, pace)| MovementProfile {
        footprint,
        pace,
        ..MovementProfile::four_connected()
    };
    let first = rng.random_range(0..4_u32) as usize;
    let movements: Vec<_> = [KINDS[first], KINDS[(first + 1) % 4]].map(profile).into();
    let mut cell = || Cell::new(rng.random_range(0..4), rng.random_range(0..3));
    let mut unit = |movement| Unit { movement, ..Unit::new(cell(), cell()) };
    let units: Vec<_> = (0..2 + seed as usize % 2).map(|number| unit(number % 2)).collect();
    let mut problem = Problem::new(map, movements[0].clone(), units);
    problem.movements = movements;
    problem.clone().validate().ok().map(|_| problem)
}

#[test]
fn small_random_problems_with_large_and_slow_units() {
    let (mut tried, mut unsolvable) = (0, 0);
    for problem in (0..1500).filter_map(random_problem) {
        let kinds: Vec<_> =
            problem.movements.iter().map(|movement| lists(&problem.map, movement)).collect();
        let index = |cell: Cell| problem.map.index(cell).unwrap().0 as usize;
        let traveller = |unit: &Unit| Traveller {
            kind: &kinds[unit.movement],
            start: index(unit.start),
            goal: index(unit.goal),
        };
        let units: Vec<_> = problem.units.iter().map(traveller).collect();
        let valid = problem.clone().validate().unwrap();
        tried += 1;
        for objective in OBJECTIVES {
            let expected = optimum(&units, objective);
            unsolvable += usize::from(expected.is_none());
            for planner in planners() {
                let planner = planner.with_objective(objective);
                let found = match plan(&planner, &valid).outcome {
                    Outcome::ProvenUnsolvable(_) => None,
                    outcome => Some(refereed(&problem, objective, outcome).cost),
                };
                assert_eq!(found, expected, "{planner:?} {problem:?}");
            }
        }
    }
    assert!(tried >= 30 && unsolvable >= 3, "{tried} tried, {unsolvable} unsolvable");
}

/// Diagonal steps of large bodies: the referee knows when they pass through each other.
#[test]
fn large_units_on_diagonals_are_refereed() {
    for footprint in 1..=3 {
        for pace in 1..=2 {
            let movement = MovementProfile { footprint, pace, ..eight() };
            let far = 9 - u16::from(footprint);
            let units = vec![
                Unit::new((0, 0), (far, far)),
                Unit::new((far, far), (0, 0)),
                Unit::new((far, 0), (0, far)),
            ];
            let problem = Problem::new(Map::empty(9, 9).unwrap(), movement, units);
            let problem = problem.validate().unwrap();
            for objective in OBJECTIVES {
                let planner = JointAStar::new().with_objective(objective);
                let report = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
                let solution = refereed(&problem, objective, report.outcome);
                assert_eq!(solution.cost, solution.proven_bound);
                assert!(solution.cost > 3 * u64::from(far) * u64::from(pace));
            }
        }
    }
}
