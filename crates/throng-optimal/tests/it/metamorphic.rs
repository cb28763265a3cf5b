//! What must not change, or only in one direction, when the problem changes.

use rand::RngExt;
use throng_model::Weight;
use throng_model::{
    Budget, Cell, Map, MovementProfile, Objective, Outcome, Planner as _, Problem, Silent, Unit,
    ValidProblem,
};
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

use crate::help::{OBJECTIVES, eight, plan, planners, random_problem, refereed};

/// More than any plan costs: there is none.
const IMPOSSIBLE: u64 = u64::MAX;

/// Planners that share as little as possible.
fn different() -> [JointAStar; 3] {
    [
        JointAStar::new(),
        JointAStar::standard()
            .with_decomposition(ExpansionOrder::Dynamic)
            .with_heuristic(Heuristic::Pairs),
        JointAStar::new().with_independence(Independence::Merge).with_heuristic(Heuristic::Sum),
    ]
}

fn cost(planner: &JointAStar, problem: &ValidProblem) -> u64 {
    match plan(planner, problem).outcome {
        Outcome::ProvenUnsolvable(_) => IMPOSSIBLE,
        outcome => refereed(problem, planner.objective, outcome).cost,
    }
}

/// Problems of up to five units, in both worlds, with what they cost.
fn for_each_problem(seeds: u64, mut check: impl FnMut(u64, &JointAStar, &ValidProblem, u64)) {
    let mut unsolvable = 0;
    for seed in 0..seeds {
        let movement = if seed % 2 == 0 { MovementProfile::four_connected() } else { eight() };
        let (side, units) = [(3, 3), (4, 4), (5, 4), (6, 5)][seed as usize / 2 % 4];
        let Some(problem) = random_problem(seed, side, 30, units, movement) else { continue };
        for objective in OBJECTIVES {
            for planner in different() {
                let planner = planner.with_objective(objective);
                let cost = cost(&planner, &problem);
                unsolvable += u32::from(cost == IMPOSSIBLE);
                check(seed, &planner, &problem, cost);
            }
        }
    }
    assert!(unsolvable > 0, "no problem was unsolvable");
}

fn valid(problem: Problem) -> ValidProblem {
    problem.validate().unwrap()
}

/// The same problem where every cell has come to another place.
fn moved(problem: &Problem, width: u32, height: u32, to: impl Fn(Cell) -> Cell) -> ValidProblem {
    let mut map = Map::empty(width, height).unwrap();
    let cells: Vec<Cell> = map.cells().collect();
    map.paint(&cells, Map::WALL).unwrap();
    for cell in problem.map.cells().filter(|&cell| problem.map.is_passable(cell)) {
        map.set(to(cell), Map::GROUND).unwrap();
    }
    let mut moved = Problem { map, ..problem.clone() };
    for unit in &mut moved.units {
        (unit.start, unit.goal) = (to(unit.start), to(unit.goal));
    }
    valid(moved)
}

#[test]
fn the_eight_symmetries_cost_the_same() {
    for_each_problem(24, |seed, planner, problem, expected| {
        let side = problem.map.width();
        for kind in 1..8 {
            let turned = |cell: Cell| {
                let x = if kind & 1 == 0 { cell.x } else { side - 1 - cell.x };
                let y = if kind & 2 == 0 { cell.y } else { side - 1 - cell.y };
                if kind & 4 == 0 { Cell::new(x, y) } else { Cell::new(y, x) }
            };
            let problem = moved(problem, side.into(), side.into(), turned);
            assert_eq!(cost(planner, &problem), expected, "seed {seed}, symmetry {kind}");
        }
    });
}

#[test]
fn padding_with_walls_costs_nothing() {
    for_each_problem(24, |seed, planner, problem, expected| {
        let side = u32::from(problem.map.width());
        for (x, y) in [(0, 1), (1, 0), (3, 2)] {
            let shifted = |cell: Cell| Cell::new(cell.x + x, cell.y + y);
            let padded = moved(problem, side + 5, side + 3, shifted);
            assert_eq!(cost(planner, &padded), expected, "seed {seed}, by {x}, {y}");
        }
    });
}

