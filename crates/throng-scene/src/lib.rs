//! The continuous world: polygons on levels, zones joined by gates, and the ghost player that
//! walks it.
//!
//! After Lanctot, Ng Man Sun and Verbrugge: *Path-finding for Large Scale Multiplayer Computer
//! Games* (2006). Searches over the ghost's steps and over the zones live elsewhere; here is
//! what they search.
//!
//! | the paper says | here |
//! |---|---|
//! | map, stairlevel | [`Scene`] as written, [`ValidScene`] in use, [`Level`] |
//! | static objects (walls, trees) | [`Obstacle`]; added and removed at run time, [`SceneChange`] |
//! | zones of irregular shape | [`Zone`], [`ValidScene::zone_of`] |
//! | transition gates | [`Gate`], [`ValidScene::gates_of`] |
//! | items, players | [`ItemRecord`], [`PlayerRecord`] |
//! | ghost player, variable grid | [`Ghost`], [`GhostOptions`], [`explore`] |
//! | collision detection, and what it costs | [`ValidScene::is_clear`], [`CollisionMeter`] |
//! | the map of figure 2 | [`town`] |
//!
//! # Start here
//! ```
//! use throng_scene::{CollisionMeter, Ghost, GhostOptions, Level, Point, explore, town};
//!
//! // A town by seed; or `Scene::read(bytes)?` for one of your own.
//! let mut scene = town(42).validate()?;
//!
//! // A body walks it, and every step is checked.
//! let meter = CollisionMeter::new();
//! let ghost = Ghost::new(&scene, GhostOptions::default(), &meter)?;
//! let start = ghost.snap(Point::new(0.5, 0.5), Level::GROUND).expect("a free corner");
//! let places = explore(&ghost, start, 1000);
//! assert_eq!(places.len(), 1000);
//! assert!(meter.tests() > 1000);
//!
//! // The world changes; whoever remembers something about it learns where.
//! let (wall, _) = scene.obstacles().next().expect("a town has walls");
//! let change = scene.remove_obstacle(wall)?;
//! assert!(change.after > change.before);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file format
//! JSON, version 1. Unknown fields are mistakes. Lengths are in units, the origin is at the
//! bottom left, points are `[x, y]`, levels count from 0. Names are unique within their kind
//! and at most 100 bytes long. Corners may be listed in either order; the last is joined to the
//! first.
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 1 |
//! | `name` | what the scene is called |
//! | `width`, `height` | units; the paper's map has 30 and 30 |
//! | `levels` | how many there are, 1 to 32 |
//! | `obstacles` | list of `name`, `kind` (`wall`, `tree`, `fence`, `furniture`, `block`; `wall` when left out), `level`, `corners` |
//! | `zones` | list of `name`, `level`, `corners`; apart or nested; a point is in the smallest that contains it |
//! | `gates` | list of `name`, `kind` (`door` on a level, `stairs` between levels), `sides`: two of `zone` (a name) and `at` (the passage point in it) |
//! | `items` | list of `name`, `level`, `at` |
//! | `players` | list of `name`, `level`, `at`, `radius` |
//!
//! Only `version`, `name`, `width`, `height`, `levels` and `zones` are required. [`limits`] says
//! how large anything may be. Two things a file has to see to by itself: walls stop bodies,
//! borders of zones do not, so every opening between zones wants a gate; and on upper levels
//! walls have to keep bodies from stepping off.
//!
//! # The same on every machine
//! Which side of a line a point is on is decided exactly; distances use `+ - * /` alone, lengths
//! a square root, which IEEE 754 rounds alike everywhere. There is no trigonometry. Answers
//! never depend on the order of edits, only on what stands where.

mod density;
mod error;
mod explore;
mod ghost;
mod index;
pub mod limits;
mod meter;
mod nesting;
mod obstacles;
mod pathfinder;
mod point;
mod polygon;
mod scene;
mod segment;
mod town;
mod valid;
mod validate;

pub use error::{ReadError, SceneError, SceneErrors, Subject};
pub use explore::explore;
pub use ghost::{Ghost, GhostError, GhostMove, GhostNode, GhostOptions, length_millionths};
pub use meter::CollisionMeter;
pub use obstacles::{Obstacle, ObstacleId};
pub use pathfinder::{
    Method, PathCacheOptions, PathfinderError, Place, PlaceError, Sample, SceneOptions,
    ScenePathfinder, Stretch, Walk, WalkMetrics, WalkOutcome,
};
pub use point::{Bounds, Level, Point};
pub use polygon::{Polygon, PolygonError};
pub use scene::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, ObstacleKind, ObstacleRecord, PlayerRecord,
    Scene, VERSION, ZoneRecord,
};
pub use town::{TownError, TownOptions, town, town_with};
pub use valid::{Gate, GateId, GateSide, STAIRS_LENGTH, SceneChange, ValidScene, Zone, ZoneId};
