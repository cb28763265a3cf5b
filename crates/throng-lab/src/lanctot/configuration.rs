//! The rows of tables 2 to 4: a method of pathfinding, and its caches.

use throng_scene::{Level, ValidScene};
use throng_scene::{Method, PathCacheOptions, PathfinderOptions, Sample, ScenePathfinder};

use super::Setting;
use crate::LabError;

/// Entries of each cache: "cache sizes were set to 1Meg, and did not fill up".
pub(super) const ENTRIES_MAX: usize = 1 << 20;
/// Random queries that fill the saturated path cache beforehand.
const SATURATION_QUERIES: u32 = 500;

/// The content of the path cache when the journey begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCaching {
    /// No path cache.
    Off,
    /// PC: empty.
    Empty,
    /// sPC: filled with paths between random locations.
    Saturated,
}

/// A row of tables 2 to 4: what the paper calls a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// As in the paper's first column.
    pub name: &'static str,
    /// The method of pathfinding.
    pub method: Method,
    /// CC: whether there is a collision cache.
    pub collision_cache: bool,
    /// PC or sPC.
    pub path_cache: PathCaching,
    /// Whether zones that were left are blocked.
    pub blocks_zones: bool,
}

const fn row(
    name: &'static str,
    method: Method,
    collision_cache: bool,
    path_cache: PathCaching,
) -> Configuration {
    Configuration { name, method, collision_cache, path_cache, blocks_zones: true }
}

impl Configuration {
    /// The paper's thirteen rows in its order, then ours: RD+ and VZ+ with known paths, and SZ
    /// without the blocking of zones.
    pub const ALL: [Self; 20] = [
        row("SZ", Method::Sz, false, PathCaching::Off),
        row("SZ+CC", Method::Sz, true, PathCaching::Off),
        row("SZ+CC+PC", Method::Sz, true, PathCaching::Empty),
        row("SZ+CC+sPC", Method::Sz, true, PathCaching::Saturated),
        row("GR", Method::Gr, false, PathCaching::Off),
        row("GR+CC", Method::Gr, true, PathCaching::Off),
        row("GR+CC+PC", Method::Gr, true, PathCaching::Empty),
        row("GR+CC+sPC", Method::Gr, true, PathCaching::Saturated),
        row("RD", Method::Rd, false, PathCaching::Off),
        row("RD+CC", Method::Rd, true, PathCaching::Off),
        row("VZ", Method::Vz, false, PathCaching::Off),
        row("VZ+CC", Method::Vz, true, PathCaching::Off),
        row("VZ+CC+PC", Method::Vz, true, PathCaching::Empty),
        row("RD+", Method::RdPlus, false, PathCaching::Off),
        row("RD++CC", Method::RdPlus, true, PathCaching::Off),
        row("VZ+", Method::VzPlus, false, PathCaching::Off),
        row("VZ++CC", Method::VzPlus, true, PathCaching::Off),
        row("VZ++CC+PC", Method::VzPlus, true, PathCaching::Empty),
        row("VZ++CC+sPC", Method::VzPlus, true, PathCaching::Saturated),
        Self {
            name: "SZ, no zone blocked",
            blocks_zones: false,
            ..row("", Method::Sz, false, PathCaching::Off)
        },
    ];

    /// How many rows are the paper's.
    pub(super) const OF_PAPER: usize = 13;

    fn options(&self) -> PathfinderOptions {
        let path_cache =
            PathCacheOptions { entries_max: ENTRIES_MAX, ..PathCacheOptions::default() };
        PathfinderOptions {
            method: self.method,
            collision_cache: self.collision_cache.then_some(ENTRIES_MAX),
            path_cache: (self.path_cache != PathCaching::Off).then_some(path_cache),
            blocks_zones: self.blocks_zones,
            interest_spread: super::setting::SPREAD,
            ..PathfinderOptions::default()
        }
    }

    /// The pathfinder of this row at the start of a journey.
    ///
    /// # Errors
    /// When an option is out of its range.
    pub fn pathfinder(&self, setting: &Setting, seed: u64) -> Result<ScenePathfinder, LabError> {
        let scene: &ValidScene = &setting.scene;
        let samples = self.samples(setting);
        let mut finder = ScenePathfinder::new(scene, self.options(), &samples)?;
        if self.path_cache == PathCaching::Saturated {
            finder.saturate(scene, SATURATION_QUERIES, seed);
        }
        Ok(finder)
    }

    /// The samples for the upper layer: where players walk for the roadmap, the interest points
    /// for Voronoi zones.
    fn samples(&self, setting: &Setting) -> Vec<Sample> {
        match self.method {
            Method::Gr | Method::Sz => Vec::new(),
            Method::Rd | Method::RdPlus => setting.processed.samples(Level::GROUND),
            Method::Vz | Method::VzPlus => setting.interest_samples(),
        }
    }
}
