//! Arguments that commands on scenes share: the file, locations, the body, logs of games.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use throng::scene::{
    CollisionMeter, Ghost, GhostOptions, Level, Location, Method, PathCacheOptions,
    PathfinderOptions, Point, Sample, Scene, ScenePathfinder, ValidScene,
};
use throng_lab::lanctot::{self, GameLog};

use crate::files;

/// Most waypoints of a roadmap, and most interest points, that a command asks for.
const POINTS_MAX: usize = 2000;
/// Random queries that fill the saturated path cache beforehand, as in the experiments.
const SATURATION_QUERIES: u32 = 500;
/// Most places along a side at which the evenly spread points are tried.
const PLACES_PER_SIDE: f64 = 100.0;

/// The body and its steps, as typed.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BodyArguments {
    /// A scene: the radius of the body, in units
    #[arg(long, value_name = "R", default_value_t = GhostOptions::default().radius)]
    radius: f64,
    /// A scene: the shortest step of the ghost player, in units
    #[arg(long, value_name = "LENGTH", default_value_t = GhostOptions::default().step)]
    step: f64,
    /// A scene: closer than this to slanted walls, steps are the shortest; 0: only the zone counts
    #[arg(long, value_name = "DISTANCE", default_value_t = GhostOptions::default().slant_reach)]
    slant_reach: f64,
}

impl BodyArguments {
    pub(crate) fn ghost(self) -> GhostOptions {
        let Self { radius, step, slant_reach } = self;
        GhostOptions { radius, step, slant_reach, ..GhostOptions::default() }
    }
}

/// The method of a pathfinder, by the paper's abbreviations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// Grid level only
    Gr,
    /// Static zones and their gates
    #[default]
    Sz,
    /// A roadmap of where players walk, searched at grid level between its points
    Rd,
    /// A roadmap with known paths
    #[value(name = "rd+")]
    RdPlus,
    /// Voronoi zones of interest points
    Vz,
    /// Voronoi zones that respect walls, with known paths
    #[value(name = "vz+")]
    VzPlus,
}

impl MethodName {
    pub(crate) fn method(self) -> Method {
        match self {
            Self::Gr => Method::Gr,
            Self::Sz => Method::Sz,
            Self::Rd => Method::Rd,
            Self::RdPlus => Method::RdPlus,
            Self::Vz => Method::Vz,
            Self::VzPlus => Method::VzPlus,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gr => "gr",
            Self::Sz => "sz",
            Self::Rd => "rd",
            Self::RdPlus => "rd+",
            Self::Vz => "vz",
            Self::VzPlus => "vz+",
        }
    }
}

/// A cache of a pathfinder, by the paper's abbreviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheName {
    /// No cache
    None,
    /// Collision cache
    Cc,
    /// Path cache
    Pc,
    /// Path cache, filled by random queries beforehand
    Spc,
}

/// Reads and validates a scene. Errors name the file and everything that is wrong.
pub(crate) fn read_scene(path: &Path) -> Result<ValidScene> {
    validate(&files::base_name(path), read_record(path)?)
}

/// Reads a scene that may not be valid.
pub(crate) fn read_record(path: &Path) -> Result<Scene> {
    let input = files::read(path)?;
    Scene::read(&input.bytes).map_err(|error| anyhow!("{}: {error}", input.name))
}

/// Validates a scene; each mistake is on a line of its own.
pub(crate) fn validate(name: &str, scene: Scene) -> Result<ValidScene> {
    scene.validate().map_err(|errors| {
        let lines: Vec<String> = errors.0.iter().map(|error| format!("{name}: {error}")).collect();
        anyhow!(lines.join("\n"))
    })
}

