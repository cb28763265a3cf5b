//! Maps for queries: uploaded in any format that throng reads.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde_json::{Value, json};
use throng::model::Map;

use super::worlds::read_map;
use crate::error::Refusal;
use crate::server::Shared;

fn map_json(id: &str, map: &Map) -> Value {
    json!({ "id": id, "width": map.width(), "height": map.height() })
}

/// Keeps a map; the body is its file.
pub(crate) async fn upload(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let maps = shared.maps.clone();
    let read = move || {
        let map = read_map(&body)?;
        let shown = map_json("", &map);
        Ok((maps.add(map)?, shown))
    };
    let (id, mut shown) = shared.pool.run(read).await?;
    shown["id"] = json!(id);
    Ok((StatusCode::CREATED, Json(shown)))
}

pub(crate) async fn list(State(shared): State<Shared>) -> Json<Value> {
    Json(shared.maps.list().iter().map(|(id, map)| map_json(id, map)).collect())
}

pub(crate) async fn remove(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    shared.maps.remove(&id)?;
    Ok(StatusCode::NO_CONTENT)
}
