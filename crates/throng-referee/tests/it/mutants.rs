//! Valid plans, broken in every way that the referee claims to catch. Each mutator makes a plan
//! illegal by construction and returns the violation that must be found, with its tick and
//! units.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::limits::HORIZON_MAX;
use throng_model::{
    Cell, Conflicts, CornerRule, Factor, Map, MovementProfile, Neighbours, Plan, Problem,
    TerrainClass, Unit,
};
use throng_referee::{ViolationKind, check};

use crate::cases::{Finding, findings, valid_case};

#[derive(Clone)]
struct Case {
    problem: Problem,
    plan: Plan,
    rng: Pcg64Mcg,
}

/// A step of a unit, with the tick of its arrival.
#[derive(Clone, Copy)]
struct Step {
    unit: usize,
    tick: usize,
    from: Cell,
    to: Cell,
}

impl Case {
    fn new(seed: u64) -> Self {
        let (problem, plan) = valid_case(seed);
        assert!(check(&problem, &plan).is_valid());
        Self { problem, plan, rng: throng_testkit::rng(seed ^ 0xA5A5) }
    }

    fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end as u32) as usize
    }

    fn any_unit(&mut self) -> Option<usize> {
        let units = self.problem.units.len();
        (units > 0).then(|| self.below(units))
    }

    fn movement(&self, unit: usize) -> &MovementProfile {
        &self.problem.movements[self.problem.units[unit].movement]
    }

    /// A random step that the filter accepts.
    fn any_step(&mut self, wanted: impl Fn(&Self, Step) -> bool) -> Option<Step> {
        let mut steps = Vec::new();
        for (unit, path) in self.plan.paths.iter().enumerate() {
            for tick in (1..path.len()).filter(|&tick| path[tick] != path[tick - 1]) {
                steps.push(Step { unit, tick, from: path[tick - 1], to: path[tick] });
            }
        }
        steps.retain(|&step| wanted(self, step));
        (!steps.is_empty()).then(|| steps[self.below(steps.len())])
    }

    /// Adds a quick unit that waits until the tick and then steps.
    fn intruder(&mut self, footprint: u8, tick: usize, from: Cell, to: Cell) -> u32 {
        let movement = MovementProfile {
            footprint,
            corners: CornerRule::AlwaysCut,
            ..MovementProfile::eight_connected()
        };
        self.problem.movements.push(movement);
        let movement = self.problem.movements.len() - 1;
        self.problem.units.push(Unit { start: from, goal: to, movement });
        let mut path = vec![from; tick];
        path.push(to);
        self.plan.paths.push(path);
        self.plan.paths.len() as u32 - 1
    }

    fn is_single_and_quick(&self, step: Step) -> bool {
        self.movement(step.unit).footprint == 1 && self.movement(step.unit).pace == 1
    }
}

fn is_diagonal(step: Step) -> bool {
    step.from.x != step.to.x && step.from.y != step.to.y
}

fn of_one(tick: usize, unit: usize, kind: ViolationKind) -> Finding {
    (tick as u32, vec![unit as u32], kind.name())
}

fn of_two(step: Step, intruder: u32, kind: ViolationKind) -> Finding {
    (step.tick as u32, vec![step.unit as u32, intruder], kind.name())
}

/// Breaks the case so that the kind must be found; `None` if this case offers no way to.
fn mutate(case: &mut Case, kind: ViolationKind) -> Option<Finding> {
    match kind {
        ViolationKind::UnitCount => wrong_count(case),
        ViolationKind::EmptyPath => empty_path(case),
        ViolationKind::MovementProfile => no_movement(case),
        ViolationKind::Start => other_start(case),
        ViolationKind::Goal => other_goal(case),
        ViolationKind::Bounds => off_the_map(case),
        ViolationKind::Terrain => into_a_wall(case),
        ViolationKind::Contiguity => jump(case),
        ViolationKind::Corner => cut_corner(case),
        ViolationKind::Pace => step_too_soon(case),
        ViolationKind::Horizon => exceed_horizon(case),
        ViolationKind::Vertex => share_a_cell(case),
        ViolationKind::Swap => swap(case),
        ViolationKind::Crossing => cross(case),
        ViolationKind::Swept => sweep(case),
        ViolationKind::Sighting
        | ViolationKind::Heading
        | ViolationKind::EnemyCell
        | ViolationKind::Link => None,
    }
}

