//! Worlds over HTTP.

use serde_json::{Value, json};

use crate::client::{Known, TestServer};

#[test]
fn the_page_and_lists_are_served() {
    let server = TestServer::of("bay", 4);
    let (status, page) = server.ask("GET", "/", b"");
    assert_eq!(status, 200);
    assert!(String::from_utf8_lossy(&page).contains("<title>"));
    assert_eq!(server.ask("GET", "/page/nothing.js", b"").0, 404);
    let scenarios = server.json("GET", "/v1/scenarios", &Value::Null);
    assert_eq!(scenarios.as_array().unwrap().len(), 9);
    assert_eq!(scenarios[0]["id"], "town");
    assert_eq!(server.json("GET", "/v1/worlds", &Value::Null)[0]["id"], "main");
}

#[test]
fn every_scenario_runs_under_each_planner() {
    let server = TestServer::of("bay", 4);
    for scenario in server.json("GET", "/v1/scenarios", &Value::Null).as_array().unwrap() {
        for planner in ["throng", "whca", "lra"] {
            let new = json!({"scenario": scenario["id"], "planner": planner, "units": 40});
            let (status, world) = server.refusable("POST", "/v1/worlds", &new);
            if planner != "throng" && scenario["lra"] == false {
                assert_eq!(status, 409, "{world}");
                continue;
            }
            assert_eq!(status, 201, "{world}");
            let path = format!("/v1/worlds/{}", world["id"].as_str().unwrap());
            server.json("POST", &format!("{path}/pause"), &Value::Null);
            // A loaded machine may do fewer at once.
            let mut left = 50;
            while left > 0 {
                let ticked = server.json("POST", &format!("{path}/tick"), &json!({"ticks": left}));
                left -=
                    ticked["ticks"].as_u64().filter(|ticks| (1..=left).contains(ticks)).unwrap();
            }
            let shown = server.json("GET", &path, &Value::Null);
            assert_eq!(shown["planner"], planner);
            assert_eq!(server.ask("DELETE", &path, b"").0, 204);
        }
    }
    assert_eq!(server.json("GET", "/v1/worlds", &Value::Null).as_array().unwrap().len(), 1);
}

#[test]
fn the_number_of_worlds_is_limited() {
    let server = TestServer::of("bay", 4);
    let new = json!({"scenario": "bay", "units": 1});
    let created = (0..40).map(|_| server.refusable("POST", "/v1/worlds", &new).0);
    let created = created.filter(|&status| status == 201).count();
    assert_eq!(created, 15);
    let (status, refused) = server.refusable("POST", "/v1/worlds", &new);
    assert_eq!(status, 409);
    assert!(refused["error"]["message"].as_str().unwrap().contains("delete one"), "{refused}");
}

#[test]
fn a_world_is_made_from_a_map_saved_and_restored() {
    let server = TestServer::of("bay", 4);
    let map = "type octile\nheight 4\nwidth 8\nmap\n........\n...@....\n...@....\n........\n";
    let new = json!({"id": "mine", "map": map, "units": 2});
    let world = server.json("POST", "/v1/worlds", &new);
    assert_eq!((&world["width"], &world["units"]), (&json!(8), &json!(2)));
    server.json("POST", "/v1/worlds/mine/pause", &Value::Null);
    let edit = json!({"terrain": 1, "cells": [[3, 0]]});
    assert_eq!(server.refusable("POST", "/v1/worlds/mine/edits", &edit).0, 200);
    let (status, text) = server.ask("GET", "/v1/worlds/mine/map", b"");
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&text));
    let (status, snapshot) = server.ask("GET", "/v1/worlds/mine/snapshot", b"");
    assert_eq!(status, 200);
    let (status, replay) = server.ask("GET", "/v1/worlds/mine/replay", b"");
    assert_eq!(status, 200);
    let replayed = throng::world::Replay::from_bytes(&replay).unwrap().run(1).unwrap();
    let restored = throng::World::restore(&snapshot, 1).unwrap();
    assert_eq!(replayed.hash(), restored.hash());
    assert_eq!(server.ask("POST", "/v1/worlds/main/restore", &snapshot).0, 200);
    // The new state is published after the next tick.
    let is_restored = |_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        server.json("GET", "/v1/worlds/main", &Value::Null)["width"] == 8
    };
    assert!((0..500).any(is_restored));
    assert_eq!(server.ask("POST", "/v1/worlds/main/restore", &snapshot[..50]).0, 400);
}

