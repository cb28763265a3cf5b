//! Points, boxes and levels.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A point on a level, in units of the scene. The origin is at the bottom left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

impl Point {
    /// A point from its coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Whether both coordinates are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The square of the distance to another point.
    #[must_use]
    pub fn distance_squared(self, other: Self) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        dx * dx + dy * dy
    }

    /// The distance to another point.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        self.distance_squared(other).sqrt()
    }

    /// The point halfway to another.
    #[must_use]
    pub fn midpoint(self, other: Self) -> Self {
        Self::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [f64; 2] {
    fn from(point: Point) -> Self {
        [point.x, point.y]
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// How many stairs above the ground: the paper's *stairlevel*. The ground is 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Level(pub u8);

impl Level {
    /// The ground.
    pub const GROUND: Self = Self(0);

    /// As an index into data that is kept per level.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An axis-aligned box, its edges included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner at the bottom left.
    pub min: Point,
    /// The corner at the top right.
    pub max: Point,
}

impl Bounds {
    /// The smallest box around two points.
    #[must_use]
    pub fn of(a: Point, b: Point) -> Self {
        let min = Point::new(a.x.min(b.x), a.y.min(b.y));
        let max = Point::new(a.x.max(b.x), a.y.max(b.y));
        Self { min, max }
    }

    /// The smallest box around points; `None` without any.
    #[must_use]
    pub fn around(points: &[Point]) -> Option<Self> {
        let (first, rest) = points.split_first()?;
        Some(rest.iter().fold(Self::of(*first, *first), |bounds, point| {
            let min = Self::of(bounds.min, *point).min;
            Self { min, max: Self::of(bounds.max, *point).max }
        }))
    }

    /// The box with a margin on all sides.
    #[must_use]
    pub fn grown(self, margin: f64) -> Self {
        let min = Point::new(self.min.x - margin, self.min.y - margin);
        Self { min, max: Point::new(self.max.x + margin, self.max.y + margin) }
    }

    /// Whether the boxes share a point.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// Whether a point is in the box.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        self.touches(Self { min: point, max: point })
    }
}
