//! Every search and field against Dijkstra's algorithm on the raw map, over thousands of
//! random cases; every path before the referee.

use throng_grid::{AStar, Answer, Field, Jps, Path, PathSearch, Query, QueryError, SharedFields};
use throng_model::{Budget, Cell, Cost, Weight};
use throng_testkit::oracle;

use crate::cases::{Case, case};

const CASES: u64 = 4000;

fn best_cost(case: &Case) -> Option<Cost> {
    let costs = oracle::costs_from(&case.map, &case.movement, &case.starts);
    let at = |goal: &Cell| costs[case.map.index(*goal).unwrap().get()];
    case.goals.iter().filter_map(at).min().map(Cost)
}

fn assert_legal(case: &Case, path: &Path, what: &str) {
    let judged = throng_referee::check_path(&case.map, &case.movement, &path.cells);
    assert_eq!(judged.as_ref().ok(), Some(&path.cost), "{what}: {judged:?}");
    assert!(case.starts.contains(&path.cells[0]), "{what} starts elsewhere");
}

fn is_standable(case: &Case, cells: &[Cell]) -> bool {
    cells.iter().any(|&cell| {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        oracle::standing_factor(&case.map, &case.movement, x, y).is_some()
    })
}

/// Runs one search on one case and compares.
fn check(seed: u64, search: &mut impl PathSearch, name: &str) {
    let case = case(seed);
    let what = format!("{name}, case {seed}");
    let query = Query::new(&case.starts, &case.goals);
    match search.find(&case.ground, &query, Budget::unlimited()) {
        Ok(Answer::Found(path)) => {
            assert_legal(&case, &path, &what);
            assert!(case.goals.contains(path.cells.last().unwrap()), "{what} ends elsewhere");
            assert_eq!(Some(path.cost), best_cost(&case), "{what} is not optimal");
        }
        Ok(Answer::Unreachable { nearest }) => {
            assert_eq!(best_cost(&case), None, "{what} missed the way");
            assert_eq!(nearest, None);
            assert_eq!(search.expanded(), 0, "{what} searched for the unreachable");
        }
        Ok(answer @ (Answer::BudgetSpent { .. } | Answer::CostLimit)) => {
            panic!("{what} met a limit it was not given: {answer:?}")
        }
        Err(QueryError::Blocked { end: "start", .. }) => {
            assert!(!is_standable(&case, &case.starts), "{what}");
        }
        Err(QueryError::Blocked { .. }) => assert!(!is_standable(&case, &case.goals), "{what}"),
        Err(error) => panic!("{what}: {error}"),
    }
}

#[test]
fn astar_finds_the_best_path_or_proves_there_is_none() {
    let mut search = AStar::default();
    (0..CASES).for_each(|seed| check(seed, &mut search, "A*"));
}

#[test]
fn jump_point_search_does_too_wherever_it_suits() {
    let mut search = Jps::default();
    let suited: Vec<u64> = (0..CASES).filter(|&seed| Jps::supports(&case(seed).ground)).collect();
    assert!(suited.len() > 500, "only {} cases", suited.len());
    suited.into_iter().for_each(|seed| check(seed, &mut search, "jump point search"));
}

#[test]
fn jump_point_search_refuses_what_it_cannot_do() {
    let refused = (0..CASES).map(case).find(|case| !Jps::supports(&case.ground)).unwrap();
    let query = Query::new(&refused.starts, &refused.goals);
    let answer = Jps::default().find(&refused.ground, &query, Budget::unlimited());
    assert!(matches!(answer, Err(QueryError::Unsupported(_))));
}

#[test]
fn a_weight_costs_no_more_than_it_says() {
    let (mut astar, mut jps) = (AStar::default(), Jps::default());
    for seed in 0..CASES / 2 {
        let case = case(seed);
        let permille = [1_100, 1_500, 3_000, 10_000][seed as usize % 4];
        let weight = Weight::from_permille(permille).unwrap();
        let query = Query::new(&case.starts, &case.goals).with_weight(weight);
        let Some(best) = best_cost(&case) else { continue };
        let check = |search: &mut dyn PathSearch| {
            let path = search.find(&case.ground, &query, Budget::unlimited()).unwrap();
            let path = path.found().unwrap();
            assert_legal(&case, &path, &format!("weighted, case {seed}"));
            assert!(path.cost.0 * 1_000 <= best.0 * u64::from(permille), "case {seed}");
        };
        check(&mut astar);
        if Jps::supports(&case.ground) {
            check(&mut jps);
        }
    }
}

