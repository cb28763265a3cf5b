//! The path cache (PC): for a place and a destination, only the next step.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "MovementProfile and pathfinding" and figure 5. Places
//! and destinations are squares of a coarser grid, so that several share an entry.
//!
//! Following entries never loops: each says how long the rest is, and a rest is followed
//! only while that strictly falls. A rest leads along the lattice alone, so that the cache
//! never reaches what the search could not.

use crate::{GhostMove, GhostNode};
use throng_model::Revision;

use super::bounded_cache::BoundedCache;
use super::feet::Feet;
use super::ghost_search::{GhostPath, Target};
use super::lattice::{diagonal_distance, key, place, straight_distance};
use super::options::PathCacheOptions;

/// Most steps from a place to the one that its square's entry is about.
const JOIN_STEPS_MAX: u32 = 8;
/// How many squares wide a square of targets is.
const TARGET_SQUARES: f64 = 4.0;
/// Tells squares of targets from places of the lattice: the highest bit of the level, which
/// no scene uses.
const PLACE: u64 = 1 << 63;
/// So often a search may follow entries in vain; then it does without.
const FAILURES_MAX: u32 = 4;

/// The next step of a way.
#[derive(Clone, Copy, Debug)]
struct Hop {
    at: GhostNode,
    /// `at` itself where the lattice part of the way ends.
    next: GhostNode,
    step_millionths: u64,
    rest_millionths: u64,
    revision: Revision,
}

type HopKey = (u64, u64);

#[derive(Clone, Debug)]
pub(crate) struct PathCache {
    hops: BoundedCache<HopKey, Hop>,
    options: PathCacheOptions,
    followed: Vec<HopKey>,
    moves: Vec<GhostMove>,
    failures: u32,
}

