//! Simple polygons.

use crate::geometry::segment::{self, orientation};
use crate::scene::limits::{COORDINATE_MAX, CORNERS_MAX};
use crate::{Bounds, Point};

/// A simple polygon, its boundary included.
///
/// Invariant: 3 to [`CORNERS_MAX`] finite corners in counter-clockwise order, no edge meets
/// another but its neighbours at their common corner, and the area is positive.
///
/// ```
/// use throng_scene::{Point, Polygon};
/// let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(Point::from);
/// let triangle = Polygon::new(&corners)?;
/// assert!(triangle.contains(Point::new(0.5, 0.5)));
/// assert_eq!(triangle.area(), 2.0);
/// # Ok::<(), throng_scene::PolygonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    corners: Vec<Point>,
    bounds: Bounds,
    area: f64,
}

/// Why corners do not form a simple polygon.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolygonError {
    /// Too few corners.
    #[error("it has {0} corners: a polygon needs at least 3")]
    TooFewCorners(usize),
    /// Too many corners.
    #[error("it has {0} corners: at most {CORNERS_MAX} are allowed; split the polygon")]
    TooManyCorners(usize),
    /// A corner is not a number, or too far away.
    #[error(
        "corner {corner} is {point}: coordinates must be within plus or minus {COORDINATE_MAX}"
    )]
    NotANumber {
        /// Which corner, from 0.
        corner: usize,
        /// Its coordinates.
        point: Point,
    },
    /// Two edges meet that must not.
    #[error(
        "the edges from corner {first} {first_at} and from corner {second} {second_at} meet: \
         list the corners once, around the outside"
    )]
    SelfIntersection {
        /// The corner where the first edge begins, from 0.
        first: usize,
        /// Where that is.
        first_at: Point,
        /// The corner where the second edge begins.
        second: usize,
        /// Where that is.
        second_at: Point,
    },
    /// Its area is zero.
    #[error("its area is {0}: give corners that are further apart")]
    NoArea(f64),
}

impl Polygon {
    /// A polygon from its corners in either order; the last is joined to the first.
    ///
    /// # Errors
    /// When the corners are too few or too many, not finite, or edges meet.
    pub fn new(corners: &[Point]) -> Result<Self, PolygonError> {
        check_corners(corners)?;
        check_simple(corners)?;
        let signed = signed_area(corners);
        let area = signed.abs();
        let bounds = Bounds::around(corners).ok_or(PolygonError::TooFewCorners(0))?;
        if area <= 0.0 {
            return Err(PolygonError::NoArea(area));
        }
        let mut corners = corners.to_vec();
        if signed < 0.0 {
            corners.reverse();
        }
        Ok(Self { corners, bounds, area })
    }

    /// The corners, counter-clockwise.
    #[must_use]
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// The edges, counter-clockwise.
    pub fn edges(&self) -> impl Iterator<Item = (Point, Point)> + Clone {
        edges(&self.corners)
    }

    /// The smallest box around it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The area enclosed.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Whether a point is inside or on the boundary; exact.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.bounds.contains(point) && self.side(point) != Side::Outside
    }

    /// The square of the distance from the segment to the polygon: zero when they share a
    /// point.
    #[must_use]
    pub fn distance_squared(&self, from: Point, to: Point) -> f64 {
        if self.contains(from) {
            return 0.0;
        }
        let distances = self.edges().map(|(c, d)| segment::distance_squared(from, to, c, d));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Whether the segment comes closer than `distance` to the polygon, or shares a point
    /// with it. It agrees with [`Polygon::distance_squared`] and is faster, because the bounding
    /// boxes exclude most edges.
    #[must_use]
    pub fn is_closer(&self, from: Point, to: Point, distance: f64) -> bool {
        let near = Bounds::of(from, to).grown(distance);
        let is_close = |(a, b): (Point, Point)| {
            near.touches(Bounds::of(a, b)) && {
                let squared = segment::distance_squared(from, to, a, b);
                squared < distance * distance || squared <= 0.0
            }
        };
        self.bounds.touches(near) && (self.edges().any(is_close) || self.contains(from))
    }

    /// Whether a point is inside, outside or on the boundary; exact.
    pub(crate) fn side(&self, point: Point) -> Side {
        let mut inside = false;
        for (a, b) in self.edges() {
            if segment::is_on(point, a, b) {
                return Side::Boundary;
            }
            // A ray to the right meets the edge when the edge spans the ray's height, its
            // lower end included, and the point is on the inner side.
            let rises = a.y <= point.y && point.y < b.y && orientation(a, b, point) > 0.0;
            let falls = b.y <= point.y && point.y < a.y && orientation(a, b, point) < 0.0;
            inside ^= rises || falls;
        }
        if inside { Side::Inside } else { Side::Outside }
    }
}

/// Where a point is with respect to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Inside,
    Boundary,
    Outside,
}

fn edges(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> + Clone {
    let last = corners.last().copied();
    let before = last.into_iter().chain(corners.iter().copied());
    before.zip(corners.iter().copied())
}

/// Computed relative to the first corner, so that large coordinates do not cancel badly.
fn signed_area(corners: &[Point]) -> f64 {
    let Some(&origin) = corners.first() else { return 0.0 };
    let cross = |(a, b): (Point, Point)| {
        (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
    };
    edges(corners).map(cross).sum::<f64>() / 2.0
}

fn check_corners(corners: &[Point]) -> Result<(), PolygonError> {
    match corners.len() {
        count @ 0..3 => return Err(PolygonError::TooFewCorners(count)),
        count if count > CORNERS_MAX => return Err(PolygonError::TooManyCorners(count)),
        _ => {}
    }
    let in_range = |value: f64| value.abs() <= COORDINATE_MAX;
    match corners.iter().position(|point| !(in_range(point.x) && in_range(point.y))) {
        Some(corner) => Err(PolygonError::NotANumber { corner, point: corners[corner] }),
        None => Ok(()),
    }
}

fn check_simple(corners: &[Point]) -> Result<(), PolygonError> {
    let count = corners.len();
    let edge = |i: usize| (corners[i], corners[(i + 1) % count]);
    for first in 0..count {
        for second in first + 1..count {
            if edges_clash(edge(first), edge(second), second - first, count) {
                let (first_at, second_at) = (corners[first], corners[second]);
                return Err(PolygonError::SelfIntersection { first, first_at, second, second_at });
            }
        }
    }
    Ok(())
}

/// Whether two edges that begin `apart` corners from each other meet where they must not.
fn edges_clash((a, b): (Point, Point), (c, d): (Point, Point), apart: usize, count: usize) -> bool {
    if apart == 1 {
        // b is c: the next edge must not fold back.
        return c == d || a == b || segment::is_on(a, c, d) || segment::is_on(d, a, b);
    }
    if apart == count - 1 {
        return c == d || a == b || segment::is_on(b, c, d) || segment::is_on(c, a, b);
    }
    segment::meet(a, b, c, d)
}