fn wrong_count(case: &mut Case) -> Option<Finding> {
    let units = case.problem.units.len();
    if case.below(2) == 0 {
        case.plan.paths.push(vec![Cell::new(0, 0)]);
        return Some(of_one(0, units, ViolationKind::UnitCount));
    }
    case.plan.paths.pop()?;
    Some(of_one(0, units - 1, ViolationKind::UnitCount))
}

fn empty_path(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    case.plan.paths[unit].clear();
    Some(of_one(0, unit, ViolationKind::EmptyPath))
}

fn no_movement(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let wrong = match case.below(3) {
        0 => MovementProfile { footprint: 17, ..MovementProfile::eight_connected() },
        1 => MovementProfile { pace: 0, ..MovementProfile::eight_connected() },
        _ => MovementProfile { footprint: 0, ..MovementProfile::eight_connected() },
    };
    case.problem.movements.push(wrong);
    case.problem.units[unit].movement = case.problem.movements.len() - case.below(2);
    let exists = case.problem.units[unit].movement < case.problem.movements.len();
    assert!(!exists || case.movement(unit).validate().is_err());
    Some(of_one(0, unit, ViolationKind::MovementProfile))
}

/// A cell other than the one given.
fn another(case: &mut Case, cell: Cell) -> Cell {
    let other = Cell::new(case.below(9) as u16, case.below(7) as u16);
    if other == cell { Cell::new(cell.x + 1, cell.y) } else { other }
}

fn other_start(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    case.problem.units[unit].start = another(case, case.plan.paths[unit][0]);
    Some(of_one(0, unit, ViolationKind::Start))
}

fn other_goal(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let last = case.plan.paths[unit].len() - 1;
    case.problem.units[unit].goal = another(case, case.plan.paths[unit][last]);
    Some(of_one(last, unit, ViolationKind::Goal))
}

/// Moves one entry so that the last row or column of the footprint is off the map.
fn off_the_map(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let tick = case.below(case.plan.paths[unit].len());
    let (width, height) = (case.problem.map.width(), case.problem.map.height());
    let reach = u16::from(case.movement(unit).footprint) - 1;
    let cell = &mut case.plan.paths[unit][tick];
    *cell = match case.rng.random_range(0..3_u32) {
        0 => Cell::new(width - reach, cell.y),
        1 => Cell::new(cell.x, height - reach),
        _ => Cell::new(u16::MAX, u16::MAX),
    };
    Some(of_one(tick, unit, ViolationKind::Bounds))
}

/// Builds a wall under one cell of the footprint where the unit arrives.
fn into_a_wall(case: &mut Case) -> Option<Finding> {
    let step = case.any_step(|_, _| true)?;
    let side = usize::from(case.movement(step.unit).footprint);
    let (dx, dy) = (case.below(side) as i32, case.below(side) as i32);
    let covered = step.to.offset(dx, dy)?;
    let lava = case.problem.map.add_class(TerrainClass::blocked("lava", '^')).unwrap();
    case.problem.map.set(covered, lava).unwrap();
    Some(of_one(step.tick, step.unit, ViolationKind::Terrain))
}

/// Replaces an entry by a cell two or more cells away from the one before.
fn jump(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let tick = 1 + case.below(case.plan.paths[unit].len());
    let before = case.plan.paths[unit][tick - 1];
    let far =
        Cell::new((before.x + 2 + case.below(4) as u16) % 9, (before.y + case.below(7) as u16) % 7);
    let far = if far.x.abs_diff(before.x) < 2 { Cell::new(far.x, before.y + 2) } else { far };
    case.plan.paths[unit].truncate(tick);
    case.plan.paths[unit].push(far);
    case.problem.units[unit].goal = far;
    Some(of_one(tick, unit, ViolationKind::Contiguity))
}

