//! Large neighbourhood search: every plan is legal and no worse than the one before, and the
//! number of threads changes nothing.

use std::sync::atomic::{AtomicU32, Ordering};

use rand::RngExt;
use rand::seq::SliceRandom;
use throng_anytime::{ImproveError, Improved, Lacam, Lns, Stop};
use throng_model::{
    Budget, Cell, Conflicts, Factor, Improvement, Map, MovementProfile, Objective, Observer,
    Outcome, Plan, Problem, Progress, Silent, TerrainId, TerrainOverride, Unit, ValidProblem,
    Weight,
};
use throng_testkit::{map, random_map, rng};

use crate::help::{movements, plan};

/// A random crowd that LaCAM has solved, and its plan.
fn crowd(seed: u64, movement: &MovementProfile) -> Option<(ValidProblem, Plan)> {
    let mut rng = rng(seed);
    let side = rng.random_range(3..12);
    let map = random_map(seed, side, side, [0, 10, 25][seed as usize % 3]);
    let mut cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let count = (cells.len() * [20, 45, 70][seed as usize / 3 % 3] / 100).max(1);
    cells.shuffle(&mut rng);
    let starts = cells.clone();
    cells.shuffle(&mut rng);
    let units = starts.iter().zip(&cells).take(count).map(|(&start, &goal)| Unit::new(start, goal));
    let problem = Problem::new(map, movement.clone(), units.collect()).validate().ok()?;
    let outcome = plan(&Lacam::default(), &problem, Budget::expansions(1_000_000)).outcome;
    let Outcome::Solved(solution) = outcome else { return None };
    Some((problem, solution.plan))
}

/// Referees every plan it is told of. The first one is the plan to start from.
struct Referee<'a> {
    problem: &'a ValidProblem,
    objective: Objective,
    best: u64,
    plans: usize,
}

impl Observer for Referee<'_> {
    fn progress(&mut self, _: Progress) {}

    fn improved(&mut self, improvement: Improvement<'_>) {
        let cost = refereed(self.problem, &(improvement.plan)(), self.objective);
        assert_eq!(cost, improvement.cost);
        assert!(cost < self.best && cost >= improvement.lower_bound);
        self.best = cost;
        self.plans += 1;
    }
}

/// The cost of a legal plan.
#[track_caller]
fn refereed(problem: &ValidProblem, plan: &Plan, objective: Objective) -> u64 {
    let verdict = throng_referee::check(problem, plan);
    assert!(verdict.is_valid(), "{:?} {problem:?}", verdict.violations);
    match objective {
        Objective::SumOfCosts => verdict.sum_of_costs,
        Objective::TimeAway => verdict.time_away,
    }
}

fn improve(lns: Lns, problem: &ValidProblem, plan: &Plan, expansions: u64) -> Improved {
    lns.improve(problem, plan, 7, Budget::expansions(expansions), &mut Silent).unwrap()
}

#[test]
fn every_plan_is_legal_and_better_than_the_one_before() {
    let (mut plans, mut crowds) = (0, 0);
    for seed in 0..72 {
        let movement = &movements()[seed as usize / 9 % 4];
        let Some((problem, plan)) = crowd(seed, movement) else { continue };
        crowds += 1;
        for objective in [Objective::SumOfCosts, Objective::TimeAway] {
            let best = refereed(&problem, &plan, objective);
            let mut referee = Referee { problem: &problem, objective, best: best + 1, plans: 0 };
            let lns = Lns { objective, ..Lns::default() };
            let budget = Budget::expansions(60_000);
            let improved = lns.improve(&problem, &plan, seed, budget, &mut referee).unwrap();
            assert_eq!(refereed(&problem, &improved.plan, objective), improved.cost);
            assert_eq!(improved.cost, referee.best);
            assert!(improved.expanded <= 60_000);
            let expected =
                if improved.cost == improved.lower_bound { Stop::Bound } else { Stop::Expansions };
            assert_eq!(improved.stop, expected);
            plans += referee.plans;
        }
    }
    assert!(crowds > 40 && plans > 500, "{crowds} crowds, {plans} better plans");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let crowds = (0..40).filter_map(|seed| crowd(seed, &MovementProfile::four_connected()));
    let large = crowds.filter(|(problem, _)| problem.units.len() > 12).take(4);
    for (index, (problem, plan)) in large.enumerate() {
        let objective = [Objective::SumOfCosts, Objective::TimeAway][index % 2];
        for expansions in [5_000, 100_000] {
            let run = |threads| {
                improve(Lns { objective, threads, ..Lns::default() }, &problem, &plan, expansions)
            };
            let one = run(1);
            assert!(one.repairs > 8);
            for threads in [2, 3, 8] {
                assert_eq!(run(threads), one, "with {threads} threads");
            }
        }
    }
}

