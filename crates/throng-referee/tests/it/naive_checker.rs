//! A naive second checker: all pairs of units at all ticks, with sets of cells where the
//! referee uses arithmetic. Both must agree on every plan.

use std::collections::BTreeSet;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Conflicts, CornerRule, Map, MovementProfile, Neighbours, Plan, Problem};
use throng_referee::check;

use crate::cases::{Finding, findings, random_cell, random_walks, valid_case};

pub(crate) type Point = (i64, i64);
type Found = BTreeSet<Finding>;

pub(crate) fn point(cell: Cell) -> Point {
    (i64::from(cell.x), i64::from(cell.y))
}

fn body((x, y): Point, side: u8) -> BTreeSet<Point> {
    let side = i64::from(side);
    (0..side * side).map(|i| (x + i % side, y + i / side)).collect()
}

fn on_map(map: &Map, (x, y): Point) -> bool {
    x >= 0 && y >= 0 && x < i64::from(map.width()) && y < i64::from(map.height())
}

fn passable(map: &Map, movement: &MovementProfile, (x, y): Point) -> bool {
    let class = map.terrain_at(Cell::new(0, 0).offset(x as i32, y as i32).unwrap()).unwrap();
    let mut factor = map.classes()[class.get()].factor;
    for given in &movement.terrain {
        if given.terrain == class {
            factor = given.factor;
        }
    }
    factor.is_some()
}

pub(crate) fn stands(map: &Map, movement: &MovementProfile, at: Point) -> bool {
    body(at, movement.footprint).iter().all(|&p| on_map(map, p) && passable(map, movement, p))
}

fn step_fault(map: &Map, movement: &MovementProfile, a: Point, b: Point) -> Option<&'static str> {
    let (dx, dy) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    match (dx, dy, movement.neighbours) {
        (0, 1, _) | (1, 0, _) => None,
        (1, 1, Neighbours::Eight) => {
            let one = stands(map, movement, (a.0, b.1));
            let two = stands(map, movement, (b.0, a.1));
            let free = match movement.corners {
                CornerRule::NeverCut => one && two,
                CornerRule::OneSideFree => one || two,
                CornerRule::AlwaysCut => true,
            };
            (!free).then_some("corner")
        }
        _ => Some("contiguity"),
    }
}

pub(crate) fn may_step(map: &Map, movement: &MovementProfile, from: Cell, to: Cell) -> bool {
    let (a, b) = (point(from), point(to));
    stands(map, movement, b) && (a == b || step_fault(map, movement, a, b).is_none())
}

fn movement_of(problem: &Problem, unit: usize) -> Option<&MovementProfile> {
    problem.movements.get(problem.units[unit].movement).filter(|m| m.validate().is_ok())
}

fn at(plan: &Plan, unit: usize, tick: usize) -> Point {
    let path = &plan.paths[unit];
    point(path[tick.min(path.len() - 1)])
}

fn check_alone(problem: &Problem, plan: &Plan, u: usize, found: &mut Found) {
    let (map, movement, path) = (&problem.map, movement_of(problem, u).unwrap(), &plan.paths[u]);
    let mut report = |tick: usize, name| found.insert((tick as u32, vec![u as u32], name));
    if path[0] != problem.units[u].start {
        report(0, "start");
    }
    if path[path.len() - 1] != problem.units[u].goal {
        report(path.len() - 1, "goal");
    }
    let pace = usize::from(movement.pace);
    for t in 0..path.len() {
        let here = point(path[t]);
        if t > 0 && path[t - 1] == path[t] {
            continue;
        }
        let covered = body(here, movement.footprint);
        if covered.iter().any(|&p| !on_map(map, p)) {
            report(t, "bounds");
        }
        if covered.iter().any(|&p| on_map(map, p) && !passable(map, movement, p)) {
            report(t, "terrain");
        }
        if t == 0 {
            continue;
        }
        if let Some(name) = step_fault(map, movement, point(path[t - 1]), here) {
            report(t, name);
        }
        if t < pace || path[t - pace..t].iter().any(|&c| c != path[t - 1]) {
            report(t, "pace");
        }
    }
}

