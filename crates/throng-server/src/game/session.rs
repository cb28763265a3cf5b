//! One connection to a game: somebody who watches, and may play.
//!
//! A connection has no queue. It sends the newest frame, and takes the next when that is sent: a slow
//! client skips frames. It speaks for the player that it joined as, and for no other.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use serde_json::{Value, json};
use throng_game::{Command, PlayerNumber};

use super::frame::GameFrame;
use super::messages::{PlayerMessage, go};
use super::table::{Answer, Ask, Connected, GameHandle, Joining};
use crate::error::Refusal;
use crate::limiter::Bucket;
use crate::pool::Pool;

/// A client that does not take a message within this time is disconnected.
const SEND_WAIT: Duration = Duration::from_secs(10);
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// Most messages per second, and at once.
const MESSAGES_PER_SECOND: f64 = 30.0;
const MESSAGES_AT_ONCE: f64 = 60.0;
/// The same for messages that take work: joining, and the interest map.
const HEAVY_PER_SECOND: f64 = 1.0;
const HEAVY_AT_ONCE: f64 = 5.0;
/// After so many refused messages in a row the client is disconnected. Refused commands of a player
/// count too: nobody clicks so often in vain.
const STRIKES_MAX: u32 = 50;

/// The connection is lost.
struct Lost;

/// What a client was sent last.
#[derive(Default)]
struct Sent {
    tick: Option<u64>,
    players: Option<Arc<Value>>,
    scores: Option<Arc<Value>>,
    way: Option<u32>,
}

struct Session {
    socket: WebSocket,
    game: Arc<GameHandle>,
    pool: Pool,
    session: u64,
    player: Option<PlayerNumber>,
    sent: Sent,
    messages: Bucket,
    heavy: Bucket,
    strikes: u32,
    _connected: Connected,
}

/// Serves a connection until it ends or the game does.
pub(super) async fn serve(socket: WebSocket, game: Arc<GameHandle>, pool: Pool) {
    let (session, connected) = game.connect();
    let mut session = Session {
        socket,
        game,
        pool,
        session,
        player: None,
        sent: Sent::default(),
        messages: Bucket::new(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE),
        heavy: Bucket::new(HEAVY_PER_SECOND, HEAVY_AT_ONCE),
        strikes: 0,
        _connected: connected,
    };
    // An error is a connection that is lost: there is no one to tell.
    let _ = session.follow().await;
    if let Some(player) = session.player {
        let lost = Ask::Lost { player, session: session.session };
        let _ = session.game.ask(lost).await;
    }
}

impl Session {
    async fn follow(&mut self) -> Result<(), Lost> {
        let hello = match self.game.ask_json(Ask::Hello).await {
            Ok(hello) => hello,
            Err(refusal) => return self.send_json(&error(None, &refusal)).await,
        };
        self.send_json(&hello).await?;
        let mut frames = self.game.frames.clone();
        let mut status = tokio::time::interval(STATUS_EVERY);
        status.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        frames.mark_changed();
        loop {
            tokio::select! {
                changed = frames.changed() => {
                    changed.map_err(|_| Lost)?;
                    let frame = frames.borrow_and_update().clone();
                    self.send_frame(&frame).await?;
                }
                received = self.socket.recv() => match received {
                    Some(Ok(message)) => self.receive(message).await?,
                    _ => return Err(Lost),
                },
                _ = status.tick() => self.send_status().await?,
            }
        }
    }

    /// What is new in a frame for this client.
    async fn send_frame(&mut self, frame: &GameFrame) -> Result<(), Lost> {
        let is_new = |sent: &Option<Arc<Value>>, now: &Arc<Value>| {
            sent.as_ref().is_none_or(|sent| !Arc::ptr_eq(sent, now))
        };
        if is_new(&self.sent.players, &frame.players) {
            self.sent.players = Some(frame.players.clone());
            self.send_json(&frame.players).await?;
        }
        if is_new(&self.sent.scores, &frame.scores) {
            self.sent.scores = Some(frame.scores.clone());
            self.send_json(&frame.scores).await?;
        }
        self.send(Message::Binary(frame.state.clone())).await?;
        let is_first = self.sent.tick.replace(frame.tick).is_none();
        if !is_first && !frame.events.is_empty() {
            let events = json!({ "type": "events", "tick": frame.tick, "events": *frame.events });
            self.send_json(&events).await?;
        }
        let way = self.player.and_then(|player| frame.ways.get(&player));
        if let Some(way) = way.filter(|way| self.sent.way != Some(way.edition)) {
            self.sent.way = Some(way.edition);
            self.send_json(&way.json).await?;
        }
        Ok(())
    }

