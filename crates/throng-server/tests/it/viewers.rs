//! Viewers see the world, and command it.

use serde_json::json;

use crate::client::TestServer;

#[test]
fn a_viewer_sees_the_town_move() {
    let server = TestServer::of("town", 100);
    let mut viewer = server.watch("main");
    assert_eq!(viewer.hello["protocol"], 1);
    assert_eq!(viewer.hello["world"]["planner"], "throng");
    assert_eq!(viewer.map.len(), 128 * 80);
    assert_eq!(viewer.units.len(), 100);
    let sizes = |size| viewer.units.values().filter(|unit| unit.size == size).count();
    assert!(sizes(1) > 0 && sizes(2) > 0 && sizes(3) > 0);
    let before = viewer.units.clone();
    let begin = viewer.tick;
    viewer.until(|viewer| {
        viewer.check_bodies();
        viewer.tick > begin + 30
    });
    let moved = before.iter().filter(|(id, unit)| viewer.units.get(id) != Some(unit)).count();
    assert!(moved > 50, "{moved} of 100 moved");
    let status = viewer.text("status");
    assert_eq!(status["units"], 100);
    assert_eq!(status["viewers"], 1);
}

#[test]
fn orders_are_obeyed_and_walls_avoided() {
    let server = TestServer::of("door", 0);
    let mut viewer = server.watch("main");
    let spawned = viewer.ask(json!({"type": "spawn", "profile": 0, "cells": [[5, 10], [5, 12]]}));
    let unit = spawned["units"][0].as_u64().unwrap() as u32;
    let painted = viewer.ask(json!({"type": "paint", "terrain": 1, "rect": [35, 19, 2, 1]}));
    assert_eq!(painted["changed"], 2);
    viewer.until(|viewer| viewer.map[19 * 72 + 35] == 1);
    let go = json!({"kind": "go", "cells": [[60, 30]]});
    assert_eq!(viewer.ask(json!({"type": "order", "units": [unit], "order": go}))["type"], "done");
    let ordered = viewer.tick;
    viewer.until(|viewer| viewer.tick > ordered + 3);
    let told = viewer.ask(json!({"type": "inspect", "unit": unit}));
    assert_eq!(told["destination"], json!([60, 30]));
    assert!(told["why"].is_string());
    viewer.until(|viewer| {
        let unit = viewer.units[&unit];
        assert_ne!(viewer.map[usize::from(unit.y) * 72 + usize::from(unit.x)], 1, "in a wall");
        (unit.x, unit.y, unit.status) == (60, 30, 2)
    });
    let removed = viewer.ask(json!({"type": "remove", "units": [unit]}));
    assert_eq!(removed["type"], "done");
    viewer.until(|viewer| !viewer.units.contains_key(&unit) && viewer.units.len() == 1);
    let refused = viewer.ask(json!({"type": "inspect", "unit": unit}));
    assert_eq!(refused["type"], "error");
    assert!(refused["message"].as_str().unwrap().contains("there is no unit"), "{refused}");
}

#[test]
fn time_can_be_stopped_stepped_and_begun_again() {
    let server = TestServer::of("crossing", 40);
    let mut viewer = server.watch("main");
    viewer.ask(json!({"type": "pause"}));
    viewer.text("status");
    let stopped = viewer.text("status");
    assert_eq!(stopped["paused"], true);
    let stepped = viewer.ask(json!({"type": "step"}));
    assert_eq!(stepped["tick"].as_u64(), stopped["tick"].as_u64().map(|tick| tick + 1));
    viewer.ask(json!({"type": "speed", "value": 4}));
    assert_eq!(viewer.ask(json!({"type": "speed", "value": -1}))["type"], "error");
    viewer.ask(json!({"type": "resume"}));
    let tick = viewer.tick;
    viewer.until(|viewer| viewer.tick > tick + 5);
    viewer.ask(json!({"type": "restart", "scenario": "bay", "planner": "lra", "seed": 3}));
    viewer.until(|viewer| viewer.hello["world"]["scenario"] == "bay" && viewer.units.len() == 16);
    assert_eq!(viewer.hello["world"]["planner"], "lra");
    assert_eq!(viewer.hello["world"]["seed"], 3);
    let tick = viewer.tick;
    viewer.until(|viewer| {
        viewer.check_bodies();
        viewer.tick > tick + 30
    });
}

