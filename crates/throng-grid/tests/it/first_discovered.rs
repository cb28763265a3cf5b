//! Xu and Zou's search to the first stop node discovered, against the same written with plain lists.

use throng_grid::{AStar, FirstDiscovered, OFFSETS, PathSearch, Query, QueryError, SearchStatus};
use throng_model::{Budget, Cell, Cost, Weight};
use throng_testkit::oracle;

use crate::cases::{Case, case};

/// A node of the paper's two lists: cell, G, H.
type Node = (Cell, u64, u64);

/// The paper's algorithm with an open and a closed list: the cost of the first stop node discovered.
fn by_lists(case: &Case) -> Option<u64> {
    let straight = case.movement.step_costs().0.0;
    // "May preprocess those unreachable nodes in the game map before starting search."
    let joined = |from: &[Cell], to: &[Cell]| -> Vec<Cell> {
        let reached = |cell: &Cell| {
            let costs = oracle::costs_from(&case.map, &case.movement, &[*cell]);
            to.iter().any(|to| costs[case.map.index(*to).unwrap().get()].is_some())
        };
        from.iter().filter(|cell| reached(cell)).copied().collect()
    };
    let (starts, goals) = (joined(&case.starts, &case.goals), joined(&case.goals, &case.starts));
    let manhattan = |at: Cell| {
        let steps =
            |goal: &Cell| u64::from(goal.x.abs_diff(at.x)) + u64::from(goal.y.abs_diff(at.y));
        goals.iter().map(steps).min().unwrap_or(0) * straight
    };
    let mut open: Vec<Node> = Vec::new();
    let mut closed: Vec<Cell> = Vec::new();
    for start in starts {
        open.push((start, 0, manhattan(start)));
    }
    if open.iter().any(|&(_, _, h)| h == 0) {
        return Some(0);
    }
    while let Some(at) = (0..open.len()).min_by_key(|&at| open[at].1 + open[at].2) {
        let (cell, g, _) = open.remove(at);
        closed.push(cell);
        let mut steps = oracle::steps(&case.map, &case.movement, cell);
        steps.sort_by_key(|&(next, _)| order_of(cell, next));
        for (next, step) in steps {
            if closed.contains(&next) {
                continue;
            }
            let (cost, h) = (g + step, manhattan(next));
            let known = open.iter().position(|node| node.0 == next);
            if known.is_none_or(|known| cost < open[known].1) {
                if h == 0 {
                    return Some(cost);
                }
                known.map(|known| open.remove(known));
                open.push((next, cost, h));
            }
        }
    }
    None
}

/// The place of a step in the order in which neighbours are looked at.
fn order_of(from: Cell, to: Cell) -> Option<usize> {
    let offset = |a: u16, b: u16| i32::from(b) - i32::from(a);
    OFFSETS.iter().position(|&step| step == (offset(from.x, to.x), offset(from.y, to.y)))
}

#[test]
fn it_finds_what_the_lists_of_the_paper_find() {
    let (mut search, mut astar) = (FirstDiscovered::default(), AStar::default());
    let mut costlier = 0;
    for seed in 0..1500 {
        let case = case(seed);
        let query = Query::new(&case.starts, &case.goals);
        let Ok(answer) = search.find(&case.ground, &query, Budget::unlimited()) else { continue };
        let path = answer.found();
        assert_eq!(path.as_ref().map(|path| path.cost.0), by_lists(&case), "case {seed}");
        let best = astar.find(&case.ground, &query, Budget::unlimited()).unwrap().found();
        assert_eq!(path.is_some(), best.is_some(), "case {seed}");
        let Some((path, best)) = path.zip(best) else { continue };
        let judged = throng_referee::check_path(&case.map, &case.movement, &path.cells);
        assert_eq!(judged, Ok(path.cost), "case {seed}");
        assert!(path.cost >= best.cost, "case {seed}");
        costlier += u32::from(path.cost > best.cost);
    }
    assert!(costlier > 20, "the rule must make a difference: {costlier}");
}

#[test]
fn slices_come_to_the_same_path() {
    let (mut whole, mut sliced) = (FirstDiscovered::default(), FirstDiscovered::default());
    for seed in 0..500 {
        let case = case(seed);
        let query = Query::new(&case.starts, &case.goals);
        let Ok(answer) = whole.find(&case.ground, &query, Budget::unlimited()) else { continue };
        sliced.begin(&case.ground, &query).unwrap();
        while sliced.run(&case.ground, Budget::expansions(3)).unwrap() == SearchStatus::BudgetSpent
        {
            let nearest = sliced.nearest(&case.ground).unwrap();
            assert_eq!(case.ground.path_cost(&nearest.cells), Some(nearest.cost), "case {seed}");
        }
        assert_eq!(sliced.path(&case.ground), answer.found(), "case {seed}");
        assert_eq!(sliced.expanded(), whole.expanded(), "case {seed}");
    }
}

#[test]
fn what_the_paper_does_not_have_is_refused() {
    let case = case(1);
    let query = Query::new(&case.starts, &case.goals);
    let mut search = FirstDiscovered::default();
    for query in
        [query.with_weight(Weight::from_permille(1_500).unwrap()), query.with_cost_max(Cost(5))]
    {
        let answer = search.find(&case.ground, &query, Budget::unlimited());
        assert!(matches!(answer, Err(QueryError::Unsupported(_))));
    }
}
