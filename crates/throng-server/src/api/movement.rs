//! How units of a query move, as typed.

use std::collections::BTreeMap;

use serde::Deserialize;
use throng::model::{Factor, Map, MovementProfile, Neighbours, TerrainOverride};

use crate::error::Refusal;

/// How units move. What is absent has the value of a unit of one cell that steps in eight
/// directions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MovementJson {
    /// Cells per side.
    size: u8,
    /// Ticks per step; plans only.
    pace: u8,
    /// 4 or 8.
    moves: u8,
    /// Cost factors of terrain classes by name; null is impassable.
    terrain: BTreeMap<String, Option<u8>>,
}

impl Default for MovementJson {
    fn default() -> Self {
        Self { size: 1, pace: 1, moves: 8, terrain: BTreeMap::new() }
    }
}

impl MovementJson {
    /// The movement profile on a map.
    pub(crate) fn on(&self, map: &Map) -> Result<MovementProfile, Refusal> {
        let neighbours = match self.moves {
            4 => Neighbours::Four,
            8 => Neighbours::Eight,
            other => return Err(Refusal::bad(format!("moves {other}: give 4 or 8"))),
        };
        let mut terrain = Vec::new();
        for (name, factor) in &self.terrain {
            let known = map.class_by_name(name).ok_or_else(|| no_terrain(map, name))?;
            let factor = factor.map(|factor| Factor::new(i64::from(factor))).transpose();
            let factor =
                factor.map_err(|error| Refusal::bad(format!("terrain {name}: {error}")))?;
            terrain.push(TerrainOverride { terrain: known, factor });
        }
        let (footprint, pace) = (self.size, self.pace);
        let eight = MovementProfile::eight_connected();
        let movement = MovementProfile { neighbours, footprint, pace, terrain, ..eight };
        movement.validate().map_err(|error| Refusal::bad(error.to_string()))?;
        Ok(movement)
    }
}

fn no_terrain(map: &Map, name: &str) -> Refusal {
    let names: Vec<&str> = map.classes().iter().map(|class| class.name.as_str()).collect();
    Refusal::bad(format!("no terrain {name:?}; the map has {}", names.join(", ")))
}
