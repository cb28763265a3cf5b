//! A scene as it is written in a file: plain data, not yet validated.
//!
//! Lanctot, Ng Man Sun, Verbrugge: *Path-finding for Large Scale Multiplayer Computer Games*
//! (2006), "Implementation environment": static objects as polygons, zones of irregular
//! shape, transition gates between them, items and players, and stairlevels.

use serde::{Deserialize, Serialize};

use crate::scene::limits::FILE_BYTES_MAX;
use crate::scene::validate::validate;
use crate::{Level, Point, ReadError, SceneErrors, ValidScene};

/// The version of the file format that this crate reads and writes.
pub const VERSION: u32 = 1;

/// A scene as it is written in a file. [`Scene::validate`] makes it usable.
///
/// ```
/// use throng_scene::{Level, Point, Scene};
/// let file = r#"{
///   "version": 1, "name": "two rooms", "width": 4, "height": 2, "levels": 1,
///   "obstacles": [
///     {"name": "wall", "kind": "wall", "level": 0,
///      "corners": [[1.9, 0], [2.1, 0], [2.1, 1.2], [1.9, 1.2]]}
///   ],
///   "zones": [
///     {"name": "left", "level": 0, "corners": [[0, 0], [2, 0], [2, 2], [0, 2]]},
///     {"name": "right", "level": 0, "corners": [[2, 0], [4, 0], [4, 2], [2, 2]]}
///   ],
///   "gates": [
///     {"name": "door", "kind": "door",
///      "sides": [{"zone": "left", "at": [1.6, 1.6]}, {"zone": "right", "at": [2.4, 1.6]}]}
///   ]
/// }"#;
/// let scene = Scene::read(file.as_bytes())?.validate()?;
/// let left = scene.zone_of(Point::new(1.0, 1.0), Level::GROUND);
/// assert_eq!(left, scene.zone_named("left"));
/// assert_eq!(left.map(|zone| scene.gates_of(zone).len()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The version of the format: [`VERSION`].
    pub version: u32,
    /// Its name.
    pub name: String,
    /// The width, in units of length.
    pub width: f64,
    /// The height, in units of length.
    pub height: f64,
    /// The number of levels; the ground is level 0.
    pub levels: u8,
    /// Static obstacles.
    #[serde(default)]
    pub obstacles: Vec<ObstacleRecord>,
    /// The zones, in which bodies can be.
    pub zones: Vec<ZoneRecord>,
    /// The gates between zones.
    #[serde(default)]
    pub gates: Vec<GateRecord>,
    /// Things that can be picked up.
    #[serde(default)]
    pub items: Vec<ItemRecord>,
    /// The players at their starting points.
    #[serde(default)]
    pub players: Vec<PlayerRecord>,
}

/// The kind of an obstacle. It matters for pictures only: all kinds stop a body.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum ObstacleKind {
    /// A wall of a house.
    #[default]
    Wall,
    /// A tree.
    Tree,
    /// A fence or a hedge.
    Fence,
    /// A table or a cupboard.
    Furniture,
    /// Anything else: a rock, a statue, a parked cart.
    Block,
}

/// A static obstacle: a simple polygon on a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleRecord {
    /// Its name, unique among obstacles.
    pub name: String,
    /// What it is.
    #[serde(default)]
    pub kind: ObstacleKind,
    /// The level it stands on.
    pub level: Level,
    /// Its corners in either order.
    pub corners: Vec<Point>,
}

/// A zone: a polygon on a level. A point is in the smallest zone that contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneRecord {
    /// Its name, unique among zones.
    pub name: String,
    /// The level it is on.
    pub level: Level,
    /// Its corners in either order.
    pub corners: Vec<Point>,
}

/// How a gate is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateKind {
    /// On foot, from a zone into another of the same level.
    Door,
    /// By stairs: a body at one side's point may go to the other's, on another level.
    Stairs,
}

/// A transition gate between two zones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRecord {
    /// Its name, unique among gates.
    pub name: String,
    /// How it is passed.
    pub kind: GateKind,
    /// Both sides. Gates can be passed both ways.
    pub sides: [GateSideRecord; 2],
}

/// One side of a gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSideRecord {
    /// The name of the zone on this side.
    pub zone: String,
    /// The passage point, in that zone and clear of obstacles.
    pub at: Point,
}

/// Something that can be picked up. It stops no body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemRecord {
    /// Its name, unique among items.
    pub name: String,
    /// The level it lies on.
    pub level: Level,
    /// Where it lies.
    pub at: Point,
}

/// A player: a disc that moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerRecord {
    /// Its name, unique among players.
    pub name: String,
    /// The level it stands on.
    pub level: Level,
    /// Where its centre is.
    pub at: Point,
    /// Its radius.
    pub radius: f64,
}

impl Scene {
    /// A scene without content, for programs that build scenes.
    #[must_use]
    pub fn empty(name: &str, width: f64, height: f64, levels: u8) -> Self {
        Self {
            version: VERSION,
            name: name.to_owned(),
            width,
            height,
            levels,
            obstacles: Vec::new(),
            zones: Vec::new(),
            gates: Vec::new(),
            items: Vec::new(),
            players: Vec::new(),
        }
    }

    /// Reads the JSON file format, which the crate's documentation describes.
    ///
    /// # Errors
    /// When the file is too long, malformed (with line and column) or of another version.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(ReadError::TooLong { bytes: bytes.len() });
        }
        let Version { version } =
            serde_json::from_slice(bytes).map_err(|error| ReadError::from_json(&error))?;
        if version != VERSION {
            return Err(ReadError::Version { version });
        }
        serde_json::from_slice(bytes).map_err(|error| ReadError::from_json(&error))
    }

    /// Writes the JSON file format; the same scene always gives the same bytes.
    ///
    /// # Errors
    /// When a coordinate is not a number: such a scene could not be read back.
    pub fn write(&self) -> Result<String, ReadError> {
        let mut text =
            serde_json::to_string_pretty(self).map_err(|error| ReadError::from_json(&error))?;
        // The writer turns NaN and infinity into null; reading the text again finds them.
        serde_json::from_str::<Self>(&text).map_err(|error| ReadError::from_json(&error))?;
        text.push('\n');
        Ok(text)
    }

    /// Checks the scene and indexes it for queries.
    ///
    /// # Errors
    /// All mistakes; each names the polygon, gate, item or player.
    pub fn validate(self) -> Result<ValidScene, SceneErrors> {
        validate(self)
    }
}

/// The version alone, read first: a file of a later version gets its own error.
#[derive(Deserialize)]
struct Version {
    version: u32,
}
