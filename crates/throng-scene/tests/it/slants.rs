//! Steps near slanted walls: short ones that are free, none elsewhere, and nothing out of reach
//! that was in reach before.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    CollisionMeter, Ghost, GhostError, GhostNode, GhostOptions, Level, Point, ValidScene, explore,
    town,
};

use crate::{corners, field, obstacle, valid};

const REACH: f64 = 0.375;
/// How far apart the samples along a step are, in units.
const SAMPLE: f64 = 0.01;

fn slanted() -> GhostOptions {
    GhostOptions { slant_reach: REACH, ..GhostOptions::default() }
}

/// Steps by zones alone.
fn plain() -> GhostOptions {
    GhostOptions { slant_reach: 0.0, ..GhostOptions::default() }
}

/// A field with slanted bars and triangles, and some upright blocks.
fn slanted_field(seed: u64) -> ValidScene {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut scene = field(8.0);
    for number in 0..10 {
        let mut length = |least: f64, most: f64| rng.random_range(least..most);
        let (x, y) = (length(1.0, 5.5), length(1.0, 5.5));
        let (dx, dy) = (length(0.2, 1.5), length(0.2, 1.5));
        let shape = match number % 3 {
            0 => [(x, y), (x + dx, y + dy), (x + dx - 0.1, y + dy + 0.1), (x - 0.1, y + 0.1)],
            1 => [(x, y + dy), (x + dx, y), (x + dx + 0.1, y + 0.1), (x + 0.1, y + dy + 0.1)],
            _ => [(x, y), (x + dx, y), (x + dx, y + dy), (x, y + dy)],
        };
        scene.obstacles.push(obstacle(&format!("bar {number}"), corners(&shape)));
    }
    valid(scene)
}

