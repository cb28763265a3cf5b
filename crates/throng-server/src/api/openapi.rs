//! The description of the HTTP interface: OpenAPI 3.0. Tests compare it with the routes and the
//! answers.

use serde_json::{Map, Value, json};

use crate::room::{FACINGS, FORMATIONS, KINDS};

/// An operation: method, path, summary, body, good answer.
struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    body: Body,
    answer: Answer,
}

enum Body {
    None,
    /// JSON by the schema of this name, which may be left out.
    Optional(&'static str),
    /// JSON by the schema of this name.
    Json(&'static str),
    /// A file.
    Bytes,
    /// The text of a map.
    Text,
}

enum Answer {
    /// JSON by the schema of this name.
    Json(&'static str),
    Created(&'static str),
    List(&'static str),
    Object,
    Bytes,
    Text,
    Empty,
    Upgrade,
}

const fn operation(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    body: Body,
    answer: Answer,
) -> Operation {
    Operation { method, path, summary, body, answer }
}

const OPERATIONS: [Operation; 38] = [
    operation("get", "/", "The page.", Body::None, Answer::Text),
    operation("get", "/play", "The page of the players' game.", Body::None, Answer::Text),
    operation("get", "/page/{name}", "A file of the page.", Body::None, Answer::Text),
    operation("get", "/healthz", "Whether the process answers.", Body::None, Answer::Object),
    operation("get", "/readyz", "Whether the worlds run.", Body::None, Answer::Object),
    operation("get", "/metrics", "Counters in Prometheus' text format.", Body::None, Answer::Text),
    operation("get", "/openapi.json", "This description.", Body::None, Answer::Object),
    operation(
        "post",
        "/v1/path",
        "The best path from any start to any goal.",
        Body::Json("PathQuery"),
        Answer::Json("PathAnswer"),
    ),
    operation(
        "post",
        "/v1/paths",
        "Many path queries on one map.",
        Body::Json("PathQueries"),
        Answer::Json("PathAnswers"),
    ),
    operation(
        "post",
        "/v1/plan",
        "A plan for many units, refereed.",
        Body::Json("PlanQuery"),
        Answer::Json("PlanAnswer"),
    ),
    operation(
        "post",
        "/v1/recordings",
        "A plan in any format that throng reads, with the referee's verdict, to be shown.",
        Body::Json("Recording"),
        Answer::Object,
    ),
    operation(
        "post",
        "/v1/replays",
        "A replay of throng as the messages that viewers would have been sent, with the referee's verdict.",
        Body::Bytes,
        Answer::Bytes,
    ),
    operation("get", "/v1/maps", "The uploaded maps.", Body::None, Answer::List("Map")),
    operation(
        "post",
        "/v1/maps",
        "Uploads a map in any format that throng reads.",
        Body::Text,
        Answer::Created("Map"),
    ),
    operation("delete", "/v1/maps/{map}", "Removes an uploaded map.", Body::None, Answer::Empty),
    operation(
        "get",
        "/v1/scenarios",
        "The scenarios to choose from.",
        Body::None,
        Answer::List("Scenario"),
    ),
    operation("get", "/v1/worlds", "All worlds.", Body::None, Answer::List("World")),
    operation(
        "post",
        "/v1/worlds",
        "Creates a world from a scenario or a map.",
        Body::Optional("NewWorld"),
        Answer::Created("World"),
    ),
    operation(
        "get",
        "/v1/worlds/{world}",
        "One world, with its counters.",
        Body::None,
        Answer::Json("World"),
    ),
    operation("delete", "/v1/worlds/{world}", "Ends a world.", Body::None, Answer::Empty),
    operation(
        "post",
        "/v1/worlds/{world}/orders",
        "Orders units.",
        Body::Json("Order"),
        Answer::Object,
    ),
    operation(
        "post",
        "/v1/worlds/{world}/edits",
        "Changes the terrain of cells.",
        Body::Json("Edit"),
        Answer::Object,
    ),
    operation(
        "post",
        "/v1/worlds/{world}/spawn",
        "Spawns units.",
        Body::Json("Spawn"),
        Answer::Object,
    ),
    operation(
        "post",
        "/v1/worlds/{world}/tick",
        "Ticks at once, also while paused.",
        Body::Optional("Ticks"),
        Answer::Object,
    ),
    operation("post", "/v1/worlds/{world}/pause", "Pauses the world.", Body::None, Answer::Object),
    operation(
        "post",
        "/v1/worlds/{world}/resume",
        "Lets the world go on.",
        Body::None,
        Answer::Object,
    ),
    operation(
        "get",
        "/v1/worlds/{world}/snapshot",
        "The state of the world as a file.",
        Body::None,
        Answer::Bytes,
    ),
    operation(
        "get",
        "/v1/worlds/{world}/replay",
        "The recorded history as a file.",
        Body::None,
        Answer::Bytes,
    ),
    operation(
        "get",
        "/v1/worlds/{world}/map",
        "The map in MovingAI's format.",
        Body::None,
        Answer::Text,
    ),
    operation(
        "post",
        "/v1/worlds/{world}/restore",
        "Goes on from a snapshot.",
        Body::Bytes,
        Answer::Json("World"),
    ),
    operation(
        "get",
        "/v1/worlds/{world}/ws",
        "Joins as a viewer by WebSocket; see docs/protocol.md.",
        Body::None,
        Answer::Upgrade,
    ),
    operation("get", "/v1/games", "All players' games.", Body::None, Answer::List("Game")),
    operation(
        "post",
        "/v1/games",
        "Creates a game in the town of a seed.",
        Body::Optional("NewGame"),
        Answer::Created("Game"),
    ),
    operation("get", "/v1/games/{game}", "One game.", Body::None, Answer::Json("Game")),
    operation("delete", "/v1/games/{game}", "Ends a game.", Body::None, Answer::Empty),
    operation(
        "get",
        "/v1/games/{game}/scene",
        "The scene as a file; see docs/scenes.md.",
        Body::None,
        Answer::Object,
    ),
    operation(
        "get",
        "/v1/games/{game}/log",
        "The log of a round as a file; see docs/logs.md. With ?round=N: of a former one.",
        Body::None,
        Answer::Text,
    ),
    operation(
        "get",
        "/v1/games/{game}/ws",
        "Watches a game and joins it by WebSocket; see docs/protocol.md.",
        Body::None,
        Answer::Upgrade,
    ),
];

/// The whole document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for operation in &OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = operation.json();
    }
    json!({
        "openapi": "3.0.3",
        "info": {
            "title": "throng",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Live worlds, path queries and plans. Errors are JSON: \
                            what is wrong and what to do.",
        },
        "paths": paths,
        "components": { "schemas": schemas() },
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn content(kind: &str, schema: &Value) -> Value {
    json!({ kind: { "schema": schema } })
}

fn bytes() -> Value {
    json!({ "type": "string", "format": "binary" })
}

impl Operation {
    fn json(&self) -> Value {
        let mut json = json!({ "summary": self.summary, "responses": self.responses() });
        if let Some(body) = self.body.json() {
            json["requestBody"] = body;
        }
        let names =
            self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let parameter = |name: &str| {
            let schema = json!({ "type": "string" });
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        };
        let mut parameters: Vec<Value> = names.map(parameter).collect();
        if self.path.ends_with("/log") {
            let schema = integer(1, u64::from(u32::MAX));
            parameters.push(json!({ "name": "round", "in": "query", "schema": schema }));
        }
        json["parameters"] = json!(parameters);
        json
    }

    fn responses(&self) -> Value {
        let (status, good) = self.answer.json();
        let mut responses = json!({ status: good });
        let error = |what: &str| json!({ "description": what, "content": content("application/json", &reference("Error")) });
        responses["429"] = error("Too many requests; send fewer.");
        responses["403"] = error("Another site's page, or a wrong host.");
        if self.path.starts_with("/v1/") || self.path.starts_with("/page") {
            responses["400"] = error("The request is wrong.");
            responses["404"] = error("There is no such thing.");
            responses["409"] = error("The world as it is does not allow it.");
            responses["413"] = error("Too large.");
        }
        responses["401"] = error("The token is missing or wrong.");
        responses["408"] = error("The request took too long.");
        responses["503"] = error("Too much to do; try again later.");
        if matches!(self.answer, Answer::Upgrade) {
            responses["426"] = error("Not a WebSocket request.");
        }
        responses
    }
}

impl Body {
    fn json(&self) -> Option<Value> {
        let (required, content) = match self {
            Self::None => return None,
            Self::Optional(name) => (false, content("application/json", &reference(name))),
            Self::Json(name) => (true, content("application/json", &reference(name))),
            Self::Bytes => (true, content("application/octet-stream", &bytes())),
            Self::Text => (true, content("text/plain", &json!({ "type": "string" }))),
        };
        Some(json!({ "required": required, "content": content }))
    }
}

impl Answer {
    /// Status and response.
    fn json(&self) -> (&'static str, Value) {
        let (status, what, content) = match self {
            Self::Json(name) => ("200", "Done.", content("application/json", &reference(name))),
            Self::Created(name) => {
                ("201", "Created.", content("application/json", &reference(name)))
            }
            Self::List(name) => {
                let list = json!({ "type": "array", "items": reference(name) });
                ("200", "The list.", content("application/json", &list))
            }
            Self::Object => {
                ("200", "Done.", content("application/json", &json!({ "type": "object" })))
            }
            Self::Bytes => ("200", "The file.", content("application/octet-stream", &bytes())),
            Self::Text => {
                ("200", "The text.", json!({ "*/*": { "schema": { "type": "string" } } }))
            }
            Self::Empty => return ("204", json!({ "description": "Done." })),
            Self::Upgrade => return ("101", json!({ "description": "The WebSocket." })),
        };
        (status, json!({ "description": what, "content": content }))
    }
}

fn integer(least: u64, most: u64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn object(properties: &Value, required: &[&str]) -> Value {
    let mut json = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        json["required"] = json!(required);
    }
    json
}

/// An object in which other fields are mistakes.
fn closed(properties: &Value, required: &[&str]) -> Value {
    let mut json = object(properties, required);
    json["additionalProperties"] = json!(false);
    json
}

/// The same, or null.
fn optional(mut schema: Value) -> Value {
    schema["nullable"] = json!(true);
    if let Some(names) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        names.push(Value::Null);
    }
    schema
}

fn cells() -> Value {
    json!({ "type": "array", "items": reference("Cell") })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn schemas() -> Value {
    let mut schemas = query_schemas();
    schemas.extend(world_schemas());
    schemas.extend(game_schemas());
    Value::Object(schemas)
}

fn query_schemas() -> Map<String, Value> {
    let map =
        json!({ "type": "string", "nullable": true, "description": "The id of an uploaded map." });
    let world = json!({ "type": "string", "nullable": true, "description": "The id of a world, in place of map." });
    let (budget, flag) = (optional(integer(1, 5_000_000)), json!({ "type": "boolean" }));
    let path = json!({
        "map": map, "world": world, "from": cells(), "to": cells(), "movement": reference("Movement"),
        "budget": budget, "nearest": flag, "exact": flag,
    });
    let ends = closed(&json!({ "from": cells(), "to": cells() }), &["from", "to"]);
    let batch = json!({
        "map": map, "world": world, "queries": { "type": "array", "items": ends },
        "movement": reference("Movement"), "budget": budget, "nearest": flag, "exact": flag,
    });
    let cell = reference("Cell");
    let unit = closed(&json!({ "from": cell, "to": cell }), &["from", "to"]);
    let plan = json!({
        "map": map, "world": world, "units": { "type": "array", "items": unit },
        "movement": reference("Movement"), "solver": text(), "budget": optional(integer(1, 20_000_000)),
        "seed": integer(0, u64::MAX),
    });
    let factor = json!({ "type": "integer", "nullable": true });
    let movement = closed(
        &json!({
            "size": integer(1, 16), "pace": integer(1, 64), "moves": { "enum": [4, 8] },
            "terrain": { "type": "object", "additionalProperties": factor },
        }),
        &[],
    );
    let error = object(
        &json!({ "error": object(&json!({ "status": integer(400, 599), "message": text() }), &["status", "message"]) }),
        &["error"],
    );
    let coordinate = integer(0, 65_535);
    let answer = object(
        &json!({ "status": text(), "path": cells(), "cost": { "type": "number" }, "expanded": integer(0, u64::MAX), "algorithm": text() }),
        &["status"],
    );
    let answers = object(
        &json!({ "answers": { "type": "array", "items": reference("PathAnswer") } }),
        &["answers"],
    );
    let cell = json!({ "type": "array", "items": coordinate, "minItems": 2, "maxItems": 2 });
    let schemas = json!({
        "Cell": cell, "Movement": movement, "Error": error, "PathAnswer": answer, "PathAnswers": answers,
        "PathQuery": object(&path, &["from", "to"]), "PathQueries": object(&batch, &["queries"]),
        "PlanQuery": object(&plan, &["units"]), "PlanAnswer": object(&json!({ "status": text() }), &["status"]),
        "Recording": closed(&json!({ "plan": text(), "map": optional(text()), "world": optional(text()) }), &["plan"]),
        "Map": object(&json!({ "id": text(), "width": integer(1, 4096), "height": integer(1, 4096) }), &["id"]),
    });
    as_map(schemas)
}

fn world_schemas() -> Map<String, Value> {
    let id = json!({ "type": "string", "nullable": true, "pattern": "^[A-Za-z0-9_-]{1,32}$" });
    let planner = json!({ "enum": ["throng", "whca", "lra"] });
    let unit_ids = json!({ "type": "array", "items": integer(0, u64::from(u32::MAX)) });
    let names = |names: Vec<&str>| json!({ "enum": names });
    let kinds = names(KINDS.to_vec());
    let formations = optional(names(FORMATIONS.iter().map(|it| it.0).chain(["none"]).collect()));
    let facings = optional(names(FACINGS.iter().map(|it| it.0).collect()));
    let order = closed(
        &json!({
            "kind": kinds,
            "cells": cells(),
            "target": optional(integer(0, u64::from(u32::MAX))),
            "distance": optional(integer(0, 65_535)),
        }),
        &["kind"],
    );
    let rect =
        json!({ "type": "array", "items": integer(0, 65_535), "minItems": 4, "maxItems": 4 });
    let schemas = json!({
        "Scenario": object(&json!({ "id": text(), "name": text(), "about": text(), "units": integer(0, 20_000), "lra": { "type": "boolean" } }), &["id", "name"]),
        "World": object(&json!({ "id": text(), "name": text(), "planner": planner, "tick": integer(0, u64::from(u32::MAX)) }), &["id", "planner"]),
        "NewWorld": closed(&json!({ "id": id, "scenario": optional(text()), "map": optional(text()), "planner": planner, "seed": integer(0, u64::MAX), "units": optional(integer(0, 20_000)) }), &[]),
        "Order": closed(&json!({ "units": unit_ids, "order": order, "queue": { "type": "boolean" }, "formation": formations, "facing": facings }), &["units", "order"]),
        "Edit": closed(&json!({ "terrain": integer(0, 255), "cells": cells(), "rect": optional(rect) }), &["terrain"]),
        "Spawn": closed(&json!({ "profile": integer(0, 255), "team": integer(0, 255), "cells": cells() }), &["profile", "cells"]),
        "Ticks": closed(&json!({ "ticks": integer(1, 10_000) }), &[]),
    });
    as_map(schemas)
}

fn game_schemas() -> Map<String, Value> {
    let id = json!({ "type": "string", "nullable": true, "pattern": "^[A-Za-z0-9_-]{1,32}$" });
    let count = |most: u64| optional(integer(1, most));
    let schemas = json!({
        "Game": object(&json!({ "id": text(), "scene": text(), "players": integer(0, 1_000), "people": integer(0, 1_000), "teams": integer(2, 8), "round": integer(1, u64::from(u32::MAX)) }), &["id", "players"]),
        "NewGame": closed(&json!({
            "id": id, "seed": integer(0, u64::MAX), "players": optional(integer(2, 200)), "teams": optional(integer(2, 8)),
            "orbs": count(200), "orbs_to_win": count(1_000_000), "round_ticks": count(360_000),
            "bodies_block": optional(json!({ "type": "boolean" })),
        }), &[]),
    });
    as_map(schemas)
}

fn as_map(json: Value) -> Map<String, Value> {
    match json {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every route is described, and nothing else.
    #[test]
    fn the_description_has_exactly_the_routes() {
        let source = include_str!("../routes.rs");
        let mut routes: Vec<(String, String)> = Vec::new();
        for line in source.split(".route(\"").skip(1) {
            let (path, handlers) = line.split_once("\",").unwrap();
            for method in ["get", "post", "delete"] {
                let first = handlers.trim_start().starts_with(&format!("{method}("));
                if first || handlers.contains(&format!(").{method}(")) {
                    routes.push((path.to_owned(), method.to_owned()));
                }
            }
        }
        let described = OPERATIONS.iter().map(|it| (it.path.to_owned(), it.method.to_owned()));
        let mut described: Vec<_> = described.collect();
        routes.sort();
        described.sort();
        assert_eq!(routes, described);
    }

    /// Every schema that is named exists.
    #[test]
    fn every_list_of_names_is_a_list() {
        fn check(json: &Value) {
            if let Some(fields) = json.as_object() {
                assert!(fields.get("enum").is_none_or(Value::is_array), "{json}");
                fields.values().for_each(check);
            }
            json.as_array().into_iter().flatten().for_each(check);
        }
        check(&document());
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let text = document.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(document["components"]["schemas"][name].is_object(), "{name}");
        }
    }
}
