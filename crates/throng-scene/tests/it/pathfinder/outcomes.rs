//! Every ending says why.

use throng_scene::{GhostOptions, Level, Point};
use throng_scene::{
    Location, LocationError, Method, PathfinderError, PathfinderOptions, Scene, ScenePathfinder,
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

/// A wall with a door, and behind it a closed box.
const CLOSED_BOX: &str = r#"{
  "version": 1, "name": "box", "width": 8, "height": 4, "levels": 1,
  "obstacles": [
    {"name": "wall", "level": 0, "corners": [[3.9, 0], [4.1, 0], [4.1, 3], [3.9, 3]]},
    {"name": "west", "level": 0, "corners": [[5.4, 0.9], [5.5, 0.9], [5.5, 2.1], [5.4, 2.1]]},
    {"name": "east", "level": 0, "corners": [[6.5, 0.9], [6.6, 0.9], [6.6, 2.1], [6.5, 2.1]]},
    {"name": "north", "level": 0, "corners": [[5.5, 2.0], [6.5, 2.0], [6.5, 2.1], [5.5, 2.1]]},
    {"name": "south", "level": 0, "corners": [[5.5, 0.9], [6.5, 0.9], [6.5, 1.0], [5.5, 1.0]]}
  ],
  "zones": [
    {"name": "left", "level": 0, "corners": [[0, 0], [4, 0], [4, 4], [0, 4]]},
    {"name": "right", "level": 0, "corners": [[4, 0], [8, 0], [8, 4], [4, 4]]}
  ],
  "gates": [
    {"name": "door", "kind": "door",
     "sides": [{"zone": "left", "at": [3.5, 3.5]}, {"zone": "right", "at": [4.5, 3.5]}]}
  ],
  "players": []
}"#;

/// The goal cannot be reached, so that a stretch is tried in several ways.
#[test]
fn a_stretch_that_is_tried_in_several_ways_shares_the_limit() {
    let scene = Scene::read(CLOSED_BOX.as_bytes()).unwrap().validate().unwrap();
    let (from, to) = (Location::ground(1.0, 1.0), Location::ground(6.0, 1.5));
    let walk = |method, nodes_max| {
        let options = PathfinderOptions { nodes_max, ..plain(method) };
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        let mut walk = finder.find(&scene, from, to).unwrap();
        let (mut most, mut before) = (0, walk.metrics().nodes);
        while walk.outcome() == WalkOutcome::Walking {
            walk.next_stretch(&mut finder, &scene);
            most = most.max(walk.metrics().nodes - before);
            before = walk.metrics().nodes;
        }
        (walk.outcome(), most as u32)
    };
    for method in Method::ALL {
        let (outcome, nodes) = walk(method, 1_000_000);
        assert_eq!(outcome, WalkOutcome::Unreachable, "{method:?}");
        let (outcome, spent) = walk(method, nodes - 1);
        assert_eq!(outcome, WalkOutcome::BudgetSpent, "{method:?}");
        assert!(spent < nodes, "{method:?}: {spent} of {nodes}");
    }
}
