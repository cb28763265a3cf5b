//! The scene as players use it: where they can be, where they can step, and where stairs lead.

use std::collections::BTreeSet;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    Bodies, BodyId, CollisionMeter, GateKind, Ghost, GhostNode, GhostOptions, Location, Point,
    ValidScene, explore,
};

use crate::options::{GameError, REACH, STRIDE};

/// Most locations that are explored for orbs, bases and computer players.
const PLACES_MAX: usize = 400_000;
/// A click so close to stairs means them, in units.
const STAIRS_REACH: f64 = 0.35;
/// How far the nearest free place is looked for when nobody fits at a destination, in units.
const NEAREST_REACH: f64 = 1.5;
const NEAREST_STEP: f64 = 0.125;
/// A line of sight is that of a thin body.
const SIGHT_RADIUS: f64 = 0.01;
/// Places of which a new orb takes the one that is farthest from all bases.
const ORB_CANDIDATES: usize = 3;

/// A scene with a body of one size.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) scene: ValidScene,
    pub(crate) body: GhostOptions,
    meter: CollisionMeter,
    /// All lattice points that a body reaches from the first of them.
    places: Vec<Location>,
    /// The scene's items that are among them.
    items: Vec<Location>,
}

/// The bodies of the players, and which of them moves.
pub(crate) type Others<'a> = Option<(&'a Bodies, Option<BodyId>)>;

impl Ground {
    pub(crate) fn new(scene: ValidScene, body: GhostOptions) -> Result<Self, GameError> {
        let meter = CollisionMeter::new();
        let ghost = Ghost::new(&scene, body, &meter)?;
        let start = scene.start_candidates().find_map(|start| ghost.snap(start.at, start.level));
        let nodes = explore(&ghost, start.ok_or(GameError::NoRoom)?, PLACES_MAX);
        let places =
            nodes.iter().map(|node| Location::new(ghost.point(*node), node.level)).collect();
        let items = scene.items().iter().map(|item| Location::new(item.at, item.level));
        let reached: BTreeSet<GhostNode> = nodes.iter().copied().collect();
        let is_reached = |item: &Location| {
            let node = ghost.snap(item.at, item.level);
            node.is_some_and(|node| reached.contains(&node))
        };
        let items = items.filter(is_reached).collect();
        Ok(Self { scene, body, meter, places, items })
    }

    fn ghost<'a>(&'a self, others: Others<'a>) -> Option<Ghost<'a>> {
        // The options were checked for this scene.
        let ghost = Ghost::new(&self.scene, self.body, &self.meter).ok()?;
        Some(match others {
            Some((bodies, me)) => ghost.among(bodies, me),
            None => ghost,
        })
    }

    /// Whether a body can step straight from a location to a point.
    pub(crate) fn can_step(&self, from: Location, to: Point, others: Others<'_>) -> bool {
        self.ghost(others).is_some_and(|ghost| ghost.can_step(from.at, to, from.level))
    }

    /// Where a body is after one tick straight towards a point; `None` when something is in between.
    pub(crate) fn advance(&self, from: Location, to: Point, others: Others<'_>) -> Option<Point> {
        self.ghost(others)?.advance(from.at, to, from.level, STRIDE)
    }

    /// Whether a body fits at a location.
    pub(crate) fn is_free(&self, at: Location) -> bool {
        self.ghost(None).is_some_and(|ghost| ghost.is_free(at.at, at.level))
    }

    /// Whether no wall is between two locations of a level that are in reach of each other.
    pub(crate) fn is_in_reach(&self, a: Location, b: Location) -> bool {
        a.level == b.level
            && a.at.distance(b.at) <= REACH
            && self.scene.is_clear(a.at, b.at, a.level, SIGHT_RADIUS)
    }

