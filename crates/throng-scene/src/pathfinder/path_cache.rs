//! The path cache (PC): for a location and a destination, only the next step.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "Movement and pathfinding" and figure 5. Locations and
//! destinations are squares of a coarser grid, so that several of them share an entry.
//!
//! Following entries never loops: each entry holds the remaining length, and the next one is
//! followed only if its remaining length is smaller. Cached paths stay on the lattice, so the
//! cache reaches nothing that the search cannot reach.

use crate::{GhostMove, GhostNode};
use throng_model::Revision;

use super::bounded_cache::BoundedCache;
use super::cached_ghost::CachedGhost;
use super::ghost_search::{GhostPath, Target};
use super::lattice::{diagonal_distance, key, location, straight_distance};
use super::options::PathCacheOptions;

/// Most steps from a node to the node that the entry of its square describes.
const JOIN_STEPS_MAX: u32 = 8;
/// Side of a target square, in squares.
const TARGET_SQUARES: f64 = 4.0;
/// Distinguishes target squares from lattice nodes: the highest bit of the level, which no scene
/// uses.
const PLACE: u64 = 1 << 63;
/// After this many failed attempts to follow entries, a search no longer tries.
const FAILURES_MAX: u32 = 4;

/// The next step of a path.
#[derive(Clone, Copy, Debug)]
struct CachedStep {
    at: GhostNode,
    /// Equal to `at` where the lattice part of the path ends.
    next: GhostNode,
    step_millionths: u64,
    rest_millionths: u64,
    revision: Revision,
}

type CacheKeyPair = (u64, u64);

#[derive(Clone, Debug)]
pub(crate) struct PathCache {
    entries: BoundedCache<CacheKeyPair, CachedStep>,
    options: PathCacheOptions,
    followed: Vec<CacheKeyPair>,
    moves: Vec<GhostMove>,
    failures: u32,
}

