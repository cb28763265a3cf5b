//! All methods with all caches: valid walks, honest outcomes, fair lengths, the same always.

use throng_scene::town;
use throng_scene::{Location, Method, PathfinderOptions, ScenePathfinder, WalkOutcome};

use super::kit::{Places, all_caches, hamlet, plain, samples, small_town, walk};

#[test]
fn every_walk_of_every_method_is_valid_and_ends_as_grid_level_does() {
    for seed in 1..4 {
        let scene = small_town(seed);
        let samples = samples(&scene, 30);
        let mut locations = Places::new(seed);
        // Any locations: many are in walls or in rooms that nobody can enter.
        let queries: Vec<(Location, Location)> =
            (0..30).map(|_| (locations.any(&scene), locations.any(&scene))).collect();
        let mut grid = ScenePathfinder::new(&scene, plain(Method::Gr), &[]).unwrap();
        let expected: Vec<WalkOutcome> =
            queries.iter().map(|&(from, to)| walk(&mut grid, &scene, from, to).0).collect();
        for options in Method::ALL.into_iter().flat_map(all_caches) {
            let mut finder = ScenePathfinder::new(&scene, options, &samples).unwrap();
            for (&(from, to), expected) in queries.iter().zip(&expected) {
                let (outcome, ..) = walk(&mut finder, &scene, from, to);
                assert_eq!(outcome, *expected, "{options:?} from {from:?} to {to:?}");
            }
        }
    }
}

/// The lengths of all walks together and the longest of them compared with grid level, in
/// percent.
fn check_lengths(method: Method, mean_max: u64, worst_max: u64) {
    let (mut sum, mut grid_sum, mut worst) = (0, 0, 0);
    for seed in 1..3 {
        let scene = town(seed).validate().unwrap();
        let samples = samples(&scene, 80);
        let mut locations = Places::new(seed);
        let mut grid = ScenePathfinder::new(&scene, all_caches(Method::Gr)[1], &[]).unwrap();
        let mut finder = ScenePathfinder::new(&scene, all_caches(method)[1], &samples).unwrap();
        for _ in 0..40 {
            let (from, to) = (locations.free(&scene), locations.free(&scene));
            let shortest = walk(&mut grid, &scene, from, to).2.length_millionths;
            let length = walk(&mut finder, &scene, from, to).2.length_millionths;
            sum += length;
            grid_sum += shortest;
            // Two units for the way to a waypoint: nearby goals are not what this is about.
            worst = worst.max(length.saturating_sub(2_000_000) * 100 / shortest);
        }
    }
    let mean = sum * 100 / grid_sum;
    assert!(mean <= mean_max && worst <= worst_max, "{method:?}: mean {mean} %, worst {worst} %");
}

#[test]
fn static_zones_make_fair_ways() {
    check_lengths(Method::Sz, 103, 115);
}

#[test]
fn roadmaps_make_fair_ways() {
    check_lengths(Method::Rd, 115, 200);
    check_lengths(Method::RdPlus, 107, 140);
}

#[test]
fn good_voronoi_zones_make_fair_ways() {
    check_lengths(Method::VzPlus, 107, 130);
}

#[test]
fn the_hierarchy_pays_and_the_first_stretch_comes_early() {
    let scene = town(1).validate().unwrap();
    let samples = samples(&scene, 80);
    let mut nodes = [0; 6];
    let mut first_nodes = 0;
    for (method, nodes) in Method::ALL.into_iter().zip(&mut nodes) {
        let mut finder = ScenePathfinder::new(&scene, all_caches(method)[1], &samples).unwrap();
        let mut locations = Places::new(8);
        for _ in 0..40 {
            let (from, to) = (locations.free(&scene), locations.free(&scene));
            let mut walk = finder.find(&scene, from, to).unwrap();
            walk.next_stretch(&mut finder, &scene);
            first_nodes += if method == Method::Sz { walk.metrics().nodes } else { 0 };
            walk.finish(&mut finder, &scene);
            *nodes += walk.metrics().nodes;
        }
    }
    let [grid, zones, roadmap, roadmap_plus, voronoi, voronoi_plus] = nodes;
    assert!(zones * 2 < grid, "{nodes:?}");
    assert!(roadmap < zones, "{nodes:?}");
    assert!(roadmap_plus * 4 < zones, "{nodes:?}");
    assert!(voronoi_plus * 5 < voronoi, "{nodes:?}");
    assert!(first_nodes * 3 < zones * 2, "{first_nodes} of {zones}");
}

/// FNV-1a over the bits of all locations of all walks.
fn fingerprint(method: Method) -> u64 {
    let scene = hamlet();
    let samples = samples(&scene, 30);
    let mut finder = ScenePathfinder::new(&scene, all_caches(method)[3], &samples).unwrap();
    finder.saturate(&scene, 20, 3);
    let mut locations = Places::new(11);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..20 {
        let (from, to) = (locations.free(&scene), locations.free(&scene));
        for location in walk(&mut finder, &scene, from, to).1 {
            for bits in
                [location.at.x.to_bits(), location.at.y.to_bits(), u64::from(location.level.0)]
            {
                hash = (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    hash
}

#[test]
fn walks_are_the_same_on_every_machine() {
    let prints = Method::ALL.map(fingerprint);
    assert_eq!(prints, Method::ALL.map(fingerprint), "twice in one process");
    assert_eq!(prints.map(|print| format!("{print:016x}")), GOLDEN);
}

const GOLDEN: [&str; 6] = [
    "2bf6ec96013e3e1e",
    "1c76d085396714be",
    "7a6673f8563f84d8",
    "e5f88812b9e2b774",
    "51d6096bb914955e",
    "57aaec9421f8e702",
];

#[test]
fn zones_that_were_left_may_stay_open_and_expanded_nodes_are_told() {
    let scene = town(1).validate().unwrap();
    let mut blocking = ScenePathfinder::new(&scene, plain(Method::Sz), &[]).unwrap();
    let open = PathfinderOptions { blocks_zones: false, ..plain(Method::Sz) };
    let mut open = ScenePathfinder::new(&scene, open, &[]).unwrap();
    let mut locations = Places::new(5);
    let (mut with, mut without) = (0, 0);
    for _ in 0..30 {
        let (from, to) = (locations.free(&scene), locations.free(&scene));
        let (outcome, _, metrics) = walk(&mut blocking, &scene, from, to);
        let (open_outcome, _, open_metrics) = walk(&mut open, &scene, from, to);
        assert_eq!(outcome, open_outcome);
        with += metrics.nodes;
        without += open_metrics.nodes;
    }
    assert!(with < without, "{with} of {without}");
    let mut grid = ScenePathfinder::new(&scene, plain(Method::Gr), &[]).unwrap();
    let (from, to) = (locations.free(&scene), locations.free(&scene));
    let (_, _, metrics) = walk(&mut grid, &scene, from, to);
    assert_eq!(grid.last_expanded(&scene).len() as u64, metrics.nodes);
}
