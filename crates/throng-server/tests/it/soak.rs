//! Many clients with random orders and edits: no overlap, no lost unit, no growth of memory.
//!
//! `THRONG_SOAK_SECONDS` sets how long; five seconds if it is absent.
#![expect(clippy::disallowed_methods, reason = "a test that is told how long, and measures memory")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::client::TestServer;

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

#[test]
fn random_orders_and_edits_of_twenty_clients_break_nothing() {
    let seconds = std::env::var("THRONG_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let ticks = seconds.unwrap_or(5) * 50;
    let server = Arc::new(TestServer::of("crossing", UNITS as u32));
    let mut referee = server.watch("main");
    let units: Arc<Vec<u32>> = Arc::new(referee.units.keys().copied().collect());
    assert_eq!(units.len(), UNITS);
    let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (server, units) = (server.clone(), units.clone());
            let (stop, done) = (stop.clone(), done.clone());
            std::thread::spawn(move || {
                let (mut viewer, mut state) = (server.watch("main"), client);
                while !stop.load(Ordering::Relaxed) {
                    viewer.ask(message(&mut state, &units));
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let begin = referee.tick;
    let mut early = 0;
    while referee.tick <= begin + ticks {
        referee.read();
        referee.check_bodies();
        assert_eq!(referee.units.len(), UNITS, "a unit is lost");
        if early == 0 && referee.tick > begin + ticks / 4 {
            early = memory_kib();
        }
    }
    stop.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let (late, done) = (memory_kib(), done.load(Ordering::Relaxed));
    assert!(done > 100, "{done} messages");
    assert!(late < early + 64 * 1024, "{early} KiB, then {late} KiB after {done} messages");
    check_replay(&server);
}

/// What was recorded leads to the same world.
fn check_replay(server: &TestServer) {
    server.json("POST", "/v1/worlds/main/pause", &Value::Null);
    let (_, snapshot) = server.ask("GET", "/v1/worlds/main/snapshot", b"");
    let (_, replay) = server.ask("GET", "/v1/worlds/main/replay", b"");
    let replayed = throng::world::Replay::from_bytes(&replay).unwrap().run(1).unwrap();
    assert_eq!(replayed.hash(), throng::World::restore(&snapshot, 1).unwrap().hash());
}
