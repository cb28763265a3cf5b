//! Bodies that move: players as obstacles for each other.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): other players are dynamic objects of the world, and a
//! player stops when it is blocked.

use crate::geometry::segment::point_distance_squared;
use crate::scene::limits::{BODIES_MAX, RADIUS_MAX};
use crate::{Bounds, Level, Location, Point, ValidScene};

/// Most squares along a side of a level.
const SQUARES_MAX: f64 = 256.0;

/// A body's handle. It never denotes another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

/// Why a body cannot be added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// Too many bodies were added.
    #[error("more than {BODIES_MAX} bodies were added: begin with a new set of bodies")]
    TooMany,
    /// The radius is not sensible.
    #[error("a body of radius {0}: give a number above 0 and at most {RADIUS_MAX}")]
    Radius(f64),
}

#[derive(Clone, Copy, Debug)]
struct Body {
    location: Location,
    radius: f64,
}

/// Bodies that move through a scene and are obstacles for each other: discs with a radius of
/// their own. A [`crate::Ghost`] among them ([`crate::Ghost::among`]) steps around them.
///
/// ```
/// use throng_scene::{Bodies, CollisionMeter, Ghost, GhostOptions, Level, Location, Point, town};
/// let scene = town(7).validate()?;
/// let mut bodies = Bodies::new(&scene);
/// let me = bodies.add(Location::ground(0.5, 0.5), 0.12)?;
/// let other = bodies.add(Location::ground(1.0, 0.5), 0.12)?;
/// let meter = CollisionMeter::new();
/// let alone = Ghost::new(&scene, GhostOptions::default(), &meter)?;
/// let (from, to) = (Point::new(0.5, 0.5), Point::new(1.5, 0.5));
/// assert!(alone.can_step(from, to, Level::GROUND));
/// assert!(!alone.among(&bodies, Some(me)).can_step(from, to, Level::GROUND));
/// bodies.remove(other);
/// assert!(alone.among(&bodies, Some(me)).can_step(from, to, Level::GROUND));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bodies {
    bodies: Vec<Option<Body>>,
    /// The bodies of each square of each level.
    squares: Vec<Vec<u32>>,
    square: f64,
    columns: usize,
    rows: usize,
    radius_max: f64,
}

impl Bodies {
    /// No bodies yet, for a scene of this size.
    #[must_use]
    pub fn new(scene: &ValidScene) -> Self {
        let square = (scene.width().max(scene.height()) / SQUARES_MAX).max(0.5);
        let columns = (scene.width() / square) as usize + 1;
        let rows = (scene.height() / square) as usize + 1;
        let squares = vec![Vec::new(); columns * rows * scene.levels().count()];
        Self { bodies: Vec::new(), squares, square, columns, rows, radius_max: 0.0 }
    }

    /// Adds a body.
    ///
    /// # Errors
    /// When the radius is not above 0 or too large, or too many bodies were added.
    pub fn add(&mut self, location: Location, radius: f64) -> Result<BodyId, BodyError> {
        if !(radius > 0.0 && radius <= RADIUS_MAX) {
            return Err(BodyError::Radius(radius));
        }
        if self.bodies.len() >= BODIES_MAX {
            return Err(BodyError::TooMany);
        }
        let id = BodyId(self.bodies.len() as u32);
        self.bodies.push(Some(Body { location, radius }));
        self.radius_max = self.radius_max.max(radius);
        self.enter(id, location);
        Ok(id)
    }

    /// Where a body is; `None` when it was removed.
    #[must_use]
    pub fn location(&self, id: BodyId) -> Option<Location> {
        self.body(id.0).map(|body| body.location)
    }

    /// Puts a body somewhere else. Nothing is tested: ask a ghost among the bodies first. A body
    /// that was removed stays removed.
    pub fn set(&mut self, id: BodyId, location: Location) {
        let Some(body) = self.bodies.get_mut(id.0 as usize).and_then(Option::as_mut) else {
            return;
        };
        let before = std::mem::replace(&mut body.location, location);
        self.leave(id, before);
        self.enter(id, location);
    }

    /// Removes a body.
    pub fn remove(&mut self, id: BodyId) {
        let body = self.bodies.get_mut(id.0 as usize).and_then(Option::take);
        if let Some(body) = body {
            self.leave(id, body.location);
        }
    }

    /// Whether a disc that moves straight from a point to another comes no closer to a body than
    /// touching it. Where it is too close already, it may move apart. The body `me` does not count.
    #[must_use]
    pub fn are_clear(
        &self,
        from: Point,
        to: Point,
        level: Level,
        radius: f64,
        me: Option<BodyId>,
    ) -> bool {
        !self.any_near(Bounds::of(from, to), level, radius, me, |other| {
            let sum = radius + other.radius;
            let at_start = from.distance_squared(other.location.at);
            let least = point_distance_squared(other.location.at, from, to);
            least < (sum * sum).min(at_start)
        })
    }

    /// Whether a disc at a point would overlap a body other than `me`.
    #[must_use]
    pub fn is_near(&self, at: Point, level: Level, radius: f64, me: Option<BodyId>) -> bool {
        self.any_near(Bounds::of(at, at), level, radius, me, |other| {
            let sum = radius + other.radius;
            at.distance_squared(other.location.at) < sum * sum
        })
    }

    /// Whether `wanted` is true for a body other than `me` that may be within reach of a box.
    fn any_near(
        &self,
        bounds: Bounds,
        level: Level,
        radius: f64,
        me: Option<BodyId>,
        wanted: impl Fn(&Body) -> bool,
    ) -> bool {
        let near = bounds.grown(radius + self.radius_max);
        let ((left, bottom), (right, top)) = (self.square_of(near.min), self.square_of(near.max));
        let is_wanted =
            |&number: &u32| me != Some(BodyId(number)) && self.body(number).is_some_and(&wanted);
        let mut squares = (bottom..=top).flat_map(|row| (left..=right).map(move |c| (c, row)));
        squares.any(|square| {
            let bodies = self.squares.get(self.index(square, level));
            bodies.is_some_and(|bodies| bodies.iter().any(is_wanted))
        })
    }

    fn body(&self, number: u32) -> Option<&Body> {
        self.bodies.get(number as usize)?.as_ref()
    }

    fn square_of(&self, at: Point) -> (usize, usize) {
        // The cast turns negative coordinates into 0.
        let (column, row) = ((at.x / self.square) as usize, (at.y / self.square) as usize);
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    fn index(&self, (column, row): (usize, usize), level: Level) -> usize {
        (level.index() * self.rows + row) * self.columns + column
    }

    fn enter(&mut self, id: BodyId, location: Location) {
        let index = self.index(self.square_of(location.at), location.level);
        if let Some(square) = self.squares.get_mut(index) {
            square.push(id.0);
        }
    }

    fn leave(&mut self, id: BodyId, location: Location) {
        let index = self.index(self.square_of(location.at), location.level);
        if let Some(square) = self.squares.get_mut(index) {
            square.retain(|number| *number != id.0);
        }
    }
}
