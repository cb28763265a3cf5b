//! The rows of tables 2 to 4: a method of pathfinding, and its caches.

use throng_scene::{Level, ValidScene};
use throng_scene::{Method, PathCacheOptions, PathfinderOptions, Sample, ScenePathfinder};

use super::Setting;
use crate::LabError;

/// Entries of each cache: "cache sizes were set to 1Meg, and did not fill up".
const ENTRIES_MAX: usize = 1 << 20;
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

/// A row of tables 2 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// As in the paper's first column.
    pub name: &'static str,
    /// The method of pathfinding.
    pub method: Method,
    /// CC: whether there is a collision cache.
    pub collision_cache: bool,
    /// PC or sPC.
    pub path_cache: PathCaching,
}

const fn row(
    name: &'static str,
    method: Method,
    collision_cache: bool,
    path_cache: PathCaching,
) -> Row {
    Row { name, method, collision_cache, path_cache }
}

impl Row {
    /// The paper's thirteen rows in its order, then the constrained Voronoi zones.
    pub const ALL: [Self; 17] = [
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
        row("VZ+", Method::VzPlus, false, PathCaching::Off),
        row("VZ++CC", Method::VzPlus, true, PathCaching::Off),
        row("VZ++CC+PC", Method::VzPlus, true, PathCaching::Empty),
        row("VZ++CC+sPC", Method::VzPlus, true, PathCaching::Saturated),
    ];

    /// The number of a row in [`Row::ALL`], and so in every list of journeys.
    pub(super) fn number(name: &str) -> Option<usize> {
        Self::ALL.iter().position(|row| row.name == name)
    }

    fn options(&self, collision_work_units: u32) -> PathfinderOptions {
        let path_cache =
            PathCacheOptions { entries_max: ENTRIES_MAX, ..PathCacheOptions::default() };
        PathfinderOptions {
            method: self.method,
            collision_cache: self.collision_cache.then_some(ENTRIES_MAX),
            path_cache: (self.path_cache != PathCaching::Off).then_some(path_cache),
            collision_work_units,
            interest_spread: super::setting::SPREAD,
            ..PathfinderOptions::default()
        }
    }

    /// The pathfinder of this row at the start of a journey. Each of its collision tests does
    /// `collision_work_units` units of idle work.
    ///
    /// # Errors
    /// When an option is out of its range.
    pub fn pathfinder(
        &self,
        setting: &Setting,
        collision_work_units: u32,
        seed: u64,
    ) -> Result<ScenePathfinder, LabError> {
        let scene: &ValidScene = &setting.scene;
        let samples = self.samples(setting);
        let mut finder = ScenePathfinder::new(scene, self.options(collision_work_units), &samples)?;
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
