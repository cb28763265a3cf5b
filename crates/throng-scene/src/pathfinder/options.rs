//! The options of a pathfinder.

use crate::{GhostError, GhostOptions};

/// How a path is found, by the paper's abbreviations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Grid level only: A* with the ghost player.
    Gr,
    /// Static zones: A* over the gates, then stretch by stretch at grid level.
    #[default]
    Sz,
    /// Static zones, and a roadmap of where players walk inside the large ones: visible points are
    /// joined, and the path between two of them is searched at grid level, as the paper has it.
    Rd,
    /// The roadmap with known paths: its edges are walked without a search, detours join parts that
    /// do not see each other, and points are skipped when a later one is visible.
    RdPlus,
    /// Voronoi zones of interest points; waypoints halfway between neighbours.
    Vz,
    /// Voronoi zones that stay within the scene's zones, with reachable waypoints and precomputed
    /// paths between them: the paper's future work.
    VzPlus,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 6] = [Self::Gr, Self::Sz, Self::Rd, Self::RdPlus, Self::Vz, Self::VzPlus];

    /// Whether there is a roadmap inside the large zones.
    pub(crate) fn has_roadmap(self) -> bool {
        matches!(self, Self::Rd | Self::RdPlus)
    }
}

/// The path cache's size, and how much longer it may make a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathCacheOptions {
    /// Most entries; rounded down to a power of two.
    pub entries_max: usize,
    /// A cached path is taken when the whole is at most this much longer than the least length
    /// that the search can still find, in percent.
    pub slack_percent: u32,
}

impl Default for PathCacheOptions {
    /// The paper's size, and 20%: paths get 2% to 3% longer on average.
    fn default() -> Self {
        Self { entries_max: 1 << 20, slack_percent: 20 }
    }
}

/// The options of a [`crate::ScenePathfinder`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathfinderOptions {
    /// The body, and how it steps.
    pub ghost: GhostOptions,
    /// How a path is found.
    pub method: Method,
    /// Most lattice nodes in the collision cache; `None` for no cache.
    pub collision_cache: Option<usize>,
    /// The path cache; `None` for none.
    pub path_cache: Option<PathCacheOptions>,
    /// Most nodes of the searches at grid level for one stretch, in as many ways as it is tried.
    pub nodes_max: u32,
    /// Whether a zone that the path has left is blocked for the rest of it: the paper's
    /// acceleration technique. Only for methods whose regions stay within the scene's zones.
    pub blocks_zones: bool,
    /// Idle work per collision test, for experiments: see [`crate::CollisionMeter::with_work`].
    pub collision_work_units: u32,
    /// Points of the roadmap are at least this far apart, in units.
    pub roadmap_spread: f64,
    /// Interest points, the centres of Voronoi zones, are at least this far apart, in units.
    pub interest_spread: f64,
    /// Most roadmap points, and most interest points.
    pub points_max: usize,
}

impl Default for PathfinderOptions {
    /// Static zones with both caches.
    fn default() -> Self {
        Self {
            ghost: GhostOptions::default(),
            method: Method::default(),
            collision_cache: Some(1 << 20),
            path_cache: Some(PathCacheOptions::default()),
            nodes_max: 10_000_000,
            blocks_zones: true,
            collision_work_units: 0,
            roadmap_spread: 1.5,
            interest_spread: 4.0,
            points_max: 300,
        }
    }
}

/// Why a pathfinder cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PathfinderError {
    /// The body or its steps.
    #[error(transparent)]
    Ghost(#[from] GhostError),
    /// The spread is not a positive distance.
    #[error("points {0} units apart: take a distance above 0")]
    Spread(f64),
    /// Too many points to find the neighbours of all in time.
    #[error("{0} points: at most {POINTS_MAX}; raise the spread")]
    Points(usize),
}

/// Most roadmap points, and most interest points.
pub(crate) const POINTS_MAX: usize = 20_000;

impl PathfinderOptions {
    pub(crate) fn check(&self) -> Result<(), PathfinderError> {
        for spread in [self.roadmap_spread, self.interest_spread] {
            if !(spread > 0.0 && spread.is_finite()) {
                return Err(PathfinderError::Spread(spread));
            }
        }
        match self.points_max <= POINTS_MAX {
            true => Ok(()),
            false => Err(PathfinderError::Points(self.points_max)),
        }
    }
}