#[test]
fn a_cost_limit_is_kept_to_the_last_unit() {
    let (mut astar, mut jps) = (AStar::default(), Jps::default());
    for seed in 0..CASES / 2 {
        let case = case(seed);
        let Some(best) = best_cost(&case).filter(|&best| best > Cost::ZERO) else { continue };
        let check = |search: &mut dyn PathSearch| {
            let query = Query::new(&case.starts, &case.goals);
            // With a weight, a path within the limit must still be found.
            let weighted = query
                .with_weight(Weight::from_permille(2_000).unwrap())
                .with_cost_max(Cost(best.0 + 1));
            let path = search.find(&case.ground, &weighted, Budget::unlimited()).unwrap();
            assert!(path.found().unwrap().cost.0 <= best.0 + 1, "case {seed}");
            let mut find = |cost_max| {
                let query = query.with_cost_max(cost_max);
                search.find(&case.ground, &query, Budget::unlimited()).unwrap()
            };
            assert_eq!(find(best).found().map(|path| path.cost), Some(best), "case {seed}");
            assert_eq!(find(Cost(best.0 - 1)), Answer::CostLimit, "case {seed}");
        };
        check(&mut astar);
        if Jps::supports(&case.ground) {
            check(&mut jps);
        }
    }
}

#[test]
fn fields_hold_the_true_distance_of_every_cell() {
    let mut fields = SharedFields::new(3);
    for seed in 0..CASES / 4 {
        let case = case(seed);
        let Ok(field) = fields.get(&case.ground, &case.goals) else { continue };
        for cell in case.map.cells() {
            let costs = oracle::costs_from(&case.map, &case.movement, &[cell]);
            let at = |goal: &Cell| costs[case.map.index(*goal).unwrap().get()];
            let expected = case.goals.iter().filter_map(at).min().map(Cost);
            assert_eq!(field.distance(cell), expected, "case {seed}, {cell}");
            if let Some(path) = field.path_from(&case.ground, cell) {
                let judged = throng_referee::check_path(&case.map, &case.movement, &path.cells);
                assert_eq!(judged.ok(), expected, "case {seed}, path from {cell}");
            }
            if cell.y > 2 {
                break;
            }
        }
    }
}

#[test]
fn distances_too_large_for_four_bytes_take_eight() {
    // One corridor of factor 255 winds through the whole map.
    let mut map = throng_model::Map::empty(200, 201).unwrap();
    let mud =
        throng_model::TerrainClass::passable("mud", 'm', throng_model::Factor::new(255).unwrap());
    let mud = map.add_class(mud).unwrap();
    let cells: Vec<Cell> = map.cells().collect();
    map.paint(&cells, mud).unwrap();
    for y in (1..200).step_by(2) {
        let x = if y % 4 == 1 { 0 } else { 1 };
        map.fill(throng_model::Rect::new(Cell::new(x, y), 199, 1), throng_model::Map::WALL)
            .unwrap();
    }
    let movement = throng_model::MovementProfile::eight_connected();
    let ground = throng_grid::Ground::new(&map, movement.clone()).unwrap();
    let field = Field::new(&ground, &[Cell::new(0, 200)]).unwrap();
    let cost = field.distance(Cell::new(0, 0)).unwrap();
    assert!(cost.0 > u64::from(u32::MAX));
    let expected = oracle::costs_from(&map, &movement, &[Cell::new(0, 200)]);
    assert_eq!(Some(cost.0), expected[0]);
    let mut search = AStar::default();
    let (from, to) = ([Cell::new(0, 0)], [Cell::new(0, 200)]);
    let answer = search.find(&ground, &Query::new(&from, &to), Budget::unlimited()).unwrap();
    assert_eq!(answer.found().map(|path| path.cost), Some(cost));
}
