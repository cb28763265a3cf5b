//! Recorded runs: `POST /v1/replays`. A replay in, what viewers would have seen out.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use throng::world::Replay;

use crate::error::Refusal;
use crate::playback;
use crate::server::Shared;

/// Runs a replay again. Untrusted bytes are safe: memory, ticks and time are bounded.
pub(crate) async fn read(State(shared): State<Shared>, body: Bytes) -> Result<Response, Refusal> {
    let run = move || {
        let replay = Replay::from_bytes(&body);
        let replay = replay.map_err(|error| Refusal::bad(format!("the replay: {error}")))?;
        playback::messages(&replay)
    };
    let messages = shared.pool.run(run).await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], messages).into_response())
}
