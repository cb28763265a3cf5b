//! Bodies as obstacles for each other, against brute force.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    Bodies, BodyError, BodyId, CollisionMeter, Ghost, GhostOptions, Level, Location, Point, explore,
};

use crate::{field, valid};

/// The least distance of a point to a segment, by calculus of its own: at an end, or where the
/// derivative is zero.
fn least_distance(point: Point, a: Point, b: Point) -> f64 {
    let ends = point.distance(a).min(point.distance(b));
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = (point.x - a.x) * dx + (point.y - a.y) * dy;
    let square = dx * dx + dy * dy;
    match along > 0.0 && along < square {
        true => ends.min(((point.x - a.x) * dy - (point.y - a.y) * dx).abs() / square.sqrt()),
        false => ends,
    }
}

#[test]
fn the_index_agrees_with_looking_at_every_body() {
    let scene = valid(field(20.0));
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut bodies = Bodies::new(&scene);
    let mut known: Vec<(BodyId, Location, f64)> = Vec::new();
    let (mut clear, mut blocked) = (0, 0);
    for round in 0..3000 {
        let mut point = || Point::new(rng.random_range(0.0..20.0), rng.random_range(0.0..20.0));
        let (from, at) = (point(), Location::new(point(), Level::GROUND));
        let to = Point::new(from.x + rng.random_range(-1.0..1.0), from.y + 0.5);
        let radius = rng.random_range(0.05..0.6);
        match round % 4 {
            0 if known.len() < 120 => known.push((bodies.add(at, radius).unwrap(), at, radius)),
            1 if !known.is_empty() => {
                let chosen = rng.random_range(0..known.len());
                bodies.set(known[chosen].0, at);
                known[chosen].1 = at;
            }
            2 if round % 40 == 2 && known.len() > 2 => {
                let (id, ..) = known.swap_remove(rng.random_range(0..known.len()));
                bodies.remove(id);
                bodies.set(id, at);
                assert_eq!(bodies.location(id), None);
            }
            _ => {}
        }
        let me = known.first().map(|(id, ..)| *id);
        let expected = known.iter().filter(|(id, ..)| Some(*id) != me).all(|(_, other, size)| {
            let least = least_distance(other.at, from, to);
            let start = from.distance(other.at);
            // Rounding may decide either way.
            let limit = (radius + size).min(start);
            least >= limit - 1e-12
        });
        assert_eq!(bodies.are_clear(from, to, Level::GROUND, radius, me), expected, "{round}");
        assert!(bodies.are_clear(from, to, Level(1), radius, me), "another level");
        (clear, blocked) = (clear + u32::from(expected), blocked + u32::from(!expected));
    }
    assert!(clear > 300 && blocked > 300, "{clear} {blocked}");
}

#[test]
fn a_ghost_goes_around_bodies_and_can_leave_one_that_it_overlaps() {
    let scene = valid(field(4.0));
    let meter = CollisionMeter::new();
    let alone = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
    let start = alone.snap(Point::new(0.5, 0.5), Level::GROUND).unwrap();
    let all = explore(&alone, start, 10_000);
    let mut bodies = Bodies::new(&scene);
    let me = bodies.add(Location::ground(0.5, 0.5), 0.12).unwrap();
    let large = bodies.add(Location::ground(2.0, 2.0), 0.5).unwrap();
    let ghost = alone.among(&bodies, Some(me));
    let reached = explore(&ghost, start, 10_000);
    let far = |node| alone.point(node).distance(Point::new(2.0, 2.0)) >= 0.62;
    let expected: Vec<_> = all.iter().copied().filter(|node| far(*node)).collect();
    assert_eq!(reached.len(), expected.len());
    assert!(reached.iter().all(|node| far(*node)));
    let (inside, out) = (Point::new(2.1, 2.0), Point::new(2.4, 2.0));
    assert!(ghost.is_crowded(inside, Level::GROUND) && !alone.is_crowded(inside, Level::GROUND));
    assert!(ghost.can_step(inside, out, Level::GROUND), "apart");
    assert!(!ghost.can_step(out, inside, Level::GROUND), "together");
    bodies.remove(large);
    assert_eq!(explore(&alone.among(&bodies, Some(me)), start, 10_000).len(), all.len());
}

#[test]
fn bodies_that_make_no_sense_are_refused() {
    let mut bodies = Bodies::new(&valid(field(4.0)));
    for radius in [0.0, -1.0, f64::NAN, 1e9] {
        let refused = bodies.add(Location::ground(1.0, 1.0), radius);
        assert!(matches!(refused, Err(BodyError::Radius(_))), "{radius}");
    }
}
