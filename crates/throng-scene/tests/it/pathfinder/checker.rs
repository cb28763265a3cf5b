//! An independent judge of walks: dense samples of the way against every polygon of the
//! scene, with geometry of its own and no index.

use throng_scene::Location;
use throng_scene::{GateKind, GhostOptions, Level, Point, Polygon, STAIRS_LENGTH, ValidScene};

/// How far apart the samples are, in units.
const SAMPLE: f64 = 0.02;
/// What rounding may do.
const TOLERANCE: f64 = 1e-9;

/// How long a walk is, or what is wrong with it.
pub(crate) fn judge(
    scene: &ValidScene,
    locations: &[Location],
    from: Location,
    to: Location,
) -> Result<f64, String> {
    if locations.first() != Some(&from) || locations.last() != Some(&to) {
        return Err(format!("it leads from {:?} to {:?}", locations.first(), locations.last()));
    }
    let mut length = 0.0;
    for step in locations.windows(2) {
        length += judge_step(scene, step[0], step[1])?;
    }
    Ok(length)
}

fn judge_step(scene: &ValidScene, from: Location, to: Location) -> Result<f64, String> {
    let length = from.at.distance(to.at);
    if from.level != to.level {
        let is_end = |side: &throng_scene::GateSide, location: Location| {
            side.at == location.at && side.level == location.level
        };
        let is_gate = scene.gates().iter().any(|gate| {
            let [a, b] = &gate.sides;
            gate.kind == GateKind::Stairs
                && ((is_end(a, from) && is_end(b, to)) || (is_end(b, from) && is_end(a, to)))
        });
        let levels = f64::from(from.level.0.abs_diff(to.level.0));
        let length = length + STAIRS_LENGTH * levels;
        return is_gate.then_some(length).ok_or(format!("no stairs from {from:?} to {to:?}"));
    }
    let walls = near(scene.obstacles().map(|(_, wall)| (wall.level, &wall.polygon)), from, to);
    let zones = near(scene.zones().iter().map(|zone| (zone.level, &zone.polygon)), from, to);
    let samples = (length / SAMPLE).ceil().max(1.0) as u32;
    for sample in 0..=samples {
        let share = f64::from(sample) / f64::from(samples);
        let x = from.at.x + (to.at.x - from.at.x) * share;
        let at = Point::new(x, from.at.y + (to.at.y - from.at.y) * share);
        judge_point(scene, at, &walls, &zones)?;
    }
    Ok(length)
}

/// The outlines of a step's level whose box the body may touch: found by looking at all.
fn near<'a>(
    polygons: impl Iterator<Item = (Level, &'a Polygon)>,
    from: Location,
    to: Location,
) -> Vec<&'a [Point]> {
    let is_near = |corners: &[Point], side: fn(&Point) -> f64| {
        let ends = [side(&from.at), side(&to.at)];
        let (low, high) = (ends[0].min(ends[1]) - 1.0, ends[0].max(ends[1]) + 1.0);
        !corners.iter().all(|c| side(c) < low) && !corners.iter().all(|c| side(c) > high)
    };
    polygons
        .filter(|(level, _)| *level == from.level)
        .map(|(_, polygon)| polygon.corners())
        .filter(|corners| is_near(corners, |c| c.x) && is_near(corners, |c| c.y))
        .collect()
}

fn judge_point(
    scene: &ValidScene,
    at: Point,
    walls: &[&[Point]],
    zones: &[&[Point]],
) -> Result<(), String> {
    let radius = GhostOptions::default().radius - TOLERANCE;
    let (right, top) = (scene.width() - radius, scene.height() - radius);
    if at.x < radius || at.y < radius || at.x > right || at.y > top {
        return Err(format!("{at} is over the edge of the map"));
    }
    for wall in walls {
        if is_inside(wall, at) || distance(wall, at) < radius {
            return Err(format!("{at} is in the obstacle {wall:?}"));
        }
    }
    let is_in = |zone: &&[Point]| is_inside(zone, at) || distance(zone, at) < TOLERANCE;
    zones.iter().any(is_in).then_some(()).ok_or(format!("{at} is in no zone"))
}

fn edges(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// By how often a ray to the right crosses the outline.
fn is_inside(corners: &[Point], at: Point) -> bool {
    let crosses = |(a, b): &(Point, Point)| {
        (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    edges(corners).filter(crosses).count() % 2 == 1
}

fn distance(corners: &[Point], at: Point) -> f64 {
    let to_edge = |(a, b): (Point, Point)| {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let along = ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy);
        let along = along.clamp(0.0, 1.0);
        at.distance(Point::new(a.x + along * dx, a.y + along * dy))
    };
    edges(corners).map(to_edge).fold(f64::INFINITY, f64::min)
}

/// The judge must be able to say no.
#[test]
fn walks_through_walls_and_out_of_thin_air_are_refused() {
    let scene = super::kit::rooms();
    let check = |locations: &[(f64, f64)], expected: Result<f64, &str>| {
        let locations: Vec<Location> =
            locations.iter().map(|&(x, y)| Location::ground(x, y)).collect();
        let judged =
            judge(&scene, &locations, Location::ground(1.0, 1.0), Location::ground(3.0, 1.0));
        match expected {
            Ok(length) => assert!((judged.unwrap() - length).abs() < 1e-9),
            Err(part) => assert!(judged.as_ref().unwrap_err().contains(part), "{judged:?}"),
        }
    };
    check(&[(1.0, 1.0), (1.0, 1.75), (3.0, 1.75), (3.0, 1.0)], Ok(3.5));
    check(&[(1.0, 1.0), (3.0, 1.0)], Err("in the obstacle"));
    check(&[(1.0, 1.0), (1.0, 1.55), (3.0, 1.55), (3.0, 1.0)], Err("in the obstacle"));
    check(&[(1.0, 1.0), (1.0, 1.75), (3.0, 1.75)], Err("leads from"));
    check(&[(1.0, 1.0), (1.0, 1.95), (3.0, 1.95), (3.0, 1.0)], Err("edge of the map"));
}