/// A location typed as `X,Y` or `X,Y,LEVEL`, in units.
pub(crate) fn parse_location(option: &str, text: &str) -> Result<Location> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let parsed = match fields[..] {
        [x, y] => x.parse().ok().zip(y.parse().ok()).map(|(x, y)| (x, y, 0)),
        [x, y, level] => {
            let point = x.parse().ok().zip(y.parse().ok());
            point.zip(level.parse().ok()).map(|((x, y), level)| (x, y, level))
        }
        _ => None,
    };
    let (x, y, level): (f64, f64, u8) = parsed.with_context(|| {
        format!(
            "{option} {text}: give a location as X,Y or X,Y,LEVEL, in units from the bottom left"
        )
    })?;
    Ok(Location::new(Point::new(x, y), Level(level)))
}

/// Reads logs of games, one a file.
pub(crate) fn read_logs(paths: &[PathBuf]) -> Result<Vec<GameLog>> {
    let read = |path: &PathBuf| {
        let input = files::read(path)?;
        let text = std::str::from_utf8(&input.bytes)
            .with_context(|| format!("{}: not UTF-8; convert the file", input.name))?;
        GameLog::read(text).with_context(|| input.name.clone())
    };
    paths.iter().map(read).collect()
}

/// What a pathfinder for a scene is made from.
pub(crate) struct FinderOptions<'a> {
    pub(crate) method: MethodName,
    pub(crate) caches: &'a [CacheName],
    pub(crate) ghost: GhostOptions,
    pub(crate) logs: &'a [GameLog],
    /// Most nodes of one search.
    pub(crate) nodes_max: Option<u64>,
}

impl FinderOptions<'_> {
    /// A pathfinder for the scene; its caches are filled if that was asked for.
    pub(crate) fn finder(&self, scene: &ValidScene) -> Result<ScenePathfinder> {
        let has = |cache: CacheName| self.caches.contains(&cache);
        if has(CacheName::None) && self.caches.len() > 1 {
            bail!("--caches none and another cache: give one of the two");
        }
        let defaults = PathfinderOptions::default();
        // About as many points on a large map as on a small one.
        let area = scene.width() * scene.height() * scene.levels().count() as f64;
        let spread_min = (area / 1000.0).sqrt();
        let options = PathfinderOptions {
            ghost: self.ghost,
            method: self.method.method(),
            collision_cache: defaults.collision_cache.filter(|_| has(CacheName::Cc)),
            path_cache: (has(CacheName::Pc) || has(CacheName::Spc)).then(PathCacheOptions::default),
            nodes_max: self.nodes_max.map_or(defaults.nodes_max, clamp),
            roadmap_spread: defaults.roadmap_spread.max(spread_min),
            interest_spread: defaults.interest_spread.max(spread_min),
            points_max: POINTS_MAX,
            ..defaults
        };
        let samples = match (self.method, self.logs) {
            (MethodName::Gr | MethodName::Sz, _) => Vec::new(),
            (_, []) => evenly_spread(scene, self.ghost)?,
            (_, logs) => lanctot::samples(logs, scene),
        };
        let mut finder = ScenePathfinder::new(scene, options, &samples)?;
        if has(CacheName::Spc) {
            finder.saturate(scene, SATURATION_QUERIES, 1);
        }
        Ok(finder)
    }
}

fn clamp(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Points spread evenly over all levels, for scenes of which no log says where players walk. Those
/// of large zones count more: a roadmap is for them, and rooms have gates.
fn evenly_spread(scene: &ValidScene, ghost: GhostOptions) -> Result<Vec<Sample>> {
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(scene, ghost, &meter)?;
    let distance = (scene.width().max(scene.height()) / PLACES_PER_SIDE).max(0.5);
    let count = |side: f64| (side / distance).ceil() as u32;
    let (columns, rows) = (count(scene.width()), count(scene.height()));
    let at = |number: u32| (f64::from(number) + 0.5) * distance;
    let mut samples = Vec::new();
    for level in scene.levels() {
        for place in 0..columns * rows {
            let point = Point::new(at(place % columns), at(place / columns));
            let zone = scene.zone_of(point, level).and_then(|zone| scene.zone(zone));
            if let Some(zone) = zone.filter(|_| ghost.is_free(point, level)) {
                let weight = zone.polygon.area().ceil() as u64;
                samples.push(Sample { location: Location::new(point, level), weight });
            }
        }
    }
    Ok(samples)
}