/// Builds walls beside a diagonal step, on one side or both, as the corner rule requires.
fn cut_corner(case: &mut Case) -> Option<Finding> {
    let bad = |case: &Case, step: Step| {
        is_diagonal(step) && case.movement(step.unit).corners != CornerRule::AlwaysCut
    };
    let step = case.any_step(bad)?;
    let movement = case.movement(step.unit).clone();
    assert_eq!(movement.neighbours, Neighbours::Eight);
    let reach = i32::from(movement.footprint) - 1;
    // The corners of the (k+1) x (k+1) square that neither end covers.
    let low = Cell::new(step.from.x.min(step.to.x), step.from.y.min(step.to.y));
    let falling = (step.from.x < step.to.x) == (step.from.y < step.to.y);
    let high = reach + 1;
    let corners = if falling { [(high, 0), (0, high)] } else { [(0, 0), (high, high)] };
    let count = if movement.corners == CornerRule::NeverCut { 1 + case.below(2) } else { 2 };
    let first = case.below(2);
    let lava = case.problem.map.add_class(TerrainClass::blocked("lava", '^')).unwrap();
    for number in first..first + count {
        let (dx, dy) = corners[number % 2];
        case.problem.map.set(low.offset(dx, dy)?, lava).unwrap();
    }
    Some(of_one(step.tick, step.unit, ViolationKind::Corner))
}

/// Removes a wait before a step, or makes the unit slower.
fn step_too_soon(case: &mut Case) -> Option<Finding> {
    if case.below(2) == 0 {
        let step = case.any_step(|_, _| true)?;
        let path = &case.plan.paths[step.unit];
        let stood = path[..step.tick].iter().rev().take_while(|&&cell| cell == step.from).count();
        let slower = MovementProfile { pace: stood as u8 + 1, ..case.movement(step.unit).clone() };
        case.problem.movements.push(slower);
        case.problem.units[step.unit].movement = case.problem.movements.len() - 1;
        return Some(of_one(step.tick, step.unit, ViolationKind::Pace));
    }
    let step = case.any_step(|case, step| case.movement(step.unit).pace > 1)?;
    let path = &mut case.plan.paths[step.unit];
    let stood = path[..step.tick].iter().rev().take_while(|&&cell| cell == step.from).count();
    path.drain(step.tick - stood + 1..step.tick);
    Some(of_one(step.tick - stood + 1, step.unit, ViolationKind::Pace))
}

fn exceed_horizon(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let last = *case.plan.paths[unit].last()?;
    case.plan.paths[unit].resize(HORIZON_MAX as usize + 2, last);
    Some(of_one(HORIZON_MAX as usize + 1, unit, ViolationKind::Horizon))
}

/// Adds a unit on a cell that another unit holds at some tick.
fn share_a_cell(case: &mut Case) -> Option<Finding> {
    let unit = case.any_unit()?;
    let tick = case.below(case.plan.paths[unit].len());
    let reach = i32::from(case.movement(unit).footprint) - 1;
    let cell = case.plan.paths[unit][tick].offset(reach, reach)?;
    let intruder = case.intruder(1, tick, cell, cell);
    Some((tick as u32, vec![unit as u32, intruder], "vertex"))
}

fn swap(case: &mut Case) -> Option<Finding> {
    case.problem.conflicts = Conflicts::default();
    let step = case.any_step(|case, step| case.is_single_and_quick(step))?;
    let intruder = case.intruder(1, step.tick, step.to, step.from);
    Some(of_two(step, intruder, ViolationKind::Swap))
}