/// Every cell that a body covers during a straight move between two neighbours. It slides in
/// sixteenths of a cell, and every cell that it overlaps counts.
fn swept(from: Point, to: Point, side: u8) -> BTreeSet<Point> {
    let mut cells = BTreeSet::new();
    for sixteenth in 0..=16 {
        let place = |a: i64, b: i64| a * 16 + (b - a) * sixteenth;
        let (x, y) = (place(from.0, to.0), place(from.1, to.1));
        let covered =
            |low: i64| low.div_euclid(16)..=(low + 16 * i64::from(side) - 1).div_euclid(16);
        cells.extend(covered(y).flat_map(|row| covered(x).map(move |column| (column, row))));
    }
    cells
}

/// Every cell of the map that a unit holds, in the middle of a step or at rest.
pub(crate) fn held(map: &Map, side: u8, here: Point, ahead: Option<Point>) -> BTreeSet<Point> {
    let near = |p: &Point| (p.0 - here.0).abs() <= 1 && (p.1 - here.1).abs() <= 1;
    let mut cells = swept(here, ahead.filter(near).unwrap_or(here), side);
    cells.retain(|&p| on_map(map, p));
    cells
}

/// The arrival tick and target of the step that is in progress at the tick, if any.
pub(crate) fn ahead(
    movement: &MovementProfile,
    path: &[Cell],
    tick: usize,
) -> Option<(usize, Cell)> {
    let here = path[tick.min(path.len() - 1)];
    let arrival = (tick..path.len()).find(|&t| path[t] != here)?;
    (arrival - tick < usize::from(movement.pace)).then(|| (arrival, path[arrival]))
}

fn held_at(problem: &Problem, plan: &Plan, u: usize, tick: usize) -> BTreeSet<Point> {
    let movement = movement_of(problem, u).unwrap();
    let ahead = ahead(movement, &plan.paths[u], tick).map(|(_, cell)| point(cell));
    held(&problem.map, movement.footprint, at(plan, u, tick), ahead)
}

pub(crate) fn pair(problem: &Problem, plan: &Plan, a: usize, b: usize, found: &mut Found) {
    for tick in 0..=plan.last_tick().0 as usize {
        let shared = |t| !held_at(problem, plan, a, t).is_disjoint(&held_at(problem, plan, b, t));
        let name = if shared(tick) {
            Some("vertex")
        } else if tick == 0 || shared(tick - 1) {
            None
        } else {
            let steps = [a, b].map(|u| (at(plan, u, tick - 1), at(plan, u, tick)));
            let kinds = [a, b].map(|u| movement_of(problem, u).unwrap());
            between(&problem.map, problem.conflicts, steps, kinds)
        };
        found.extend(name.map(|name| (tick as u32, vec![a as u32, b as u32], name)));
    }
}

/// The conflict between two ticks of two units of pace 1 that are disjoint at both.
pub(crate) fn between(
    map: &Map,
    conflicts: Conflicts,
    steps: [(Point, Point); 2],
    kinds: [&MovementProfile; 2],
) -> Option<&'static str> {
    for ((from, to), movement) in steps.into_iter().zip(kinds) {
        let stretch = (from.0 - to.0).abs().max((from.1 - to.1).abs());
        let both = body(from, movement.footprint).into_iter().chain(body(to, movement.footprint));
        let inside = both.into_iter().all(|p| on_map(map, p));
        if stretch != 1 || movement.pace != 1 || !inside {
            return None;
        }
    }
    let [(a, a2), (b, b2)] = steps;
    if kinds.iter().all(|m| m.footprint == 1) {
        let square: BTreeSet<Point> = [a, a2, b, b2].into();
        let diagonal = a.0 != a2.0 && a.1 != a2.1 && b.0 != b2.0 && b.1 != b2.1;
        let low = (a.0.min(a2.0), a.1.min(a2.1));
        let swap = a == b2 && b == a2;
        let crossing = diagonal && square == body(low, 2);
        return (swap && conflicts.swap)
            .then_some("swap")
            .or((crossing && conflicts.crossing).then_some("crossing"));
    }
    // Both bodies at the half tick, drawn in pixels of half a cell.
    let raster =
        |(p, q): (Point, Point), m: &MovementProfile| body((p.0 + q.0, p.1 + q.1), 2 * m.footprint);
    let drawn = &raster(steps[0], kinds[0]) & &raster(steps[1], kinds[1]);
    let columns: BTreeSet<_> = drawn.iter().map(|p| p.0).collect();
    let rows: BTreeSet<_> = drawn.iter().map(|p| p.1).collect();
    (columns.len() > 1 && rows.len() > 1).then_some("swept")
}

