//! One client over WebSocket: what viewers of worlds and people in games have in common.
//!
//! A connection has no queue. It sends what is new in the newest frame, and takes the next frame when
//! that is sent: a slow client skips frames.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::error::Refusal;
use crate::limiter::Bucket;

/// A client that does not take a message within this time is disconnected.
const SEND_WAIT: Duration = Duration::from_secs(10);
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// After so many refused messages in a row the client is disconnected. Refused commands of a player
/// count too: nobody clicks so often in vain.
const STRIKES_MAX: u32 = 50;

/// What a connection follows, and for whom.
pub(crate) trait Client {
    /// What is published after a tick.
    type Frame: Clone;
    /// What the client may send.
    type Message: DeserializeOwned;

    /// The messages that bring the client from what it has to a frame.
    fn messages(&mut self, frame: &Self::Frame) -> Vec<Message>;

    /// What it is told once per second.
    fn status(&self) -> Value;

    /// Carries out a message: what it gives, if it gives something.
    async fn carry_out(&mut self, message: Self::Message) -> Result<Option<Value>, Refusal>;
}

/// The connection is lost.
pub(crate) struct Lost;

/// A WebSocket with its limits.
pub(crate) struct Connection {
    socket: WebSocket,
    messages: Bucket,
    messages_per_second: f64,
    strikes: u32,
}

impl Connection {
    /// With the most messages per second, and at once.
    pub(crate) fn new(socket: WebSocket, per_second: f64, at_once: f64) -> Self {
        let messages = Bucket::new(per_second, at_once);
        Self { socket, messages, messages_per_second: per_second, strikes: 0 }
    }

    /// Serves a client until it leaves or what it follows ends.
    pub(crate) async fn follow<C: Client>(
        &mut self,
        client: &mut C,
        mut frames: watch::Receiver<C::Frame>,
    ) -> Result<(), Lost> {
        let mut status = tokio::time::interval(STATUS_EVERY);
        status.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        frames.mark_changed();
        loop {
            tokio::select! {
                changed = frames.changed() => {
                    changed.map_err(|_| Lost)?;
                    let frame = frames.borrow_and_update().clone();
                    for message in client.messages(&frame) {
                        self.send(message).await?;
                    }
                }
                received = self.socket.recv() => match received {
                    Some(Ok(message)) => self.receive(client, message).await?,
                    _ => return Err(Lost),
                },
                _ = status.tick() => self.send(text(&client.status())).await?,
            }
        }
    }

    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Lost> {
        match tokio::time::timeout(SEND_WAIT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Lost),
        }
    }

    async fn receive<C: Client>(&mut self, client: &mut C, message: Message) -> Result<(), Lost> {
        let (request, answer) = match message {
            Message::Text(text) => match self.read(&text).await {
                (request, Ok(message)) => (request, client.carry_out(message).await),
                (request, Err(refusal)) => (request, Err(refusal)),
            },
            Message::Binary(_) => {
                let what = "clients send text messages, with JSON; see docs/protocol.md";
                (None, Err(Refusal::bad(what)))
            }
            Message::Close(_) => return Err(Lost),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        match answer {
            Ok(json) => {
                self.strikes = 0;
                self.answer(request, json).await
            }
            Err(refusal) => self.refuse(request.as_ref(), &refusal).await,
        }
    }

    /// A message, and the request that it names.
    async fn read<M: DeserializeOwned>(
        &mut self,
        text: &str,
    ) -> (Option<Value>, Result<M, Refusal>) {
        let parsed: Result<Value, _> = serde_json::from_str(text);
        let request = parsed.as_ref().ok().and_then(|json| json.get("request"));
        let request = request.filter(|request| request.is_number()).cloned();
        if !self.messages.take(1.0) {
            // Flooding is answered slowly.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let most = self.messages_per_second;
            let slower = format!("more than {most} messages per second; send fewer");
            return (request, Err(Refusal::busy(slower)));
        }
        let message = match parsed {
            Ok(json) => serde_json::from_value(json)
                .map_err(|error| Refusal::bad(format!("not understood: {error}"))),
            Err(error) => Err(Refusal::bad(format!("not JSON: {error}"))),
        };
        (request, message)
    }

    /// Tells that a message was carried out, where it gave something or carried a request.
    async fn answer(&mut self, request: Option<Value>, json: Option<Value>) -> Result<(), Lost> {
        if json.is_none() && request.is_none() {
            return Ok(());
        }
        let mut json = json.unwrap_or_else(|| json!({}));
        if json.get("type").is_none() {
            json["type"] = json!("done");
        }
        if let Some(request) = request {
            json["request"] = request;
        }
        self.send(text(&json)).await
    }

    pub(crate) async fn refuse(
        &mut self,
        request: Option<&Value>,
        refusal: &Refusal,
    ) -> Result<(), Lost> {
        self.strikes += 1;
        let message = &refusal.message;
        let json = json!({ "type": "error", "request": request, "message": message });
        self.send(text(&json)).await?;
        if self.strikes > STRIKES_MAX { Err(Lost) } else { Ok(()) }
    }
}

/// A message of text.
pub(crate) fn text(json: &Value) -> Message {
    Message::Text(Utf8Bytes::from(json.to_string()))
}