#[test]
fn conflicts_that_do_not_count_are_made_use_of() {
    let corridor = map("....");
    let (a, d) = (Cell::new(0, 0), Cell::new(3, 0));
    let units = vec![Unit::new(a, d), Unit::new(d, a)];
    let mut problem = Problem::new(corridor, MovementProfile::four_connected(), units);
    problem.conflicts = Conflicts { swap: false, crossing: false };
    let problem = problem.validate().unwrap();
    let cells = |xs: &[u16]| xs.iter().map(|&x| Cell::new(x, 0)).collect();
    let slow = Plan { paths: vec![cells(&[0, 0, 0, 1, 2, 3]), cells(&[3, 3, 3, 2, 1, 0])] };
    let improved = improve(Lns::default(), &problem, &slow, 10_000);
    assert_eq!((improved.cost, improved.stop), (6, Stop::Bound));
    assert_eq!(refereed(&problem, &improved.plan, Objective::SumOfCosts), 6);
}

#[test]
fn rest_on_the_goal_is_free_by_time_away_only() {
    // The first unit stands on its goal in a corridor with a niche; the other has to pass.
    let drawing = "....\n.#.#\n";
    let units = vec![Unit::new((2, 0), (2, 0)), Unit::new((0, 1), (3, 0))];
    let problem = Problem::new(map(drawing), MovementProfile::four_connected(), units);
    let problem = problem.validate().unwrap();
    let cells = |list: &[(u16, u16)]| list.iter().map(|&cell| Cell::from(cell)).collect();
    let first = [(2, 0), (2, 0), (2, 0), (2, 0), (2, 0), (2, 1), (2, 1), (2, 1), (2, 0)];
    let second = [(0, 1), (0, 1), (0, 0), (0, 0), (1, 0), (1, 0), (2, 0), (3, 0)];
    let plan = Plan { paths: vec![cells(&first), cells(&second)] };
    for (objective, cost) in [(Objective::SumOfCosts, 8), (Objective::TimeAway, 6)] {
        let improved = improve(Lns { objective, ..Lns::default() }, &problem, &plan, 20_000);
        assert_eq!(refereed(&problem, &improved.plan, objective), cost, "{objective:?}");
    }
}

#[test]
fn it_stops_at_the_target_at_the_bound_and_when_told_to() {
    let (problem, plan) = crowd(7, &MovementProfile::four_connected()).unwrap();
    let best = improve(Lns::default(), &problem, &plan, 200_000);
    let target = best.cost + 20;
    let stopped = improve(Lns { target: Some(target), ..Lns::default() }, &problem, &plan, 200_000);
    assert_eq!(stopped.stop, Stop::Target);
    assert!(stopped.cost <= target && stopped.expanded < best.expanded);

    let bound =
        Weight::from_permille(1_000 + (best.cost * 1_000 / best.lower_bound) as u32).unwrap();
    let stopped = improve(Lns { bound, ..Lns::default() }, &problem, &plan, 200_000);
    assert_eq!(stopped.stop, Stop::Bound);
    assert!(stopped.cost <= bound.times(stopped.lower_bound));

    let stop = || true;
    let budget = Budget::unlimited().with_interrupt(&stop);
    let stopped = Lns::default().improve(&problem, &plan, 0, budget, &mut Silent);
    assert_eq!(stopped, Err(ImproveError::Interrupted));

    let asked = AtomicU32::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) > 100;
    let budget = Budget::unlimited().with_interrupt(&stop);
    let stopped = Lns::default().improve(&problem, &plan, 0, budget, &mut Silent).unwrap();
    assert_eq!(stopped.stop, Stop::Interrupt);
    let cost = refereed(&problem, &stopped.plan, Objective::SumOfCosts);
    assert!(cost == stopped.cost && cost <= refereed(&problem, &plan, Objective::SumOfCosts));

    assert_eq!(improve(Lns::default(), &problem, &plan, 0).stop, Stop::Expansions);
}

