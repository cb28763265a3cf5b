//! Worlds over HTTP: create, list, change, tick, save and restore.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use throng::World;
use throng::formats::{MapOptions, map};
use throng::model::Map;

use super::body::parse;
use crate::error::Refusal;
use crate::messages::{CellJson, ClientMessage, OrderJson, OrderMessage};
use crate::options::{MAP_CELLS_MAX, MEMORY_MAX};
use crate::planner::PlannerName;
use crate::room::{Answer, Ask, Source};
use crate::rooms::world_json;
use crate::server::Shared;

/// A world to create.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NewWorld {
    id: Option<String>,
    scenario: Option<String>,
    /// The text of a map, in place of the scenario's.
    map: Option<String>,
    planner: PlannerName,
    seed: u64,
    units: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderBody {
    units: Vec<u32>,
    order: OrderJson,
    #[serde(default)]
    queue: bool,
    formation: Option<String>,
    facing: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditBody {
    terrain: u8,
    #[serde(default)]
    cells: Vec<CellJson>,
    rect: Option<[u16; 4]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpawnBody {
    profile: usize,
    #[serde(default)]
    team: u8,
    cells: Vec<CellJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TickBody {
    #[serde(default = "one")]
    ticks: u32,
}

fn one() -> u32 {
    1
}

pub(crate) async fn list(State(shared): State<Shared>) -> Json<Value> {
    Json(shared.rooms.all().iter().map(|room| world_json(room)).collect())
}

pub(crate) async fn create(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let new: NewWorld = parse(&body)?;
    let rooms = shared.rooms.clone();
    let room = shared.pool.run(move || rooms.create(new.id.as_deref(), new.source()?)).await?;
    Ok((StatusCode::CREATED, Json(world_json(&room))))
}

impl NewWorld {
    fn source(&self) -> Result<Source, Refusal> {
        let map = self.map.as_ref().map(|text| read_map(text.as_bytes())).transpose()?;
        let scenario = self.scenario.clone();
        Ok(Source {
            scenario: scenario.unwrap_or_else(|| "town".to_owned()),
            map: map.map(|map| ("uploaded map".to_owned(), Arc::new(map))),
            units: self.units,
            planner: self.planner,
            seed: self.seed,
        })
    }
}

/// A map in any format that throng reads, within the server's limit.
pub(crate) fn read_map(bytes: &[u8]) -> Result<Map, Refusal> {
    let map = map::read(bytes, MapOptions::default());
    let map = map.map_err(|error| Refusal::bad(format!("the map: {error}")))?;
    let cells = map.terrain().len();
    if cells > MAP_CELLS_MAX {
        return Err(Refusal::too_large(format!("a map of {cells} cells: at most {MAP_CELLS_MAX}")));
    }
    Ok(map)
}

pub(crate) async fn show(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let room = shared.rooms.get(&id)?;
    let frame = room.frame();
    let mut json = world_json(&room);
    json["status"] = json!(frame.status);
    for part in ["profiles", "teams", "terrains"] {
        json[part] = frame.info.hello[part].clone();
    }
    json["buildings"] = Value::clone(&frame.buildings);
    Ok(Json(json))
}

pub(crate) async fn remove(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    shared.rooms.remove(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Asks a world something whose answer is JSON.
async fn ask(shared: &Shared, id: &str, ask: Ask) -> Result<Json<Value>, Refusal> {
    match shared.rooms.get(id)?.ask(ask).await? {
        Answer::Json(json) => Ok(Json(json)),
        _ => Ok(Json(json!({}))),
    }
}

pub(crate) async fn order(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let OrderBody { units, order, queue, formation, facing } = parse(&body)?;
    let message = OrderMessage { units, order, queue, formation, facing };
    ask(&shared, &id, Ask::Message(ClientMessage::Order(message))).await
}

pub(crate) async fn edit(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let EditBody { terrain, cells, rect } = parse(&body)?;
    ask(&shared, &id, Ask::Message(ClientMessage::Paint { terrain, cells, rect })).await
}

pub(crate) async fn spawn(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let SpawnBody { profile, team, cells } = parse(&body)?;
    ask(&shared, &id, Ask::Message(ClientMessage::Spawn { profile, team, cells })).await
}

pub(crate) async fn tick(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let TickBody { ticks } = parse(&body)?;
    ask(&shared, &id, Ask::Ticks(ticks)).await
}

pub(crate) async fn pause(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    ask(&shared, &id, Ask::Message(ClientMessage::Pause {})).await
}

pub(crate) async fn resume(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    ask(&shared, &id, Ask::Message(ClientMessage::Resume {})).await
}

/// Bytes to download under a name.
fn download(bytes: Vec<u8>, name: &str) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, bytes).into_response()
}

pub(crate) async fn snapshot(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    match shared.rooms.get(&id)?.ask(Ask::Snapshot).await? {
        Answer::Bytes(bytes) => Ok(download(bytes, &format!("{id}.throng-world"))),
        _ => Err(Refusal::conflict("the world gave no snapshot")),
    }
}

pub(crate) async fn replay(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    match shared.rooms.get(&id)?.ask(Ask::Replay).await? {
        Answer::Bytes(bytes) => Ok(download(bytes, &format!("{id}.throng-replay"))),
        _ => Err(Refusal::conflict("the world gave no replay")),
    }
}

pub(crate) async fn map_text(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let Answer::Map(world_map) = shared.rooms.get(&id)?.ask(Ask::Map).await? else {
        return Err(Refusal::conflict("the world gave no map"));
    };
    let text = map::write(&world_map).map_err(|error| Refusal::conflict(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Goes on from a snapshot. Untrusted bytes are safe: memory is counted before it is used.
pub(crate) async fn restore(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let room = shared.rooms.get(&id)?;
    let restored = move || {
        let world = World::restore_within(&body, 1, MEMORY_MAX);
        world.map(Box::new).map_err(|error| Refusal::bad(format!("the snapshot: {error}")))
    };
    let world = shared.pool.run(restored).await?;
    room.ask(Ask::Restore(world)).await?;
    Ok(Json(world_json(&room)))
}
