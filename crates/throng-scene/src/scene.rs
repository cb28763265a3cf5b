//! A scene: the records of its file, their validation, and the valid scene in use.

pub(crate) mod crowding;
pub(crate) mod error;
pub mod limits;
pub(crate) mod obstacles;
mod record;
mod slants;
pub(crate) mod valid;
pub(crate) mod validate;

pub use error::{ReadError, SceneError, SceneErrors, Subject};
pub use obstacles::{Obstacle, ObstacleId};
pub use record::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, ObstacleKind, ObstacleRecord, PlayerRecord,
    Scene, VERSION, ZoneRecord,
};
pub use valid::{Gate, GateId, GateSide, STAIRS_LENGTH, SceneChange, ValidScene, Zone, ZoneId};
