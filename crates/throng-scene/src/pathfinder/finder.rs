//! The pathfinder for a scene.

use crate::{CollisionMeter, Ghost, GhostError, Level, Point, SceneChange, ValidScene};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::cached_ghost::CachedGhost;
use super::change_map::ChangeMap;
use super::collision_cache::CollisionCache;
use super::edge_builder::EdgeBuilder;
use super::ghost_search::GhostSearch;
use super::lattice::location;
use super::metrics::WalkMetrics;
use super::options::{PathfinderError, PathfinderOptions};
use super::path_cache::PathCache;
use super::upper_level::UpperLevel;
use super::walk::Walk;
use super::waypoint_layer::WaypointLayer;
use super::waypoint_search::WaypointSearch;
use super::{Location, LocationError, Sample};

/// Entries of the temporary collision cache with which a layer is built.
const BUILD_CACHE_ENTRIES: usize = 1 << 18;

/// Finds paths through a scene.
///
/// It belongs to one scene, which it does not own. Report every edit with
/// [`ScenePathfinder::apply`]. If an edit was not reported, the scene's revision shows it and
/// the pathfinder rebuilds itself, so that no path leads through a new obstacle.
///
/// ```
/// use throng_scene::{Location, PathfinderOptions, ScenePathfinder, WalkOutcome};
/// let scene = throng_scene::town(1).validate()?;
/// let mut finder = ScenePathfinder::new(&scene, PathfinderOptions::default(), &[])?;
/// let mut walk = finder.find(&scene, Location::ground(0.5, 0.5), Location::ground(29.5, 29.5))?;
/// // The first stretch comes before the rest is searched for.
/// while let Some(stretch) = walk.next_stretch(&mut finder, &scene) {
///     assert!(stretch.locations.len() >= 2);
/// }
/// assert_eq!(walk.outcome(), WalkOutcome::Arrived);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScenePathfinder {
    pub(super) options: PathfinderOptions,
    pub(super) meter: CollisionMeter,
    pub(super) changes: ChangeMap,
    collisions: Option<CollisionCache>,
    paths: Option<PathCache>,
    search: GhostSearch,
    routes: WaypointSearch,
    layer: Option<WaypointLayer>,
    samples: Vec<Sample>,
    /// Counts how often the layer was built: waypoint numbers of an older layer are invalid.
    pub(super) generation: u64,
}

/// The parts of a pathfinder that a walk uses, borrowed separately.
pub(super) struct WalkParts<'a> {
    pub(super) cached: CachedGhost<'a>,
    pub(super) search: &'a mut GhostSearch,
    pub(super) paths: Option<&'a mut PathCache>,
    pub(super) routes: &'a mut WaypointSearch,
    pub(super) layer: Option<&'a mut WaypointLayer>,
}

impl ScenePathfinder {
    /// A pathfinder for a scene. The samples say where players walk: the roadmap and the Voronoi
    /// zones are built from them; the other methods ignore them.
    ///
    /// # Errors
    /// When an option is out of its range.
    pub fn new(
        scene: &ValidScene,
        options: PathfinderOptions,
        samples: &[Sample],
    ) -> Result<Self, PathfinderError> {
        options.check()?;
        let meter = CollisionMeter::with_work(options.collision_work_units);
        Ghost::new(scene, options.ghost, &meter)?;
        let mut finder = Self {
            changes: ChangeMap::new(scene, margin(&options)),
            collisions: options.collision_cache.map(CollisionCache::new),
            paths: options.path_cache.map(PathCache::new),
            search: GhostSearch::default(),
            routes: WaypointSearch::default(),
            layer: None,
            samples: samples.to_vec(),
            generation: 0,
            options,
            meter,
        };
        finder.build_layer(scene)?;
        Ok(finder)
    }

    /// The options it was made with.
    #[must_use]
    pub fn options(&self) -> &PathfinderOptions {
        &self.options
    }

