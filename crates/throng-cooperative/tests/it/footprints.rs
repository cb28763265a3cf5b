//! Footprints against the referee: what the table lets two units do must be legal, and what
//! is legal it should let them do.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_cooperative::{Claim, Priority, Reservations};
use throng_model::{
    Cell, DiagonalCost, Map, MovementProfile, Plan, Problem, SlowTerrain, Tick, Unit, UnitId,
};
use throng_spacetime::{
    Action, FootprintRules, Grain, GridSpace, Leg, PassingRule, Space, TimedObstacles, TimedPath,
};

use crate::cases;

/// A unit that stands for a while, then goes one or two steps at random, and stands.
fn errand(rng: &mut Pcg64Mcg, map: &Map, space: &GridSpace) -> Option<TimedPath> {
    let mut at = cases::place(rng, map, space)?;
    let mut path = TimedPath::default();
    let mut tick = 0;
    for _ in 0..6 {
        let mut actions = vec![(Action::PAUSE, at, 1)];
        space.for_each_move(at, |step| actions.extend([(step.action, step.to, step.ticks); 3]));
        let (action, to, ticks) = cases::pick(rng, &actions);
        path.legs.push(Leg { from: at, tick: Tick(tick), action });
        (at, tick) = (to, tick + ticks);
    }
    path.end = Some((at, Tick(tick)));
    Some(path)
}

/// Whether the table lets a unit go a path, at no time on top of anyone.
fn is_accepted(space: &GridSpace, obstacles: &impl TimedObstacles, path: &TimedPath) -> bool {
    let start = path.legs[0];
    space.standing(start.from, |entry| obstacles.is_free(entry, start.tick))
        && path.legs.iter().all(|leg| {
            let free = |entry, later| obstacles.is_free(entry, Tick(leg.tick.0 + later));
            let pass = |before, after| obstacles.may_pass(before, after, leg.tick);
            space.footprint(leg.from, leg.action, free)
                && space.passings(leg.from, leg.action, pass)
        })
}

/// Gives diagonal steps ticks of their own, and lets the ground slow.
fn uneven(rng: &mut Pcg64Mcg, movement: &mut MovementProfile) {
    movement.diagonal = DiagonalCost::Ticks(rng.random_range(movement.pace..=2 * movement.pace));
    if rng.random_range(0..3) == 0 {
        movement.slow.push(SlowTerrain { terrain: Map::GROUND, times: 2 });
    }
}

struct Tally {
    accepted: u32,
    /// Refused, though the referee has no objection.
    overcautious: u32,
    /// The paths touch each other's cells, or almost.
    refused: u32,
}

/// Two random units close together, the first with its claims in the table.
fn meet(seed: u64, rules: &FootprintRules, tally: &mut Tally) {
    let rng = &mut throng_testkit::rng(seed);
    let (width, height) = (rng.random_range(3..7), rng.random_range(3..7));
    let map = throng_testkit::random_map(rng.random(), width, height, cases::pick(rng, &[0, 10]));
    let mut movements = vec![cases::movement(rng), cases::movement(rng)];
    if seed.is_multiple_of(4) {
        // Steps that differ in their ticks.
        movements.iter_mut().for_each(|movement| uneven(rng, movement));
    }
    let spaces = cases::spaces(&map, &movements, rules);
    let paths = [errand(rng, &map, &spaces[0]), errand(rng, &map, &spaces[1])];
    let [Some(first), Some(second)] = paths else { return };
    // Both stand still after their end; for the table that is a long stay.
    let until = first.end.unwrap().1.max(second.end.unwrap().1);
    let paths = [stay_until(first, until), stay_until(second, until)];
    let mut table = Reservations::new(spaces[0].entries());
    let claim = Claim { unit: UnitId::new(0), priority: Priority(5) };
    table.claim_path(&spaces[0], &paths[0], Tick(0), claim, &mut Vec::new());
    let accepted = is_accepted(&spaces[1], &table.view(UnitId::new(1), Priority(0)), &paths[1]);
    let verdict = judge(&map, movements, &spaces, &paths);
    assert!(!accepted || verdict.is_none(), "case {seed}, {rules:?}: {verdict:?}");
    match (accepted, verdict) {
        (true, _) => tally.accepted += 1,
        (false, Some(_)) => tally.refused += 1,
        (false, None) => tally.overcautious += 1,
    }
}

fn stay_until(mut path: TimedPath, until: Tick) -> TimedPath {
    let (at, from) = path.end.unwrap();
    let pauses = from.0..until.0;
    path.legs.extend(pauses.map(|t| Leg { from: at, tick: Tick(t), action: Action::PAUSE }));
    path.end = Some((at, until));
    path
}

/// What the referee finds.
fn judge(
    map: &Map,
    movements: Vec<MovementProfile>,
    spaces: &[GridSpace],
    paths: &[TimedPath; 2],
) -> Option<String> {
    let cells = |unit: usize| -> Vec<Cell> {
        paths[unit].positions().into_iter().map(|at| spaces[unit].cell(at)).collect()
    };
    let plan = Plan { paths: vec![cells(0), cells(1)] };
    let unit = |movement: usize| Unit {
        start: plan.paths[movement][0],
        goal: *plan.paths[movement].last().unwrap(),
        movement,
    };
    let units = vec![unit(0), unit(1)];
    let problem = Problem {
        movements,
        ..Problem::new(map.clone(), MovementProfile::four_connected(), units)
    };
    let violations = throng_referee::check(&problem, &plan).violations;
    violations.first().map(ToString::to_string)
}

/// Many meetings; how many were accepted, refused, refused without need.
fn check(rules: &FootprintRules, cases: u64) -> Tally {
    let mut tally = Tally { accepted: 0, overcautious: 0, refused: 0 };
    (0..cases).for_each(|seed| meet(seed, rules, &mut tally));
    assert!(tally.accepted > 100 && tally.refused > 100, "{} accepted", tally.accepted);
    tally
}

#[test]
fn explicit_tests_on_cells_are_exactly_the_rules_of_the_referee() {
    let tally = check(&FootprintRules::default(), 20_000);
    assert_eq!(tally.overcautious, 0);
}

#[test]
fn double_claims_are_safe_and_cost_freedom() {
    let rules = FootprintRules { passing: PassingRule::DoubleClaims, ..FootprintRules::default() };
    let tally = check(&rules, 5000);
    assert!(tally.overcautious > 0, "nobody can follow closely");
}

#[test]
fn other_grains_and_kept_corners_are_safe() {
    for grain in [Grain::Coarser(2), Grain::Coarser(3), Grain::Finer(2), Grain::Finer(3)] {
        for passing in [PassingRule::ExplicitTest, PassingRule::DoubleClaims] {
            for corners_kept in [false, true] {
                let rules =
                    FootprintRules { grain, passing, corners_kept, ..FootprintRules::default() };
                let tally = check(&rules, 1500);
                let exact = matches!(grain, Grain::Finer(_))
                    && passing == PassingRule::ExplicitTest
                    && !corners_kept;
                assert_eq!(tally.overcautious == 0, exact, "{rules:?}");
            }
        }
    }
}
