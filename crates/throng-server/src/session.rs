//! One viewer: a connection that follows a world. It is sent the difference between the state that
//! it was sent last and the newest one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use serde_json::{Value, json};

use crate::connection::{Client, Connection, text};
use crate::error::Refusal;
use crate::frame::{Frame, MapBytes};
use crate::frames::{self, View};
use crate::limiter::Bucket;
use crate::messages::ClientMessage;
use crate::pool::Pool;
use crate::record::Record;
use crate::room::{Answer, Ask, RoomHandle};

/// Most cells or units that a client may change per second, and at once.
const WORK_PER_SECOND: f64 = 50_000.0;
const WORK_AT_ONCE: f64 = 200_000.0;
/// Most messages per second, and at once.
const MESSAGES_PER_SECOND: f64 = 100.0;
const MESSAGES_AT_ONCE: f64 = 200.0;

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
    let frames = seat.0.frames.clone();
    let work = Bucket::new(WORK_PER_SECOND, WORK_AT_ONCE);
    let mut viewer = Viewer { room: seat.0.clone(), pool, sent: Sent::default(), work };
    let mut connection = Connection::new(socket, MESSAGES_PER_SECOND, MESSAGES_AT_ONCE);
    // An error is a connection that is lost: there is no one to tell.
    let _ = connection.follow(&mut viewer, frames).await;
}

struct Viewer {
    room: Arc<RoomHandle>,
    pool: Pool,
    sent: Sent,
    work: Bucket,
}

impl Client for Viewer {
    type Frame = Arc<Frame>;
    type Message = ClientMessage;

    fn messages(&mut self, frame: &Arc<Frame>) -> Vec<Message> {
        self.sent.messages(frame)
    }

    fn status(&self) -> Value {
        let mut json = json!(self.room.frame().status);
        json["type"] = json!("status");
        json["viewers"] = json!(self.room.viewers());
        json
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
