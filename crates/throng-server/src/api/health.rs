//! Whether the server is well, for those who run it: health, readiness, metrics.

use std::fmt::Write as _;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::error::Refusal;
use crate::room::RoomHandle;
use crate::server::Shared;

/// The process answers.
pub(crate) async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// The worlds run.
pub(crate) async fn ready(State(shared): State<Shared>) -> Result<Json<Value>, Refusal> {
    let rooms = shared.rooms.all();
    match rooms.iter().find(|room| room.has_ended()) {
        Some(room) => Err(Refusal::busy(format!("the world {:?} has ended", room.id))),
        None => Ok(Json(json!({ "status": "ready", "worlds": rooms.len() }))),
    }
}

/// Name, kind and meaning of a metric, and its value for a world.
type Metric = (&'static str, &'static str, &'static str, fn(&RoomHandle) -> f64);

const METRICS: [Metric; 9] = [
    ("throng_units", "gauge", "Units of the world.", |room| room.frame().status.units as f64),
    ("throng_units_arrived", "gauge", "Units at their destination.", |room| {
        room.frame().status.arrived as f64
    }),
    ("throng_units_waiting", "gauge", "Units that wait.", |room| {
        room.frame().status.waiting as f64
    }),
    ("throng_units_stuck", "gauge", "Units that have waited for long.", |room| {
        room.frame().status.stuck as f64
    }),
    ("throng_viewers", "gauge", "Viewers of the world.", |room| room.viewers() as f64),
    ("throng_ticks_total", "counter", "Ticks of the world.", |room| {
        f64::from(room.frame().status.tick)
    }),
    ("throng_replans_total", "counter", "Plans that were made again.", |room| {
        room.frame().status.replans as f64
    }),
    ("throng_expansions_total", "counter", "Nodes expanded.", |room| {
        room.frame().status.expanded as f64
    }),
    ("throng_tick_seconds_p99", "gauge", "The 99th percentile of the last 256 ticks.", |room| {
        room.frame().status.tick_ms_p99 / 1e3
    }),
];

/// Counters of all worlds in Prometheus' text format.
pub(crate) async fn metrics(State(shared): State<Shared>) -> Response {
    let rooms = shared.rooms.all();
    let mut text = String::new();
    let _ = writeln!(text, "# HELP throng_worlds Worlds.\n# TYPE throng_worlds gauge");
    let _ = writeln!(text, "throng_worlds {}", rooms.len());
    for (name, kind, help, value) in METRICS {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for room in &rooms {
            // Ids have letters, digits, - and _ only.
            let _ = writeln!(text, "{name}{{world=\"{}\"}} {}", room.id, value(room));
        }
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
