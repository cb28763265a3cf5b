//! The continuous world: polygons on levels, zones joined by gates, a ghost player that walks
//! it, and a pathfinder over all of it.
//!
//! After Lanctot, Ng Man Sun and Verbrugge: *Path-finding for Large Scale Multiplayer Computer
//! Games* (2006).
//!
//! | the paper says | here |
//! |---|---|
//! | map, stairlevel | [`Scene`] as written, [`ValidScene`] in use, [`Level`] |
//! | static objects (walls, trees) | [`Obstacle`]; added and removed at run time, [`SceneChange`] |
//! | zones of irregular shape | [`Zone`], [`ValidScene::zone_of`] |
//! | transition gates | [`Gate`], [`ValidScene::gates_of`] |
//! | items, players | [`ItemRecord`], [`PlayerRecord`] |
//! | ghost player, variable grid | [`Ghost`], [`GhostOptions`], [`explore`] |
//! | other players as obstacles | [`Bodies`], [`Ghost::among`] |
//! | collision detection, and what it costs | [`ValidScene::is_clear`], [`CollisionMeter`] |
//! | grid level, static zones, roadmap, Voronoi zones | [`ScenePathfinder`], [`Method`], [`UpperLevel`] |
//! | collision cache, path cache | [`PathfinderOptions`] |
//! | the map of figure 2 | [`town`] |
//!
//! # Start here
//! ```
//! use throng_scene::{CollisionMeter, Ghost, GhostOptions, Level, Point, explore, town};
//!
//! // A town by seed; or `Scene::read(bytes)?` for one of your own.
//! let mut scene = town(42).validate()?;
//!
//! // A ghost player walks it; every step is tested for collisions.
//! let meter = CollisionMeter::new();
//! let ghost = Ghost::new(&scene, GhostOptions::default(), &meter)?;
//! let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).expect("a free corner");
//! let nodes = explore(&ghost, start, 1000);
//! assert_eq!(nodes.len(), 1000);
//! assert!(meter.tests() > 1000);
//!
//! // An edit says where the world changed, so that derived data can be updated.
//! let (wall, _) = scene.obstacles().next().expect("a town has walls");
//! let change = scene.remove_obstacle(wall)?;
//! assert!(change.after > change.before);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file format
//! JSON, version 1. Unknown fields are errors. Lengths are in units, the origin is at the
//! bottom left, points are `[x, y]`, levels count from 0. Names are unique within their kind
//! and at most 100 bytes long. Corners may be listed in either order; the last is joined to the
//! first.
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 1 |
//! | `name` | the name of the scene |
//! | `width`, `height` | in units of length; the paper's map has 30 and 30 |
//! | `levels` | the number of levels, 1 to 32 |
//! | `obstacles` | list of `name`, `kind` (`wall`, `tree`, `fence`, `furniture`, `block`; `wall` when left out), `level`, `corners` |
//! | `zones` | list of `name`, `level`, `corners`; apart or nested; a point is in the smallest that contains it |
//! | `gates` | list of `name`, `kind` (`door` on a level, `stairs` between levels), `sides`: two of `zone` (a name) and `at` (the passage point in it) |
//! | `items` | list of `name`, `level`, `at` |
//! | `players` | list of `name`, `level`, `at`, `radius` |
//!
//! Only `version`, `name`, `width`, `height`, `levels` and `zones` are required. [`limits`] lists
//! the largest sizes. Two rules are not checked. Walls stop bodies but borders of zones do not, so
//! every opening between zones needs a gate. On upper levels, walls must keep bodies from stepping
//! off.
//!
//! # The same on every machine
//! Which side of a line a point is on is decided exactly; distances use `+ - * /` alone, lengths
//! a square root, which IEEE 754 rounds alike everywhere. There is no trigonometry. Answers
//! depend on the present obstacles only, never on the order of edits.

mod bodies;
mod geometry;
mod ghost;
mod pathfinder;
mod scene;
mod town;

pub use bodies::{Bodies, BodyError, BodyId};
pub use geometry::{Bounds, Level, Point, Polygon, PolygonError};
pub use ghost::{
    CollisionMeter, Ghost, GhostError, GhostMove, GhostNode, GhostOptions, explore,
    length_millionths,
};
pub use pathfinder::{
    Location, LocationError, Method, Passage, PassageKind, PathCacheOptions, PathfinderError,
    PathfinderOptions, Sample, ScenePathfinder, Stretch, UpperLevel, Walk, WalkMetrics,
    WalkOutcome,
};
pub use scene::{
    Gate, GateId, GateKind, GateRecord, GateSide, GateSideRecord, ItemRecord, Obstacle, ObstacleId,
    ObstacleKind, ObstacleRecord, PlayerRecord, ReadError, STAIRS_LENGTH, Scene, SceneChange,
    SceneError, SceneErrors, Subject, VERSION, ValidScene, Zone, ZoneId, ZoneRecord, limits,
};
pub use town::{TownError, TownOptions, town, town_with};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
