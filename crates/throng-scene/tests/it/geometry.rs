//! Polygons against brute force.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{Point, Polygon};

use crate::corners;

/// Polygons of all sorts: convex, not convex, with collinear corners, askew, thin.
fn shapes() -> Vec<Polygon> {
    let shapes: [&[(f64, f64)]; 7] = [
        &[(1.0, 1.0), (4.0, 1.0), (4.0, 3.0), (1.0, 3.0)],
        &[(0.5, 0.5), (3.7, 1.3), (1.9, 4.1)],
        &[(1.0, 1.0), (4.0, 1.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (1.0, 4.0)],
        &[(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (3.0, 2.0), (3.0, 3.0), (1.0, 3.0)],
        &[
            (2.5, 0.5),
            (2.75, 2.25),
            (4.5, 2.5),
            (2.75, 2.75),
            (2.5, 4.5),
            (2.25, 2.75),
            (0.5, 2.5),
            (2.25, 2.25),
        ],
        &[(0.5, 0.5), (4.5, 4.0), (4.5, 4.1), (0.5, 0.6)],
        &[
            (1.0, 1.0),
            (4.0, 1.0),
            (4.0, 4.0),
            (3.0, 4.0),
            (3.0, 1.5),
            (2.0, 1.5),
            (2.0, 4.0),
            (1.0, 4.0),
        ],
    ];
    shapes.iter().map(|shape| Polygon::new(&corners(shape)).unwrap()).collect()
}

fn random_point(rng: &mut Pcg64Mcg) -> Point {
    let mut coordinate = || f64::from(rng.random_range(0..=5000_u32)) / 1000.0;
    Point::new(coordinate(), coordinate())
}

/// Inside by the sum of the angles seen from the point: another way than the crate's.
fn winds_around(polygon: &Polygon, point: Point) -> bool {
    let angle = |(a, b): (Point, Point)| {
        let (ax, ay, bx, by) = (a.x - point.x, a.y - point.y, b.x - point.x, b.y - point.y);
        (ax * by - ay * bx).atan2(ax * bx + ay * by)
    };
    polygon.edges().map(angle).sum::<f64>().abs() > 3.0
}

/// The distance from a point to the boundary, by points along it.
fn sampled_distance(polygon: &Polygon, from: Point) -> f64 {
    let along = |(a, b): (Point, Point)| {
        (0..=2000_u32).map(move |i| {
            let share = f64::from(i) / 2000.0;
            Point::new(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        })
    };
    polygon.edges().flat_map(along).map(|p| p.distance(from)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_point_is_inside_when_the_boundary_winds_around_it() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for polygon in shapes() {
        let mut inside = 0;
        for _ in 0..2000 {
            let point = random_point(&mut rng);
            // On the boundary angles say nothing.
            if polygon.distance_squared(point, point) > 0.0
                || sampled_distance_is_large(&polygon, point)
            {
                assert_eq!(polygon.contains(point), winds_around(&polygon, point), "{point}");
                inside += u32::from(polygon.contains(point));
            }
        }
        assert!(inside > 0, "no point was inside");
    }
}

fn sampled_distance_is_large(polygon: &Polygon, point: Point) -> bool {
    polygon.edges().all(|(a, b)| {
        let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
        cross.abs() > 1e-9
    })
}

#[test]
fn corners_and_edges_belong_to_a_polygon() {
    for polygon in shapes() {
        for (a, b) in polygon.edges() {
            assert!(polygon.contains(a));
            assert!(polygon.distance_squared(a, a) <= 0.0);
            assert!(polygon.distance_squared(a.midpoint(b), a.midpoint(b)) < 1e-20);
        }
    }
}

#[test]
fn the_distance_of_a_disc_is_that_of_dense_samples() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    for polygon in shapes() {
        for _ in 0..60 {
            let point = random_point(&mut rng);
            let inside = polygon.contains(point);
            let expected = if inside { 0.0 } else { sampled_distance(&polygon, point) };
            let found = polygon.distance_squared(point, point).sqrt();
            assert!((found - expected).abs() < 2e-3, "{point}: {found}, sampled {expected}");
            assert!(found <= expected + 1e-12, "{point}: {found}, sampled {expected}");
        }
    }
}

/// A swept disc stays clear exactly when discs along the way do.
#[test]
fn the_distance_of_a_swept_disc_is_that_of_discs_along_the_way() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let (mut close, mut clear) = (0, 0);
    for polygon in shapes() {
        for _ in 0..300 {
            let (from, to) = (random_point(&mut rng), random_point(&mut rng));
            let discs = (0..=1000_u32).map(|i| {
                let share = f64::from(i) / 1000.0;
                let at =
                    Point::new(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
                polygon.distance_squared(at, at)
            });
            let sampled = discs.fold(f64::INFINITY, f64::min).sqrt();
            let found = polygon.distance_squared(from, to).sqrt();
            assert!(found <= sampled + 1e-9 && sampled - found < 6e-3, "{found} {sampled}");
            for distance in [0.05, 0.12, 0.5] {
                assert_eq!(polygon.is_closer(from, to, distance), found < distance);
                close += u32::from(found < distance);
                clear += u32::from(found >= distance);
            }
        }
    }
    assert!(close > 500 && clear > 500, "{close} close, {clear} clear");
}

#[test]
fn a_segment_across_a_polygon_shares_a_point_with_it_even_without_a_radius() {
    let square = &shapes()[0];
    let (left, right) = (Point::new(0.0, 2.0), Point::new(5.0, 2.0));
    assert!(square.is_closer(left, right, 0.0));
    assert!(square.distance_squared(left, right) <= 0.0);
    assert!(!square.is_closer(left, Point::new(0.0, 5.0), 0.0));
}

#[test]
fn corners_in_either_order_are_the_same_polygon() {
    for polygon in shapes() {
        let mut reversed = polygon.corners().to_vec();
        reversed.reverse();
        let other = Polygon::new(&reversed).unwrap();
        assert_eq!(other.corners(), polygon.corners());
        assert!((other.area() - polygon.area()).abs() < 1e-12);
    }
}
