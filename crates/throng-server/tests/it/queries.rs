//! Path and plan queries, maps, health.

use serde_json::{Value, json};

use crate::client::TestServer;

const ROOM: &str = "type octile\nheight 5\nwidth 9\nmap\n\
                    ....@....\n....@....\n.........\n....@....\n@@@@@@@@.\n";

fn with_map() -> (TestServer, String) {
    let server = TestServer::of("bay", 4);
    let (status, body) = server.ask("POST", "/v1/maps", ROOM.as_bytes());
    let map: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status, &map["width"]), (201, &json!(9)));
    (server, map["id"].as_str().unwrap().to_owned())
}

#[test]
fn paths_are_found_or_proven_impossible() {
    let (server, map) = with_map();
    let ask = |from: Value, to: Value, more: Value| {
        let mut query = json!({"map": map, "from": from, "to": to});
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.refusable("POST", "/v1/path", &query)
    };
    let (_, found) = ask(json!([[0, 0]]), json!([[8, 0]]), json!({}));
    assert_eq!((&found["status"], &found["path"][0]), (&json!("found"), &json!([0, 0])), "{found}");
    assert_eq!(found["path"].as_array().unwrap().len(), 9);
    // The nearest of two goals, for a unit that steps straight.
    let movement = json!({"movement": {"moves": 4}});
    let (_, found) = ask(json!([[3, 2]]), json!([[8, 2], [5, 2]]), movement);
    assert_eq!(found["cost"], 2.0, "{found}");
    // Two cells do not fit through the door.
    let (_, cut_off) = ask(json!([[0, 0]]), json!([[5, 0]]), json!({"movement": {"size": 2}}));
    assert_eq!(cut_off, json!({"status": "unreachable", "expanded": 0, "algorithm": "components"}));
    let (_, spent) = ask(json!([[0, 0]]), json!([[8, 0]]), json!({"budget": 1}));
    assert_eq!(spent["status"], "budget_spent", "{spent}");
    let refused = |from, to, more, words: &str| {
        let (status, answer) = ask(from, to, more);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(status == 400 && message.contains(words), "{status} {answer}");
    };
    refused(json!([[4, 0]]), json!([[8, 0]]), json!({}), "choose a cell where the unit can stand");
    refused(json!([[0, 0]]), json!([]), json!({}), "no goal");
    refused(json!([[0, 0]]), json!([[8, 0]]), json!({"budget": 0}), "give 1 to");
    refused(json!([[0, 0]]), json!([[8, 0]]), json!({"movement": {"moves": 5}}), "give 4 or 8");
    let terrain = json!({"movement": {"terrain": {"lava": 3}}});
    refused(json!([[0, 0]]), json!([[8, 0]]), terrain, "no terrain \"lava\"; the map has");
    let none = server.refusable("POST", "/v1/path", &json!({"from": [], "to": []}));
    assert_eq!(none.0, 400);
}

#[test]
fn batches_keep_what_is_wrong_apart() {
    let (server, map) = with_map();
    let queries = json!([
        {"from": [[0, 0]], "to": [[1, 0]]},
        {"from": [[4, 0]], "to": [[1, 0]]},
        {"from": [[0, 0]], "to": [[8, 4]]},
    ]);
    let body = json!({"map": map, "queries": queries});
    for _ in 0..2 {
        let answers = server.json("POST", "/v1/paths", &body);
        let status = |index: usize| answers["answers"][index]["status"].as_str().unwrap();
        assert_eq!([0, 1, 2].map(status), ["found", "invalid", "found"]);
    }
    assert_eq!(server.ask("DELETE", &format!("/v1/maps/{map}"), b"").0, 204);
    assert_eq!(server.refusable("POST", "/v1/paths", &body).0, 404);
}

#[test]
fn paths_on_a_world_follow_its_edits() {
    let server = TestServer::of("door", 0);
    let query = json!({"world": "main", "from": [[5, 20]], "to": [[60, 20]]});
    let before = server.json("POST", "/v1/path", &query);
    assert_eq!(before["status"], "found");
    let wall = json!({"terrain": 1, "rect": [35, 19, 2, 2]});
    server.json("POST", "/v1/worlds/main/edits", &wall);
    let mut tries = (0..200).map(|_| server.json("POST", "/v1/path", &query));
    assert!(tries.any(|answer| answer["status"] == "unreachable"));
}

#[test]
fn plans_are_refereed() {
    let (server, map) = with_map();
    let units = json!([{"from": [0, 2], "to": [8, 2]}, {"from": [8, 2], "to": [0, 2]}]);
    for solver in ["auto", "hca", "joint"] {
        let movement = json!({"moves": 4});
        let body = json!({"map": map, "units": units, "solver": solver, "movement": movement});
        let plan = server.json("POST", "/v1/plan", &body);
        assert_eq!(
            (&plan["status"], &plan["referee"]["valid"]),
            (&json!("solved"), &json!(true)),
            "{plan}"
        );
        assert_eq!(plan["paths"].as_array().unwrap().len(), 2);
    }
    let body = json!({"map": map, "units": [{"from": [0, 0], "to": [0, 0]}], "solver": "x"});
    let (status, refused) = server.refusable("POST", "/v1/plan", &body);
    assert!(status == 400 && refused.to_string().contains("the solvers are"), "{refused}");
    let same = json!([{"from": [0, 0], "to": [1, 0]}, {"from": [0, 0], "to": [2, 0]}]);
    let (status, refused) =
        server.refusable("POST", "/v1/plan", &json!({"map": map, "units": same}));
    assert!(status == 400 && refused.to_string().contains("unit 1"), "{refused}");
}

#[test]
fn the_server_says_how_it_is() {
    let server = TestServer::of("bay", 4);
    assert_eq!(server.json("GET", "/healthz", &Value::Null)["status"], "ok");
    assert_eq!(server.json("GET", "/readyz", &Value::Null)["worlds"], 1);
    let (status, metrics) = server.ask("GET", "/metrics", b"");
    let metrics = String::from_utf8(metrics).unwrap();
    assert!(status == 200 && metrics.contains("throng_units{world=\"main\"} 4"), "{metrics}");
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (_, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
    }
}

/// Every operation of the description exists: none is answered as an unknown address or method.
#[test]
fn the_description_is_true() {
    let server = TestServer::of("bay", 4);
    let document = server.json("GET", "/openapi.json", &Value::Null);
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let real = path
                .replace("{world}", "none")
                .replace("{map}", "none")
                .replace("{game}", "none")
                .replace("{name}", "none");
            let (status, answer) = server.refusable(&method.to_uppercase(), &real, &Value::Null);
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(
                !message.contains("no such address") && status != 405,
                "{method} {path}: {answer}"
            );
            let described = operation["responses"].get(status.to_string());
            assert!(described.is_some(), "{method} {path}: {status} is not described");
        }
    }
}