#[test]
fn the_order_of_the_units_costs_nothing() {
    for_each_problem(32, |seed, planner, problem, expected| {
        for turn in 1..problem.units.len() {
            let mut relabelled = problem.clone().into_inner();
            relabelled.units.rotate_left(turn);
            relabelled.units.swap(0, 1);
            assert_eq!(cost(planner, &valid(relabelled)), expected, "seed {seed}, turn {turn}");
        }
    });
}

#[test]
fn another_wall_never_makes_it_cheaper() {
    for_each_problem(32, |seed, planner, problem, before| {
        let is_end =
            |cell: Cell| problem.units.iter().any(|unit| [unit.start, unit.goal].contains(&cell));
        for wall in problem.map.cells().filter(|&cell| !is_end(cell)).step_by(3) {
            let mut walled = problem.clone().into_inner();
            walled.map.set(wall, Map::WALL).unwrap();
            assert!(cost(planner, &valid(walled)) >= before, "seed {seed}, wall at {wall}");
        }
    });
}

#[test]
fn one_unit_less_never_costs_more() {
    for_each_problem(32, |seed, planner, problem, before| {
        for unit in 0..problem.units.len() {
            let mut fewer = problem.clone().into_inner();
            let Unit { start, goal, movement } = fewer.units.remove(unit);
            let alone = Problem { units: vec![Unit { start, goal, movement }], ..fewer.clone() };
            let (fewer, alone) = (cost(planner, &valid(fewer)), cost(planner, &valid(alone)));
            assert!(fewer.saturating_add(alone) <= before, "seed {seed} without unit {unit}");
        }
    });
}

/// Distances by the oracle, which knows nothing of the planner's.
#[test]
fn nothing_is_cheaper_than_the_single_distances() {
    for_each_problem(60, |seed, _, problem, cost| {
        let mut sum = 0;
        for unit in &problem.units {
            let goal = [unit.goal];
            let movement = MovementProfile { terrain: Vec::new(), ..problem.movements[0].clone() };
            let costs = throng_testkit::oracle::costs_from(&problem.map, &movement, &goal);
            let index = problem.map.index(unit.start).unwrap().get();
            sum += costs[index].map_or(IMPOSSIBLE / 8, |cost| cost / throng_model::STRAIGHT);
        }
        assert!(sum <= cost, "seed {seed}: {sum} for {cost}");
        assert!(cost == IMPOSSIBLE || sum < IMPOSSIBLE / 8, "seed {seed}");
    });
}

#[test]
fn all_combinations_of_switches_agree_where_brute_force_is_too_slow() {
    for seed in 0..10 {
        let movement = if seed % 2 == 0 { MovementProfile::four_connected() } else { eight() };
        let problem = random_problem(seed, 6, 20, 4, movement).unwrap();
        for objective in OBJECTIVES {
            let all = planners().into_iter().map(|planner| planner.with_objective(objective));
            let costs: Vec<u64> = all.map(|planner| cost(&planner, &problem)).collect();
            assert!(costs.iter().all(|&cost| cost == costs[0]), "seed {seed}: {costs:?}");
        }
    }
}

#[test]
fn time_away_is_never_more_than_the_sum_of_costs() {
    for_each_problem(60, |seed, planner, problem, expected| {
        let other = planner.clone().with_objective(Objective::TimeAway);
        assert!(cost(&other, problem) <= expected, "seed {seed}");
    });
}

#[test]
fn the_same_question_gets_the_same_answer_on_any_number_of_threads() {
    for seed in 0..8 {
        let movement = if seed % 2 == 0 { MovementProfile::four_connected() } else { eight() };
        let problem = random_problem(seed, 10, 20, 12, movement).unwrap();
        for planner in different().into_iter().filter(|it| it.independence != Independence::Off) {
            let run = |threads, seed| {
                let planner = planner.clone().with_threads(threads);
                planner.plan(&problem, seed, Budget::expansions(20_000), &mut Silent).unwrap()
            };
            let first = format!("{:?}", run(1, 0));
            for (threads, seed) in [(1, 0), (1, 7), (2, 0), (8, 0), (1000, 0), (0, 0)] {
                assert_eq!(format!("{:?}", run(threads, seed)), first, "{threads} threads");
            }
        }
    }
}

