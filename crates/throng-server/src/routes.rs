//! Which function answers which request.

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Path, State, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{delete, get, post};
use axum::{Json, Router, middleware};
use serde_json::json;

use crate::api::{health, maps, openapi, paths, plans, recordings, replays, worlds};

use crate::error::Refusal;
use crate::game::api as games;
use crate::options::{BODY_BYTES_MAX, MESSAGE_BYTES_MAX, VIEWERS_MAX};
use crate::server::Shared;
use crate::{guard, page, scenario, session};

pub(crate) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(|| async { page::file("index.html") }))
        .route("/play", get(|| async { page::file("play.html") }))
        .route("/page/{name}", get(|Path(name): Path<String>| async move { page::file(&name) }))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/v1/path", post(paths::one))
        .route("/v1/paths", post(paths::many))
        .route("/v1/plan", post(plans::plan))
        .route("/v1/recordings", post(recordings::read))
        .route("/v1/replays", post(replays::read))
        .route("/v1/maps", get(maps::list).post(maps::upload))
        .route("/v1/maps/{map}", delete(maps::remove))
        .route("/v1/scenarios", get(|| async { Json(json!(scenario::list())) }))
        .route("/v1/worlds", get(worlds::list).post(worlds::create))
        .route("/v1/worlds/{world}", get(worlds::show).delete(worlds::remove))
        .route("/v1/worlds/{world}/orders", post(worlds::order))
        .route("/v1/worlds/{world}/edits", post(worlds::edit))
        .route("/v1/worlds/{world}/spawn", post(worlds::spawn))
        .route("/v1/worlds/{world}/tick", post(worlds::tick))
        .route("/v1/worlds/{world}/pause", post(worlds::pause))
        .route("/v1/worlds/{world}/resume", post(worlds::resume))
        .route("/v1/worlds/{world}/snapshot", get(worlds::snapshot))
        .route("/v1/worlds/{world}/replay", get(worlds::replay))
        .route("/v1/worlds/{world}/map", get(worlds::map_text))
        .route("/v1/worlds/{world}/restore", post(worlds::restore))
        .route("/v1/worlds/{world}/ws", get(watch))
        .route("/v1/games", get(games::list).post(games::create))
        .route("/v1/games/{game}", get(games::show).delete(games::remove))
        .route("/v1/games/{game}/scene", get(games::scene))
        .route("/v1/games/{game}/log", get(games::log))
        .route("/v1/games/{game}/ws", get(games::watch))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .fallback(|| async { Refusal::missing("no such address; GET /openapi.json lists them") })
        .method_not_allowed_fallback(|| async {
            let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
            Refusal::new(status, "this address has other methods; GET /openapi.json lists them")
        })
        .with_state(shared)
}

/// A viewer joins a world.
async fn watch(
    State(shared): State<Shared>,
    Path(world): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| {
        let message = format!("viewers connect by WebSocket: {rejection}");
        Refusal::new(axum::http::StatusCode::UPGRADE_REQUIRED, message)
    })?;
    let room = shared.rooms.get(&world)?;
    let viewers: usize = shared.rooms.all().iter().map(|room| room.viewers()).sum();
    if viewers >= VIEWERS_MAX {
        return Err(Refusal::busy(format!("{VIEWERS_MAX} viewers, the limit; try again later")));
    }
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |socket| session::serve(socket, room, shared.pool)))
}
