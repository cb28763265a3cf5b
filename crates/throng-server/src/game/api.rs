//! Games over HTTP: list, create, show, delete; the scene and the logs; the WebSocket.

use axum::Json;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use throng_game::GameOptions;

use super::session;
use super::source::GameSetup;
use super::table::{Answer, Ask};
use crate::api::body::parse;
use crate::error::Refusal;
use crate::options::{MESSAGE_BYTES_MAX, VIEWERS_MAX};
use crate::server::Shared;

/// A game to create: in the town of the seed. What is absent is as in the paper's game.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct NewGame {
    id: Option<String>,
    seed: u64,
    players: Option<u32>,
    teams: Option<u32>,
    orbs: Option<u32>,
    orbs_to_win: Option<u32>,
    round_ticks: Option<u64>,
    bodies_block: Option<bool>,
}

impl NewGame {
    fn setup(&self) -> GameSetup {
        let default = GameOptions::default();
        let options = GameOptions {
            players: self.players.unwrap_or(default.players),
            teams: self.teams.unwrap_or(default.teams),
            orbs: self.orbs.unwrap_or(default.orbs),
            orbs_to_win: self.orbs_to_win.unwrap_or(default.orbs_to_win),
            round_ticks: self.round_ticks.unwrap_or(default.round_ticks),
            bodies_block: self.bodies_block.unwrap_or(default.bodies_block),
            seed: self.seed,
            ..default
        };
        GameSetup { scene: None, options }
    }
}

pub(crate) async fn list(State(shared): State<Shared>) -> Result<Json<Value>, Refusal> {
    let mut games = Vec::new();
    for game in shared.games.all() {
        games.push(game.ask_json(Ask::Show).await?);
    }
    Ok(Json(Value::Array(games)))
}

pub(crate) async fn create(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let new: NewGame = parse(&body)?;
    let game = shared.games.create(new.id.as_deref(), new.setup())?;
    match game.ask_json(Ask::Show).await {
        Ok(json) => Ok((StatusCode::CREATED, Json(json))),
        Err(refusal) => {
            shared.games.remove(&game.id).await?;
            Err(refusal)
        }
    }
}

pub(crate) async fn show(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    shared.games.get(&id)?.ask_json(Ask::Show).await.map(Json)
}

pub(crate) async fn remove(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    shared.games.remove(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The scene as a file, for `throng lab lanctot --scene`.
pub(crate) async fn scene(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    match shared.games.get(&id)?.ask(Ask::Scene).await? {
        Answer::Text(text) => {
            Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
        }
        _ => Err(Refusal::missing("no scene")),
    }
}

/// Which round's log.
#[derive(Deserialize)]
pub(crate) struct LogQuery {
    round: Option<u32>,
}

/// The log of a round as a file, for `throng lab lanctot --logs`.
pub(crate) async fn log(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    query: Result<Query<LogQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Refusal> {
    let wrong = |_| Refusal::bad("round is a number: /log?round=1, or without it the present one");
    let Query(LogQuery { round }) = query.map_err(wrong)?;
    let game = shared.games.get(&id)?;
    let downloads = shared.games.downloads.clone();
    let permit = downloads
        .try_acquire_owned()
        .map_err(|_| Refusal::busy("other logs are being written; try again in a moment"))?;
    let Answer::Log(round, log) = game.ask(Ask::Log(round)).await? else {
        return Err(Refusal::missing("no log"));
    };
    let text = shared.pool.run(move || Ok(log.text())).await?;
    drop(permit);
    let name = format!("attachment; filename=\"{id}-round-{round}.csv\"");
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// Somebody watches a game, and may join it.
pub(crate) async fn watch(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| {
        let message = format!("players connect by WebSocket: {rejection}");
        Refusal::new(StatusCode::UPGRADE_REQUIRED, message)
    })?;
    let game = shared.games.get(&id)?;
    if shared.games.connections() >= VIEWERS_MAX {
        return Err(Refusal::busy(format!("{VIEWERS_MAX} viewers, the limit; try again later")));
    }
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |socket| session::serve(socket, game, shared.pool)))
}