impl PathCache {
    pub(crate) fn new(options: PathCacheOptions) -> Self {
        let hops = BoundedCache::new(options.entries_max);
        Self { hops, options, followed: Vec::new(), moves: Vec::new(), failures: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.hops.len()
    }

    pub(crate) fn clear(&mut self) {
        self.hops.clear();
    }

    /// A new search begins.
    pub(crate) fn begin(&mut self) {
        self.failures = 0;
    }

    /// The longest way that is good enough when `estimate` is the least to hope for.
    pub(crate) fn most(&self, estimate: u64) -> u64 {
        let slack = u64::from(self.options.slack_percent);
        estimate.saturating_add(estimate.saturating_mul(slack) / 100)
    }

    /// A known way from a node to near the target, without the node itself, when the whole
    /// may be at most `most` long.
    pub(crate) fn way(
        &mut self,
        feet: &mut Feet<'_>,
        from: GhostNode,
        to: Target,
        most: u64,
    ) -> Option<GhostPath> {
        if self.failures >= FAILURES_MAX {
            return None;
        }
        let goal = target_key(feet, to);
        let hop = self.fresh(feet, (square(feet, from), goal))?;
        if hop.rest_millionths > most {
            return None;
        }
        let mut path = GhostPath { steps: Vec::new(), length_millionths: 0 };
        if hop.at != from {
            self.join(feet, from, hop.at, &mut path)?;
        }
        let Some(end) = self.follow(feet, goal, hop, &mut path) else {
            self.forget_followed();
            return None;
        };
        let left = diagonal_distance(place(&feet.ghost, end), to.place(feet));
        (path.length_millionths + left <= most).then_some(path)
    }

    /// What was followed leads nowhere any more.
    fn forget_followed(&mut self) {
        self.failures += 1;
        for key in self.followed.drain(..) {
            self.hops.remove(key);
        }
    }

    /// Follows hops to their end, and says where that is.
    fn follow(
        &mut self,
        feet: &mut Feet<'_>,
        goal: u64,
        mut hop: Hop,
        path: &mut GhostPath,
    ) -> Option<GhostNode> {
        self.followed.clear();
        self.followed.push((square(feet, hop.at), goal));
        while hop.next != hop.at {
            path.push(GhostMove { to: hop.next, length_millionths: hop.step_millionths });
            let key = (square(feet, hop.next), goal);
            let next = self.fresh(feet, key)?;
            if next.rest_millionths >= hop.rest_millionths {
                return None;
            }
            self.followed.push(key);
            self.join(feet, hop.next, next.at, path)?;
            hop = next;
        }
        Some(hop.at)
    }

    /// Walks from a node to another near one, each step nearer to it.
    fn join(
        &mut self,
        feet: &mut Feet<'_>,
        mut from: GhostNode,
        to: GhostNode,
        path: &mut GhostPath,
    ) -> Option<()> {
        let far = |node: GhostNode| (node.x.abs_diff(to.x), node.y.abs_diff(to.y));
        let far = |node| far(node).0.pow(2) + far(node).1.pow(2);
        for _ in 0..JOIN_STEPS_MAX {
            if from == to {
                return Some(());
            }
            feet.moves(from, &mut self.moves);
            let on_level = self.moves.iter().filter(|step| step.to.level == to.level);
            let step = on_level.min_by_key(|step| far(step.to))?;
            if far(step.to) >= far(from) {
                return None;
            }
            path.push(*step);
            from = step.to;
        }
        (from == to).then_some(())
    }

    /// An entry, unless the scene changed there since.
    fn fresh(&mut self, feet: &Feet<'_>, key: HopKey) -> Option<Hop> {
        let hop = self.hops.get(key)?;
        let is_fresh = |node: GhostNode| {
            feet.freshness.is_fresh(feet.ghost.point(node), node.level, hop.revision)
        };
        if is_fresh(hop.at) && is_fresh(hop.next) {
            return Some(hop);
        }
        self.hops.remove(key);
        None
    }

    /// Remembers a way, from its end on; what is known and shorter stays.
    pub(crate) fn learn(&mut self, feet: &Feet<'_>, path: &GhostPath, to: Target) {
        let goal = target_key(feet, to);
        let Some(end) = path.steps.last().map(|step| step.to) else { return };
        let revision = feet.freshness.now();
        let mut rest_millionths = straight_distance(feet.ghost.point(end), to.place(feet).at);
        let last = Hop { at: end, next: end, step_millionths: 0, rest_millionths, revision };
        self.remember(feet, goal, last);
        for step in path.steps.windows(2).rev() {
            let &[GhostMove { to: at, .. }, GhostMove { to: next, length_millionths }] = step
            else {
                continue;
            };
            rest_millionths += length_millionths;
            let step_millionths = length_millionths;
            self.remember(feet, goal, Hop { at, next, step_millionths, rest_millionths, revision });
        }
    }

    fn remember(&mut self, feet: &Feet<'_>, goal: u64, hop: Hop) {
        let key = (square(feet, hop.at), goal);
        let known = self.fresh(feet, key);
        if known.is_none_or(|known| hop.rest_millionths < known.rest_millionths) {
            self.hops.insert(key, hop);
        }
    }
}

/// The square of the coarser grid that a node is in: two of the widest steps wide.
fn square(feet: &Feet<'_>, node: GhostNode) -> u64 {
    let width = 2 * feet.ghost.options().stride_max.cast_signed();
    key(GhostNode { level: node.level, y: node.y.div_euclid(width), x: node.x.div_euclid(width) })
}

/// What ways to a target are filed under: ways to a waypoint are asked for again and again
/// and lead exactly there; other targets share a square of a still coarser grid.
fn target_key(feet: &Feet<'_>, to: Target) -> u64 {
    match to {
        Target::Node(node) => key(node),
        Target::Place(place) => {
            let side = TARGET_SQUARES
                * 2.0
                * f64::from(feet.ghost.options().stride_max)
                * feet.ghost.options().step;
            let (x, y) = ((place.at.x / side) as i32, (place.at.y / side) as i32);
            key(GhostNode { level: place.level, y, x }) | PLACE
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CollisionMeter, Ghost, GhostOptions, Level, Point, Scene, ZoneRecord};

    use super::super::Place;
    use super::super::freshness::Freshness;
    use super::super::metrics::WalkMetrics;
    use super::*;

    /// An open square, so that everything can be joined.
    fn open_scene() -> crate::ValidScene {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(Point::from).to_vec();
        let mut scene = Scene::empty("open", 4.0, 4.0, 1);
        scene.zones.push(ZoneRecord { name: "all".to_owned(), level: Level(0), corners });
        scene.validate().unwrap()
    }

    /// The way from (4, 4) by hops, each from x, to x and the rest it claims, along y = 4.
    fn check(hops: &[(i32, i32, u64)], expected: Option<&[i32]>) {
        let scene = open_scene();
        let meter = CollisionMeter::new();
        let ghost = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
        let freshness = Freshness::new(&scene, 1.0);
        let metrics = &mut WalkMetrics::default();
        let feet = &mut Feet { ghost, collisions: None, freshness: &freshness, metrics };
        let mut cache = PathCache::new(PathCacheOptions::default());
        let to = Target::Place(Place::ground(3.0, 0.5));
        let node = |x| GhostNode { level: Level(0), y: 4, x };
        for &(at, next, rest_millionths) in hops {
            let (at, next) = (node(at), node(next));
            let revision = feet.freshness.now();
            let hop = Hop { at, next, step_millionths: 1, rest_millionths, revision };
            cache.hops.insert((square(feet, at), target_key(feet, to)), hop);
        }
        let way = cache.way(feet, node(4), to, u64::MAX);
        let places = way.map(|way| way.steps.iter().map(|step| step.to.x).collect::<Vec<_>>());
        assert_eq!(places.as_deref(), expected, "{hops:?}");
        // What led nowhere is forgotten.
        assert_eq!(cache.len() == hops.len(), expected.is_some(), "{hops:?}");
    }

    #[test]
    fn hops_are_followed_only_while_the_rest_falls() {
        check(&[(4, 8, 9), (8, 12, 8), (12, 12, 7)], Some(&[8, 12]));
        check(&[(4, 8, 9), (8, 4, 8)], None);
        check(&[(4, 8, 9), (8, 12, 9)], None);
        check(&[(4, 8, 9)], None);
    }
}
