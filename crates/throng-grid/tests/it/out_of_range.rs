//! Cells off the map, changes of other maps: an answer, never a panic.

use throng_grid::{
    AStar, Endpoint, Field, FieldSearch, Follower, FollowerOptions, Ground, Journey, Path,
    PathSearch, Query, line_of_sight, segment_cost, smooth,
};
use throng_model::{
    Budget, Cell, CellIndex, Cost, Effort, Factor, Map, MovementProfile, Rect, SearchStatus,
    TerrainClass,
};

fn ground(width: u32, height: u32) -> Ground {
    Ground::new(&Map::empty(width, height).unwrap(), MovementProfile::eight_connected()).unwrap()
}

/// A map with one terrain class more than the plain one, already edited once.
fn swamp(width: u32, height: u32) -> (Map, throng_model::Change) {
    let mut map = Map::empty(width, height).unwrap();
    let class = TerrainClass {
        name: "swamp".to_owned(),
        symbol: 's',
        factor: Some(Factor::new(5).unwrap()),
    };
    let swamp = map.add_class(class).unwrap();
    let change = map.set(Cell::new(1, 1), swamp).unwrap();
    (map, change)
}

#[test]
fn a_change_of_another_map_derives_the_ground_of_the_map_given() {
    let (other, change) = swamp(9, 4);
    let (same_size, same_change) = swamp(6, 5);
    for (map, change) in [(&other, &change), (&same_size, &same_change), (&other, &same_change)] {
        let mut ground = ground(6, 5);
        ground.apply(map, change);
        let fresh = Ground::new(map, MovementProfile::eight_connected()).unwrap();
        assert_eq!(ground.fingerprint(), fresh.fingerprint());
        assert_eq!((ground.width(), ground.height()), (fresh.width(), fresh.height()));
    }
    // Its revisions fit, but its terrain is not one that the map has.
    let plain = Map::empty(6, 5).unwrap();
    let mut edited = plain.clone();
    edited.set(Cell::new(0, 0), Map::WALL).unwrap();
    let mut ground = Ground::new(&plain, MovementProfile::eight_connected()).unwrap();
    ground.apply(&edited, &same_change);
    assert_eq!(ground.revision(), edited.revision());
    assert!(!ground.can_stand(Cell::new(0, 0)) && ground.can_stand(Cell::new(1, 1)));
}

#[test]
fn cells_off_the_map_are_nowhere() {
    let mut ground = ground(6, 5);
    let inside = Cell::new(2, 2);
    for off in [Cell::new(6, 0), Cell::new(0, 5), Cell::new(u16::MAX, u16::MAX)] {
        assert!(!ground.can_stand(off) && ground.factor(off).is_none());
        assert!(ground.step_cost(inside, off).is_none() && ground.step_cost(off, inside).is_none());
        assert!(!ground.is_connected(inside, off));
        assert!(!line_of_sight(&ground, inside, off) && !line_of_sight(&ground, off, inside));
        assert!(segment_cost(&ground, off, inside).is_none());
        let path = Path { cells: vec![inside, off], cost: Cost(1) };
        assert!(smooth(&ground, &path).is_none() && ground.path_cost(&path.cells).is_none());
        ground.add_obstacle(off);
        ground.remove_obstacle(off);
        assert!(Field::new(&ground, &[off]).is_err());
        let field = Field::new(&ground, &[inside]).unwrap();
        assert!(field.distance(off).is_none() && field.next_step(&ground, off).is_none());
        assert!(field.path_from(&ground, off).is_none());
        let (starts, goals) = ([off], [inside]);
        let query = Query::new(&starts, &goals);
        assert!(AStar::default().find(&ground, &query, Budget::unlimited()).is_err());
        let area = [Endpoint::Area(Rect::new(off, u16::MAX, u16::MAX))];
        assert!(Journey::new(&ground, &area, &[Endpoint::Cells(&goals)]).is_err());
        let mut follower = Follower::new(&ground, &path, FollowerOptions::default()).unwrap();
        follower.relocate(off);
        let _ = follower.advance(&ground, &mut AStar::default(), Budget::unlimited());
    }
}

#[test]
fn indices_off_the_map_have_no_steps() {
    let ground = ground(6, 5);
    for index in [30, 31, 1 << 24, u32::MAX].map(CellIndex) {
        assert_eq!((ground.legal_steps(index), ground.components().size_of(index)), (0, 0));
        assert!(!ground.components().connected(index, index));
        let _ = ground.cell(index);
    }
}

#[test]
fn a_field_is_stopped_by_its_effort() {
    let map = Map::empty(60, 50).unwrap();
    let four = MovementProfile::four_connected();
    let one_tick = MovementProfile {
        diagonal: throng_model::DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    };
    for movement in [four, one_tick, MovementProfile::eight_connected()] {
        let ground = Ground::new(&map, movement).unwrap();
        let (mut search, goal) = (FieldSearch::default(), [Cell::new(3, 4)]);
        let mut unlimited = Effort::unlimited();
        let whole = search.compute_within(&ground, &goal, &mut unlimited).unwrap().unwrap();
        let needed = u64::MAX - unlimited.left();
        assert!((3000..3100).contains(&needed), "{needed} expansions");
        for (budget, complete) in [(0, false), (needed / 2, false), (needed, true)] {
            let mut effort = Effort::new(Budget::expansions(budget));
            let field = search.compute_within(&ground, &goal, &mut effort).unwrap();
            assert_eq!(field.is_some(), complete, "{budget} of {needed}");
            let expected = if complete { None } else { Some(SearchStatus::BudgetSpent) };
            assert_eq!((effort.stopped(), effort.left()), (expected, 0));
            let far = Cell::new(59, 49);
            assert!(field.is_none_or(|field| field.distance(far) == whole.distance(far)));
        }
    }
}