fn cross(case: &mut Case) -> Option<Finding> {
    case.problem.conflicts = Conflicts::default();
    let wanted = |case: &Case, step| case.is_single_and_quick(step) && is_diagonal(step);
    let step = case.any_step(wanted)?;
    let sides = [Cell::new(step.from.x, step.to.y), Cell::new(step.to.x, step.from.y)];
    let first = case.below(2);
    let intruder = case.intruder(1, step.tick, sides[first], sides[1 - first]);
    Some(of_two(step, intruder, ViolationKind::Crossing))
}

/// Adds a body that steps opposite to a diagonal step, through the corner of the other body.
/// The two are disjoint by rows before and by columns after, or the other way round.
fn sweep(case: &mut Case) -> Option<Finding> {
    let quick = |case: &Case, step| is_diagonal(step) && case.movement(step.unit).pace == 1;
    let step = case.any_step(quick)?;
    let own = i32::from(case.movement(step.unit).footprint);
    let footprint = if own == 1 { 2 } else { 1 + case.below(2) as u8 };
    let other = i32::from(footprint);
    let dx = i32::from(step.to.x) - i32::from(step.from.x);
    let dy = i32::from(step.to.y) - i32::from(step.from.y);
    // Touching on the side that the step goes to, and two further on at the end.
    let touch = |d: i32| if d > 0 { own } else { -other };
    let after = |d: i32| if d > 0 { 2 - other } else { own - 2 };
    let by_rows = case.below(2) == 0;
    let (x, y) = if by_rows { (after(dx), touch(dy)) } else { (touch(dx), after(dy)) };
    let from = step.from.offset(x, y)?;
    let to = from.offset(-dx, -dy)?;
    let far = |cell: Cell| cell.offset(other - 1, other - 1);
    let on_map = |cell: Cell| far(cell).is_some_and(|c| case.problem.map.contains(c));
    if !on_map(from) || !on_map(to) {
        return None;
    }
    let intruder = case.intruder(footprint, step.tick, from, to);
    Some(of_two(step, intruder, ViolationKind::Swept))
}

fn check_mutants(kind: ViolationKind, cases: &[Case]) {
    let mut mutants = 0;
    for (seed, case) in cases.iter().enumerate() {
        let mut case = case.clone();
        let Some(expected) = mutate(&mut case, kind) else { continue };
        let verdict = check(&case.problem, &case.plan);
        assert!(
            findings(&verdict.violations).contains(&expected),
            "seed {seed}: {expected:?} not among {:?}\n{:?}",
            verdict.violations,
            case.plan
        );
        assert!(!verdict.is_valid());
        mutants += 1;
    }
    assert!(mutants * 3 >= cases.len(), "{kind:?}: {mutants} mutants of {} plans", cases.len());
}

#[test]
fn every_mutant_is_caught() {
    let cases: Vec<_> = (0..300).map(Case::new).collect();
    let live = [
        ViolationKind::Sighting,
        ViolationKind::Heading,
        ViolationKind::EnemyCell,
        ViolationKind::Link,
    ];
    for kind in ViolationKind::ALL.into_iter().filter(|kind| !live.contains(kind)) {
        // A plan past the horizon takes a million ticks to judge.
        let count = if kind == ViolationKind::Horizon { 3 } else { cases.len() };
        check_mutants(kind, &cases[..count]);
    }
}

/// The mutants would prove nothing if the referee rejected every changed plan. Another cost
/// factor and a longer rest leave every plan valid.
#[test]
fn harmless_changes_are_accepted() {
    for seed in 0..100 {
        let Case { mut problem, mut plan, .. } = Case::new(seed);
        for path in &mut plan.paths {
            let last = path[path.len() - 1];
            path.resize(40, last);
        }
        let mud = TerrainClass::passable("mud", 'm', Factor::new(255).unwrap());
        let mud = problem.map.add_class(mud).unwrap();
        let ground: Vec<_> = problem
            .map
            .cells()
            .filter(|&cell| problem.map.terrain_at(cell) == Some(Map::GROUND))
            .collect();
        problem.map.paint(&ground, mud).unwrap();
        assert!(check(&problem, &plan).is_valid(), "seed {seed}");
    }
}
