//! The continuous world.

mod density;
mod error;
mod explore;
mod ghost;
mod index;
pub mod limits;
mod meter;
mod nesting;
mod obstacles;
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
pub use point::{Bounds, Level, Point};
pub use polygon::{Polygon, PolygonError};
pub use scene::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, ObstacleKind, ObstacleRecord, PlayerRecord,
    Scene, VERSION, ZoneRecord,
};
pub use town::{TownError, TownOptions, town, town_with};
pub use valid::{Gate, GateId, GateSide, STAIRS_LENGTH, SceneChange, ValidScene, Zone, ZoneId};