#[track_caller]
fn refuses(problem: &ValidProblem, plan: &Plan, expected: &str) {
    let error = Lns::default().improve(problem, plan, 0, Budget::unlimited(), &mut Silent);
    let error: ImproveError = error.unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn plans_that_are_no_solutions_are_refused() {
    let units = vec![Unit::new((0, 0), (2, 0)), Unit::new((2, 1), (0, 1))];
    let problem = Problem::new(map("...\n..."), MovementProfile::four_connected(), units);
    let problem = problem.validate().unwrap();
    let cells = |list: &[(u16, u16)]| list.iter().map(|&cell| Cell::from(cell)).collect::<Vec<_>>();
    let good = cells(&[(2, 1), (1, 1), (0, 1)]);
    let with = |path: &[(u16, u16)]| Plan { paths: vec![cells(path), good.clone()] };
    refuses(&problem, &Plan { paths: vec![good.clone()] }, "1 paths for 2 units");
    refuses(&problem, &with(&[]), "unit 0 does not begin on its start");
    refuses(&problem, &with(&[(0, 0), (1, 0)]), "unit 0 does not end on its goal");
    refuses(&problem, &with(&[(0, 0), (2, 0)]), "unit 0 makes a step that is not legal");
    refuses(&problem, &with(&[(0, 0), (7, 7), (2, 0)]), "unit 0 stands on a wall");
    let meets = [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0)];
    refuses(&problem, &with(&meets), "unit 1 conflicts with a unit before it");
}

#[test]
fn movements_that_are_not_supported_are_named() {
    let big = MovementProfile { footprint: 2, ..MovementProfile::four_connected() };
    let slow = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
    let empty = Plan { paths: vec![vec![Cell::new(0, 0)]] };
    for (movement, expected) in [(big, "a footprint of 2"), (slow, "a pace of 3")] {
        let units = vec![Unit::new((0, 0), (0, 0))];
        let problem = Problem::new(Map::empty(4, 4).unwrap(), movement, units).validate().unwrap();
        refuses(&problem, &empty, expected);
    }
}

#[test]
fn units_that_differ_in_terrain_costs_alone_are_planned_and_improved() {
    let swamp = TerrainOverride { terrain: TerrainId(0), factor: Some(Factor::new(3).unwrap()) };
    let four = MovementProfile::four_connected;
    let slow_ground = MovementProfile { terrain: vec![swamp], ..four() };
    let units = vec![
        Unit::new((0, 0), (5, 2)),
        Unit { movement: 1, ..Unit::new((5, 2), (0, 0)) },
        Unit { movement: 1, ..Unit::new((0, 2), (5, 0)) },
    ];
    let empty = Map::empty(6, 3).unwrap();
    let problem =
        Problem { movements: vec![four(), slow_ground], ..Problem::new(empty, four(), units) };
    let problem = problem.validate().unwrap();
    let outcome = plan(&Lacam::default(), &problem, Budget::unlimited()).outcome;
    let Outcome::Solved(first) = outcome else { panic!("{outcome:?}") };
    let budget = Budget::expansions(100_000);
    let improved = Lns::default().improve(&problem, &first.plan, 0, budget, &mut Silent).unwrap();
    assert!(improved.cost <= first.cost);
    assert!(throng_referee::check(&problem, &improved.plan).is_valid());
}
