//! Every order that a page can give, teams, and buildings.

use serde_json::{Value, json};

use crate::client::{TestServer, Unit, Viewer};

/// An empty map, a viewer, and units of a team at these cells.
fn field(server: &TestServer) -> Viewer {
    let row = format!("{}\n", ".".repeat(40));
    let map = format!("type octile\nheight 30\nwidth 40\nmap\n{}", row.repeat(30));
    server.json("POST", "/v1/worlds", &json!({"id": "field", "map": map, "units": 0}));
    server.watch("field")
}

fn spawn(viewer: &mut Viewer, team: u8, cells: &Value) -> Vec<u32> {
    let spawned = viewer.ask(json!({"type": "spawn", "profile": 0, "team": team, "cells": cells}));
    let units: Vec<u32> = spawned["units"].as_array().unwrap().iter().map(id).collect();
    viewer.until(|viewer| units.iter().all(|unit| viewer.units.contains_key(unit)));
    units
}

fn id(unit: &Value) -> u32 {
    unit.as_u64().unwrap() as u32
}

fn order(viewer: &mut Viewer, units: &[u32], order: &Value) -> Value {
    let told = viewer.ask(json!({"type": "order", "units": units, "order": order}));
    assert_eq!(told["type"], "done", "{told}");
    told
}

fn distance(a: Unit, b: Unit) -> u16 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

#[test]
fn units_follow_guard_chase_patrol_and_approach() {
    let server = TestServer::of("bay", 1);
    let mut viewer = field(&server);
    let units = spawn(&mut viewer, 0, &json!([[2, 2], [2, 20], [2, 10], [30, 25], [35, 2]]));
    let [leader, follower, guard, chaser, patrol] = units[..] else { panic!("{units:?}") };
    let track = |kind: &str| json!({"kind": kind, "target": leader, "distance": 2});
    order(&mut viewer, &[follower], &track("follow"));
    order(&mut viewer, &[guard], &track("guard"));
    order(&mut viewer, &[chaser], &track("chase"));
    order(&mut viewer, &[patrol], &json!({"kind": "patrol", "cells": [[35, 6]]}));
    order(&mut viewer, &[leader], &json!({"kind": "go", "cells": [[20, 5]]}));
    for unit in [follower, guard, chaser] {
        viewer.until(|viewer| {
            let (at, to) = (viewer.units[&unit], viewer.units[&leader]);
            (to.x, to.y) == (20, 5) && distance(at, to) <= 2
        });
    }
    for row in [6, 2, 6] {
        viewer.until(|viewer| viewer.units[&patrol].y == row);
    }
    let told = viewer.ask(json!({"type": "inspect", "unit": follower}));
    let wanted = json!({"kind": "follow", "target": leader, "distance": 2});
    assert_eq!(told["order"], wanted, "{told}");
    // The foot of a wall, and an order after it.
    viewer.ask(json!({"type": "paint", "terrain": 1, "rect": [10, 10, 5, 5]}));
    order(&mut viewer, &[leader], &json!({"kind": "approach", "cells": [[12, 12]]}));
    let go = json!({"kind": "go", "cells": [[1, 1]]});
    viewer.ask(json!({"type": "order", "units": [leader], "order": go, "queue": true}));
    let told = viewer.ask(json!({"type": "inspect", "unit": leader}));
    assert_eq!(told["queue"], json!([{"kind": "go", "cells": [[1, 1]]}]), "{told}");
    viewer.until(|viewer| (viewer.units[&leader].x, viewer.units[&leader].y) == (1, 1));
}

#[test]
fn groups_stand_in_formation() {
    let server = TestServer::of("bay", 1);
    let mut viewer = field(&server);
    let cells: Vec<[u16; 2]> = (0..9).map(|unit| [2 + unit % 3, 2 + unit / 3]).collect();
    let units = spawn(&mut viewer, 0, &json!(cells));
    let go = json!({"kind": "go", "cells": [[25, 15]]});
    let mut message = json!({"type": "order", "units": units, "order": go, "formation": "line"});
    let told = viewer.ask(message.clone());
    // A line of nine that looks east: one column, every second row.
    let mut rows: Vec<u64> =
        told["cells"].as_array().unwrap().iter().map(|cell| cell[1].as_u64().unwrap()).collect();
    rows.sort_unstable();
    assert_eq!(rows, [7, 9, 11, 13, 15, 17, 19, 21, 23], "{told}");
    viewer.until(|viewer| viewer.units.values().all(|unit| unit.x == 25 && unit.status == 2));
    message["facing"] = json!("north");
    let told = viewer.ask(message.clone());
    let cells = told["cells"].as_array().unwrap();
    assert!(cells.iter().all(|cell| cell[1] == 15), "{told}");
    for (field, wrong) in [("formation", "circle"), ("facing", "up")] {
        let mut message = message.clone();
        message[field] = json!(wrong);
        let refused = viewer.ask(message);
        assert!(refused["message"].as_str().unwrap().contains("use one of"), "{refused}");
    }
}

