//! What is saved of a world, and how it goes on from that.

use std::sync::Arc;

use throng::World;
use throng::model::{Cell, UnitId};

use super::Room;
use super::start::{Begun, Source, begin};
use super::traffic::Tag;
use crate::engine::Engine;
use crate::error::Refusal;
use crate::options::MEMORY_MAX;
use crate::saving::{SavedWorld, decode, encode};
use crate::setup::SetupBuilding;

impl Room {
    pub(super) fn save(&self) -> SavedWorld {
        let pairs = |building: &SetupBuilding| {
            (building.id, building.cells.iter().map(|cell| [cell.x, cell.y]).collect())
        };
        SavedWorld {
            id: self.id.clone(),
            name: self.setup.name.clone(),
            scenario: self.source.scenario.clone(),
            planner: self.engine.planner(),
            seed: self.source.seed,
            units: self.source.units,
            has_own_map: self.source.map.is_some(),
            speed: self.timing.speed,
            is_paused: self.timing.is_paused,
            snapshot: self.engine.world().map(|world| encode(&world.snapshot())),
            tags: self.tags.iter().flatten().map(Tag::save).collect(),
            building_cells: self.setup.buildings.iter().map(pairs).collect(),
        }
    }
}

/// Goes on from what was saved. A world under a planner of the papers begins again.
pub(super) fn restore(saved: &SavedWorld) -> Result<(Source, Begun), Refusal> {
    let mut source = Source {
        scenario: saved.scenario.clone(),
        map: None,
        units: saved.units,
        planner: saved.planner,
        seed: saved.seed,
    };
    let Some(snapshot) = &saved.snapshot else {
        let begun = begin(&source)?;
        return Ok((source, begun));
    };
    let bytes = decode(snapshot).map_err(Refusal::bad)?;
    let world = World::restore_within(&bytes, 1, MEMORY_MAX);
    let world = world.map_err(|error| Refusal::bad(format!("world {:?}: {error}", saved.id)))?;
    if saved.has_own_map {
        source.map = Some((saved.name.clone(), Arc::new(world.map().clone())));
    }
    let mut setup = source.setup()?;
    setup.map = world.map().clone();
    setup.script.retain(|edit| edit.tick >= world.now().0);
    setup.buildings.clear();
    for (id, building) in world.buildings() {
        let (id, building) = (id.index() as u32, building.clone());
        let known = saved.building_cells.iter().find(|saved| saved.0 == id);
        let cells = known.into_iter().flat_map(|saved| &saved.1);
        let cells = cells.map(|&[x, y]| Cell::new(x, y)).collect();
        setup.buildings.push(SetupBuilding { id, building, cells });
    }
    let mut tags: Vec<Option<Tag>> = Vec::new();
    for tag in saved.tags.iter().filter(|tag| world.status(UnitId::from_bits(tag.unit)).is_some()) {
        let tag = Tag::restore(tag);
        if tag.unit.index() >= tags.len() {
            tags.resize(tag.unit.index() + 1, None);
        }
        tags[tag.unit.index()] = Some(tag);
    }
    Ok((source, (setup, Engine::of(world), tags)))
}