    async fn send_status(&mut self) -> Result<(), Lost> {
        let frame = self.game.frames.borrow().clone();
        let mut json = json!(frame.times);
        json["type"] = json!("status");
        json["tick"] = json!(frame.tick);
        json["connections"] = json!(self.game.connections());
        self.send_json(&json).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Lost> {
        match tokio::time::timeout(SEND_WAIT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Lost),
        }
    }

    async fn send_json(&mut self, json: &Value) -> Result<(), Lost> {
        self.send(Message::Text(Utf8Bytes::from(json.to_string()))).await
    }

    async fn receive(&mut self, message: Message) -> Result<(), Lost> {
        let (request, answer) = match message {
            Message::Text(text) => self.read(&text).await,
            Message::Binary(_) => {
                let what = "clients send text messages, with JSON; see docs/protocol.md";
                (None, Err(Refusal::bad(what)))
            }
            Message::Close(_) => return Err(Lost),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        match answer {
            Ok(mut json) => {
                self.strikes = 0;
                if let Some(request) = request {
                    json["request"] = request;
                }
                self.send_json(&json).await
            }
            Err(refusal) => {
                self.strikes += 1;
                self.send_json(&error(request.as_ref(), &refusal)).await?;
                if self.strikes > STRIKES_MAX { Err(Lost) } else { Ok(()) }
            }
        }
    }

    /// Carries out a message: the request that it names, and the answer.
    async fn read(&mut self, text: &str) -> (Option<Value>, Result<Value, Refusal>) {
        let parsed: Result<Value, _> = serde_json::from_str(text);
        let request = parsed.as_ref().ok().and_then(|json| json.get("request"));
        let request = request.filter(|request| request.is_number()).cloned();
        if !self.messages.take(1.0) {
            // Flooding is answered slowly.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let slower = format!("more than {MESSAGES_PER_SECOND} messages per second; send fewer");
            return (request, Err(Refusal::busy(slower)));
        }
        let message = match parsed {
            Ok(json) => serde_json::from_value::<PlayerMessage>(json)
                .map_err(|error| Refusal::bad(format!("not understood: {error}"))),
            Err(error) => Err(Refusal::bad(format!("not JSON: {error}"))),
        };
        match message {
            Ok(message) => (request, self.carry_out(message).await),
            Err(refusal) => (request, Err(refusal)),
        }
    }

    async fn carry_out(&mut self, message: PlayerMessage) -> Result<Value, Refusal> {
        match message {
            PlayerMessage::Ping { t } => return Ok(json!({ "type": "pong", "t": t })),
            PlayerMessage::Join { name, team, key } => return self.join(name, team, key).await,
            PlayerMessage::Interest { level } => return self.interest(level).await,
            PlayerMessage::Leave => {
                let (player, session) = (self.player()?, self.session);
                self.player = None;
                self.game.ask(Ask::Leave { player, session }).await?;
            }
            PlayerMessage::Go { x, y, level, how } => self.command(go(x, y, level, how)).await?,
            PlayerMessage::Stop => self.command(Command::Stop).await?,
            PlayerMessage::Tag => self.command(Command::Tag).await?,
        }
        Ok(json!({ "type": "done" }))
    }

    fn player(&self) -> Result<PlayerNumber, Refusal> {
        self.player.ok_or_else(|| Refusal::conflict("you watch: join the game first"))
    }

    async fn command(&mut self, command: Command) -> Result<(), Refusal> {
        let (player, session) = (self.player()?, self.session);
        let done = self.game.ask(Ask::Command { player, session, command }).await;
        if done.as_ref().is_err_and(|refusal| refusal.status == axum::http::StatusCode::NOT_FOUND) {
            self.player = None;
        }
        done.map(|_| ())
    }

    async fn join(
        &mut self,
        name: String,
        team: Option<u32>,
        key: Option<String>,
    ) -> Result<Value, Refusal> {
        self.take_heavy()?;
        let (session, former) = (self.session, self.player);
        let joining = Joining { name, team, key, session, former };
        match self.game.ask(Ask::Join(joining)).await? {
            Answer::Joined(player, json) => {
                (self.player, self.sent.way) = (Some(player), None);
                Ok(json)
            }
            _ => Ok(json!({ "type": "done" })),
        }
    }

    async fn interest(&mut self, level: u8) -> Result<Value, Refusal> {
        self.take_heavy()?;
        match self.game.ask(Ask::Interest).await? {
            Answer::Interest(shown) => self.pool.run(move || shown.answer(level)).await,
            _ => Ok(json!({ "type": "done" })),
        }
    }

    fn take_heavy(&mut self) -> Result<(), Refusal> {
        match self.heavy.take(1.0) {
            true => Ok(()),
            false => Err(Refusal::busy(
                "joining and interest maps are allowed once per second: wait a moment",
            )),
        }
    }
}

fn error(request: Option<&Value>, refusal: &Refusal) -> Value {
    json!({ "type": "error", "request": request, "message": refusal.message })
}
