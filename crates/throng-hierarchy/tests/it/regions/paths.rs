//! What is found over regions.

use rand::RngExt;
use throng_formats::{MapOptions, map, scen};
use throng_grid::{AStar, Answer, PathSearch, Query, QueryError, SearchStatus};
use throng_hierarchy::{RegionMemory, RegionSearch};
use throng_model::{Budget, Cell, Cost, Factor, Map, MovementProfile, TerrainClass};
use throng_testkit::bench_data;

use super::Divided;
use crate::support::{Lengths, movements};

#[test]
fn random_walls_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        for percent in [5, 25, 40] {
            let map = throng_testkit::random_map(seed as u64 + 1, 90, 70, percent);
            let lengths = Divided::new(map, movement.clone()).check_random(seed as u64, 12);
            assert!(lengths.longest <= 1.15, "{movement:?} at {percent}%: {lengths:?}");
        }
    }
}

#[test]
fn random_terrain_under_all_movements() {
    for (seed, movement) in movements().into_iter().enumerate() {
        let map = throng_testkit::random_terrain(seed as u64 + 1, 80, 80, 15, 8);
        let lengths = Divided::new(map, movement.clone()).check_random(seed as u64, 12);
        assert!(lengths.mean() <= 1.10 && lengths.longest <= 1.50, "{movement:?}: {lengths:?}");
    }
}

/// Factors so large that costs of many cells do not fit into few bits.
#[test]
fn the_dearest_terrain() {
    let mut map = throng_testkit::random_map(3, 90, 60, 20);
    let class = TerrainClass::passable("tar", 't', Factor::new(255).unwrap());
    let tar = map.add_class(class).unwrap();
    let band = throng_model::Rect::new(Cell::new(0, 20), 90, 20).cells();
    let band: Vec<Cell> = band.filter(|&cell| map.is_passable(cell)).collect();
    map.paint(&band, tar).unwrap();
    let lengths = Divided::new(map, MovementProfile::eight_connected()).check_random(4, 40);
    assert!(lengths.found > 20 && lengths.mean() <= 1.02, "{lengths:?}");
}

#[test]
fn many_starts_and_goals() {
    let map = throng_testkit::random_terrain(11, 120, 90, 20, 4);
    let mut divided = Divided::new(map, MovementProfile::eight_connected());
    let mut rng = throng_testkit::rng(12);
    for _ in 0..30 {
        let mut cells = || -> Vec<Cell> {
            let count = rng.random_range(1..6_u32);
            let cell = |_| Cell::new(rng.random_range(0..120), rng.random_range(0..90));
            (0..count).map(cell).collect()
        };
        let (starts, goals) = (cells(), cells());
        let query = Query::new(&starts, &goals);
        let best = AStar::default().find(&divided.ground, &query, Budget::unlimited());
        let Ok(Answer::Found(best)) = best else { continue };
        let path = divided.ask(&query).found().unwrap();
        assert!(starts.contains(&path.start().unwrap()) && goals.contains(&path.end().unwrap()));
        assert_eq!(divided.ground.path_cost(&path.cells), Some(path.cost));
        assert!(path.cost.0 as f64 <= 1.25 * best.cost.0 as f64, "{} {}", path.cost, best.cost);
    }
}

#[test]
fn the_exact_questions_go_to_a_star() {
    let mut divided =
        Divided::new(Map::empty(150, 60).unwrap(), MovementProfile::eight_connected());
    let ends = [Cell::new(3, 3), Cell::new(140, 50)];
    let best = divided.ask(&Query::new(&ends[..1], &ends[1..])).found().unwrap();
    let less = Query::new(&ends[..1], &ends[1..]).with_cost_max(Cost(best.cost.0 / 2));
    assert_eq!(divided.ask(&less), Answer::CostLimit);
    divided.set(ends[1], Map::WALL);
    let Answer::Unreachable { nearest: Some(path) } =
        divided.ask(&Query::new(&ends[..1], &ends[1..]).or_nearest())
    else {
        panic!("a wall was reached")
    };
    assert_eq!(path.end(), Some(Cell::new(139, 50)));
}

#[test]
fn bad_queries_are_errors() {
    let mut divided = Divided::new(Map::empty(40, 40).unwrap(), MovementProfile::eight_connected());
    let here = Cell::new(3, 3);
    let mut search = RegionSearch::new(&divided.regions, &mut divided.memory);
    let mut begin = |starts: &[Cell], goals: &[Cell]| {
        search.begin(&divided.ground, &Query::new(starts, goals)).unwrap_err()
    };
    assert_eq!(begin(&[], &[here]), QueryError::Missing("start"));
    assert!(matches!(begin(&[here], &[Cell::new(99, 0)]), QueryError::Blocked { .. }));
    // The ground goes on without the regions.
    let change = divided.map.set(Cell::new(5, 5), Map::WALL).unwrap();
    divided.ground.apply(&divided.map, &change);
    let mut search = RegionSearch::new(&divided.regions, &mut divided.memory);
    let late = search.begin(&divided.ground, &Query::new(&[here], &[here]));
    assert_eq!(late, Err(QueryError::GroundChanged));
}