fn with_ghost<T>(scene: &ValidScene, options: GhostOptions, run: impl Fn(&Ghost<'_>) -> T) -> T {
    let meter = CollisionMeter::new();
    run(&Ghost::new(scene, options, &meter).unwrap())
}

fn flood(scene: &ValidScene, options: GhostOptions) -> Vec<GhostNode> {
    with_ghost(scene, options, |ghost| {
        let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
        let mut nodes = explore(ghost, start, 1_000_000);
        nodes.sort_unstable();
        nodes
    })
}

/// The distance of a point to a segment, by many points on it.
fn distance(point: Point, a: Point, b: Point) -> f64 {
    let count = (a.distance(b) / SAMPLE).ceil().max(1.0) as u32;
    let at = |part: u32| {
        let share = f64::from(part) / f64::from(count);
        Point::new(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
    };
    (0..=count).map(|part| at(part).distance(point)).fold(f64::INFINITY, f64::min)
}

fn is_slanted((a, b): (Point, Point)) -> bool {
    (a.x - b.x).abs() > 0.0 && (a.y - b.y).abs() > 0.0
}

/// The distance of a point to the nearest edge that passes a test, without any index.
fn edge_distance(scene: &ValidScene, at: Point, rule: impl Fn((Point, Point)) -> bool) -> f64 {
    let edges = scene.obstacles().flat_map(|(_, obstacle)| obstacle.polygon.edges());
    let distances = edges.filter(|edge| rule(*edge)).map(|(a, b)| distance(at, a, b));
    distances.fold(f64::INFINITY, f64::min)
}

/// The collision oracle: no point of a step is in an obstacle or nearer than the radius to one.
fn is_free(scene: &ValidScene, from: Point, to: Point, radius: f64) -> bool {
    let count = (from.distance(to) / SAMPLE).ceil() as u32;
    (0..=count).all(|part| {
        let share = f64::from(part) / f64::from(count.max(1));
        let at = Point::new(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
        let is_inside = scene.obstacles().any(|(_, obstacle)| obstacle.polygon.contains(at));
        // The oracle's own distances are up to half a sample too long.
        !is_inside && edge_distance(scene, at, |_| true) >= radius - 1e-9
    })
}

#[test]
fn every_step_is_free_by_the_oracle_and_short_ones_are_near_slanted_walls() {
    for seed in 0..4 {
        let scene = slanted_field(seed);
        let nodes = flood(&scene, slanted());
        with_ghost(&scene, slanted(), |ghost| {
            let mut moves = Vec::new();
            for &node in nodes.iter().step_by(7) {
                ghost.moves(node, &mut moves);
                for step in &moves {
                    let (from, to) = (ghost.point(node), ghost.point(step.to));
                    assert!(is_free(&scene, from, to, 0.12), "{seed}: {from} to {to}");
                }
            }
            let odd = nodes.iter().filter(|node| node.x % 2 != 0 || node.y % 2 != 0);
            for node in odd.clone().step_by(5) {
                let near = edge_distance(&scene, ghost.point(*node), is_slanted);
                assert!(near < REACH + SAMPLE, "{seed}: {node:?} is {near} from slanted walls");
            }
            assert!(odd.count() > 50, "{seed}");
        });
    }
}

#[test]
fn nothing_gets_out_of_reach_and_more_gets_into_it() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..12 {
        let scene = slanted_field(seed);
        let (plain, refined) = (flood(&scene, plain()), flood(&scene, slanted()));
        let missing = plain.iter().find(|node| refined.binary_search(node).is_err());
        assert_eq!(missing, None, "{seed}");
        let even = refined.iter().filter(|node| node.x % 2 == 0 && node.y % 2 == 0);
        (before, after) = (before + plain.len(), after + even.count());
    }
    assert!(after >= before, "{after} of {before}");
}

/// A gap between two slanted bars that no long step passes.
#[test]
fn a_slanted_gap_is_passed_by_short_steps() {
    let mut scene = field(8.0);
    // Bars from wall to wall with a gap of 0.34 units across, for a body 0.24 units wide.
    let bars = [
        [(0.0, 1.0), (3.2, 4.2), (3.1, 4.3), (0.0, 1.2)],
        [(3.44, 4.44), (7.0, 8.0), (6.8, 8.0), (3.34, 4.54)],
    ];
    for (number, bar) in bars.iter().enumerate() {
        scene.obstacles.push(obstacle(&format!("bar {number}"), corners(bar)));
    }
    let scene = valid(scene);
    let above = GhostNode { level: Level::GROUND, y: 56, x: 8 };
    let reaches = |options| flood(&scene, options).binary_search(&above).is_ok();
    assert!(!reaches(plain()));
    assert!(reaches(slanted()));
}

#[test]
fn steps_lead_back_and_upright_scenes_have_no_short_ones() {
    for seed in 0..4 {
        let scene = slanted_field(seed);
        let nodes = flood(&scene, slanted());
        with_ghost(&scene, slanted(), |ghost| {
            for &far in nodes.iter().step_by(97) {
                let mut back = explore(ghost, far, 1_000_000);
                back.sort_unstable();
                assert_eq!(back, nodes, "{seed}: from {far:?}");
            }
        });
    }
    let upright = valid(field(8.0));
    assert_eq!(flood(&upright, slanted()), flood(&upright, plain()));
}

#[test]
fn every_gate_of_a_town_stays_in_reach() {
    let scene = valid(town(6));
    let nodes = flood(&scene, slanted());
    with_ghost(&scene, slanted(), |ghost| {
        for side in scene.gates().iter().flat_map(|gate| gate.sides) {
            let node = ghost.snap(side.at, side.level).unwrap();
            assert!(nodes.binary_search(&node).is_ok(), "{}", side.at);
        }
    });
}

#[test]
fn an_edit_does_not_move_the_lattice_but_is_honoured() {
    let mut scene = slanted_field(1);
    let before = flood(&scene, slanted());
    let bar = corners(&[(6.0, 6.0), (7.0, 7.0), (6.9, 7.1), (5.9, 6.1)]);
    let (id, _) = scene.add_obstacle(obstacle("new bar", bar)).unwrap();
    let with_bar = flood(&scene, slanted());
    assert!(with_bar.len() < before.len());
    assert!(with_bar.iter().all(|node| before.binary_search(node).is_ok()));
    scene.remove_obstacle(id).unwrap();
    assert_eq!(flood(&scene, slanted()), before);
}

#[test]
fn a_reach_that_makes_no_sense_is_refused() {
    let scene = valid(field(4.0));
    let meter = CollisionMeter::new();
    for slant_reach in [-0.1, f64::NAN, 1e9] {
        let options = GhostOptions { slant_reach, ..GhostOptions::default() };
        let refused = Ghost::new(&scene, options, &meter).err();
        assert!(matches!(refused, Some(GhostError::SlantReach(_))), "{slant_reach}");
    }
}
