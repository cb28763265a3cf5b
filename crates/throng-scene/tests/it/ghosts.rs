//! The ghost steps where a body fits, by steps that suit the zone, and counts its tests.

use throng_scene::{
    CollisionMeter, Ghost, GhostError, GhostNode, GhostOptions, Level, Point, ValidScene, ZoneId,
    explore, town,
};

use crate::{field, obstacle, rectangle, valid, zone};

fn node(x: i32, y: i32) -> GhostNode {
    GhostNode { level: Level::GROUND, y, x }
}

fn with_ghost<T>(scene: &ValidScene, run: impl Fn(&Ghost<'_>) -> T) -> T {
    let meter = CollisionMeter::new();
    run(&Ghost::new(scene, GhostOptions::default(), &meter).unwrap())
}

fn moves(ghost: &Ghost<'_>, from: GhostNode) -> Vec<GhostNode> {
    let mut moves = Vec::new();
    ghost.moves(from, &mut moves);
    moves.iter().map(|step| step.to).collect()
}

#[test]
fn steps_are_long_in_open_zones_and_short_in_crowded_ones() {
    let mut scene = field(8.0);
    scene.zones.push(zone("closet", rectangle(4.0, 4.0, 5.0, 5.0)));
    scene.obstacles.push(obstacle("rug box", rectangle(4.4, 4.4, 4.6, 4.6)));
    let scene = valid(scene);
    with_ghost(&scene, |ghost| {
        assert_eq!([0, 1].map(|zone| ghost.stride(ZoneId(zone))), [2, 1]);
        assert!(moves(ghost, node(8, 8)).contains(&node(10, 10)));
        assert!(moves(ghost, node(33, 33)).contains(&node(34, 33)));
        // From an odd place back on the wider lattice, whichever way.
        let back = [node(10, 9), node(10, 10), node(9, 10), node(8, 10), node(8, 9)];
        assert_eq!(moves(ghost, node(9, 9))[..5], back);
    });
}

#[test]
fn a_step_through_a_thin_wall_is_refused_though_both_ends_are_free() {
    let mut scene = field(4.0);
    scene.obstacles.push(obstacle("glass", rectangle(2.0, 1.0, 2.01, 3.0)));
    let scene = valid(scene);
    with_ghost(&scene, |ghost| {
        let (left, right) = (Point::new(1.5, 2.0), Point::new(2.5, 2.0));
        assert!(ghost.is_free(left, Level::GROUND) && ghost.is_free(right, Level::GROUND));
        assert!(!ghost.can_step(left, right, Level::GROUND));
        assert!(!ghost.is_free(Point::new(1.9, 2.0), Level::GROUND), "closer than the radius");
    });
}

#[test]
fn a_body_stays_on_the_map_and_on_levels_that_exist() {
    let scene = valid(field(4.0));
    with_ghost(&scene, |ghost| {
        for (x, y) in [(0.05, 2.0), (3.95, 2.0), (-1.0, 2.0), (2.0, 9.0), (f64::NAN, 2.0)] {
            assert!(!ghost.is_free(Point::new(x, y), Level::GROUND), "({x}, {y})");
            assert_eq!(scene.zone_of(Point::new(x, y), Level(3)), None);
        }
        assert!(!ghost.is_free(Point::new(2.0, 2.0), Level(1)));
        assert_eq!(ghost.snap(Point::new(f64::NAN, 2.0), Level::GROUND), None);
        assert_eq!(ghost.snap(Point::new(2.0, 2.0), Level(200)), None);
        assert_eq!(ghost.snap(Point::new(0.0, 0.0), Level::GROUND), None);
        assert_eq!(ghost.snap(Point::new(0.13, 0.13), Level::GROUND), Some(node(2, 2)));
        assert_eq!(moves(ghost, node(i32::MAX, i32::MIN)), []);
    });
}

#[test]
fn stairs_lead_up_and_down_again() {
    let scene = valid(town(2));
    let stairs = scene.gates().iter().filter(|gate| gate.sides[0].level != gate.sides[1].level);
    for gate in stairs {
        with_ghost(&scene, |ghost| {
            let [low, high] = gate.sides.map(|side| ghost.snap(side.at, side.level).unwrap());
            assert!(moves(ghost, low).contains(&high), "{}: up", gate.name);
            assert!(moves(ghost, high).contains(&low), "{}: down", gate.name);
        });
    }
}

#[test]
fn an_edit_is_honoured_at_once() {
    let mut scene = valid(field(4.0));
    let start = node(8, 8);
    let open = with_ghost(&scene, |ghost| explore(ghost, start, 10_000).len());
    let wall = obstacle("wall", rectangle(2.4, 0.0, 2.5, 4.0));
    let (id, _) = scene.add_obstacle(wall).unwrap();
    let walled = with_ghost(&scene, |ghost| explore(ghost, start, 10_000));
    assert!(walled.len() < open);
    assert!(walled.iter().all(|place| f64::from(place.x) * 0.125 < 2.4));
    scene.remove_obstacle(id).unwrap();
    assert_eq!(with_ghost(&scene, |ghost| explore(ghost, start, 10_000).len()), open);
}

#[test]
fn a_body_goes_straight_until_it_arrives_or_something_is_in_the_way() {
    let mut scene = field(4.0);
    scene.obstacles.push(obstacle("wall", rectangle(3.0, 0.0, 3.25, 4.0)));
    let scene = valid(scene);
    let walk = |to: Point| {
        with_ghost(&scene, |ghost| {
            let (mut at, mut steps) = (Point::new(1.0, 1.0), 0);
            while let Some(next) = ghost.advance(at, to, Level::GROUND, 0.5).filter(|n| *n != at) {
                (at, steps) = (next, steps + 1);
            }
            (at, steps)
        })
    };
    assert_eq!(walk(Point::new(2.25, 1.0)), (Point::new(2.25, 1.0), 3));
    assert_eq!(walk(Point::new(4.0, 1.0)), (Point::new(2.5, 1.0), 3));
    assert_eq!(walk(Point::new(1.0, 1.0)), (Point::new(1.0, 1.0), 0));
    assert_eq!(walk(Point::new(f64::NAN, 1.0)), (Point::new(1.0, 1.0), 0));
}

#[test]
fn exploring_stops_at_its_limit() {
    let scene = valid(field(8.0));
    with_ghost(&scene, |ghost| assert_eq!(explore(ghost, node(8, 8), 10).len(), 10));
}

/// From every room the ghost gets back to every room.
#[test]
fn every_explored_place_leads_back() {
    let scene = valid(town(6));
    with_ghost(&scene, |ghost| {
        let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
        let far = *explore(ghost, start, 1_000_000).last().unwrap();
        let mut back = explore(ghost, far, 1_000_000);
        back.sort_unstable();
        assert!(back.binary_search(&start).is_ok());
        for side in scene.gates().iter().flat_map(|gate| gate.sides) {
            let at_gate = ghost.snap(side.at, side.level).unwrap();
            assert!(back.binary_search(&at_gate).is_ok(), "{}", side.at);
        }
    });
}

#[test]
fn tests_are_counted_and_work_changes_no_answer() {
    let scene = valid(town(2));
    let (plain, costly) = (CollisionMeter::new(), CollisionMeter::with_work(500));
    let flood = |meter: &CollisionMeter| {
        // All eight directions are tested where no slanted wall counts.
        let options = GhostOptions { slant_reach: 0.0, ..GhostOptions::default() };
        let ghost = Ghost::new(&scene, options, meter).unwrap();
        explore(&ghost, ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap(), 500)
    };
    assert_eq!(flood(&plain), flood(&costly));
    assert_eq!(plain.tests(), costly.tests());
    assert!(plain.tests() >= 500 * 8, "{}", plain.tests());
    assert_eq!((plain.work_units(), costly.work_units()), (0, 500));
    costly.reset();
    assert_eq!(costly.tests(), 0);
}

#[test]
fn a_judge_that_remembers_saves_tests() {
    let scene = valid(field(4.0));
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
    let (mut found, mut asked) = (Vec::new(), 0);
    ghost.moves_if(
        node(8, 8),
        |_, _| {
            asked += 1;
            true
        },
        &mut found,
    );
    assert_eq!((found.len(), asked, meter.tests()), (8, 8, 0));
}

#[test]
fn options_out_of_range_are_refused() {
    let scene = valid(field(4.0));
    let meter = CollisionMeter::new();
    let with = |change: &dyn Fn(&mut GhostOptions)| {
        let mut options = GhostOptions::default();
        change(&mut options);
        Ghost::new(&scene, options, &meter).err()
    };
    assert_eq!(with(&|o| o.radius = 0.0), Some(GhostError::Radius(0.0)));
    assert_eq!(with(&|o| o.stride_max = 3), Some(GhostError::Stride(3)));
    assert_eq!(with(&|o| o.stride_max = 128), Some(GhostError::Stride(128)));
    assert_eq!(with(&|o| o.crowded = 2.0), Some(GhostError::Crowded(2.0)));
    for step in [0.0, f64::NAN, 5.0, 1e-9] {
        assert!(matches!(with(&|o| o.step = step), Some(GhostError::Step { .. })), "{step}");
    }
    assert_eq!(with(&|_| {}), None);
}