    /// The level above the lattice as plain data: for pictures and tools.
    ///
    /// ```
    /// use throng_scene::{PathfinderOptions, ScenePathfinder, town};
    /// let scene = town(1).validate()?;
    /// let finder = ScenePathfinder::new(&scene, PathfinderOptions::default(), &[])?;
    /// let upper = finder.upper_level(&scene);
    /// assert_eq!(upper.waypoints.len(), 2 * scene.gates().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn upper_level(&self, scene: &ValidScene) -> UpperLevel {
        let ghost = Ghost::new(scene, self.options.ghost, &self.meter);
        match (&self.layer, ghost) {
            (Some(layer), Ok(ghost)) => UpperLevel::of(&ghost, layer),
            _ => UpperLevel::default(),
        }
    }

    /// The lattice nodes that the last search at grid level expanded: for pictures.
    #[must_use]
    pub fn last_expanded(&self, scene: &ValidScene) -> Vec<Location> {
        Ghost::new(scene, self.options.ghost, &self.meter).map_or(Vec::new(), |ghost| {
            self.search.expanded().map(|node| location(&ghost, node)).collect()
        })
    }

    /// Lattice nodes in the collision cache.
    #[must_use]
    pub fn collision_entries(&self) -> usize {
        self.collisions.as_ref().map_or(0, CollisionCache::len)
    }

    /// Entries in the path cache.
    #[must_use]
    pub fn path_entries(&self) -> usize {
        self.paths.as_ref().map_or(0, PathCache::len)
    }

    /// Starts a path from one location to another. At grid level nothing is searched yet; the
    /// other methods choose their waypoints. [`Walk::next_stretch`] searches stretch by stretch.
    ///
    /// # Errors
    /// When a location is off the map.
    pub fn find(
        &mut self,
        scene: &ValidScene,
        from: Location,
        to: Location,
    ) -> Result<Walk, LocationError> {
        from.check(scene)?;
        to.check(scene)?;
        Ok(Walk::new(self, scene, from, to))
    }

    /// Applies an edit. Report edits in the order in which they were made.
    pub fn apply(&mut self, scene: &ValidScene, change: &SceneChange) {
        if change.before != self.changes.now() {
            return;
        }
        self.changes.apply(change);
        let ghost = Ghost::new(scene, self.options.ghost, &self.meter);
        if let (Some(layer), Ok(ghost)) = (&mut self.layer, ghost) {
            layer.apply(&ghost, change);
        }
    }

    /// Fills the caches by random queries: the paper's saturated path cache.
    pub fn saturate(&mut self, scene: &ValidScene, queries: u32, seed: u64) -> WalkMetrics {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let levels = scene.levels().count() as u32;
        let mut total = WalkMetrics::default();
        for _ in 0..queries {
            let mut location = || {
                let x = rng.random_range(0.0..scene.width());
                let y = rng.random_range(0.0..scene.height());
                Location::new(Point::new(x, y), Level(rng.random_range(0..levels) as u8))
            };
            let (from, to) = (location(), location());
            if let Ok(mut walk) = self.find(scene, from, to) {
                walk.finish(self, scene);
                total.add(walk.metrics());
            }
        }
        total
    }

    /// Rebuilds everything when the scene was edited without a report.
    pub(super) fn sync(&mut self, scene: &ValidScene) {
        if scene.revision() == self.changes.now() {
            return;
        }
        self.changes = ChangeMap::new(scene, margin(&self.options));
        if let Some(cache) = &mut self.collisions {
            cache.clear();
        }
        if let Some(cache) = &mut self.paths {
            cache.clear();
        }
        // Without a layer the search is at grid level only, which is still correct.
        self.build_layer(scene).unwrap_or_default();
    }

    fn build_layer(&mut self, scene: &ValidScene) -> Result<(), GhostError> {
        self.generation += 1;
        let mut metrics = WalkMetrics::default();
        // A separate cache, so that the walks' cache starts empty.
        let mut collisions = CollisionCache::new(BUILD_CACHE_ENTRIES);
        let mut cached = CachedGhost {
            ghost: Ghost::new(scene, self.options.ghost, &self.meter)?,
            collisions: Some(&mut collisions),
            changes: &self.changes,
            metrics: &mut metrics,
        };
        let mut builder = EdgeBuilder { cached: &mut cached, search: &mut self.search };
        let margin = margin(&self.options);
        self.layer = WaypointLayer::build(&mut builder, &self.options, &self.samples, margin);
        Ok(())
    }

    pub(super) fn parts<'a>(
        &'a mut self,
        scene: &'a ValidScene,
        metrics: &'a mut WalkMetrics,
    ) -> Result<WalkParts<'a>, GhostError> {
        let cached = CachedGhost {
            ghost: Ghost::new(scene, self.options.ghost, &self.meter)?,
            collisions: self.collisions.as_mut(),
            changes: &self.changes,
            metrics,
        };
        Ok(WalkParts {
            cached,
            search: &mut self.search,
            paths: self.paths.as_mut(),
            routes: &mut self.routes,
            layer: self.layer.as_mut(),
        })
    }
}

/// How far from a change a step or stairs can begin and still be affected by it: the body's
/// radius, and the distance at which the ghost looks for lattice nodes.
fn margin(options: &PathfinderOptions) -> f64 {
    options.ghost.radius + 4.0 * f64::from(options.ghost.stride_max) * options.ghost.step
}
