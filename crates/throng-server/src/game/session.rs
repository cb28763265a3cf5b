//! One connection to a game: somebody who watches, and may play. It speaks for the player that it
//! joined as, and for no other.

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use serde_json::{Value, json};
use throng_game::{Command, PlayerNumber};

use super::frame::GameFrame;
use super::messages::{PlayerMessage, go};
use super::table::{Answer, Ask, Connected, GameHandle, Joining};
use crate::connection::{Client, Connection, Lost, text};
use crate::error::Refusal;
use crate::limiter::Bucket;
use crate::pool::Pool;

/// Most messages per second, and at once.
const MESSAGES_PER_SECOND: f64 = 30.0;
const MESSAGES_AT_ONCE: f64 = 60.0;
/// The same for messages that take work: joining, and the interest map.
const HEAVY_PER_SECOND: f64 = 1.0;
const HEAVY_AT_ONCE: f64 = 5.0;

/// What a client was sent last.
#[derive(Default)]
struct Sent {
    tick: Option<u64>,
    players: Option<Arc<Value>>,
    scores: Option<Arc<Value>>,
    way: Option<u32>,
}

struct Session {
    game: Arc<GameHandle>,
    pool: Pool,
    session: u64,
    player: Option<PlayerNumber>,
    sent: Sent,
    heavy: Bucket,
    _connected: Connected,
}

/// Serves a connection until it ends or the game does.
pub(super) async fn serve(socket: WebSocket, game: Arc<GameHandle>, pool: Pool) {
    let (session, connected) = game.connect();
    let mut session = Session {
        game,
        pool,
        session,
        player: None,
        sent: Sent::default(),
        heavy: Bucket::new(HEAVY_PER_SECOND, HEAVY_AT_ONCE),
        _connected: connected,
    };
    let mut connection = Connection::new(socket, MESSAGES_PER_SECOND, MESSAGES_AT_ONCE);
    // An error is a connection that is lost: there is no one to tell.
    let _ = session.follow(&mut connection).await;
    if let Some(player) = session.player {
        let lost = Ask::Lost { player, session: session.session };
        let _ = session.game.ask(lost).await;
    }
}

impl Client for Session {
    type Frame = Arc<GameFrame>;
    type Message = PlayerMessage;

    fn messages(&mut self, frame: &Arc<GameFrame>) -> Vec<Message> {
        self.sent.messages(frame, self.player)
    }

    fn status(&self) -> Value {
        let frame = self.game.frames.borrow().clone();
        let mut json = json!(frame.times);
        json["type"] = json!("status");
        json["tick"] = json!(frame.tick);
        json["connections"] = json!(self.game.connections());
        json
    }

    async fn carry_out(&mut self, message: PlayerMessage) -> Result<Option<Value>, Refusal> {
        match message {
            PlayerMessage::Ping { t } => return Ok(Some(json!({ "type": "pong", "t": t }))),
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
        Ok(None)
    }
}

impl Sent {
    /// What is new in a frame for the client that speaks for a player.
    fn messages(&mut self, frame: &GameFrame, player: Option<PlayerNumber>) -> Vec<Message> {
        let is_new = |sent: &Option<Arc<Value>>, now: &Arc<Value>| {
            sent.as_ref().is_none_or(|sent| !Arc::ptr_eq(sent, now))
        };
        let mut messages = Vec::new();
        if is_new(&self.players, &frame.players) {
            self.players = Some(frame.players.clone());
            messages.push(text(&frame.players));
        }
        if is_new(&self.scores, &frame.scores) {
            self.scores = Some(frame.scores.clone());
            messages.push(text(&frame.scores));
        }
        messages.push(Message::Binary(frame.state.clone()));
        let is_first = self.tick.replace(frame.tick).is_none();
        if !is_first && !frame.events.is_empty() {
            let (tick, events) = (frame.tick, &*frame.events);
            messages.push(text(&json!({ "type": "events", "tick": tick, "events": events })));
        }
        let way = player.and_then(|player| frame.ways.get(&player));
        if let Some(way) = way.filter(|way| self.way != Some(way.edition)) {
            self.way = Some(way.edition);
            messages.push(text(&way.json));
        }
        messages
    }
}

impl Session {
    async fn follow(&mut self, connection: &mut Connection) -> Result<(), Lost> {
        let hello = match self.game.ask_json(Ask::Hello).await {
            Ok(hello) => hello,
            Err(refusal) => return connection.refuse(None, &refusal).await,
        };
        connection.send(text(&hello)).await?;
        let frames = self.game.frames.clone();
        connection.follow(self, frames).await
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
    ) -> Result<Option<Value>, Refusal> {
        self.take_heavy()?;
        let (session, former) = (self.session, self.player);
        let joining = Joining { name, team, key, session, former };
        match self.game.ask(Ask::Join(joining)).await? {
            Answer::Joined(player, json) => {
                (self.player, self.sent.way) = (Some(player), None);
                Ok(Some(json))
            }
            _ => Ok(None),
        }
    }

    async fn interest(&mut self, level: u8) -> Result<Option<Value>, Refusal> {
        self.take_heavy()?;
        match self.game.ask(Ask::Interest).await? {
            Answer::Interest(shown) => self.pool.run(move || shown.answer(level)).await.map(Some),
            _ => Ok(None),
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
