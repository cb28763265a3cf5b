//! One viewer: a WebSocket connection that follows a world.
//!
//! A viewer has no queue. It sends the difference between the state that it sent last and the
//! newest one, and takes the next when that is sent: a slow client skips frames.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use serde_json::{Value, json};

use crate::error::Refusal;
use crate::frame::{Frame, MapBytes};
use crate::frames::{self, View};
use crate::limiter::Bucket;
use crate::messages::ClientMessage;
use crate::pool::Pool;
use crate::record::Record;
use crate::room::{Answer, Ask, RoomHandle};

/// A client that does not take a message within this time is disconnected.
const SEND_WAIT: Duration = Duration::from_secs(10);
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// Most cells or units that a client may change per second, and at once.
const WORK_PER_SECOND: f64 = 50_000.0;
const WORK_AT_ONCE: f64 = 200_000.0;
/// Most messages per second, and at once.
const MESSAGES_PER_SECOND: f64 = 100.0;
const MESSAGES_AT_ONCE: f64 = 200.0;
/// After so many refused messages in a row the client is disconnected.
const STRIKES_MAX: u32 = 50;

/// What a viewer was sent last.
#[derive(Default)]
struct Sent {
    epoch: u32,
    frame: u32,
    map: Option<Arc<MapBytes>>,
    units: Arc<Vec<Record>>,
    buildings: Option<Arc<Value>>,
    view: Option<View>,
    /// Whether `units` are all units of the world.
    has_all: bool,
}

impl Sent {
    /// The messages that bring the client from what it has to a frame.
    fn messages(&mut self, frame: &Frame) -> Vec<Message> {
        let mut messages = Vec::new();
        let is_new = self.epoch != frame.info.epoch;
        if is_new {
            messages.push(text(&frame.info.hello));
            (self.epoch, self.map) = (frame.info.epoch, None);
            self.buildings = Some(frame.buildings.clone());
        }
        self.add_map(frame, &mut messages);
        if self.buildings.as_ref().is_none_or(|sent| !Arc::ptr_eq(sent, &frame.buildings)) {
            messages.push(text(&json!({ "type": "buildings", "buildings": *frame.buildings })));
            self.buildings = Some(frame.buildings.clone());
        }
        messages.push(Message::Binary(self.units(frame, is_new)));
        if !frame.events.is_empty() {
            let tick = frame.status.tick;
            messages
                .push(text(&json!({ "type": "events", "tick": tick, "events": *frame.events })));
        }
        messages
    }

    fn add_map(&mut self, frame: &Frame, messages: &mut Vec<Message>) {
        let now = &frame.map;
        match &self.map {
            Some(sent) if Arc::ptr_eq(sent, now) => return,
            Some(sent) if (sent.width, sent.height) == (now.width, now.height) => {
                let edits = frames::edits(&sent.terrain, &now.terrain);
                messages.extend(edits.into_iter().map(Message::Binary));
            }
            _ => {
                let bytes = frames::map(now.width, now.height, &now.terrain);
                messages.push(Message::Binary(bytes));
            }
        }
        self.map = Some(now.clone());
    }

    fn units(&mut self, frame: &Frame, is_new: bool) -> Bytes {
        let (tick, number) = (frame.status.tick, frame.number);
        let units = match self.view {
            None => frame.units.clone(),
            Some(view) => Arc::new(view.filter(&frame.units)),
        };
        let had_all = std::mem::replace(&mut self.has_all, self.view.is_none());
        let follows = number == self.frame.wrapping_add(1);
        let before = std::mem::replace(&mut self.units, units);
        self.frame = number;
        if is_new {
            frames::full(tick, number, &self.units)
        } else if had_all && self.has_all && follows {
            frame.delta.clone()
        } else {
            frames::delta(tick, number, &before, &self.units)
        }
    }
}

fn text(json: &Value) -> Message {
    Message::Text(Utf8Bytes::from(json.to_string()))
}

