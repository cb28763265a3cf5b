//! Path lengths against those that MovingAI recorded, an independent computation.

use throng_formats::map::{MapOptions, read as read_map};
use throng_grid::{AStar, Field, Ground, Jps, PathSearch, Query};
use throng_model::{Budget, Cell, MovementProfile};
use throng_testkit::bench_data;

/// The files round to between two and eight digits.
const TOLERANCE_CELLS: f64 = 0.01;
/// Queries tried of each map, spread over the whole scenario.
const QUERIES: usize = 150;

#[test]
fn lengths_equal_the_recorded_optima() {
    let Some(folder) = bench_data::folder("single-agent") else { return };
    let maps =
        ["dao/arena", "dao/brc202d", "bg512/AR0602SR", "rooms/16room_000", "da2/w_woundedcoast"];
    for name in maps {
        let map = bench_data::read(&folder.join(format!("{name}.map")));
        let scenario = bench_data::read(&folder.join(format!("{name}.map.scen")));
        let map = read_map(&map, MapOptions::default()).unwrap();
        let scenario = throng_formats::scen::read(&scenario).unwrap();
        let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
        let (mut astar, mut jps) = (AStar::default(), Jps::default());
        let stride = (scenario.rows.len() / QUERIES).max(1);
        for row in scenario.rows.iter().step_by(stride) {
            let recorded = row.optimal_length;
            check(&mut astar, &map, &ground, row.start, row.goal, recorded, name);
            check(&mut jps, &map, &ground, row.start, row.goal, recorded, name);
        }
        let row = scenario.rows.last().unwrap();
        let field = Field::new(&ground, &[row.goal]).unwrap();
        let length = field.distance(row.start).unwrap().in_cells();
        assert!((length - row.optimal_length).abs() < TOLERANCE_CELLS, "{name}: field");
    }
}

fn check(
    search: &mut impl PathSearch,
    map: &throng_model::Map,
    ground: &Ground,
    start: Cell,
    goal: Cell,
    recorded: f64,
    name: &str,
) {
    let (start, goal) = ([start], [goal]);
    let answer = search.find(ground, &Query::new(&start, &goal), Budget::unlimited()).unwrap();
    let path = answer.found().unwrap();
    let judged = throng_referee::check_path(map, ground.movement(), &path.cells).unwrap();
    assert_eq!(judged, path.cost);
    let length = path.cost.in_cells();
    assert!((length - recorded).abs() < TOLERANCE_CELLS, "{name}: {length}, not {recorded}");
}
