//! The caches: bounded, never looping, and of use.

use std::collections::BTreeSet;

use throng_scene::{Method, PathCacheOptions, PathfinderOptions, ScenePathfinder};

use super::kit::{Places, plain, samples, small_town, walk};

fn with_sizes(method: Method, collisions: usize, paths: usize) -> PathfinderOptions {
    let path_cache = PathCacheOptions { entries_max: paths, ..PathCacheOptions::default() };
    let (collision_cache, path_cache) = (Some(collisions), Some(path_cache));
    PathfinderOptions { collision_cache, path_cache, ..plain(method) }
}

#[test]
fn caches_keep_to_their_size_and_walks_stay_valid() {
    let scene = small_town(2);
    for (collisions, paths) in [(8, 8), (100, 64), (512, 1000)] {
        let options = with_sizes(Method::Sz, collisions, paths);
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        let mut locations = Places::new(4);
        for _ in 0..60 {
            let (from, to) = (locations.free(&scene), locations.free(&scene));
            walk(&mut finder, &scene, from, to);
            assert!(finder.collision_entries() <= collisions);
            assert!(finder.path_entries() <= paths);
        }
        assert!(finder.collision_entries() * 3 > collisions, "it is used");
        assert!(finder.path_entries() * 3 > paths, "it is used");
    }
}

#[test]
fn what_was_asked_before_costs_next_to_nothing() {
    let scene = small_town(3);
    // With so much slack the cache is believed at once.
    let path_cache = Some(PathCacheOptions { entries_max: 1 << 16, slack_percent: 1000 });
    let options = PathfinderOptions { path_cache, ..with_sizes(Method::Gr, 1 << 16, 8) };
    let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
    let mut locations = Places::new(6);
    for _ in 0..30 {
        let (from, to) = (locations.free(&scene), locations.free(&scene));
        let (_, first_places, first) = walk(&mut finder, &scene, from, to);
        let (_, again_places, again) = walk(&mut finder, &scene, from, to);
        assert!(again.nodes <= first.nodes.min(200), "{first:?} then {again:?}");
        assert!(again.path_hits == again.searches, "{again:?}");
        assert_eq!(first_places.last(), again_places.last());
        // Only the last straight steps to the goal are beside the lattice.
        assert!(again.collision_tests <= 200, "{again:?}");
    }
}

#[test]
fn a_stretch_never_passes_a_place_twice() {
    let scene = small_town(4);
    let samples = samples(&scene, 30);
    for method in Method::ALL {
        // So small that ways are forgotten in part all the time.
        for paths in [64, 512, 1 << 16] {
            let options = with_sizes(method, 1 << 16, paths);
            let mut finder = ScenePathfinder::new(&scene, options, &samples).unwrap();
            let mut locations = Places::new(9);
            let goals = [(); 4].map(|()| locations.free(&scene));
            for query in 0..60 {
                let from = locations.free(&scene);
                let mut walk = finder.find(&scene, from, goals[query % 4]).unwrap();
                while let Some(stretch) = walk.next_stretch(&mut finder, &scene) {
                    let bits = stretch.locations.iter().map(|location| {
                        (location.level, location.at.x.to_bits(), location.at.y.to_bits())
                    });
                    let different: BTreeSet<_> = bits.clone().collect();
                    assert_eq!(different.len(), bits.count(), "{options:?}: {stretch:?}");
                }
            }
        }
    }
}

#[test]
fn a_path_cache_makes_ways_at_most_its_slack_longer() {
    let scene = small_town(6);
    let mut locations = Places::new(12);
    let mut grid = ScenePathfinder::new(&scene, plain(Method::Gr), &[]).unwrap();
    for slack_percent in [0, 5, 20, 100] {
        let path_cache = Some(PathCacheOptions { entries_max: 1 << 16, slack_percent });
        let options = PathfinderOptions { path_cache, ..plain(Method::Gr) };
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        finder.saturate(&scene, 200, 1);
        let mut hits = 0;
        for _ in 0..40 {
            let (from, to) = (locations.free(&scene), locations.free(&scene));
            let shortest = walk(&mut grid, &scene, from, to).2.length_millionths;
            let (_, _, metrics) = walk(&mut finder, &scene, from, to);
            // The diagonal distance may be 8.3 % too long where steps are odd.
            let most = shortest * u64::from(100 + slack_percent) * 1083 / 100_000;
            assert!(metrics.length_millionths <= most, "{metrics:?}, but {shortest}");
            hits += metrics.path_hits;
        }
        assert!(hits > 0 || slack_percent == 0);
    }
}

#[test]
fn saturated_caches_save_nodes() {
    let scene = small_town(7);
    let cost = |queries: u32| {
        let options = with_sizes(Method::Sz, 1 << 16, 1 << 16);
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        finder.saturate(&scene, queries, 1);
        let mut locations = Places::new(13);
        let queries = (0..60).map(|_| (locations.free(&scene), locations.free(&scene)));
        let costs = queries.collect::<Vec<_>>().into_iter().map(|(from, to)| {
            let (_, _, metrics) = walk(&mut finder, &scene, from, to);
            (metrics.nodes, metrics.collision_tests)
        });
        costs.fold((0, 0), |sum, cost| (sum.0 + cost.0, sum.1 + cost.1))
    };
    let (fresh, saturated) = (cost(0), cost(500));
    assert!(saturated.0 * 4 < fresh.0 * 3, "nodes: {fresh:?} {saturated:?}");
    assert!(saturated.1 * 2 < fresh.1, "collision tests: {fresh:?} {saturated:?}");
}
