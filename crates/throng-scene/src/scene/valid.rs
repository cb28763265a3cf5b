//! The valid scene: indexed for queries, edited at run time.

use std::collections::BTreeMap;

use throng_model::Revision;

use crate::geometry::box_index::{BoxIndex, IndexedBox};
use crate::scene::obstacles::Obstacles;
use crate::scene::slants::Slants;
use crate::scene::validate::obstacle_of;
use crate::scene::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, ObstacleRecord, PlayerRecord, VERSION,
    ZoneRecord,
};
use crate::{Bounds, Level, Obstacle, ObstacleId, Point, Polygon, Scene, SceneError};

/// A zone's number in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneId(pub u32);

/// A gate's number in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub u32);

impl ZoneId {
    /// As an index into [`ValidScene::zones`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GateId {
    /// As an index into [`ValidScene::gates`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A zone: a polygon in which bodies can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// The level it is on.
    pub level: Level,
    /// Its shape; zones inside it are not part of it.
    pub polygon: Polygon,
    /// The share of the zone, from 0 to 1, that was close to an obstacle when the scene was
    /// validated. It does not follow edits, so that a ghost's lattice stays where it was.
    pub crowding: f64,
}

/// A transition gate between two zones, passable both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// How it is passed.
    pub kind: GateKind,
    /// Its sides.
    pub sides: [GateSide; 2],
}

/// One side of a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateSide {
    /// The zone on this side.
    pub zone: ZoneId,
    /// The zone's level.
    pub level: Level,
    /// The passage point in that zone.
    pub at: Point,
}

/// How far a body walks on stairs for each level it climbs, in units.
pub const STAIRS_LENGTH: f64 = 1.0;

impl Gate {
    /// The length of the passage in units: between the points, and up or down the stairs.
    #[must_use]
    pub fn length(&self) -> f64 {
        let [a, b] = self.sides;
        a.at.distance(b.at) + STAIRS_LENGTH * f64::from(a.level.0.abs_diff(b.level.0))
    }

    /// The side in a zone, and the other one; `None` when the gate is not at that zone.
    #[must_use]
    pub fn from_zone(&self, zone: ZoneId) -> Option<(GateSide, GateSide)> {
        let [a, b] = self.sides;
        if a.zone == zone {
            return Some((a, b));
        }
        (b.zone == zone).then_some((b, a))
    }
}

/// The extent of an edit, so that derived data can be updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneChange {
    /// The revision before the edit.
    pub before: Revision,
    /// The revision after it.
    pub after: Revision,
    /// The level that changed.
    pub level: Level,
    /// The box that contains every obstacle that changed. A body of radius r can be affected up to
    /// r beyond it.
    pub bounds: Bounds,
}

/// A scene that passed validation; [`Scene::validate`] makes it.
///
/// Invariant: every polygon is simple and on the map, zones are apart or nested, gates lead
/// from zone to zone. Edits keep that, except that an obstacle may be put on a gate, an item
/// or a player: then no body passes there.
#[derive(Clone, Debug)]
pub struct ValidScene {
    pub(crate) name: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) levels: u8,
    pub(crate) obstacles: Obstacles,
    pub(crate) slants: Slants,
    pub(crate) zones: Vec<Zone>,
    pub(crate) zone_index: Vec<BoxIndex>,
    pub(crate) zone_names: BTreeMap<String, ZoneId>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) gates_of: Vec<Vec<GateId>>,
    pub(crate) items: Vec<ItemRecord>,
    pub(crate) players: Vec<PlayerRecord>,
    pub(crate) revision: Revision,
}