#[test]
fn an_attack_move_halts_strikes_and_goes_on() {
    let server = TestServer::of("bay", 1);
    let mut viewer = field(&server);
    let red = spawn(&mut viewer, 0, &json!([[2, 5], [2, 6]]));
    let blue = spawn(&mut viewer, 1, &json!([[20, 5]]));
    assert_eq!(viewer.ask(json!({"type": "war", "on": true}))["type"], "done");
    order(&mut viewer, &red, &json!({"kind": "attack_move", "cells": [[35, 5]]}));
    viewer.until(|viewer| {
        let (red, blue) = (viewer.units[&red[0]], viewer.units.get(&blue[0]));
        blue.is_some_and(|&blue| distance(red, blue) <= 3) && red.status == 5
    });
    viewer.until(|viewer| !viewer.units.contains_key(&blue[0]));
    viewer.until(|viewer| viewer.units.values().all(|unit| unit.x >= 34));
    // Units that change sides, and peace.
    let changed = viewer.ask(json!({"type": "set_team", "units": [red[0]], "team": 2}));
    assert_eq!(changed["type"], "done");
    viewer.until(|viewer| viewer.units[&red[0]].team == 2);
    assert_eq!(viewer.ask(json!({"type": "war", "on": false}))["type"], "done");
    assert_eq!(viewer.ask(json!({"type": "set_team", "units": red, "team": 9}))["type"], "error");
    order(&mut viewer, &red, &json!({"kind": "go", "cells": [[5, 5]]}));
    order(&mut viewer, &red, &json!({"kind": "halt"}));
    viewer.until(|viewer| viewer.units.values().all(|unit| unit.status == 5));
    order(&mut viewer, &red, &json!({"kind": "resume"}));
    viewer.until(|viewer| viewer.units.values().all(|unit| unit.x <= 6));
}

#[test]
fn a_building_is_entered_and_removed() {
    let server = TestServer::of("bay", 1);
    let mut viewer = field(&server);
    let unit = spawn(&mut viewer, 0, &json!([[2, 2]]))[0];
    let cells: Vec<[u16; 2]> = (10..13).flat_map(|x| (10..13).map(move |y| [x, y])).collect();
    viewer.ask(json!({"type": "paint", "terrain": 1, "cells": cells}));
    let door = json!([[11, 13]]);
    let built = viewer.ask(json!({
        "type": "building", "name": "house", "cells": cells, "entrances": door, "exits": door
    }));
    order(&mut viewer, &[unit], &json!({"kind": "enter", "target": built["id"]}));
    viewer.until(|viewer| viewer.units.is_empty());
    let removed = viewer.ask(json!({"type": "remove_building", "id": built["id"]}));
    assert_eq!(removed["type"], "done", "{removed}");
    viewer.until(|viewer| viewer.units.contains_key(&unit) && viewer.map[10 * 40 + 10] == 0);
    let again = viewer.ask(json!({"type": "remove_building", "id": built["id"]}));
    assert!(again["message"].as_str().unwrap().contains("no building"), "{again}");
}

#[test]
fn orders_are_bounded() {
    let server = TestServer::of("bay", 1);
    let mut viewer = field(&server);
    let unit = spawn(&mut viewer, 0, &json!([[2, 2]]))[0];
    viewer.ask(json!({"type": "pause"}));
    let go = json!({"kind": "go", "cells": [[30, 20]]});
    let mut message = json!({"type": "order", "units": [unit], "order": go, "queue": true});
    let answers: Vec<Value> = (0..40).map(|_| viewer.ask(message.clone())).collect();
    assert!(answers[39]["message"].as_str().unwrap().contains("the limit"), "{}", answers[39]);
    (message["queue"], message["order"]) = (json!(false), json!({"kind": "dance"}));
    let refused = viewer.ask(message);
    assert!(refused["message"].as_str().unwrap().contains("use one of go,"), "{refused}");
    let body = json!({"units": vec![unit; 21_000], "order": {"kind": "stop"}});
    let (status, refused) = server.refusable("POST", "/v1/worlds/field/orders", &body);
    assert!(status == 400 && refused.to_string().contains("too many"), "{status} {refused}");
    let cells = vec![[1, 1]; 60_000];
    let body = json!({"units": vec![unit; 100], "order": {"kind": "go", "cells": cells}});
    assert_eq!(server.refusable("POST", "/v1/worlds/field/orders", &body).0, 400);
}