#[test]
fn units_under_whca_are_sent_and_tell_their_plans() {
    let server = TestServer::of("crossing", 40);
    let mut viewer = server.watch("main");
    viewer.ask(json!({"type": "planner", "name": "whca"}));
    viewer.until(|viewer| viewer.hello["world"]["planner"] == "whca" && viewer.units.len() == 40);
    let tick = viewer.tick;
    viewer.until(|viewer| {
        viewer.check_bodies();
        viewer.tick > tick + 20
    });
    let unit = *viewer.units.keys().next().unwrap();
    let go = json!({"kind": "go", "cells": [[30, 30]]});
    let done = viewer.ask(json!({"type": "order", "units": [unit], "order": go}));
    assert_eq!(done["type"], "done", "{done}");
    let inspected = viewer.ask(json!({"type": "inspect", "unit": unit}));
    assert_eq!(inspected["destination"], json!([30, 30]), "{inspected}");
    let plan = inspected["plan"].as_array().unwrap();
    assert!(!plan.is_empty(), "{inspected}");
    let at = |step: &serde_json::Value| json!([step[0], step[1]]);
    assert_eq!(at(&plan[0]), inspected["at"], "{inspected}");
    viewer.until(|viewer| {
        viewer.check_bodies();
        (viewer.units[&unit].x, viewer.units[&unit].y) == (30, 30)
    });
    let refused = viewer.ask(
        json!({"type": "order", "units": [unit], "order": {"kind": "patrol", "cells": [[1, 30]]}}),
    );
    assert!(refused["message"].as_str().unwrap().contains("WHCA*"), "{refused}");
}

#[test]
fn a_view_limits_what_is_sent() {
    let server = TestServer::of("maze", 400);
    let mut viewer = server.watch("main");
    assert_eq!(viewer.units.len(), 400);
    viewer.ask(json!({"type": "view", "x": 10, "y": 10, "w": 30, "h": 30}));
    viewer.until(|viewer| viewer.units.len() < 150);
    let inside = |at: u16| (9..=41).contains(&at);
    assert!(viewer.units.values().all(|unit| inside(unit.x) && inside(unit.y)));
    viewer.ask(json!({"type": "view"}));
    viewer.until(|viewer| viewer.units.len() == 400);
}

#[test]
fn overlays_are_answered() {
    let server = TestServer::of("door", 50);
    let mut viewer = server.watch("main");
    let unit = *viewer.units.keys().next().unwrap();
    for kind in
        ["reservations", "distance", "clusters", "hierarchy", "zones", "heat", "components", "jams"]
    {
        let overlay = viewer.ask(json!({"type": "overlay", "kind": kind, "unit": unit}));
        assert_eq!(
            (&overlay["type"], &overlay["kind"]),
            (&json!("overlay"), &json!(kind)),
            "{overlay}"
        );
    }
    let clusters = viewer.ask(json!({"type": "overlay", "kind": "clusters"}));
    assert!(!clusters["transitions"].as_array().unwrap().is_empty());
    let hierarchy = viewer.ask(json!({"type": "overlay", "kind": "hierarchy"}));
    assert_eq!(hierarchy["rects"].as_array().unwrap().len(), 72_usize.div_ceil(16) * 3);
    for step in hierarchy["transitions"].as_array().unwrap() {
        let place = |at: usize| step[at].as_i64().unwrap();
        let (dx, dy) = (place(2) - place(0), place(3) - place(1));
        assert!((dx, dy) != (0, 0) && dx.abs() <= 1 && dy.abs() <= 1, "{step}");
    }
    // Two rooms, the door between them, and the gates on both sides of it.
    let zones = viewer.ask(json!({"type": "overlay", "kind": "zones"}));
    assert_eq!(zones["rects"].as_array().unwrap().len(), 3, "{zones}");
    assert_eq!(zones["gates"], json!([[35, 19, 35, 21], [37, 19, 37, 21]]));
    assert_eq!(viewer.ask(json!({"type": "overlay", "kind": "x"}))["type"], "error");
}