impl PathCache {
    pub(crate) fn new(options: PathCacheOptions) -> Self {
        let entries = BoundedCache::new(options.entries_max);
        Self { entries, options, followed: Vec::new(), moves: Vec::new(), failures: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Starts a new search.
    pub(crate) fn begin(&mut self) {
        self.failures = 0;
    }

    /// The longest acceptable path when `estimate` is the least possible length.
    pub(crate) fn most(&self, estimate: u64) -> u64 {
        let slack = u64::from(self.options.slack_percent);
        estimate.saturating_add(estimate.saturating_mul(slack) / 100)
    }

    /// A cached path from a node to near the target, without the node itself, if the whole can be
    /// at most `most` long.
    pub(crate) fn path(
        &mut self,
        cached: &mut CachedGhost<'_>,
        from: GhostNode,
        to: Target,
        most: u64,
    ) -> Option<GhostPath> {
        if self.failures >= FAILURES_MAX {
            return None;
        }
        let goal = target_key(cached, to);
        let entry = self.fresh(cached, (square(cached, from), goal))?;
        if entry.rest_millionths > most {
            return None;
        }
        let mut path = GhostPath { steps: Vec::new(), length_millionths: 0 };
        if entry.at != from {
            self.join(cached, from, entry.at, &mut path)?;
        }
        let Some(end) = self.follow(cached, goal, entry, &mut path) else {
            self.forget_followed();
            return None;
        };
        let left = diagonal_distance(location(&cached.ghost, end), to.location(cached));
        (path.length_millionths + left <= most).then_some(path)
    }

    /// Removes the entries that were followed: they no longer lead to the target.
    fn forget_followed(&mut self) {
        self.failures += 1;
        for key in self.followed.drain(..) {
            self.entries.remove(key);
        }
    }

    /// Follows entries to the last one and returns its node.
    fn follow(
        &mut self,
        cached: &mut CachedGhost<'_>,
        goal: u64,
        mut entry: CachedStep,
        path: &mut GhostPath,
    ) -> Option<GhostNode> {
        self.followed.clear();
        self.followed.push((square(cached, entry.at), goal));
        while entry.next != entry.at {
            path.push(GhostMove { to: entry.next, length_millionths: entry.step_millionths });
            let key = (square(cached, entry.next), goal);
            let next = self.fresh(cached, key)?;
            if next.rest_millionths >= entry.rest_millionths {
                return None;
            }
            self.followed.push(key);
            self.join(cached, entry.next, next.at, path)?;
            entry = next;
        }
        Some(entry.at)
    }

    /// Walks from a node to a nearby one; every step reduces the distance.
    fn join(
        &mut self,
        cached: &mut CachedGhost<'_>,
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
            cached.moves(from, &mut self.moves);
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
    fn fresh(&mut self, cached: &CachedGhost<'_>, key: CacheKeyPair) -> Option<CachedStep> {
        let entry = self.entries.get(key)?;
        let is_unchanged = |node: GhostNode| {
            cached.changes.is_unchanged(cached.ghost.point(node), node.level, entry.revision)
        };
        if is_unchanged(entry.at) && is_unchanged(entry.next) {
            return Some(entry);
        }
        self.entries.remove(key);
        None
    }

    /// Stores a path, last step first. Shorter known entries stay.
    pub(crate) fn learn(&mut self, cached: &CachedGhost<'_>, path: &GhostPath, to: Target) {
        let goal = target_key(cached, to);
        let Some(end) = path.steps.last().map(|step| step.to) else { return };
        let revision = cached.changes.now();
        let mut rest_millionths =
            straight_distance(cached.ghost.point(end), to.location(cached).at);
        let last = CachedStep { at: end, next: end, step_millionths: 0, rest_millionths, revision };
        self.remember(cached, goal, last);
        for step in path.steps.windows(2).rev() {
            let &[GhostMove { to: at, .. }, GhostMove { to: next, length_millionths }] = step
            else {
                continue;
            };
            rest_millionths += length_millionths;
            let step_millionths = length_millionths;
            self.remember(
                cached,
                goal,
                CachedStep { at, next, step_millionths, rest_millionths, revision },
            );
        }
    }

    fn remember(&mut self, cached: &CachedGhost<'_>, goal: u64, entry: CachedStep) {
        let key = (square(cached, entry.at), goal);
        let known = self.fresh(cached, key);
        if known.is_none_or(|known| entry.rest_millionths < known.rest_millionths) {
            self.entries.insert(key, entry);
        }
    }
}

/// The square of the coarser grid that contains a node: two of the longest steps wide.
fn square(cached: &CachedGhost<'_>, node: GhostNode) -> u64 {
    let width = 2 * cached.ghost.options().stride_max.cast_signed();
    key(GhostNode { level: node.level, y: node.y.div_euclid(width), x: node.x.div_euclid(width) })
}

/// The key of paths to a target. A waypoint has a key of its own, because paths to it are asked
/// for often; other targets share a square of a still coarser grid.
fn target_key(cached: &CachedGhost<'_>, to: Target) -> u64 {
    match to {
        Target::Node(node) => key(node),
        Target::Location(location) => {
            let side = TARGET_SQUARES
                * 2.0
                * f64::from(cached.ghost.options().stride_max)
                * cached.ghost.options().step;
            let (x, y) = ((location.at.x / side) as i32, (location.at.y / side) as i32);
            key(GhostNode { level: location.level, y, x }) | PLACE
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CollisionMeter, Ghost, GhostOptions, Level, Point, Scene, ZoneRecord};

    use super::super::Location;
    use super::super::change_map::ChangeMap;
    use super::super::metrics::WalkMetrics;
    use super::*;

    /// An open square, in which any two nodes can be joined.
    fn open_scene() -> crate::ValidScene {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(Point::from).to_vec();
        let mut scene = Scene::empty("open", 4.0, 4.0, 1);
        scene.zones.push(ZoneRecord { name: "all".to_owned(), level: Level(0), corners });
        scene.validate().unwrap()
    }

    /// The path from (4, 4) along y = 4 by entries of (from x, to x, remaining length).
    fn check(entries: &[(i32, i32, u64)], expected: Option<&[i32]>) {
        let scene = open_scene();
        let meter = CollisionMeter::new();
        let ghost = Ghost::new(&scene, GhostOptions::default(), &meter).unwrap();
        let changes = ChangeMap::new(&scene, 1.0);
        let metrics = &mut WalkMetrics::default();
        let cached = &mut CachedGhost { ghost, collisions: None, changes: &changes, metrics };
        let mut cache = PathCache::new(PathCacheOptions::default());
        let to = Target::Location(Location::ground(3.0, 0.5));
        let node = |x| GhostNode { level: Level(0), y: 4, x };
        for &(at, next, rest_millionths) in entries {
            let (at, next) = (node(at), node(next));
            let revision = cached.changes.now();
            let entry = CachedStep { at, next, step_millionths: 1, rest_millionths, revision };
            cache.entries.insert((square(cached, at), target_key(cached, to)), entry);
        }
        let way = cache.path(cached, node(4), to, u64::MAX);
        let locations = way.map(|way| way.steps.iter().map(|step| step.to.x).collect::<Vec<_>>());
        assert_eq!(locations.as_deref(), expected, "{entries:?}");
        // Entries that lead nowhere are removed.
        assert_eq!(cache.len() == entries.len(), expected.is_some(), "{entries:?}");
    }

    #[test]
    fn hops_are_followed_only_while_the_rest_falls() {
        check(&[(4, 8, 9), (8, 12, 8), (12, 12, 7)], Some(&[8, 12]));
        check(&[(4, 8, 9), (8, 4, 8)], None);
        check(&[(4, 8, 9), (8, 12, 9)], None);
        check(&[(4, 8, 9)], None);
    }
}
