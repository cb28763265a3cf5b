//! Searches that are sliced over frames, limited, interrupted, or overtaken by an edit.

use throng_grid::{AStar, Answer, Ground, Jps, PathSearch, Query, QueryError, SearchStatus};
use throng_model::{Budget, Cell, Map, MovementProfile};

use crate::cases::case;

#[test]
fn slices_come_to_the_same_path_as_one_run() {
    let (mut whole, mut sliced) = (AStar::default(), AStar::default());
    let (mut whole_jps, mut sliced_jps) = (Jps::default(), Jps::default());
    for seed in 0..1500 {
        let case = case(seed);
        let query = Query::new(&case.starts, &case.goals);
        compare(&mut whole, &mut sliced, &case.ground, &query, seed);
        if Jps::supports(&case.ground) {
            compare(&mut whole_jps, &mut sliced_jps, &case.ground, &query, seed);
        }
    }
}

fn compare<S: PathSearch>(
    whole: &mut S,
    sliced: &mut S,
    ground: &Ground,
    query: &Query<'_>,
    seed: u64,
) {
    let Ok(expected) = whole.find(ground, query, Budget::unlimited()) else { return };
    sliced.begin(ground, query).unwrap();
    let mut slices = 0;
    while sliced.run(ground, Budget::expansions(3)).unwrap() == SearchStatus::BudgetSpent {
        slices += 1;
        let nearest = sliced.nearest(ground).unwrap();
        assert_eq!(ground.path_cost(&nearest.cells), Some(nearest.cost), "case {seed}");
    }
    assert!(slices <= sliced.expanded() / 3, "case {seed}");
    assert_eq!(sliced.path(ground), expected.found(), "case {seed}");
    assert_eq!(sliced.expanded(), whole.expanded(), "case {seed}");
}

#[test]
fn a_spent_budget_gives_the_way_to_the_nearest_cell() {
    let ground =
        Ground::new(&Map::empty(60, 60).unwrap(), MovementProfile::four_connected()).unwrap();
    let (start, goal) = ([Cell::new(0, 30)], [Cell::new(59, 30)]);
    let query = Query::new(&start, &goal);
    let answer = AStar::default().find(&ground, &query, Budget::expansions(10)).unwrap();
    let Answer::BudgetSpent { nearest, interrupted } = answer else { panic!("{answer:?}") };
    assert!(!interrupted);
    assert_eq!((nearest.cells[0], nearest.cells.len()), (Cell::new(0, 30), 11));
}

#[test]
fn an_interrupt_stops_the_search_and_says_so() {
    let ground =
        Ground::new(&Map::empty(300, 300).unwrap(), MovementProfile::four_connected()).unwrap();
    let walled = {
        let mut ground = ground.clone();
        (0..299).for_each(|y| ground.add_obstacle(Cell::new(150, y)));
        ground
    };
    let (start, goal) = ([Cell::new(0, 0)], [Cell::new(299, 0)]);
    let stop = || true;
    let budget = Budget::unlimited().with_interrupt(&stop);
    let mut search = AStar::default();
    let answer = search.find(&walled, &Query::new(&start, &goal), budget).unwrap();
    assert!(matches!(answer, Answer::BudgetSpent { interrupted: true, .. }), "{answer:?}");
    assert_eq!(search.run(&walled, Budget::unlimited()), Ok(SearchStatus::Found));
}

#[test]
fn an_unreachable_goal_can_be_approached() {
    let drawing = "
        S..#...
        ...#.G.
        ...#...";
    let map = throng_testkit::map(drawing);
    let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
    let (start, goal) =
        ([throng_testkit::place(drawing, 'S')], [throng_testkit::place(drawing, 'G')]);
    let mut search = AStar::default();
    let query = Query::new(&start, &goal).or_nearest();
    let answer = search.find(&ground, &query, Budget::unlimited()).unwrap();
    let Answer::Unreachable { nearest: Some(path) } = answer else { panic!("{answer:?}") };
    assert_eq!(path.cells, [Cell::new(0, 0), Cell::new(1, 1), Cell::new(2, 1)]);
}

#[test]
fn a_click_on_a_building_leads_to_its_wall() {
    let drawing = "
        S......
        ...###.
        ...#G#.
        ...###.";
    let letters = drawing.replace('G', "#");
    let ground =
        Ground::new(&throng_testkit::map(&letters), MovementProfile::eight_connected()).unwrap();
    let (start, goal) =
        ([throng_testkit::place(drawing, 'S')], [throng_testkit::place(drawing, 'G')]);
    let query = Query::new(&start, &goal).or_nearest();
    let answer = AStar::default().find(&ground, &query, Budget::unlimited()).unwrap();
    let Answer::Unreachable { nearest: Some(path) } = answer else { panic!("{answer:?}") };
    assert_eq!(path.end(), Some(Cell::new(2, 2)));
}

#[test]
fn an_edit_between_two_slices_is_noticed() {
    let mut map = Map::empty(40, 40).unwrap();
    let mut ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
    let (start, goal) = ([Cell::new(0, 0)], [Cell::new(39, 20)]);
    let mut search = AStar::default();
    search.begin(&ground, &Query::new(&start, &goal)).unwrap();
    assert_eq!(search.run(&ground, Budget::expansions(5)), Ok(SearchStatus::BudgetSpent));
    let change = map.set(Cell::new(20, 10), Map::WALL).unwrap();
    ground.apply(&map, &change);
    assert_eq!(search.run(&ground, Budget::unlimited()), Err(QueryError::GroundChanged));
    assert_eq!(search.path(&ground), None);
    // Undone, the ground is the one that the search knows.
    let change = map.set(Cell::new(20, 10), Map::GROUND).unwrap();
    ground.apply(&map, &change);
    assert_eq!(search.run(&ground, Budget::unlimited()), Ok(SearchStatus::Found));
}

#[test]
fn queries_that_make_no_sense_are_refused_with_a_remedy() {
    let drawing = "
        .#
        .#";
    let ground =
        Ground::new(&throng_testkit::map(drawing), MovementProfile::eight_connected()).unwrap();
    let check = |starts: &[Cell], goals: &[Cell], expected: &str| {
        let answer =
            AStar::default().find(&ground, &Query::new(starts, goals), Budget::unlimited());
        assert_eq!(answer.unwrap_err().to_string(), expected);
    };
    let (free, wall, off) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(7, 7));
    check(&[], &[free], "no start was given; give at least one cell");
    check(&[free], &[], "no goal was given; give at least one cell");
    check(&[wall], &[free], "start (1,0) is blocked; choose a cell where the unit can stand");
    check(
        &[free],
        &[off, wall],
        "goal (7,7) is off the map (and 1 more); choose a cell where the unit can stand",
    );
}

#[test]
fn a_start_that_is_a_goal_is_there_at_once() {
    let ground =
        Ground::new(&Map::empty(9, 9).unwrap(), MovementProfile::eight_connected()).unwrap();
    let cell = [Cell::new(4, 4)];
    let query = Query::new(&cell, &cell);
    for search in [&mut AStar::default() as &mut dyn PathSearch, &mut Jps::default()] {
        let path = search.find(&ground, &query, Budget::unlimited()).unwrap().found().unwrap();
        assert_eq!((path.cells.as_slice(), path.cost.0), (&cell[..], 0));
        assert_eq!(search.expanded(), 0);
    }
}
