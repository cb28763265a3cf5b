//! Every ending says why.

use throng_scene::{GhostOptions, Level, Point};
use throng_scene::{
    Location, LocationError, Method, PathfinderError, PathfinderOptions, ScenePathfinder,
    WalkOutcome,
};

use super::kit::{plain, rooms, small_town, walk};

#[test]
fn endings_are_told_apart() {
    let scene = rooms();
    let check = |from: (f64, f64), to: (f64, f64), nodes_max: u32, expected: WalkOutcome| {
        for method in Method::ALL {
            let options = PathfinderOptions { nodes_max, ..plain(method) };
            let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
            let (from, to) = (Location::ground(from.0, from.1), Location::ground(to.0, to.1));
            assert_eq!(walk(&mut finder, &scene, from, to).0, expected, "{method:?}");
        }
    };
    check((1.0, 1.0), (3.0, 1.0), 1000, WalkOutcome::Arrived);
    check((1.0, 1.0), (1.0, 1.0), 1000, WalkOutcome::Arrived);
    check((1.0, 1.0), (1.1, 1.0), 0, WalkOutcome::Arrived);
    check((2.0, 1.0), (3.0, 1.0), 1000, WalkOutcome::StartBlocked);
    check((1.0, 1.0), (2.0, 1.0), 1000, WalkOutcome::GoalBlocked);
    check((1.0, 1.0), (3.0, 1.0), 3, WalkOutcome::BudgetSpent);
}

#[test]
fn places_off_the_map_are_refused() {
    let scene = rooms();
    let mut finder = ScenePathfinder::new(&scene, PathfinderOptions::default(), &[]).unwrap();
    let here = Location::ground(1.0, 1.0);
    for (x, y) in [(-1.0, 1.0), (1.0, 2.5), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let there = Location::ground(x, y);
        let refused = |answer: Result<_, LocationError>| {
            matches!(answer.map(|_: throng_scene::Walk| ()), Err(LocationError::OffMap { .. }))
        };
        assert!(refused(finder.find(&scene, here, there)), "to {there:?}");
        assert!(refused(finder.find(&scene, there, here)), "from {there:?}");
    }
    let above = Location::new(Point::new(1.0, 1.0), Level(1));
    let error = finder.find(&scene, here, above).unwrap_err();
    assert_eq!(error, LocationError::NoSuchLevel { level: Level(1), highest: 0 });
}

#[test]
fn senseless_options_are_refused() {
    let scene = rooms();
    let ghost = GhostOptions { radius: 0.0, ..GhostOptions::default() };
    let default = PathfinderOptions::default();
    let refused = |options| ScenePathfinder::new(&scene, options, &[]).err();
    assert!(matches!(
        refused(PathfinderOptions { ghost, ..default }),
        Some(PathfinderError::Ghost(_))
    ));
    let spread = refused(PathfinderOptions { roadmap_spread: 0.0, ..default });
    assert_eq!(spread, Some(PathfinderError::Spread(0.0)));
    let points = refused(PathfinderOptions { points_max: 1_000_000, ..default });
    assert_eq!(points, Some(PathfinderError::Points(1_000_000)));
}

#[test]
fn samples_may_be_anything() {
    let scene = small_town(8);
    let sample = |x, y, level, weight| throng_scene::Sample {
        location: Location::new(Point::new(x, y), Level(level)),
        weight,
    };
    let odd = [
        sample(f64::NAN, 1.0, 0, 5),
        sample(-3.0, 1.0, 0, 5),
        sample(1.0, 1.0, 200, u64::MAX),
        sample(1.0, 1.0, 0, 0),
        sample(1.0, 1.0, 0, 0),
    ];
    for method in Method::ALL {
        for samples in [&[][..], &odd[..]] {
            let mut finder = ScenePathfinder::new(&scene, plain(method), samples).unwrap();
            let (from, to) = (Location::ground(0.5, 0.5), Location::ground(14.5, 14.5));
            assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::Arrived);
        }
    }
}

#[test]
fn a_stretch_that_is_tried_in_several_ways_shares_the_limit() {
    const NODES_MAX: u32 = 120;
    let scene = small_town(3);
    let (mut stretches, mut spent) = (0, 0);
    for method in Method::ALL {
        let options = PathfinderOptions { nodes_max: NODES_MAX, ..plain(method) };
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        let corner = |x: f64, y: f64| {
            Location::ground(0.5 + x * (scene.width() - 1.0), 0.5 + y * (scene.height() - 1.0))
        };
        for (from, to) in
            [((0.0, 0.0), (1.0, 1.0)), ((0.5, 0.5), (0.0, 1.0)), ((1.0, 0.1), (0.3, 0.6))]
        {
            let (from, to) = (corner(from.0, from.1), corner(to.0, to.1));
            let mut walk = finder.find(&scene, from, to).unwrap();
            let mut before = walk.metrics().nodes;
            while walk.outcome() == WalkOutcome::Walking {
                stretches += u32::from(walk.next_stretch(&mut finder, &scene).is_some());
                let after = walk.metrics().nodes;
                assert!(after - before <= u64::from(NODES_MAX), "{method:?}: {}", after - before);
                before = after;
            }
            spent += u32::from(walk.outcome() == WalkOutcome::BudgetSpent);
        }
    }
    assert!(stretches > 10 && spent > 0, "{stretches} stretches, {spent} spent their limit");
}
