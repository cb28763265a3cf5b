//! Random problems with valid plans: units are added one by one, each with a random walk that
//! the naive checker accepts.

use std::collections::BTreeSet;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{
    Cell, Conflicts, CornerRule, DiagonalCost, Factor, Map, MovementProfile, Neighbours, Plan,
    Problem, TerrainId, TerrainOverride, Unit,
};
use throng_referee::Violation;

use crate::naive_checker;

/// A violation in comparisons: tick, units, name of the kind.
pub(crate) type Finding = (u32, Vec<u32>, &'static str);

pub(crate) fn findings(violations: &[Violation]) -> BTreeSet<Finding> {
    let finding =
        |v: &Violation| (v.tick.0, v.units.iter().map(|u| u.to_bits()).collect(), v.name());
    violations.iter().map(finding).collect()
}

pub(crate) fn cells(pairs: &[(u16, u16)]) -> Vec<Cell> {
    pairs.iter().map(|&pair| pair.into()).collect()
}

fn pick<T: Copy>(rng: &mut Pcg64Mcg, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len() as u32) as usize]
}

pub(crate) fn random_movement(rng: &mut Pcg64Mcg) -> MovementProfile {
    MovementProfile {
        neighbours: pick(rng, &[Neighbours::Four, Neighbours::Eight, Neighbours::Eight]),
        corners: pick(rng, &[CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut]),
        diagonal: DiagonalCost::TrueLength,
        footprint: pick(rng, &[1, 1, 1, 2, 2, 3]),
        pace: pick(rng, &[1, 1, 1, 2, 3]),
        terrain: random_overrides(rng),
        slow: Vec::new(),
    }
}

/// Class 2 is a swamp, which some profiles may enter and others not.
fn random_overrides(rng: &mut Pcg64Mcg) -> Vec<TerrainOverride> {
    let count = rng.random_range(0..3_u32);
    let factor = |rng: &mut Pcg64Mcg| pick(rng, &[None, Some(Factor::ONE), Factor::new(3).ok()]);
    (0..count).map(|_| TerrainOverride { terrain: TerrainId(2), factor: factor(rng) }).collect()
}

pub(crate) fn random_terrain(rng: &mut Pcg64Mcg) -> Map {
    let mut map = throng_testkit::random_map(rng.random(), 9, 7, 8);
    let swamp = throng_model::TerrainClass::passable("swamp", '2', Factor::new(2).unwrap());
    let swamp = map.add_class(swamp).unwrap();
    let wet: Vec<_> = map.cells().filter(|_| rng.random_range(0..10_u32) == 0).collect();
    map.paint(&wet, swamp).unwrap();
    map
}

pub(crate) fn random_cell(rng: &mut Pcg64Mcg, map: &Map) -> Cell {
    let width = u32::from(map.width());
    let index = rng.random_range(0..width * u32::from(map.height()));
    Cell::new((index % width) as u16, (index / width) as u16)
}

/// Units with paths that are legal one by one, but may collide with each other.
pub(crate) fn random_walks(rng: &mut Pcg64Mcg, units: u32, ticks: usize) -> (Problem, Plan) {
    let mut problem = Problem::new(random_terrain(rng), random_movement(rng), Vec::new());
    problem.movements.extend((0..3).map(|_| random_movement(rng)).collect::<Vec<_>>());
    problem.conflicts = Conflicts {
        swap: rng.random_range(0..4_u32) > 0,
        crossing: rng.random_range(0..4_u32) > 0,
    };
    let mut plan = Plan::default();
    for _ in 0..units {
        add_walk(rng, &mut problem, &mut plan, ticks);
    }
    (problem, plan)
}

fn add_walk(rng: &mut Pcg64Mcg, problem: &mut Problem, plan: &mut Plan, ticks: usize) {
    let start = random_cell(rng, &problem.map);
    let movement = rng.random_range(0..problem.movements.len() as u32) as usize;
    if !naive_checker::stands(
        &problem.map,
        &problem.movements[movement],
        naive_checker::point(start),
    ) {
        return;
    }
    let path = random_walk(rng, &problem.map, &problem.movements[movement], start, ticks);
    problem.units.push(Unit { start, goal: path[path.len() - 1], movement });
    plan.paths.push(path);
}

fn random_walk(
    rng: &mut Pcg64Mcg,
    map: &Map,
    movement: &MovementProfile,
    start: Cell,
    ticks: usize,
) -> Vec<Cell> {
    let ticks = rng.random_range(1..=ticks as u32) as usize;
    let mut path = vec![start];
    while path.len() < ticks {
        let at = path[path.len() - 1];
        let (dx, dy) = (rng.random_range(-1..=1), rng.random_range(-1..=1));
        let next = at.offset(dx, dy).filter(|&to| naive_checker::may_step(map, movement, at, to));
        match next {
            Some(to) if to != at => {
                path.extend(vec![at; usize::from(movement.pace) - 1]);
                path.push(to);
            }
            _ => path.push(at),
        }
    }
    path
}

/// A problem and a plan that the naive checker accepts.
pub(crate) fn valid_case(seed: u64) -> (Problem, Plan) {
    let mut rng = throng_testkit::rng(seed);
    let (mut problem, mut plan) = random_walks(&mut rng, 0, 0);
    for _ in 0..30 {
        let (fewer_units, fewer_paths) = (problem.units.len(), plan.paths.len());
        add_walk(&mut rng, &mut problem, &mut plan, 14);
        let newest = problem.units.len().saturating_sub(1);
        let mut found = BTreeSet::new();
        for other in 0..newest {
            naive_checker::pair(&problem, &plan, other, newest, &mut found);
        }
        if !found.is_empty() {
            problem.units.truncate(fewer_units);
            plan.paths.truncate(fewer_paths);
        }
    }
    (problem, plan)
}
