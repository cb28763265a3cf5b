//! A recorded run as viewers would have seen it: the messages of a WebSocket, one after the other,
//! with the verdict of the referee at the end.

use std::ops::ControlFlow;
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use throng::World;
use throng::model::MovementProfile;
use throng::referee::Violation;
use throng::world::{Replay, TickReport};

use crate::clock::Moment;
use crate::engine::see;
use crate::error::Refusal;
use crate::frame::{MapBytes, buildings_json, profiles_json, terrains_json};
use crate::frames;
use crate::options::MEMORY_MAX;
use crate::progress::Progress;
use crate::record::{Record, UnitView};
use crate::setup::{Profile, SetupBuilding, teams};
use crate::world_referee::WorldReferee;

/// A run is cut off after so many ticks, bytes or seconds.
const TICKS_MAX: u32 = 6_000;
const BYTES_MAX: usize = 48 << 20;
const TIME_MAX: Duration = Duration::from_secs(20);
/// Most violations listed.
const VIOLATIONS_LISTED: usize = 1_000;
/// What tells text from binary messages in the answer.
const TEXT: u32 = 0;
const BINARY: u32 = 1;

/// The messages of a replay in one piece. Before each: `u32` kind, `u32` length.
pub(crate) fn messages(replay: &Replay) -> Result<Vec<u8>, Refusal> {
    let mut playback: Option<Playback> = None;
    let begin = Moment::now();
    let watched = replay.watch_until(1, MEMORY_MAX, |world, report| {
        let playback = playback.get_or_insert_with(|| Playback::new(world));
        playback.take(world, report);
        let is_over = playback.ticks >= TICKS_MAX
            || playback.bytes.len() > BYTES_MAX
            || begin.elapsed() > TIME_MAX;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let world = watched.map_err(|error| Refusal::bad(format!("the replay: {error}")))?;
    let playback =
        playback.ok_or_else(|| Refusal::bad("the replay has no tick; record a world that runs"))?;
    Ok(playback.finish(&world, replay.ticks()))
}

/// What was seen so far.
struct Playback {
    /// The messages after the first.
    bytes: Vec<u8>,
    ticks: u32,
    units: Vec<Record>,
    terrain: Vec<u8>,
    profiles: Vec<Profile>,
    progress: Progress,
    referee: WorldReferee,
    violations: Vec<Value>,
    found: usize,
}

impl Playback {
    fn new(world: &World) -> Self {
        let map = MapBytes::new(world.map(), 0);
        let mut bytes = Vec::new();
        add(&mut bytes, BINARY, &frames::map(map.width, map.height, &map.terrain));
        Self {
            bytes,
            ticks: 0,
            units: Vec::new(),
            terrain: map.terrain,
            profiles: Vec::new(),
            progress: Progress::new(world.map()),
            referee: WorldReferee::new(world),
            violations: Vec::new(),
            found: 0,
        }
    }

    /// Takes a tick.
    fn take(&mut self, world: &World, report: &TickReport) {
        self.take_edits(world);
        let units = self.records(world);
        let tick = report.tick.0;
        let frame = if self.ticks == 0 {
            frames::full(tick, 0, &units)
        } else {
            frames::delta(tick, self.ticks, &self.units, &units)
        };
        add(&mut self.bytes, BINARY, &frame);
        self.units = units;
        self.ticks += 1;
        let found = self.referee.judge(world, &report.events);
        self.found += found.len();
        let room = VIOLATIONS_LISTED.saturating_sub(self.violations.len());
        self.violations.extend(found.iter().take(room).map(|it| violation_json(tick, it)));
    }

    fn take_edits(&mut self, world: &World) {
        let now = world.map().terrain();
        if self.terrain.iter().zip(now).all(|(before, now)| *before == now.0) {
            return;
        }
        let now = MapBytes::new(world.map(), 0).terrain;
        for edit in frames::edits(&self.terrain, &now) {
            add(&mut self.bytes, BINARY, &edit);
        }
        self.terrain = now;
    }

    fn records(&mut self, world: &World) -> Vec<Record> {
        let mut records: Vec<Record> =
            world.units().filter_map(|unit| self.view(world, unit)).collect();
        records.sort_unstable_by_key(Record::id);
        records
    }

    fn view(&mut self, world: &World, unit: throng::model::UnitId) -> Option<Record> {
        let (seen, movement) = (see(world, unit)?, world.movement(unit)?);
        let now = world.now().0;
        self.progress.note(unit, &seen, now, world.map());
        let doing = self.progress.doing(unit, &seen, now);
        let profile = u8::try_from(self.profile(movement)).unwrap_or(u8::MAX);
        let view = UnitView::new(unit, &seen, movement, world.team(unit)?.0, doing, profile);
        Some(Record::new(&view))
    }

    /// The number of a kind of units.
    fn profile(&mut self, movement: &MovementProfile) -> usize {
        let known = self.profiles.iter().position(|profile| profile.movement == *movement);
        known.unwrap_or_else(|| {
            let name = format!("size {}, pace {}", movement.footprint, movement.pace);
            self.profiles.push(Profile { name, movement: movement.clone() });
            self.profiles.len() - 1
        })
    }

    /// All messages.
    fn finish(self, world: &World, recorded: u32) -> Vec<u8> {
        let building = |(id, building): (throng::world::BuildingId, &throng::model::Building)| {
            SetupBuilding { id: id.index() as u32, building: building.clone(), cells: Vec::new() }
        };
        let buildings: Vec<SetupBuilding> = world.buildings().map(building).collect();
        let map = world.map();
        let team = |(id, name): (usize, String)| json!({ "id": id, "name": name });
        let hello = json!({
            "type": "hello", "protocol": 1, "recording": true,
            "world": {
                "id": "replay", "name": "replay", "planner": "throng",
                "width": map.width(), "height": map.height(),
                "tick_hz": 10, "speed": 1, "paused": false,
            },
            "profiles": profiles_json(&self.profiles),
            "teams": teams().into_iter().enumerate().map(team).collect::<Value>(),
            "terrains": terrains_json(map),
            "buildings": buildings_json(&buildings),
        });
        let verdict = json!({
            "type": "verdict", "ticks": self.ticks, "recorded": recorded,
            "truncated": self.ticks < recorded,
            "violations": self.violations, "found": self.found,
        });
        let mut all = Vec::with_capacity(self.bytes.len() + 4_096);
        add(&mut all, TEXT, &Bytes::from(hello.to_string()));
        all.extend_from_slice(&self.bytes);
        add(&mut all, TEXT, &Bytes::from(verdict.to_string()));
        all
    }
}

fn add(bytes: &mut Vec<u8>, kind: u32, message: &Bytes) {
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(&(message.len() as u32).to_le_bytes());
    bytes.extend_from_slice(message);
}

/// A violation of a tick. The referee counts from its first tick on; viewers know the world's.
fn violation_json(tick: u32, it: &Violation) -> Value {
    let units: Vec<u32> = it.units.iter().map(|unit| unit.to_bits()).collect();
    let cells: Vec<[u16; 2]> = it.cells.iter().map(|cell| [cell.x, cell.y]).collect();
    let text = it.to_string();
    let message = text.split_once(": ").map_or(text.as_str(), |(_, message)| message);
    json!({ "tick": tick, "kind": it.kind.name(), "message": message, "units": units, "cells": cells })
}
