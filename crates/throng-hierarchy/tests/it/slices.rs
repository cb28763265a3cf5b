//! A query can be sliced, and known steps can be taken at once.

use throng_grid::{PathSearch, Query, SearchStatus};
use throng_hierarchy::{HierarchyMemory, HierarchySearch};
use throng_model::{Budget, Cell, MovementProfile};

use crate::support::World;

#[test]
fn slices_give_the_same_path_and_steps_stay() {
    let map = throng_testkit::random_terrain(2, 600, 300, 10, 4);
    let world = World::new(map, MovementProfile::eight_connected());
    let free = |from: u16| {
        let cells = (from..600).map(|x| Cell::new(x, 150));
        cells.into_iter().find(|&cell| world.ground.can_stand(cell)).unwrap()
    };
    let (start, goal) = ([free(0)], [free(590)]);
    let query = Query::new(&start, &goal);
    let mut memory = HierarchyMemory::default();
    let mut search = HierarchySearch::new(&world.hierarchy, &mut memory);
    let whole = search.find(&world.ground, &query, Budget::unlimited()).unwrap();
    let whole = whole.found().unwrap();

    search.begin(&world.ground, &query).unwrap();
    let (mut slices, mut known) = (0, Vec::new());
    while search.run(&world.ground, Budget::expansions(40)).unwrap() == SearchStatus::BudgetSpent {
        assert!(search.steps().starts_with(&known), "steps that were walked have changed");
        known = search.steps().to_vec();
        slices += 1;
    }
    assert!(slices > 3, "{slices}");
    assert!(known.len() > 100 && known.len() < whole.cells.len());
    assert_eq!(search.path(&world.ground), Some(whole));
}

/// Short paths are compared with A*; its expansions count.
#[test]
fn slices_of_a_near_query_add_up() {
    let map = throng_testkit::random_terrain(3, 120, 120, 10, 3);
    let world = World::new(map, MovementProfile::four_connected());
    let standing = world.map.cells().filter(|&cell| world.ground.can_stand(cell));
    let free: Vec<Cell> = standing.step_by(1501).collect();
    let mut memory = HierarchyMemory::default();
    let mut search = HierarchySearch::new(&world.hierarchy, &mut memory);
    for ends in free.windows(2) {
        let query = Query::new(&ends[..1], &ends[1..]);
        let whole = search.find(&world.ground, &query, Budget::unlimited()).unwrap();
        let in_one_go = search.expanded();
        search.begin(&world.ground, &query).unwrap();
        let mut before = 0;
        while search.run(&world.ground, Budget::expansions(7)).unwrap() == SearchStatus::BudgetSpent
        {
            assert!(search.expanded() > before, "nothing happened");
            before = search.expanded();
        }
        assert_eq!((search.path(&world.ground), search.expanded()), (whole.found(), in_one_go));
    }
}

#[test]
fn an_interrupt_stops_it() {
    let world =
        World::new(throng_testkit::random_map(1, 100, 100, 0), MovementProfile::eight_connected());
    let mut memory = HierarchyMemory::default();
    let mut search = HierarchySearch::new(&world.hierarchy, &mut memory);
    let ends = [Cell::new(0, 0), Cell::new(99, 99)];
    let query = Query::new(&ends[..1], &ends[1..]);
    search.begin(&world.ground, &query).unwrap();
    let stop = || true;
    let budget = Budget::unlimited().with_interrupt(&stop);
    assert_eq!(search.run(&world.ground, budget), Ok(SearchStatus::Interrupted));
    assert_eq!(search.run(&world.ground, Budget::unlimited()), Ok(SearchStatus::Found));
}
