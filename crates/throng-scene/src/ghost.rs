//! The ghost player: a body that searches the world by walking it.
//!
//! Lanctot, Ng Man Sun, Verbrugge: *Path-finding for Large Scale Multiplayer Computer Games*
//! (2006), "Movement and pathfinding" and figure 3. The ghost obeys the same physics as any
//! player but is invisible and temporary. It steps from node to node of a lattice that is never
//! stored. Its steps are shorter in crowded zones, and near walls that are neither horizontal nor
//! vertical: there the lattice follows the wall more closely.

mod collision_meter;
mod explore;

pub use collision_meter::CollisionMeter;
pub use explore::explore;

use crate::scene::GateKind;
use crate::scene::limits::RADIUS_MAX;
use crate::{Bodies, BodyId, Level, Point, ValidScene, ZoneId};

/// A body, and how it steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GhostOptions {
    /// The body's radius, in units.
    pub radius: f64,
    /// The shortest step, in units: the lattice's width. A power of two keeps the lattice
    /// exact.
    pub step: f64,
    /// How many shortest steps a step in an open zone is: a power of two.
    pub stride_max: u32,
    /// From this crowding on (see [`crate::Zone::crowding`]) steps are the shortest; each
    /// halving of it doubles the step, up to `stride_max`.
    pub crowded: f64,
    /// Closer than this to a wall that is neither horizontal nor vertical, steps are the shortest
    /// in every zone, in units. 0: only the zone counts.
    pub slant_reach: f64,
}

impl Default for GhostOptions {
    /// A body of radius 0.12 that steps an eighth of a unit in rooms and a quarter outside:
    /// it passes any straight door half a unit wide. Beside slanted walls it steps an eighth too.
    fn default() -> Self {
        Self { radius: 0.12, step: 0.125, stride_max: 2, crowded: 0.4, slant_reach: 0.25 }
    }
}

/// Why a body cannot be a ghost.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GhostError {
    /// The radius is not sensible.
    #[error("a body of radius {0}: give a number above 0 and at most {RADIUS_MAX}")]
    Radius(f64),
    /// The step is too short or too long.
    #[error(
        "steps of {step} units in a world of {width} x {height}: take 1/1024 of a unit to the shorter side"
    )]
    Step {
        /// The step asked for.
        step: f64,
        /// Units from left to right.
        width: f64,
        /// Units from bottom to top.
        height: f64,
    },
    /// The longest stride is not a power of two up to 64.
    #[error("a stride of {0} steps: take a power of two from 1 to 64")]
    Stride(u32),
    /// The reach of slanted walls is not sensible.
    #[error("short steps {0} units around slanted walls: give 0 for none, at most {RADIUS_MAX}")]
    SlantReach(f64),
    /// The threshold of crowding is no share.
    #[error("crowded from {0} on: take a share above 0, at most 1")]
    Crowded(f64),
}

/// A node of the ghost's lattice: shortest steps from the origin, on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GhostNode {
    /// The level.
    pub level: Level,
    /// Steps upwards.
    pub y: i32,
    /// Steps to the right.
    pub x: i32,
}

/// A step that the ghost can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GhostMove {
    /// Where it leads.
    pub to: GhostNode,
    /// How long it is, in millionths of a unit, so that sums do not depend on their order.
    pub length_millionths: u64,
}

/// A length in millionths of a unit.
#[must_use]
pub fn length_millionths(length: f64) -> u64 {
    (length * 1e6).round() as u64
}

/// The ghost player: collision-checked steps of a body through a scene.
///
/// It borrows the scene, so that no edit can happen while it walks; make a new one after an
/// edit, which costs nothing.
///
/// ```
/// use throng_scene::{CollisionMeter, Ghost, GhostOptions, Level, Point, town};
/// let scene = town(7).validate()?;
/// let meter = CollisionMeter::new();
/// let ghost = Ghost::new(&scene, GhostOptions::default(), &meter)?;
/// let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).expect("the corner is open");
/// let mut moves = Vec::new();
/// ghost.moves(start, &mut moves);
/// assert!(!moves.is_empty());
/// assert!(meter.tests() >= 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ghost<'a> {
    scene: &'a ValidScene,
    options: GhostOptions,
    meter: &'a CollisionMeter,
    /// The bodies that it steps around, and which of them it is itself.
    others: Option<(&'a Bodies, Option<BodyId>)>,
}

