//! Random maps, movements and problems for all tests here.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{
    Cell, CornerRule, DiagonalCost, Map, MovementProfile, Neighbours, Problem, Unit, ValidProblem,
};
use throng_spacetime::{FootprintRules, GridSpace, Position, Space};

/// One of several.
pub(crate) fn pick<T: Clone>(rng: &mut Pcg64Mcg, of: &[T]) -> T {
    of[rng.random_range(0..of.len() as u32) as usize].clone()
}

/// Any kind of unit: one to three cells per side, one to three ticks per step.
pub(crate) fn movement(rng: &mut Pcg64Mcg) -> MovementProfile {
    MovementProfile {
        neighbours: pick(rng, &[Neighbours::Four, Neighbours::Eight]),
        corners: pick(rng, &[CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut]),
        diagonal: pick(rng, &[DiagonalCost::TrueLength, DiagonalCost::OneTick]),
        footprint: pick(rng, &[1, 1, 1, 2, 3]),
        pace: pick(rng, &[1, 1, 2, 3]),
        ..MovementProfile::four_connected()
    }
}

/// Walls, and sometimes costly ground.
pub(crate) fn map(rng: &mut Pcg64Mcg, side_max: u32) -> Map {
    let (width, height) = (rng.random_range(4..=side_max), rng.random_range(4..=side_max));
    let (percent, factor_max) = (pick(rng, &[0, 5, 15, 30]), pick(rng, &[1, 1, 4]));
    throng_testkit::random_terrain(rng.random(), width, height, percent, factor_max)
}

pub(crate) fn cell(rng: &mut Pcg64Mcg, map: &Map) -> Cell {
    let x = rng.random_range(0..u32::from(map.width())) as u16;
    Cell::new(x, rng.random_range(0..u32::from(map.height())) as u16)
}

/// A position where a unit of the space can stand.
pub(crate) fn place(rng: &mut Pcg64Mcg, map: &Map, space: &GridSpace) -> Option<Position> {
    let cells = (0..50).map(|_| cell(rng, map)).find(|&cell| space.ground().can_stand(cell));
    space.position(cells?)
}

pub(crate) fn spaces(
    map: &Map,
    movements: &[MovementProfile],
    rules: &FootprintRules,
) -> Vec<GridSpace> {
    let space = |movement: &MovementProfile| GridSpace::new(map, movement.clone(), rules).unwrap();
    movements.iter().map(space).collect()
}

/// The entries of a body.
pub(crate) fn body(space: &GridSpace, at: Position) -> Vec<usize> {
    let mut entries = Vec::new();
    space.standing(at, |entry| {
        entries.push(entry.get());
        true
    });
    entries
}

/// A random problem of at most `units_max` units; their goals need not be reachable.
pub(crate) fn problem(seed: u64, side_max: u32, units_max: u32) -> ValidProblem {
    let rng = &mut throng_testkit::rng(seed);
    let map = map(rng, side_max);
    let kinds = rng.random_range(1..=3_u32);
    let movements: Vec<_> = (0..kinds).map(|_| movement(rng)).collect();
    let spaces = spaces(&map, &movements, &FootprintRules::default());
    let mut taken = [vec![false; spaces[0].positions()], vec![false; spaces[0].positions()]];
    let mut units = Vec::new();
    for _ in 0..rng.random_range(0..=units_max) {
        let movement = rng.random_range(0..kinds) as usize;
        let space = &spaces[movement];
        let mut free = |taken: &[bool]| {
            let at = place(rng, &map, space)?;
            body(space, at).iter().all(|&entry| !taken[entry]).then_some(at)
        };
        let (Some(start), Some(goal)) = (free(&taken[0]), free(&taken[1])) else { continue };
        body(space, start).into_iter().for_each(|entry| taken[0][entry] = true);
        body(space, goal).into_iter().for_each(|entry| taken[1][entry] = true);
        units.push(Unit { start: space.cell(start), goal: space.cell(goal), movement });
    }
    let problem =
        Problem { movements, ..Problem::new(map, MovementProfile::four_connected(), units) };
    problem.validate().unwrap()
}