#[test]
fn a_replay_is_shown_as_it_was() {
    let server = TestServer::of("crossing", 20);
    let mut viewer = server.watch("main");
    viewer.until(|viewer| viewer.tick > 20);
    viewer.ask(json!({"type": "paint", "terrain": 1, "rect": [1, 1, 2, 2]}));
    let painted = viewer.tick;
    viewer.until(|viewer| viewer.tick > painted + 20);
    viewer.ask(json!({"type": "pause"}));
    let now = viewer.ask(json!({"type": "step"}))["tick"].as_u64().unwrap() as u32;
    viewer.until(|viewer| viewer.tick >= now);
    let (_, replay) = server.ask("GET", "/v1/worlds/main/replay", b"");
    let (status, messages) = server.ask("POST", "/v1/replays", &replay);
    assert_eq!(status, 200);
    let mut shown = Known::default();
    let verdict = shown.take_all(&messages);
    assert_eq!((shown.tick, &shown.map), (viewer.tick, &viewer.map));
    let places = |known: &Known| -> Vec<_> {
        known
            .units
            .iter()
            .map(|(&id, unit)| (id, unit.x, unit.y, unit.team, unit.heading))
            .collect()
    };
    assert_eq!(places(&shown), places(&viewer));
    assert_eq!((&verdict["violations"], &verdict["truncated"]), (&json!([]), &json!(false)));
    assert_eq!(server.ask("POST", "/v1/replays", &replay[..90]).0, 400);
    assert_eq!(server.ask("POST", "/v1/replays", b"text").0, 400);
}

#[test]
fn mistakes_are_explained() {
    let server = TestServer::of("bay", 4);
    let check = |path: &str, body: Value, status: u16, words: &str| {
        let (found, answer) = server.refusable("POST", path, &body);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(found == status && message.contains(words), "{path} {body}: {found} {answer}");
    };
    check("/v1/worlds", json!({"scenario": "x"}), 404, "use one of: town");
    check("/v1/worlds", json!({"size": 3}), 400, "unknown field");
    check("/v1/worlds", json!({"map": "type octile"}), 400, "the map:");
    check("/v1/worlds", json!({"units": 99_999_999}), 400, "at most");
    check("/v1/worlds", json!({"id": "a/b"}), 400, "letters");
    check("/v1/worlds/none/tick", json!({}), 404, "no world");
    check("/v1/worlds/main/tick", json!({"ticks": 0}), 400, "give 1 to");
    let order = json!({"units": [0], "order": {"kind": "fly"}});
    check("/v1/worlds/main/orders", order, 400, "no order");
    let order = json!({"units": [77], "order": {"kind": "stop"}});
    check("/v1/worlds/main/orders", order, 404, "there is no unit 77");
    check("/v1/worlds/main/edits", json!({"terrain": 99, "cells": [[1, 1]]}), 409, "terrain class");
    check("/v1/worlds/main/spawn", json!({"profile": 9, "cells": []}), 400, "no profile");
    check("/nothing", json!({}), 404, "openapi");
}

#[test]
fn pages_of_other_sites_are_refused() {
    let server = TestServer::of("bay", 4);
    let host = format!("Host: {}\r\n", server.address);
    let foreign = format!("{host}Origin: http://evil.example\r\n");
    assert_eq!(server.ask_with("GET", "/v1/worlds", b"", &foreign).0, 403);
    assert_eq!(server.ask_with("GET", "/v1/worlds", b"", "Host: evil.example\r\n").0, 403);
    let own = format!("{host}Origin: http://{}\r\n", server.address);
    assert_eq!(server.ask_with("GET", "/v1/worlds", b"", &own).0, 200);
}
