//! A published state of a world: immutable, shared by all of its viewers.

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use throng::model::Map;

use crate::planner::PlannerName;
use crate::record::Record;
use crate::setup::{Profile, SetupBuilding};

/// What a viewer is told first. It changes with a restart or restore only.
#[derive(Clone, Debug)]
pub(crate) struct WorldInfo {
    /// Differs between any two infos of a world.
    pub(crate) epoch: u32,
    pub(crate) hello: Value,
}

/// The terrain of the map, a byte per cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MapBytes {
    /// Differs between any two contents of a world's map.
    pub(crate) edition: u64,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) terrain: Vec<u8>,
}

impl MapBytes {
    pub(crate) fn new(map: &Map, edition: u64) -> Self {
        let terrain = map.terrain().iter().map(|terrain| terrain.0).collect();
        Self { edition, width: map.width(), height: map.height(), terrain }
    }
}

/// Counters of a world.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Status {
    pub(crate) tick: u32,
    pub(crate) speed: f64,
    pub(crate) paused: bool,
    /// Milliseconds per tick: mean of the last ticks, and the 99th percentile.
    pub(crate) tick_ms: f64,
    pub(crate) tick_ms_p99: f64,
    pub(crate) units: usize,
    pub(crate) arrived: usize,
    pub(crate) waiting: usize,
    pub(crate) stuck: usize,
    /// Since the world began.
    pub(crate) replans: u64,
    pub(crate) expanded: u64,
    pub(crate) planner: PlannerName,
    /// Whether the teams are enemies.
    pub(crate) war: bool,
}

/// A published state.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) number: u32,
    pub(crate) info: Arc<WorldInfo>,
    pub(crate) map: Arc<MapBytes>,
    /// Sorted by id.
    pub(crate) units: Arc<Vec<Record>>,
    /// The delta from the frame before, for viewers that have it and see everything.
    pub(crate) delta: Bytes,
    pub(crate) status: Status,
    /// What happened since the frame before; not kept for viewers that skip frames.
    pub(crate) events: Arc<Vec<Value>>,
    pub(crate) buildings: Arc<Value>,
}

/// The list of buildings as it is sent.
pub(crate) fn buildings_json(buildings: &[SetupBuilding]) -> Value {
    let pairs = |cells: &[throng::model::Cell]| -> Value {
        cells.iter().map(|cell| json!([cell.x, cell.y])).collect()
    };
    let building = |it: &SetupBuilding| {
        json!({
            "id": it.id,
            "name": it.building.name,
            "cells": pairs(&it.cells),
            "entrances": pairs(&it.building.entrances),
            "exits": pairs(&it.building.exits),
        })
    };
    buildings.iter().map(building).collect()
}

/// The kinds of units as they are sent.
pub(crate) fn profiles_json(profiles: &[Profile]) -> Value {
    let profile = |(id, it): (usize, &Profile)| json!({ "id": id, "name": it.name, "size": it.movement.footprint, "pace": it.movement.pace });
    profiles.iter().enumerate().map(profile).collect()
}

/// The terrain classes as they are sent.
pub(crate) fn terrains_json(map: &Map) -> Value {
    let terrain = |(id, it): (usize, &throng::model::TerrainClass)| {
        let factor = it.factor.map(throng::model::Factor::get);
        json!({ "id": id, "name": it.name, "passable": factor.is_some(), "factor": factor })
    };
    map.classes().iter().enumerate().map(terrain).collect()
}
