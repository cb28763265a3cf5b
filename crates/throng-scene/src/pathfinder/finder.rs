//! The front: one pathfinder for a scene.

use crate::{CollisionMeter, Ghost, GhostError, Level, Point, SceneChange, ValidScene};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::collision_cache::CollisionCache;
use super::crossings::Surveyor;
use super::feet::Feet;
use super::freshness::Freshness;
use super::ghost_search::GhostSearch;
use super::layer::Layer;
use super::metrics::WalkMetrics;
use super::options::{PathfinderError, SceneOptions};
use super::path_cache::PathCache;
use super::route::RouteSearch;
use super::walk::Walk;
use super::{Place, PlaceError, Sample};

/// What a survey remembers of collisions while it lasts.
const SURVEY_CACHE_ENTRIES: usize = 1 << 18;

/// Finds ways through a scene.
///
/// It belongs to one scene, which it does not own. After an edit tell it the change with
/// [`ScenePathfinder::apply`]; if that is forgotten, it finds out by the revision and starts
/// anew, so that a way never leads through what was built meanwhile.
///
/// ```
/// use throng_scene::{Place, SceneOptions, ScenePathfinder, WalkOutcome};
/// let scene = throng_scene::town(1).validate()?;
/// let mut finder = ScenePathfinder::new(&scene, SceneOptions::default(), &[])?;
/// let mut walk = finder.find(&scene, Place::ground(0.5, 0.5), Place::ground(29.5, 29.5))?;
/// // The first stretch comes before the rest is searched for.
/// while let Some(stretch) = walk.next_stretch(&mut finder, &scene) {
///     assert!(stretch.places.len() >= 2);
/// }
/// assert_eq!(walk.outcome(), WalkOutcome::Arrived);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScenePathfinder {
    pub(super) options: SceneOptions,
    pub(super) meter: CollisionMeter,
    pub(super) freshness: Freshness,
    collisions: Option<CollisionCache>,
    paths: Option<PathCache>,
    search: GhostSearch,
    routes: RouteSearch,
    layer: Option<Layer>,
    samples: Vec<Sample>,
    /// How often the layer was built: waypoints of another one mean nothing.
    pub(super) generation: u64,
}

/// What a walk needs of a pathfinder, borrowed apart.
pub(super) struct Hands<'a> {
    pub(super) feet: Feet<'a>,
    pub(super) search: &'a mut GhostSearch,
    pub(super) paths: Option<&'a mut PathCache>,
    pub(super) routes: &'a mut RouteSearch,
    pub(super) layer: Option<&'a mut Layer>,
}

impl ScenePathfinder {
    /// A pathfinder for a scene. The samples say where players walk: the roadmap and the
    /// Voronoi zones are made of them, other methods ignore them.
    ///
    /// # Errors
    /// When an option is out of its range.
    pub fn new(
        scene: &ValidScene,
        options: SceneOptions,
        samples: &[Sample],
    ) -> Result<Self, PathfinderError> {
        options.check()?;
        let meter = CollisionMeter::with_work(options.collision_work_units);
        Ghost::new(scene, options.ghost, &meter)?;
        let mut finder = Self {
            freshness: Freshness::new(scene, margin(&options)),
            collisions: options.collision_cache.map(CollisionCache::new),
            paths: options.path_cache.map(PathCache::new),
            search: GhostSearch::default(),
            routes: RouteSearch::default(),
            layer: None,
            samples: samples.to_vec(),
            generation: 0,
            options,
            meter,
        };
        finder.build_layer(scene)?;
        Ok(finder)
    }

    /// How it is set up.
    #[must_use]
    pub fn options(&self) -> &SceneOptions {
        &self.options
    }

    /// How many places the collision cache knows.
    #[must_use]
    pub fn collision_entries(&self) -> usize {
        self.collisions.as_ref().map_or(0, CollisionCache::len)
    }

    /// How many entries the path cache has.
    #[must_use]
    pub fn path_entries(&self) -> usize {
        self.paths.as_ref().map_or(0, PathCache::len)
    }

    /// The way from a place to another. Grid level searches nothing yet, the other methods
    /// choose their waypoints; [`Walk::next_stretch`] does the rest bit by bit.
    ///
    /// # Errors
    /// When a place is off the map.
    pub fn find(&mut self, scene: &ValidScene, from: Place, to: Place) -> Result<Walk, PlaceError> {
        from.check(scene)?;
        to.check(scene)?;
        Ok(Walk::new(self, scene, from, to))
    }

    /// Takes note of an edit. Edits have to be told in their order.
    pub fn apply(&mut self, scene: &ValidScene, change: &SceneChange) {
        if change.before != self.freshness.now() {
            return;
        }
        self.freshness.apply(change);
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
            let mut place = || {
                let x = rng.random_range(0.0..scene.width());
                let y = rng.random_range(0.0..scene.height());
                Place::new(Point::new(x, y), Level(rng.random_range(0..levels) as u8))
            };
            let (from, to) = (place(), place());
            if let Ok(mut walk) = self.find(scene, from, to) {
                walk.finish(self, scene);
                total.add(walk.metrics());
            }
        }
        total
    }

    /// Starts anew when the scene was edited without a word.
    pub(super) fn sync(&mut self, scene: &ValidScene) {
        if scene.revision() == self.freshness.now() {
            return;
        }
        self.freshness = Freshness::new(scene, margin(&self.options));
        if let Some(cache) = &mut self.collisions {
            cache.clear();
        }
        if let Some(cache) = &mut self.paths {
            cache.clear();
        }
        // Without a layer the method is grid level only: still right.
        self.build_layer(scene).unwrap_or_default();
    }

    fn build_layer(&mut self, scene: &ValidScene) -> Result<(), GhostError> {
        self.generation += 1;
        let mut metrics = WalkMetrics::default();
        // A cache of its own: the walks' cache is theirs to fill.
        let mut collisions = CollisionCache::new(SURVEY_CACHE_ENTRIES);
        let mut feet = Feet {
            ghost: Ghost::new(scene, self.options.ghost, &self.meter)?,
            collisions: Some(&mut collisions),
            freshness: &self.freshness,
            metrics: &mut metrics,
        };
        let mut surveyor = Surveyor { feet: &mut feet, search: &mut self.search };
        let margin = margin(&self.options);
        self.layer = Layer::build(&mut surveyor, &self.options, &self.samples, margin);
        Ok(())
    }

    pub(super) fn hands<'a>(
        &'a mut self,
        scene: &'a ValidScene,
        metrics: &'a mut WalkMetrics,
    ) -> Result<Hands<'a>, GhostError> {
        let feet = Feet {
            ghost: Ghost::new(scene, self.options.ghost, &self.meter)?,
            collisions: self.collisions.as_mut(),
            freshness: &self.freshness,
            metrics,
        };
        Ok(Hands {
            feet,
            search: &mut self.search,
            paths: self.paths.as_mut(),
            routes: &mut self.routes,
            layer: self.layer.as_mut(),
        })
    }
}

/// How far from a change a step or a pair of stairs can begin that feels it: the body, and
/// what the ghost looks for around a point.
fn margin(options: &SceneOptions) -> f64 {
    options.ghost.radius + 4.0 * f64::from(options.ghost.stride_max) * options.ghost.step
}
