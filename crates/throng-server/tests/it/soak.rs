//! Many clients with random orders and edits: no overlap, no lost unit, no growth of memory.
//!
//! The referee judges every tick that its viewer sees, and the recording at the end. `THRONG_SOAK_SECONDS` sets how long; five
//! seconds if it is absent.
#![expect(clippy::disallowed_methods, reason = "a test that is told how long, and measures memory")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use serde_json::{Value, json};
use throng::model::{Cell, Conflicts, CornerRule, Map, MovementProfile, UnitId};
use throng::referee::{Heading, LiveReferee, Sighting};

use crate::client::{Known, TestServer, Viewer};

const CLIENTS: u64 = 20;
const UNITS: usize = 200;

/// The next of a row of numbers that look random.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// A random order, wall or clearing on the map of the crossing.
fn message(state: &mut u64, units: &[u32]) -> Value {
    let cell = [draw(state, 60), draw(state, 60)];
    if draw(state, 4) == 0 {
        let [x, y] = cell;
        // Walls are soon cleared again: most of the map stays free.
        let terrain = u64::from(draw(state, 3) == 0);
        return json!({"type": "paint", "terrain": terrain, "rect": [x, y, 3, 3]});
    }
    let some: Vec<u32> = (0..5).map(|_| units[draw(state, units.len() as u64) as usize]).collect();
    let (first, target) = (some[0], units[draw(state, units.len() as u64) as usize]);
    let queue = draw(state, 4) == 0;
    let kinds = ["go", "go", "patrol", "approach", "follow", "chase", "guard", "hold", "stop"];
    let kind = kinds[draw(state, kinds.len() as u64) as usize];
    let units = if ["follow", "chase", "guard"].contains(&kind) { vec![first] } else { some };
    json!({
        "type": "order", "units": units, "queue": queue,
        "order": {"kind": kind, "cells": [cell], "target": target},
    })
}

/// Resident memory of this process in KiB; 0 where the system does not tell.
fn memory_kib() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4
}

/// The referee, with the world as a viewer knows it.
struct Judge {
    referee: LiveReferee,
    /// Without walls: a frame may show edits that were made after its tick. Steps into walls are
    /// found in the recording, which has every edit in its place.
    map: Map,
    movements: Vec<MovementProfile>,
    tick: u32,
    judged: u32,
    /// Ticks that the viewer did not see: the machine was busy.
    missed: u32,
}

impl Judge {
    fn new(viewer: &Viewer) -> Self {
        let (width, height) = (viewer.width, viewer.map.len() / viewer.width);
        let movement = |kind: &Value| MovementProfile {
            corners: CornerRule::NeverCut,
            footprint: kind["size"].as_u64().unwrap() as u8,
            pace: kind["pace"].as_u64().unwrap() as u8,
            ..MovementProfile::eight_connected()
        };
        Self {
            referee: LiveReferee::new(Conflicts::default()),
            map: Map::empty(width as u32, height as u32).unwrap(),
            movements: viewer.hello["profiles"].as_array().unwrap().iter().map(movement).collect(),
            tick: 0,
            judged: 0,
            missed: 0,
        }
    }

    /// Judges the newest tick.
    fn judge(&mut self, viewer: &Viewer) {
        if viewer.tick == self.tick {
            return;
        }
        if viewer.tick != self.tick + 1 && self.judged > 0 {
            self.missed += viewer.tick - self.tick - 1;
            self.referee = LiveReferee::new(Conflicts::default());
        }
        let sighting = |(&id, unit): (&u32, &crate::client::Unit)| Sighting {
            unit: UnitId::from_bits(id),
            movement: &self.movements[usize::from(unit.profile)],
            at: Cell::new(unit.x, unit.y),
            heading: unit
                .heading
                .map(|(x, y, ticks_left)| Heading { to: Cell::new(x, y), ticks_left }),
            team: unit.team,
            layer: 0,
        };
        let mut sightings: Vec<Sighting<'_>> = viewer.units.iter().map(sighting).collect();
        sightings.sort_by_key(|sighting| sighting.unit);
        let found = self.referee.tick(&self.map, &sightings, &[]);
        assert!(found.is_empty(), "tick {}: {found:#?}", viewer.tick);
        (self.tick, self.judged) = (viewer.tick, self.judged + 1);
    }
}

/// Clients that give orders and paint until they are stopped.
struct Crowd {
    stop: Arc<AtomicBool>,
    messages: Arc<AtomicUsize>,
    threads: Vec<JoinHandle<()>>,
}

impl Crowd {
    fn start(server: &Arc<TestServer>, units: &Arc<Vec<u32>>) -> Self {
        let (stop, messages) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let client = |client| {
            let (server, units) = (server.clone(), units.clone());
            let (stop, messages) = (stop.clone(), messages.clone());
            std::thread::spawn(move || {
                let (mut viewer, mut state) = (server.watch("main"), client);
                while !stop.load(Ordering::Relaxed) {
                    viewer.ask(message(&mut state, &units));
                    messages.fetch_add(1, Ordering::Relaxed);
                }
            })
        };
        let threads = (0..CLIENTS).map(client).collect();
        Self { stop, messages, threads }
    }

    /// Stops all of them; how many messages they sent.
    fn stop(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|thread| thread.join().unwrap());
        self.messages.load(Ordering::Relaxed)
    }
}

#[test]
fn random_orders_and_edits_of_twenty_clients_break_nothing() {
    let seconds = std::env::var("THRONG_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let ticks = seconds.unwrap_or(5) * 50;
    let server = Arc::new(TestServer::of("crossing", UNITS as u32));
    let mut viewer = server.watch("main");
    let units: Arc<Vec<u32>> = Arc::new(viewer.units.keys().copied().collect());
    assert_eq!(units.len(), UNITS);
    let mut judge = Judge::new(&viewer);
    let crowd = Crowd::start(&server, &units);
    let begin = viewer.tick;
    let mut early = 0;
    while viewer.tick <= begin + ticks {
        viewer.read();
        viewer.check_bodies();
        judge.judge(&viewer);
        assert_eq!(viewer.units.len(), UNITS, "a unit is lost");
        if early == 0 && viewer.tick > begin + ticks / 4 {
            early = memory_kib();
        }
    }
    let messages = crowd.stop();
    let late = memory_kib();
    println!(
        "{ticks} ticks, {messages} messages; {} ticks judged, {} missed; {} MiB after a quarter, {} MiB at the end",
        judge.judged,
        judge.missed,
        early / 1024,
        late / 1024
    );
    assert!(messages > 100 && judge.judged > 10, "{messages} messages");
    assert!(late < early + 64 * 1024, "{early} KiB, then {late} KiB after {messages} messages");
    let verdict = check_replay(&server);
    println!("of the recording {} of {} ticks judged", verdict["ticks"], verdict["recorded"]);
}

/// What was recorded leads to the same world, and the referee finds nothing in it.
fn check_replay(server: &TestServer) -> Value {
    server.json("POST", "/v1/worlds/main/pause", &Value::Null);
    let (_, snapshot) = server.ask("GET", "/v1/worlds/main/snapshot", b"");
    let (_, replay) = server.ask("GET", "/v1/worlds/main/replay", b"");
    let replayed = throng::world::Replay::from_bytes(&replay).unwrap().run(1).unwrap();
    assert_eq!(replayed.hash(), throng::World::restore(&snapshot, 1).unwrap().hash());
    let (status, messages) = server.ask("POST", "/v1/replays", &replay);
    let verdict = Known::default().take_all(&messages);
    assert_eq!((status, &verdict["violations"]), (200, &json!([])));
    verdict
}