/// The eight directions, counter-clockwise from the right: the order of the moves.
const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl<'a> Ghost<'a> {
    /// A ghost in a scene; the meter counts its collision tests.
    ///
    /// # Errors
    /// When an option is out of its range.
    pub fn new(
        scene: &'a ValidScene,
        options: GhostOptions,
        meter: &'a CollisionMeter,
    ) -> Result<Self, GhostError> {
        let (width, height) = (scene.width(), scene.height());
        let GhostOptions { radius, step, stride_max, crowded, slant_reach } = options;
        if !(radius > 0.0 && radius <= RADIUS_MAX) {
            return Err(GhostError::Radius(radius));
        }
        if !(step >= 1.0 / 1024.0 && step <= width.min(height)) {
            return Err(GhostError::Step { step, width, height });
        }
        if !stride_max.is_power_of_two() || stride_max > 64 {
            return Err(GhostError::Stride(stride_max));
        }
        if !(crowded > 0.0 && crowded <= 1.0) {
            return Err(GhostError::Crowded(crowded));
        }
        if !(0.0..=RADIUS_MAX).contains(&slant_reach) {
            return Err(GhostError::SlantReach(slant_reach));
        }
        Ok(Self { scene, options, meter, others: None })
    }

    /// The ghost among other bodies: it does not step into them. `me` is the one that the ghost
    /// moves for.
    #[must_use]
    pub fn among(self, bodies: &'a Bodies, me: Option<BodyId>) -> Self {
        Self { others: Some((bodies, me)), ..self }
    }

    /// The scene it walks.
    #[must_use]
    pub fn scene(&self) -> &'a ValidScene {
        self.scene
    }

    /// The body, and how it steps.
    #[must_use]
    pub fn options(&self) -> GhostOptions {
        self.options
    }

    /// What counts its collision tests.
    #[must_use]
    pub fn meter(&self) -> &'a CollisionMeter {
        self.meter
    }

    /// Whether the body can be at a point: on the map, in a zone, clear of obstacles.
    /// A collision test.
    #[must_use]
    pub fn is_free(&self, point: Point, level: Level) -> bool {
        self.can_step(point, point, level)
    }

    /// Whether the body can move straight from a point to another: the disc swept along the
    /// segment stays on the map and clear of obstacles, and ends in a zone. A collision test.
    ///
    /// Walls stop a body; the borders of zones do not. Passing from zone to zone by gates is the
    /// business of the layer above.
    #[must_use]
    pub fn can_step(&self, from: Point, to: Point, level: Level) -> bool {
        self.meter.record();
        let radius = self.options.radius;
        self.scene.is_clear(from, to, level, radius)
            && self.scene.zone_of(to, level).is_some()
            && self.others.is_none_or(|(bodies, me)| bodies.are_clear(from, to, level, radius, me))
    }

    /// Whether another body is so close to a point that this one does not fit. Obstacles do not
    /// count. Always false for a ghost that is alone.
    #[must_use]
    pub fn is_crowded(&self, point: Point, level: Level) -> bool {
        let radius = self.options.radius;
        self.others.is_some_and(|(bodies, me)| bodies.is_near(point, level, radius, me))
    }

    /// Where the body is after going straight towards a point for at most `distance` units:
    /// the paper's basic movement. `None` when an obstacle is in between. A collision test.
    #[must_use]
    pub fn advance(&self, from: Point, to: Point, level: Level, distance: f64) -> Option<Point> {
        let length = from.distance(to);
        let between = |a: f64, b: f64| a + (b - a) * distance / length;
        let next = match length <= distance {
            true => to,
            false => Point::new(between(from.x, to.x), between(from.y, to.y)),
        };
        self.can_step(from, next, level).then_some(next)
    }

    /// The point of a lattice node.
    #[must_use]
    pub fn point(&self, node: GhostNode) -> Point {
        let step = self.options.step;
        Point::new(f64::from(node.x) * step, f64::from(node.y) * step)
    }

    /// The zone of a lattice node.
    #[must_use]
    pub fn zone(&self, node: GhostNode) -> Option<ZoneId> {
        self.scene.zone_of(self.point(node), node.level)
    }

    /// How many shortest steps a step is in a zone (figure 3: the variable grid).
    #[must_use]
    pub fn stride(&self, zone: ZoneId) -> u32 {
        let crowding = self.scene.zone(zone).map_or(1.0, |zone| zone.crowding);
        let (mut stride, mut threshold) = (1, self.options.crowded);
        while stride < self.options.stride_max && crowding < threshold {
            stride *= 2;
            threshold /= 2.0;
        }
        stride
    }

    /// The nearest lattice node that the body can step to from a point, up to two longest strides
    /// away. Ties go to the lowest y, then the lowest x. `None` where the body does not fit.
    ///
    /// In zones of long steps only nodes of the coarser lattice count. A body leaving a crowded
    /// zone can pass the other nodes, but none is reached from elsewhere.
    #[must_use]
    pub fn snap(&self, point: Point, level: Level) -> Option<GhostNode> {
        if !self.scene.bounds().contains(point) {
            return None;
        }
        let step = self.options.step;
        let reach = 2 * i32::try_from(self.options.stride_max).unwrap_or(1);
        // On the map, whose sides have a limit: the quotients fit.
        let (x, y) = ((point.x / step).floor() as i32, (point.y / step).floor() as i32);
        let offsets = 1 - reach..=reach;
        let nodes = offsets.clone().flat_map(|dy| {
            offsets.clone().map(move |dx| GhostNode { level, y: y + dy, x: x + dx })
        });
        let mut nodes: Vec<GhostNode> = nodes.collect();
        let distance = |node: &GhostNode| self.point(*node).distance_squared(point);
        nodes.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        nodes.into_iter().find(|node| {
            self.is_on_lattice(*node) && self.can_step(point, self.point(*node), level)
        })
    }

    /// Whether a node is a whole number of its zone's steps from the origin, or near a slanted
    /// wall.
    fn is_on_lattice(&self, node: GhostNode) -> bool {
        self.zone(node).is_some_and(|zone| {
            let stride = i32::try_from(self.stride(zone)).unwrap_or(1);
            is_multiple(node, stride) || self.is_refined(node)
        })
    }

    /// Whether steps to this node are the shortest because a slanted wall is near.
    fn is_refined(&self, node: GhostNode) -> bool {
        self.is_near_slant(node, self.options.slant_reach)
    }

    fn is_near_slant(&self, node: GhostNode, reach: f64) -> bool {
        self.options.slant_reach > 0.0
            && self.scene.is_near_slant(self.point(node), node.level, reach)
    }

    /// Whether the body can step from one node to another of the same level. A collision test.
    #[must_use]
    pub fn can_move(&self, from: GhostNode, to: GhostNode) -> bool {
        from.level == to.level && self.can_step(self.point(from), self.point(to), from.level)
    }

    /// The steps that the body can take from a node: up to eight on its level, then up and
    /// down the stairs that are in reach. `moves` is cleared first.
    pub fn moves(&self, from: GhostNode, moves: &mut Vec<GhostMove>) {
        self.moves_if(from, |from, to| self.can_move(from, to), moves);
    }

    /// As [`Ghost::moves`], with another judge of the steps on the level: one that asks a
    /// cache first and then [`Ghost::can_move`], say.
    pub fn moves_if(
        &self,
        from: GhostNode,
        mut can_move: impl FnMut(GhostNode, GhostNode) -> bool,
        moves: &mut Vec<GhostMove>,
    ) {
        moves.clear();
        let Some(zone) = self.zone(from) else { return };
        let stride = i32::try_from(self.stride(zone)).unwrap_or(1);
        // A node one shortest step away is at most a diagonal of the lattice nearer to a wall.
        let reach = self.options.slant_reach + 2.0 * self.options.step;
        let is_slanted = stride > 1 && self.is_near_slant(from, reach);
        for direction in DIRECTIONS {
            let to = match is_slanted {
                true => self.beside_slant(from, direction, stride),
                false => Some(step_towards(from, direction, stride)),
            };
            let Some(to) = to else { continue };
            if can_move(from, to) {
                let length = self.point(from).distance(self.point(to));
                moves.push(GhostMove { to, length_millionths: length_millionths(length) });
            }
        }
        self.stairs(from, zone, stride, moves);
    }

    /// The step in a direction near a slanted wall: the shortest one if it ends near the wall, else
    /// one of the zone's length. From nodes between those of the zone's lattice only steps back to
    /// it leave the wall, so that the fine lattice ends where the wall does.
    fn beside_slant(
        &self,
        from: GhostNode,
        direction: (i32, i32),
        stride: i32,
    ) -> Option<GhostNode> {
        let short = step_towards(from, direction, 1);
        if self.is_refined(short) {
            return Some(short);
        }
        let long = step_towards(from, direction, stride);
        (is_multiple(long, stride) || !self.is_refined(from)).then_some(long)
    }

    /// The stairs that a body at a node can take: those whose passage point is at most a
    /// stride away, by a straight step.
    fn stairs(&self, from: GhostNode, zone: ZoneId, stride: i32, moves: &mut Vec<GhostMove>) {
        let reach = f64::from(stride) * self.options.step;
        let at = self.point(from);
        let gates = self.scene.gates_of(zone).iter().filter_map(|id| self.scene.gate(*id));
        for gate in gates.filter(|gate| gate.kind == GateKind::Stairs) {
            let Some((near, far)) = gate.from_zone(zone) else { continue };
            let distance = at.distance(near.at);
            if distance > reach || !self.can_step(at, near.at, near.level) {
                continue;
            }
            if let Some(to) = self.snap(far.at, far.level) {
                let length = distance + gate.length() + far.at.distance(self.point(to));
                moves.push(GhostMove { to, length_millionths: length_millionths(length) });
            }
        }
    }
}

/// The node that a step of a stride in a direction leads to.
fn step_towards(from: GhostNode, (dx, dy): (i32, i32), stride: i32) -> GhostNode {
    let (x, y) = (next(from.x, dx, stride), next(from.y, dy, stride));
    GhostNode { level: from.level, y, x }
}

fn is_multiple(node: GhostNode, stride: i32) -> bool {
    node.x % stride == 0 && node.y % stride == 0
}

/// The next multiple of the stride in a direction; without a direction, the same coordinate. So
/// a body that comes from a zone of shorter steps returns to the coarser lattice.
fn next(from: i32, direction: i32, stride: i32) -> i32 {
    match direction {
        0 => from,
        1 => (from.div_euclid(stride) + 1) * stride,
        _ => -((-from).div_euclid(stride) + 1) * stride,
    }
}