/// Counts a viewer until it is dropped.
struct Seat(Arc<RoomHandle>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Serves one viewer until it leaves or the world ends.
pub(crate) async fn serve(socket: WebSocket, room: Arc<RoomHandle>, pool: Pool) {
    room.viewers.fetch_add(1, Ordering::Relaxed);
    let seat = Seat(room);
    let mut viewer = Viewer::new(socket, seat.0.clone(), pool);
    // An error is a connection that is lost: there is no one to tell.
    let _ = viewer.follow().await;
}

/// The connection is lost.
struct Lost;

struct Viewer {
    socket: WebSocket,
    room: Arc<RoomHandle>,
    pool: Pool,
    sent: Sent,
    messages: Bucket,
    work: Bucket,
    strikes: u32,
}

impl Viewer {
    fn new(socket: WebSocket, room: Arc<RoomHandle>, pool: Pool) -> Self {
        Self {
            socket,
            room,
            pool,
            sent: Sent::default(),
            messages: Bucket::new(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE),
            work: Bucket::new(WORK_PER_SECOND, WORK_AT_ONCE),
            strikes: 0,
        }
    }

    async fn follow(&mut self) -> Result<(), Lost> {
        let mut frames = self.room.frames.clone();
        let mut status = tokio::time::interval(STATUS_EVERY);
        status.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        frames.mark_changed();
        loop {
            tokio::select! {
                changed = frames.changed() => {
                    changed.map_err(|_| Lost)?;
                    let frame = frames.borrow_and_update().clone();
                    for message in self.sent.messages(&frame) {
                        self.send(message).await?;
                    }
                }
                received = self.socket.recv() => match received {
                    Some(Ok(message)) => self.receive(message).await?,
                    _ => return Err(Lost),
                },
                _ = status.tick() => self.send_status().await?,
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Lost> {
        match tokio::time::timeout(SEND_WAIT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Lost),
        }
    }

    async fn send_status(&mut self) -> Result<(), Lost> {
        let frame = self.room.frame();
        let mut json = json!(frame.status);
        json["type"] = json!("status");
        json["viewers"] = json!(self.room.viewers());
        self.send(text(&json)).await
    }

    async fn receive(&mut self, message: Message) -> Result<(), Lost> {
        let answer = match message {
            Message::Text(text) => self.read(&text).await,
            Message::Binary(_) => (
                None,
                Err(Refusal::bad("clients send text messages, with JSON; see docs/protocol.md")),
            ),
            Message::Close(_) => return Err(Lost),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        match answer {
            (request, Ok(json)) => {
                self.strikes = 0;
                self.answer(request, json).await
            }
            (request, Err(refusal)) => self.refuse(request, &refusal).await,
        }
    }

    async fn answer(&mut self, request: Option<Value>, json: Option<Value>) -> Result<(), Lost> {
        let Some(mut json) = json else {
            let Some(request) = request else { return Ok(()) };
            return self.send(text(&json!({ "type": "done", "request": request }))).await;
        };
        if json.get("type").is_none() {
            json["type"] = json!("done");
        }
        if let Some(request) = request {
            json["request"] = request;
        }
        self.send(text(&json)).await
    }

    async fn refuse(&mut self, request: Option<Value>, refusal: &Refusal) -> Result<(), Lost> {
        self.strikes += 1;
        let message = &refusal.message;
        let json = json!({ "type": "error", "request": request, "message": message });
        self.send(text(&json)).await?;
        if self.strikes > STRIKES_MAX { Err(Lost) } else { Ok(()) }
    }

    /// Carries out a message: the request that it names, and the answer.
    async fn read(&mut self, text: &str) -> (Option<Value>, Result<Option<Value>, Refusal>) {
        let parsed: Result<Value, _> = serde_json::from_str(text);
        let request = parsed.as_ref().ok().and_then(|json| json.get("request"));
        let request = request.filter(|request| request.is_number()).cloned();
        if !self.messages.take(1.0) {
            // Flooding is answered slowly.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let slower = format!("more than {MESSAGES_PER_SECOND} messages per second; send fewer");
            return (request, Err(Refusal::busy(slower)));
        }
        let json = match parsed {
            Ok(json) => json,
            Err(error) => return (None, Err(Refusal::bad(format!("not JSON: {error}")))),
        };
        let message = serde_json::from_value::<ClientMessage>(json);
        let message = message.map_err(|error| Refusal::bad(format!("not understood: {error}")));
        match message {
            Ok(message) => (request, self.carry_out(message).await),
            Err(refusal) => (request, Err(refusal)),
        }
    }

    async fn carry_out(&mut self, message: ClientMessage) -> Result<Option<Value>, Refusal> {
        if !self.work.take(work_of(&message)) {
            return Err(Refusal::busy("too many cells or units per second; send fewer"));
        }
        match message {
            ClientMessage::Ping { t } => Ok(Some(json!({ "type": "pong", "t": t }))),
            ClientMessage::View { x, y, w, h } => {
                let part = x.zip(y).zip(w.zip(h));
                self.sent.view = part.map(|((x, y), (width, height))| View { x, y, width, height });
                Ok(None)
            }
            message => match self.room.ask(Ask::Message(message)).await? {
                Answer::Json(json) => Ok(Some(json)),
                Answer::Later(work) => self.pool.run(move || work.compute()).await.map(Some),
                _ => Ok(None),
            },
        }
    }
}

/// How much a message makes the world do, in cells and units.
fn work_of(message: &ClientMessage) -> f64 {
    let count = match message {
        ClientMessage::Order(message) => {
            message.units.len() * 4 + message.units.len() * message.order.cells.len() / 8
        }
        ClientMessage::SetTeam { units, .. } => units.len() * 4,
        ClientMessage::War { .. } => 20_000,
        ClientMessage::Paint { cells, rect, .. } => {
            cells.len() + rect.map_or(0, |[_, _, w, h]| usize::from(w) * usize::from(h))
        }
        ClientMessage::Spawn { cells, .. } => cells.len() * 8,
        ClientMessage::Remove { units } => units.len() * 4,
        ClientMessage::Restart(_) | ClientMessage::Planner { .. } => 20_000,
        ClientMessage::Overlay { .. } => 5_000,
        ClientMessage::Step { ticks } => *ticks as usize * 100,
        _ => 1,
    };
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_by_what_is_changed() {
        let paint =
            ClientMessage::Paint { terrain: 0, cells: vec![], rect: Some([0, 0, 300, 300]) };
        assert!((work_of(&paint) - 90_000.0).abs() < 0.5);
        let mut bucket = Bucket::new(WORK_PER_SECOND, WORK_AT_ONCE);
        assert!(bucket.take(work_of(&paint)) && bucket.take(work_of(&paint)));
        assert!(!bucket.take(work_of(&paint)));
    }
}