    /// The free place nearest to a destination; itself if a body fits there.
    pub(crate) fn nearest_free(&self, wanted: Location) -> Option<Location> {
        if self.is_free(wanted) {
            return Some(wanted);
        }
        let count = (NEAREST_REACH / NEAREST_STEP) as i32;
        let offsets = (-count..=count).flat_map(|y| (-count..=count).map(move |x| (x, y)));
        let mut offsets: Vec<(i32, i32)> = offsets.collect();
        offsets.sort_by_key(|(x, y)| (x * x + y * y, *y, *x));
        let places = offsets.into_iter().map(|(x, y)| {
            let shift = |by: i32| f64::from(by) * NEAREST_STEP;
            Location::new(Point::new(wanted.at.x + shift(x), wanted.at.y + shift(y)), wanted.level)
        });
        let bounds = self.scene.bounds();
        places.into_iter().find(|place| bounds.contains(place.at) && self.is_free(*place))
    }

    /// The stairs at a location: their foot there, and their other end.
    pub(crate) fn stairs_at(&self, at: Location) -> Option<(Location, Location)> {
        let zone = self.scene.zone_of(at.at, at.level)?;
        let gates = self.scene.gates_of(zone).iter().filter_map(|id| self.scene.gate(*id));
        let stairs = gates.filter(|gate| gate.kind == GateKind::Stairs);
        let sides = stairs.filter_map(|gate| gate.from_zone(zone));
        let near = sides.filter(|(near, _)| near.at.distance(at.at) <= STAIRS_REACH);
        let nearest = near.min_by(|a, b| a.0.at.distance(at.at).total_cmp(&b.0.at.distance(at.at)));
        nearest.map(|(near, far)| {
            (Location::new(near.at, near.level), Location::new(far.at, far.level))
        })
    }

    /// A reachable place by chance.
    pub(crate) fn any(&self, rng: &mut Pcg64Mcg) -> Location {
        // There is at least the place where exploring began.
        self.places[rng.random_range(0..self.places.len())]
    }

    /// A place for an orb, by chance: where the scene has items, or anywhere; not where another orb
    /// is, and rather far from the bases.
    pub(crate) fn orb_place(
        &self,
        orbs: &[Location],
        bases: &[Location],
        rng: &mut Pcg64Mcg,
    ) -> Location {
        let mut candidate = || match self.items.len() {
            0 => self.any(rng),
            count => match rng.random_range(0..2 * count) {
                index if index < count => self.items[index],
                _ => self.any(rng),
            },
        };
        let nearest = |place: &Location, others: &[Location]| {
            let distances = others.iter().map(|other| place.estimated_distance(*other));
            distances.fold(f64::INFINITY, f64::min)
        };
        let mut best = candidate();
        for _ in 1..ORB_CANDIDATES {
            let next = candidate();
            let is_apart = nearest(&next, orbs) > 1.0;
            if is_apart
                && (nearest(&best, orbs) <= 1.0 || nearest(&next, bases) > nearest(&best, bases))
            {
                best = next;
            }
        }
        best
    }

    /// Bases of teams, far from each other: each next one is the place whose nearest base is the
    /// farthest. The scene's starting points come first; without enough of them any place will do.
    pub(crate) fn bases(&self, count: usize) -> Vec<Location> {
        let starts = self.scene.players().iter().map(|start| Location::new(start.at, start.level));
        let starts: Vec<Location> = starts.filter(|start| self.is_free(*start)).collect();
        let candidates = if starts.len() >= count { &starts } else { &self.places };
        let mut bases: Vec<Location> = candidates.first().copied().into_iter().collect();
        while bases.len() < count {
            let nearest = |place: &Location| {
                let distances = bases.iter().map(|base| place.estimated_distance(*base));
                distances.fold(f64::INFINITY, f64::min)
            };
            let next = candidates.iter().fold((0.0, bases[0]), |best, place| {
                let distance = nearest(place);
                if distance > best.0 { (distance, *place) } else { best }
            });
            bases.push(next.1);
        }
        bases
    }

    /// The places of a base's level that are nearest to it, nearest first.
    pub(crate) fn places_near(&self, base: Location, count: usize) -> Vec<Location> {
        let of_level = self.places.iter().filter(|place| place.level == base.level);
        let mut near: Vec<Location> = of_level.copied().collect();
        let distance = |place: &Location| place.at.distance_squared(base.at);
        near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.truncate(count);
        near
    }
}
