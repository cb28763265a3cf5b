//! A search that is used again asks for no memory.

use throng_grid::{AStar, Ground, Jps, Path, PathSearch, Query};
use throng_model::{Budget, Cell, Map, MovementProfile};

const QUERIES: [(Cell, Cell); 4] = [
    (Cell::new(0, 0), Cell::new(199, 199)),
    (Cell::new(199, 0), Cell::new(0, 199)),
    (Cell::new(100, 3), Cell::new(7, 150)),
    (Cell::new(5, 5), Cell::new(6, 6)),
];

fn ground() -> (Map, Ground) {
    let mut map = throng_testkit::random_map(9, 200, 200, 20);
    let ends: Vec<Cell> = QUERIES.iter().flat_map(|&(from, to)| [from, to]).collect();
    map.paint(&ends, Map::GROUND).unwrap();
    let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
    (map, ground)
}

fn run(search: &mut dyn PathSearch, ground: &Ground, path: &mut Path) {
    for (from, to) in QUERIES {
        let (starts, goals) = ([from, to], [to, Cell::new(50, 50)]);
        for query in [Query::new(&starts[..1], &goals[..1]), Query::new(&starts[..1], &goals)] {
            search.begin(ground, &query).unwrap();
            search.run(ground, Budget::unlimited()).unwrap();
            search.path_into(ground, path);
        }
    }
}

#[test]
fn after_the_first_queries_nothing_is_allocated() {
    let (_, ground) = ground();
    let (mut astar, mut jps) = (AStar::default(), Jps::default());
    for search in [&mut astar as &mut dyn PathSearch, &mut jps] {
        let mut path = Path::default();
        run(search, &ground, &mut path);
        assert!(!path.cells.is_empty());
        let again = allocation_counter::measure(|| run(search, &ground, &mut path));
        assert_eq!(again.count_total, 0, "{again:?}");
    }
}

#[test]
fn an_edit_hardly_allocates() {
    let (mut map, mut ground) = ground();
    let wall: Vec<_> = (0..50).map(|i| Cell::new(20 + i, 100)).collect();
    for terrain in [Map::WALL, Map::GROUND, Map::WALL] {
        let change = map.paint(&wall, terrain).unwrap();
        let counted = allocation_counter::measure(|| ground.apply(&map, &change));
        assert!(counted.bytes_total < 100_000, "{counted:?}");
    }
}