#[test]
fn a_larger_budget_never_proves_less() {
    let mut raised = 0;
    for seed in 0..6 {
        let problem = random_problem(seed, 7, 25, 5, eight()).unwrap();
        for planner in planners() {
            let mut last = 0;
            for expansions in [0, 1, 5, 25, 125, 625, 3_000] {
                let budget = Budget::expansions(expansions);
                let outcome = planner.plan(&problem, 0, budget, &mut Silent).unwrap().outcome;
                let bound = match outcome {
                    Outcome::BudgetSpent { proven_bound, best: None, .. } => proven_bound,
                    Outcome::ProvenUnsolvable(_) => IMPOSSIBLE,
                    outcome => refereed(&problem, planner.objective, outcome).proven_bound,
                };
                assert!(bound >= last, "seed {seed}, {expansions}: {bound} after {last}");
                raised += u32::from(last > 0 && bound > last);
                last = bound;
            }
        }
    }
    assert!(raised > 0, "no budget proved more than another");
}

/// Caps of every kind, down to nothing at all, and weights with them.
#[test]
fn the_bound_holds_under_any_cap_and_nothing_aborts() {
    let mut spent = 0;
    for_each_problem(16, |seed, planner, problem, optimum| {
        for (nodes, megabytes, expansions) in [
            (0, 4096, 1 << 20),
            (1, 4096, 1 << 20),
            (1 << 20, 0, 1 << 20),
            (1 << 20, 4096, 0),
            (40, 1, 40),
        ] {
            for permille in [1000, 1500] {
                let planner = planner.clone().with_nodes_max(nodes).with_megabytes_max(megabytes);
                let planner = planner.with_weight(Weight::from_permille(permille).unwrap());
                let budget = Budget::expansions(expansions);
                match planner.plan(problem, 0, budget, &mut Silent).unwrap().outcome {
                    Outcome::ProvenUnsolvable(_) => assert_eq!(optimum, IMPOSSIBLE),
                    Outcome::BudgetSpent { proven_bound, .. } => {
                        assert!(proven_bound <= optimum, "seed {seed} {planner:?}");
                        spent += 1;
                    }
                    outcome => {
                        let found = refereed(problem, planner.objective, outcome);
                        assert!((found.proven_bound..=found.cost).contains(&optimum));
                        assert!(found.cost <= planner.weight.times(found.proven_bound));
                    }
                }
            }
        }
    });
    assert!(spent > 100, "only {spent} were cut short");
}

/// Random groups of units already at home, which only ever stand in the way.
#[test]
fn a_unit_at_home_costs_nothing_unless_it_is_in_the_way() {
    let mut in_the_way = 0;
    for_each_problem(32, |seed, planner, problem, before| {
        let taken =
            |cell: Cell| problem.units.iter().any(|unit| [unit.start, unit.goal].contains(&cell));
        let map = &problem.map;
        let free: Vec<Cell> =
            map.cells().filter(|&cell| map.is_passable(cell) && !taken(cell)).collect();
        if free.is_empty() {
            return;
        }
        let pick = throng_testkit::rng(seed).random_range(0..free.len() as u32) as usize;
        let mut more = problem.clone().into_inner();
        more.units.insert(0, Unit::new(free[pick], free[pick]));
        let with = cost(planner, &valid(more));
        // As a wall it could not even give way.
        let mut walled = problem.clone().into_inner();
        walled.map.set(free[pick], Map::WALL).unwrap();
        assert!((before..=cost(planner, &valid(walled))).contains(&with), "seed {seed}");
        in_the_way += u32::from(with > before);
    });
    assert!(in_the_way > 0);
}
