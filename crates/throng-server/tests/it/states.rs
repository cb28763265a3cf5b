//! Worlds outlive the server in a state file.

use std::time::Duration;

use serde_json::{Value, json};
use throng_server::ServerOptions;

use crate::client::TestServer;

#[test]
fn worlds_are_saved_and_restored() {
    let path = std::env::temp_dir().join(format!("throng-it-state-{}.json", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let options = ServerOptions {
        scenario: "crossing".to_owned(),
        units: Some(40),
        tick_hz: 50.0,
        state: Some(path.clone()),
        save_every: Duration::from_millis(100),
        ..ServerOptions::default()
    };
    let server = TestServer::start(&options);
    let whca = json!({"id": "second", "scenario": "bay", "planner": "whca"});
    server.json("POST", "/v1/worlds", &whca);
    let map = "type octile\nheight 4\nwidth 8\nmap\n........\n........\n........\n........\n";
    server.json("POST", "/v1/worlds", &json!({"id": "third", "map": map, "units": 3}));
    let mut viewer = server.watch("main");
    viewer.until(|viewer| viewer.tick > 20);
    viewer.ask(json!({"type": "pause"}));
    let spawned =
        viewer.ask(json!({"type": "spawn", "profile": 0, "team": 3, "cells": [[23, 23]]}));
    let unit = spawned["units"][0].as_u64();
    viewer.until(|viewer| viewer.units.len() == 41 || unit.is_none());
    let (units, tick) = (viewer.units.clone(), viewer.tick);
    drop(viewer);
    drop(server);
    let server = TestServer::start(&options);
    let worlds = server.json("GET", "/v1/worlds", &Value::Null);
    let ids: Vec<&str> =
        worlds.as_array().unwrap().iter().filter_map(|w| w["id"].as_str()).collect();
    assert_eq!(ids, ["main", "second", "third"]);
    let viewer = server.watch("main");
    assert_eq!((viewer.tick, &viewer.hello["world"]["paused"]), (tick, &json!(true)));
    assert_eq!(viewer.units.keys().collect::<Vec<_>>(), units.keys().collect::<Vec<_>>());
    for (id, unit) in &units {
        let restored = viewer.units[id];
        assert_eq!(
            (restored.x, restored.y, restored.team),
            (unit.x, unit.y, unit.team),
            "unit {id}"
        );
    }
    drop(server);
    std::fs::write(&path, "damaged").unwrap();
    let refused = throng_server::Server::start(&options).err().expect("damaged").to_string();
    assert!(refused.contains("move it away"), "{refused}");
    std::fs::remove_file(&path).unwrap();
}
