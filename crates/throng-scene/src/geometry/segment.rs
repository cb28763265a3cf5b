//! Predicates and distances of segments.
//!
//! Which side of a line a point is on is decided exactly (Shewchuk's adaptive predicates,
//! crate `robust`). Distances use only `+ - * /`, which round alike on every machine.

use robust::{Coord, orient2d};

use crate::{Bounds, Point};

/// Positive when `c` is to the left of the line from `a` to `b`, zero when on it.
pub(crate) fn orientation(a: Point, b: Point, c: Point) -> f64 {
    let coordinate = |p: Point| Coord { x: p.x, y: p.y };
    orient2d(coordinate(a), coordinate(b), coordinate(c))
}

/// Whether a point is exactly on a segment, its ends included.
pub(crate) fn is_on(point: Point, a: Point, b: Point) -> bool {
    Bounds::of(a, b).contains(point) && is_zero(orientation(a, b, point))
}

fn is_zero(value: f64) -> bool {
    value.abs() <= 0.0
}

/// Whether the segments cross in one point that is an end of neither.
pub(crate) fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let apart = |p: f64, q: f64| (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0);
    apart(orientation(a, b, c), orientation(a, b, d))
        && apart(orientation(c, d, a), orientation(c, d, b))
}

/// Whether the segments share a point.
pub(crate) fn meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    Bounds::of(a, b).touches(Bounds::of(c, d))
        && (cross(a, b, c, d)
            || is_on(c, a, b)
            || is_on(d, a, b)
            || is_on(a, c, d)
            || is_on(b, c, d))
}

/// The square of the distance from a point to a segment.
pub(crate) fn point_distance_squared(point: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length_squared = dx * dx + dy * dy;
    if length_squared <= 0.0 {
        return point.distance_squared(a);
    }
    let along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / length_squared;
    let along = along.clamp(0.0, 1.0);
    point.distance_squared(Point::new(a.x + along * dx, a.y + along * dy))
}

/// The square of the distance between two segments. Unless they cross, one of their four ends
/// is nearest to the other segment.
pub(crate) fn distance_squared(a: Point, b: Point, c: Point, d: Point) -> f64 {
    if cross(a, b, c, d) {
        return 0.0;
    }
    point_distance_squared(a, c, d)
        .min(point_distance_squared(b, c, d))
        .min(point_distance_squared(c, a, b))
        .min(point_distance_squared(d, a, b))
}