fn naive_check(problem: &Problem, plan: &Plan) -> Found {
    let mut found = Found::new();
    let count = problem.units.len().max(plan.paths.len());
    let mut judged = Vec::new();
    for u in 0..count {
        let mut report = |name| found.insert((0, vec![u as u32], name));
        let path = plan.paths.get(u);
        let has_movement = u < problem.units.len() && movement_of(problem, u).is_some();
        if path.is_none() || u >= problem.units.len() {
            report("unit_count");
        }
        if path.is_some_and(Vec::is_empty) {
            report("empty_path");
        }
        if u < problem.units.len() && !has_movement {
            report("movement");
        }
        if has_movement && path.is_some_and(|p| !p.is_empty()) {
            judged.push(u);
        }
    }
    for (i, &a) in judged.iter().enumerate() {
        check_alone(problem, plan, a, &mut found);
        judged[i + 1..].iter().for_each(|&b| pair(problem, plan, a, b, &mut found));
    }
    found
}

fn agree(problem: &Problem, plan: &Plan, seed: u64) -> usize {
    let (ours, theirs) = (findings(&check(problem, plan).violations), naive_check(problem, plan));
    let only_ours: Vec<_> = ours.difference(&theirs).collect();
    let only_theirs: Vec<_> = theirs.difference(&ours).collect();
    assert!(
        ours == theirs,
        "seed {seed}: only the referee {only_ours:?}, only the naive checker {only_theirs:?}\n\
         {problem:?}\n{plan:?}"
    );
    ours.len()
}

#[test]
fn valid_plans_have_no_violation() {
    let mut units = 0;
    for seed in 0..200 {
        let (problem, plan) = valid_case(seed);
        assert_eq!(agree(&problem, &plan, seed), 0);
        let verdict = check(&problem, &plan);
        assert!(verdict.is_valid() && verdict.is_legal() && !verdict.truncated);
        assert_eq!(verdict.arrived, problem.units.len());
        units += problem.units.len();
    }
    assert!(units > 600, "the cases are too empty to mean much: {units} units");
}

#[test]
fn both_checkers_agree_on_colliding_walks() {
    let mut kinds = BTreeSet::new();
    for seed in 0..400 {
        let (problem, plan) = random_walks(&mut throng_testkit::rng(seed), 12, 14);
        agree(&problem, &plan, seed);
        kinds.extend(check(&problem, &plan).violations.iter().map(throng_referee::Violation::name));
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["crossing", "swap", "swept", "vertex"]);
}

#[test]
fn both_checkers_agree_on_corrupted_plans() {
    for seed in 0..400 {
        let (problem, plan) = corrupted_case(seed);
        agree(&problem, &plan, seed);
    }
}

/// A plan with some wrong entries, units and walls.
pub(crate) fn corrupted_case(seed: u64) -> (Problem, Plan) {
    let mut rng = throng_testkit::rng(seed);
    let (mut problem, mut plan) = random_walks(&mut rng, 8, 10);
    for _ in 0..rng.random_range(1..8_u32) {
        corrupt(&mut rng, &mut problem, &mut plan);
    }
    (problem, plan)
}

fn corrupt(rng: &mut Pcg64Mcg, problem: &mut Problem, plan: &mut Plan) {
    let cell = Cell::new(rng.random_range(0..12), rng.random_range(0..9));
    let far = Cell::new(rng.random(), rng.random());
    let change = rng.random_range(0..10_u32);
    let units = problem.units.len() as u32;
    if units == 0 || plan.paths.is_empty() {
        return;
    }
    let u = rng.random_range(0..units) as usize % plan.paths.len();
    let length = plan.paths[u].len() as u32;
    let tick = rng.random_range(0..length.max(1)) as usize;
    match change {
        0 => drop(plan.paths.pop()),
        1 => plan.paths.push(vec![cell]),
        2 => plan.paths[u].clear(),
        3 => problem.units[u % units as usize].movement = 99,
        4 => problem.units[u % units as usize].start = random_cell(rng, &problem.map),
        5 => problem
            .map
            .fill(throng_model::Rect::new(Cell::new(3, 2), 2, 2), Map::WALL)
            .map(drop)
            .unwrap(),
        6 if length > 0 => plan.paths[u][tick] = far,
        7 if length > 0 => drop(plan.paths[u].remove(tick)),
        8 if length > 0 => plan.paths[u].insert(tick, cell),
        _ if length > 0 => plan.paths[u][tick] = cell,
        _ => {}
    }
}