impl ValidScene {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The width, in units of length.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The height, in units of length.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The whole map as a box.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds { min: Point::new(0.0, 0.0), max: Point::new(self.width, self.height) }
    }

    /// The levels, the ground first.
    pub fn levels(&self) -> impl Iterator<Item = Level> + use<> {
        (0..self.levels).map(Level)
    }

    /// The number of edits so far.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// All zones, in the order of their ids.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The zone with a number.
    #[must_use]
    pub fn zone(&self, zone: ZoneId) -> Option<&Zone> {
        self.zones.get(zone.index())
    }

    /// The zone with a name.
    #[must_use]
    pub fn zone_named(&self, name: &str) -> Option<ZoneId> {
        self.zone_names.get(name).copied()
    }

    /// The smallest zone that contains a point; of equally small ones the first.
    #[must_use]
    pub fn zone_of(&self, point: Point, level: Level) -> Option<ZoneId> {
        let index = self.zone_index.get(level.index())?;
        let mut best: Option<(f64, u32)> = None;
        index.visit_at(point, |slot| {
            let polygon = &self.zones[slot as usize].polygon;
            let candidate = (polygon.area(), slot);
            if best.is_none_or(|best| candidate < best) && polygon.contains(point) {
                best = Some(candidate);
            }
        });
        best.map(|(_, slot)| ZoneId(slot))
    }

    /// All gates, in the order of their ids.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The gate with a number.
    #[must_use]
    pub fn gate(&self, gate: GateId) -> Option<&Gate> {
        self.gates.get(gate.index())
    }

    /// The gates of a zone, in the order of their ids.
    #[must_use]
    pub fn gates_of(&self, zone: ZoneId) -> &[GateId] {
        self.gates_of.get(zone.index()).map_or(&[], Vec::as_slice)
    }

    /// Things that can be picked up.
    #[must_use]
    pub fn items(&self) -> &[ItemRecord] {
        &self.items
    }

    /// The players at their starting points.
    #[must_use]
    pub fn players(&self) -> &[PlayerRecord] {
        &self.players
    }

    /// All obstacles, in the order of their slots.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.obstacles.iter()
    }

    /// An obstacle, unless it was removed.
    #[must_use]
    pub fn obstacle(&self, id: ObstacleId) -> Option<&Obstacle> {
        self.obstacles.get(id)
    }

    /// The obstacles of a level no farther than `distance` from a point, in the order of
    /// their slots.
    #[must_use]
    pub fn obstacles_near(&self, point: Point, level: Level, distance: f64) -> Vec<ObstacleId> {
        self.obstacles.near(point, level, distance)
    }

    /// Whether a disc that moves straight from a point to another stays on the map and clear of
    /// obstacles. Touching one is allowed.
    ///
    /// This test ignores zones and is not counted. [`crate::Ghost`] counts its tests and also
    /// requires a zone.
    #[must_use]
    pub fn is_clear(&self, from: Point, to: Point, level: Level, radius: f64) -> bool {
        let map = self.bounds().grown(-radius);
        map.contains(from) && map.contains(to) && self.obstacles.are_clear(from, to, level, radius)
    }

    /// Whether a point is closer than `distance` to an edge of an obstacle that is neither
    /// horizontal nor vertical. It does not follow edits, as [`Zone::crowding`] does not, so that a
    /// ghost's lattice stays where it was.
    #[must_use]
    pub fn is_near_slant(&self, point: Point, level: Level, distance: f64) -> bool {
        self.slants.are_near(point, level, distance)
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    /// When it is not a simple polygon on the map, its name is taken, or there are too many.
    pub fn add_obstacle(
        &mut self,
        record: ObstacleRecord,
    ) -> Result<(ObstacleId, SceneChange), SceneError> {
        let obstacle = obstacle_of(record, &self.frame())?;
        let (level, bounds) = (obstacle.level, obstacle.polygon.bounds());
        let id = self.obstacles.add(obstacle)?;
        Ok((id, self.changed(level, bounds)))
    }

    /// Removes an obstacle.
    ///
    /// # Errors
    /// When the obstacle does not exist, or was removed before.
    pub fn remove_obstacle(&mut self, id: ObstacleId) -> Result<SceneChange, SceneError> {
        let obstacle = self.obstacles.remove(id)?;
        Ok(self.changed(obstacle.level, obstacle.polygon.bounds()))
    }

    fn changed(&mut self, level: Level, bounds: Bounds) -> SceneChange {
        let before = self.revision;
        self.revision = Revision(before.0 + 1);
        SceneChange { before, after: self.revision, level, bounds }
    }

    pub(crate) fn frame(&self) -> Frame {
        Frame { width: self.width, height: self.height, levels: self.levels }
    }

    /// The scene as plain data, as it is now: with every polygon counter-clockwise.
    #[must_use]
    pub fn to_scene(&self) -> Scene {
        let side = |side: &GateSide| GateSideRecord {
            zone: self.zones[side.zone.index()].name.clone(),
            at: side.at,
        };
        let gate = |gate: &Gate| GateRecord {
            name: gate.name.clone(),
            kind: gate.kind,
            sides: [side(&gate.sides[0]), side(&gate.sides[1])],
        };
        Scene {
            version: VERSION,
            name: self.name.clone(),
            width: self.width,
            height: self.height,
            levels: self.levels,
            obstacles: self.obstacles().map(|(_, obstacle)| obstacle.to_record()).collect(),
            zones: self.zones.iter().map(Zone::to_record).collect(),
            gates: self.gates.iter().map(gate).collect(),
            items: self.items.clone(),
            players: self.players.clone(),
        }
    }
}

impl Zone {
    fn to_record(&self) -> ZoneRecord {
        let corners = self.polygon.corners().to_vec();
        ZoneRecord { name: self.name.clone(), level: self.level, corners }
    }
}

/// The size of a scene, which everything in it must fit into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) levels: u8,
}

/// One index per level of the zones.
pub(crate) fn index_zones(zones: &[Zone], levels: u8) -> Vec<BoxIndex> {
    let of_level = |level: Level| {
        let of_level = zones.iter().zip(0..).filter(|(zone, _)| zone.level == level);
        let entry = |(zone, slot): (&Zone, u32)| IndexedBox { bounds: zone.polygon.bounds(), slot };
        BoxIndex::new(of_level.map(entry).collect())
    };
    (0..levels).map(Level).map(of_level).collect()
}
