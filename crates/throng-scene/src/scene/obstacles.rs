//! The obstacles of a scene: one slot per obstacle, one index per level.

use std::collections::BTreeSet;

use crate::geometry::box_index::{BoxIndex, IndexedBox};
use crate::scene::error::Subject;
use crate::scene::limits::OBSTACLES_MAX;
use crate::scene::{ObstacleKind, ObstacleRecord};
use crate::{Bounds, Level, Point, Polygon, SceneError};

/// An obstacle's handle. It is valid until that obstacle is removed, and never denotes another
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    slot: u32,
    generation: u32,
}

/// A static obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ObstacleKind,
    /// The level it stands on.
    pub level: Level,
    /// Its shape.
    pub polygon: Polygon,
}

impl Obstacle {
    pub(crate) fn to_record(&self) -> ObstacleRecord {
        ObstacleRecord {
            name: self.name.clone(),
            kind: self.kind,
            level: self.level,
            corners: self.polygon.corners().to_vec(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Slot {
    generation: u32,
    obstacle: Option<Obstacle>,
}

/// All obstacles. Invariant: names are unique, and the index of a level holds exactly the
/// obstacles of that level.
#[derive(Clone, Debug)]
pub(crate) struct Obstacles {
    slots: Vec<Slot>,
    vacant: Vec<u32>,
    names: BTreeSet<String>,
    index: Vec<BoxIndex>,
}

impl Obstacles {
    /// Takes obstacles with different names on levels that exist.
    pub(crate) fn new(obstacles: Vec<Obstacle>, levels: u8) -> Self {
        let mut entries = vec![Vec::new(); usize::from(levels)];
        for (obstacle, slot) in obstacles.iter().zip(0..) {
            entries[obstacle.level.index()].push(entry(obstacle, slot));
        }
        Self {
            names: obstacles.iter().map(|obstacle| obstacle.name.clone()).collect(),
            index: entries.into_iter().map(BoxIndex::new).collect(),
            vacant: Vec::new(),
            slots: obstacles
                .into_iter()
                .map(|obstacle| Slot { generation: 0, obstacle: Some(obstacle) })
                .collect(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.slots.iter().zip(0..).filter_map(|(slot, number)| {
            let id = ObstacleId { slot: number, generation: slot.generation };
            slot.obstacle.as_ref().map(|obstacle| (id, obstacle))
        })
    }

    pub(crate) fn get(&self, id: ObstacleId) -> Option<&Obstacle> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.obstacle.as_ref().filter(|_| slot.generation == id.generation)
    }

    fn in_slot(&self, slot: u32) -> Option<&Obstacle> {
        self.slots.get(slot as usize)?.obstacle.as_ref()
    }

    pub(crate) fn near(&self, point: Point, level: Level, distance: f64) -> Vec<ObstacleId> {
        let Some(index) = self.index.get(level.index()) else { return Vec::new() };
        let is_near = |slot: &u32| {
            self.in_slot(*slot).is_some_and(|obstacle| {
                obstacle.polygon.distance_squared(point, point) <= distance * distance
            })
        };
        let bounds = Bounds::of(point, point).grown(distance);
        let mut near: Vec<u32> = index.touching(bounds).filter(is_near).collect();
        near.sort_unstable();
        let id = |slot: u32| ObstacleId { slot, generation: self.slots[slot as usize].generation };
        near.into_iter().map(id).collect()
    }

    /// Whether a disc moved from a point to another stays clear; touching is allowed.
    pub(crate) fn are_clear(&self, from: Point, to: Point, level: Level, radius: f64) -> bool {
        let Some(index) = self.index.get(level.index()) else { return false };
        let blocks = |slot| {
            self.in_slot(slot).is_some_and(|obstacle| obstacle.polygon.is_closer(from, to, radius))
        };
        !index.any(Bounds::of(from, to).grown(radius), blocks)
    }

    /// An obstacle that a point is in.
    pub(crate) fn containing(&self, point: Point, level: Level) -> Option<&Obstacle> {
        let index = self.index.get(level.index())?;
        let contains = |slot: &u32| {
            self.in_slot(*slot).is_some_and(|obstacle| obstacle.polygon.contains(point))
        };
        let at = Bounds { min: point, max: point };
        index.touching(at).filter(contains).min().and_then(|slot| self.in_slot(slot))
    }

    pub(crate) fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, SceneError> {
        if self.names.len() >= OBSTACLES_MAX {
            let given = self.names.len() + 1;
            return Err(SceneError::TooMany { what: "obstacles", given, max: OBSTACLES_MAX });
        }
        if !self.names.insert(obstacle.name.clone()) {
            let subject = Subject { kind: "obstacle", name: obstacle.name };
            return Err(SceneError::DuplicateName(subject));
        }
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            // At most OBSTACLES_MAX slots are ever needed.
            (self.slots.len() - 1) as u32
        });
        self.index[obstacle.level.index()].insert(entry(&obstacle, slot));
        let vacant = &mut self.slots[slot as usize];
        vacant.obstacle = Some(obstacle);
        Ok(ObstacleId { slot, generation: vacant.generation })
    }

    pub(crate) fn remove(&mut self, id: ObstacleId) -> Result<Obstacle, SceneError> {
        let missing = SceneError::NoSuchObstacle(id);
        let slot = self.slots.get_mut(id.slot as usize).filter(|s| s.generation == id.generation);
        let Some(slot) = slot else { return Err(missing) };
        let Some(obstacle) = slot.obstacle.take() else { return Err(missing) };
        slot.generation = slot.generation.wrapping_add(1);
        self.vacant.push(id.slot);
        self.names.remove(&obstacle.name);
        self.index[obstacle.level.index()].remove(&entry(&obstacle, id.slot));
        Ok(obstacle)
    }
}

fn entry(obstacle: &Obstacle, slot: u32) -> IndexedBox {
    IndexedBox { bounds: obstacle.polygon.bounds(), slot }
}