#[test]
fn slices_give_the_same_path_and_steps_stay() {
    let map = throng_testkit::random_terrain(2, 600, 200, 10, 4);
    let divided = Divided::new(map, MovementProfile::eight_connected());
    let free = |from: u16| {
        let mut cells = (from..600).map(|x| Cell::new(x, 100));
        cells.find(|&cell| divided.ground.can_stand(cell)).unwrap()
    };
    let (start, goal) = ([free(0)], [free(590)]);
    let query = Query::new(&start, &goal);
    let mut memory = RegionMemory::default();
    let mut search = RegionSearch::new(&divided.regions, &mut memory);
    let whole = search.find(&divided.ground, &query, Budget::unlimited()).unwrap();
    let whole = whole.found().unwrap();
    search.begin(&divided.ground, &query).unwrap();
    let stop = || true;
    let stopped = Budget::unlimited().with_interrupt(&stop);
    assert_eq!(search.run(&divided.ground, stopped), Ok(SearchStatus::Interrupted));
    let (mut slices, mut known) = (0, Vec::new());
    while search.run(&divided.ground, Budget::expansions(20)).unwrap() == SearchStatus::BudgetSpent
    {
        assert!(search.steps().starts_with(&known), "steps that were walked have changed");
        known = search.steps().to_vec();
        slices += 1;
    }
    assert!(slices > 3, "{slices}");
    assert!(known.len() > 100 && known.len() < whole.cells.len());
    assert_eq!(search.path(&divided.ground), Some(whole));
}

fn hashes(divided: &mut Divided, queries: &[(Cell, Cell)]) -> Vec<u64> {
    let mut ask = |&(from, to): &(Cell, Cell)| {
        let answer = divided.ask(&Query::new(&[from], &[to]));
        let Answer::Found(path) = answer else { return 0 };
        throng_testkit::hash(&format!("{:?}", path.cells))
    };
    queries.iter().map(&mut ask).collect()
}

#[test]
fn answers_are_pinned_and_do_not_depend_on_what_was_asked_before() {
    let map = throng_testkit::random_terrain(1, 200, 200, 10, 8);
    let mut divided = Divided::new(map, MovementProfile::eight_connected());
    let mut rng = throng_testkit::rng(2);
    let mut cell = || Cell::new(rng.random_range(0..200), rng.random_range(0..200));
    let pairs = (0..80).map(|_| (cell(), cell()));
    let stands = |cell| divided.ground.can_stand(cell);
    let mut queries: Vec<_> = pairs.filter(|&(from, to)| stands(from) && stands(to)).collect();
    let forwards = hashes(&mut divided, &queries);
    queries.reverse();
    let mut backwards = hashes(&mut divided, &queries);
    backwards.reverse();
    assert_eq!(forwards, backwards);
    let all = forwards.iter().fold(0_u64, |all, hash| all.rotate_left(1) ^ hash);
    let regions = &divided.regions;
    let gates: Vec<_> = regions.iter().map(|region| regions.gates(region)).collect();
    assert_eq!(
        (all, throng_testkit::hash(&format!("{gates:?}"))),
        (6_701_166_794_202_058_192, 14_494_364_815_182_116_073)
    );
}

/// Maps of games and cities: within a percent of the best on average.
fn check_map(set: &str, name: &str) {
    let Some(folder) = bench_data::folder(&format!("single-agent/{set}")) else { return };
    let path = folder.join(format!("{name}.map"));
    let map = map::read(&bench_data::read(&path), MapOptions::default()).unwrap();
    let rows = scen::read(&bench_data::read(&path.with_extension("map.scen"))).unwrap().rows;
    for footprint in 1..=2 {
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        let mut divided = Divided::new(map.clone(), movement);
        let mut lengths = Lengths::default();
        for row in rows.iter().step_by(rows.len() / 60 + 1) {
            if divided.ground.can_stand(row.start) && divided.ground.can_stand(row.goal) {
                divided.check(row.start, row.goal, &mut lengths);
            }
        }
        let good = lengths.mean() <= 1.01 && lengths.longest <= 1.10;
        assert!(good && lengths.found > 20, "{name}, {footprint}: {lengths:?}");
    }
}

#[test]
fn maps_of_games_and_a_city() {
    check_map("bg512", "AR0602SR");
    check_map("dao", "brc202d");
    check_map("cities", "Berlin_0_512");
}
