//! One game on its own thread: it ticks ten times per second while somebody is connected, carries out
//! requests between ticks, and publishes what can be seen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use serde_json::{Value, json};
use throng_game::{Command, Event, Game, PlayLog, PlayerNumber, TICK_MS};
use tokio::sync::{oneshot, watch};

use super::frame::{self, GameFrame};
use super::interest::{Interest, Shown};
use super::saving::SavedTable;
use super::seats::Seats;
use super::source::{GameSource, refusal};
use super::tick_times::TickTimes;
use crate::clock::Moment;
use crate::error::Refusal;
use crate::options::QUEUE_MAX;

/// How long a game without connections waits for requests.
const IDLE: Duration = Duration::from_millis(500);
/// How long a client waits for the answer of a game.
const ANSWER_WAIT: Duration = Duration::from_secs(20);
/// Most logs of former rounds, and most memory of all of them.
const LOGS_MAX: usize = 8;
const LOG_BYTES_MAX: usize = 48 << 20;
/// Most events per frame.
const EVENTS_MAX: usize = 100;

/// What a game can be asked.
pub(super) enum Ask {
    /// The first message of a connection.
    Hello,
    Join(Joining),
    Command {
        player: PlayerNumber,
        session: u64,
        command: Command,
    },
    Leave {
        player: PlayerNumber,
        session: u64,
    },
    /// The connection of a player is lost.
    Lost {
        player: PlayerNumber,
        session: u64,
    },
    Interest,
    /// The log of a round, the present one if absent.
    Log(Option<u32>),
    Scene,
    Show,
    /// What goes into the state file.
    Save,
    /// Ends the thread.
    Close,
}

/// Somebody who wants to play.
pub(super) struct Joining {
    pub(super) name: String,
    pub(super) team: Option<u32>,
    /// What it was given when it joined before.
    pub(super) key: Option<String>,
    pub(super) session: u64,
    /// The player that the connection spoke for before.
    pub(super) former: Option<PlayerNumber>,
}

/// What a game answers.
pub(super) enum Answer {
    Done,
    Json(Value),
    Joined(PlayerNumber, Value),
    Interest(Arc<Shown>),
    Log(u32, Arc<PlayLog>),
    Text(String),
    /// Nothing for a game that was not made yet.
    Saved(Option<Box<SavedTable>>),
}

struct Request {
    ask: Ask,
    reply: oneshot::Sender<Result<Answer, Refusal>>,
}

/// A game as the rest of the server sees it.
pub(crate) struct GameHandle {
    pub(super) id: String,
    requests: SyncSender<Request>,
    pub(super) frames: watch::Receiver<Arc<GameFrame>>,
    connections: Arc<AtomicUsize>,
    sessions: AtomicU64,
}

impl GameHandle {
    /// Starts the thread of a game. A new game is made when somebody first asks for it.
    pub(super) fn start(id: &str, source: GameSource) -> Result<Arc<Self>, Refusal> {
        let (requests, inbox) = sync_channel(QUEUE_MAX);
        let (outbox, frames) = watch::channel(Arc::new(GameFrame::default()));
        let connections = Arc::new(AtomicUsize::new(0));
        let (name, counted) = (id.to_owned(), connections.clone());
        let run = move || begin(name, source, inbox, outbox, counted);
        let thread = std::thread::Builder::new().name(format!("game {id}")).spawn(run);
        thread.map_err(|error| Refusal::busy(format!("no thread for a game: {error}")))?;
        let sessions = AtomicU64::new(1);
        Ok(Arc::new(Self { id: id.to_owned(), requests, frames, connections, sessions }))
    }

    /// Asks the game and waits for the answer.
    pub(super) async fn ask(&self, ask: Ask) -> Result<Answer, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.requests.try_send(Request { ask, reply }).map_err(|error| match error {
            TrySendError::Full(_) => {
                Refusal::busy(format!("{QUEUE_MAX} requests wait for this game; send fewer"))
            }
            TrySendError::Disconnected(_) => gone(&self.id),
        })?;
        match tokio::time::timeout(ANSWER_WAIT, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(gone(&self.id)),
            Err(_) => Err(Refusal::busy("the game did not answer in time; try again later")),
        }
    }

    /// The same for answers in JSON.
    pub(super) async fn ask_json(&self, ask: Ask) -> Result<Value, Refusal> {
        match self.ask(ask).await? {
            Answer::Json(json) => Ok(json),
            _ => Ok(json!({})),
        }
    }

    /// A number for a connection, and a count of it until it is dropped.
    pub(super) fn connect(&self) -> (u64, Connected) {
        self.connections.fetch_add(1, Ordering::Relaxed);
        let session = self.sessions.fetch_add(1, Ordering::Relaxed);
        (session, Connected(self.connections.clone()))
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

/// Counts a connection until it is dropped.
pub(super) struct Connected(Arc<AtomicUsize>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn gone(id: &str) -> Refusal {
    Refusal::missing(format!("the game {id:?} has ended; list the games with GET /v1/games"))
}

/// Waits until the game is needed, makes it, and runs it. Without a game every request is refused with
/// the reason.
fn begin(
    id: String,
    source: GameSource,
    inbox: Receiver<Request>,
    outbox: watch::Sender<Arc<GameFrame>>,
    connections: Arc<AtomicUsize>,
) {
    let Some(first) = first_request(&source, &inbox) else { return };
    match source.make() {
        Ok((game, seats)) => {
            let mut table = Table::new(id, (game, seats), inbox, outbox, connections);
            table.serve(first);
            table.run();
        }
        Err(reason) => {
            let mut next = Ok(first);
            while let Ok(Request { ask, reply }) = next {
                let _ = reply.send(Err(reason.clone()));
                if matches!(ask, Ask::Close) {
                    return;
                }
                next = inbox.recv();
            }
        }
    }
}

/// The first request that needs the game. There is nothing to save before it.
fn first_request(source: &GameSource, inbox: &Receiver<Request>) -> Option<Request> {
    loop {
        let request = inbox.recv().ok()?;
        match request.ask {
            Ask::Save if matches!(source, GameSource::New(_)) => {
                let _ = request.reply.send(Ok(Answer::Saved(None)));
            }
            _ => return Some(request),
        }
    }
}

/// The game's own thread has this.
struct Table {
    id: String,
    game: Game,
    seats: Seats,
    interest: Interest,
    /// The logs of former rounds, the oldest first.
    logs: VecDeque<(u32, Arc<PlayLog>)>,
    times: TickTimes,
    inbox: Receiver<Request>,
    outbox: watch::Sender<Arc<GameFrame>>,
    connections: Arc<AtomicUsize>,
    next: Moment,
    is_closed: bool,
}

impl Table {
    fn new(
        id: String,
        (game, seats): (Game, Seats),
        inbox: Receiver<Request>,
        outbox: watch::Sender<Arc<GameFrame>>,
        connections: Arc<AtomicUsize>,
    ) -> Self {
        let mut interest = Interest::new(game.scene());
        // Those of former rounds are not saved.
        game.log().visits().for_each(|visit| interest.visit(visit));
        let mut table = Self {
            id,
            game,
            seats,
            interest,
            logs: VecDeque::new(),
            times: TickTimes::default(),
            inbox,
            outbox,
            connections,
            next: Moment::now(),
            is_closed: false,
        };
        table.publish(&[]);
        table
    }

    fn run(&mut self) {
        let period = Duration::from_millis(TICK_MS);
        while !self.is_closed {
            // Without anybody who sees it the game stands still.
            let is_watched = self.connections.load(Ordering::Relaxed) > 0;
            let wait = if is_watched { self.next.wait() } else { IDLE };
            match self.inbox.recv_timeout(wait) {
                Ok(request) => self.serve(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if is_watched && self.next.wait().is_zero() {
                self.tick();
                // A game that is late skips ticks rather than hurry.
                self.next = self.next.after(period).max(Moment::now());
            }
        }
    }

    fn tick(&mut self) {
        let begin = Moment::now();
        for player in self.seats.overdue(&self.game) {
            self.game.leave(player);
        }
        let events = self.game.tick();
        self.times.note(begin.elapsed());
        for location in self.game.moved() {
            self.interest.visit(*location);
        }
        if events.iter().any(|event| matches!(event, Event::RoundOver { .. })) {
            let log = Arc::new(self.game.take_log());
            self.logs.push_back((self.game.round(), log));
            let bytes = |logs: &VecDeque<(u32, Arc<PlayLog>)>| {
                logs.iter().map(|(_, log)| log.bytes()).sum::<usize>()
            };
            while self.logs.len() > LOGS_MAX || bytes(&self.logs) > LOG_BYTES_MAX {
                self.logs.pop_front();
            }
        }
        self.publish(&events);
    }

    fn publish(&mut self, events: &[Event]) {
        let before = self.outbox.borrow().clone();
        let renewed = |known: &Arc<Value>, now: Value| {
            if **known == now { known.clone() } else { Arc::new(now) }
        };
        let has_changed =
            events.iter().any(|event| matches!(event, Event::Joined { .. } | Event::Left { .. }));
        let players = match has_changed || before.players.is_null() {
            true => renewed(&before.players, frame::players(&self.game)),
            false => before.players.clone(),
        };
        let told = events.iter().filter_map(|event| frame::event(event, &self.game));
        let frame = GameFrame {
            tick: self.game.now(),
            state: frame::state(&self.game),
            players,
            scores: renewed(&before.scores, frame::scores(&self.game)),
            events: Arc::new(told.take(EVENTS_MAX).collect()),
            ways: Arc::new(frame::ways(&self.game, &before.ways)),
            times: self.times.milliseconds(),
        };
        self.outbox.send_replace(Arc::new(frame));
    }

    fn serve(&mut self, request: Request) {
        let answer = self.answer(request.ask);
        // A client that has gone needs no answer.
        let _ = request.reply.send(answer);
    }

    fn answer(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        match ask {
            Ask::Hello => Ok(Answer::Json(frame::hello(&self.id, &self.game))),
            Ask::Show => Ok(Answer::Json(self.show())),
            Ask::Join(joining) => self.join(joining),
            Ask::Command { player, session, command } => {
                self.seats.check(player, session)?;
                let done = self.game.command(player, command);
                done.map(|()| Answer::Done).map_err(|error| refusal(&error))
            }
            Ask::Leave { player, session } => {
                self.seats.check(player, session)?;
                self.seats.remove(player);
                self.game.leave(player);
                Ok(Answer::Done)
            }
            Ask::Lost { player, session } => {
                self.seats.lose(player, session, self.game.now());
                Ok(Answer::Done)
            }
            Ask::Interest => Ok(Answer::Interest(self.interest.shown(self.game.now()))),
            Ask::Log(round) => self.log(round),
            Ask::Scene => {
                let text = self.game.scene().to_scene().write();
                text.map(Answer::Text).map_err(|error| Refusal::conflict(error.to_string()))
            }
            Ask::Save => {
                let saved = SavedTable::new(&self.id, &self.game, &self.seats)?;
                Ok(Answer::Saved(Some(Box::new(saved))))
            }
            Ask::Close => {
                self.is_closed = true;
                Ok(Answer::Done)
            }
        }
    }

    fn join(&mut self, joining: Joining) -> Result<Answer, Refusal> {
        let Joining { name, team, key, session, former } = joining;
        if former.is_some_and(|player| self.seats.check(player, session).is_ok()) {
            return Err(Refusal::conflict("you play already: leave first"));
        }
        let known = key.and_then(|key| Some((self.seats.back(&key, session)?, key)));
        let (number, key) = match known {
            Some((number, key)) => (number, key),
            None => {
                let number = self.game.join(&name, team).map_err(|error| refusal(&error))?;
                let key = self.seats.take(number, session);
                (number, key.inspect_err(|_| self.game.leave(number))?)
            }
        };
        let player = self.game.player(number);
        let player = player.ok_or_else(|| Refusal::missing("this player has left: join again"))?;
        let json = json!({
            "type": "joined", "player": number.0, "name": player.name(), "team": player.team(),
            "key": key,
        });
        Ok(Answer::Joined(number, json))
    }

    fn log(&self, round: Option<u32>) -> Result<Answer, Refusal> {
        let wanted = round.unwrap_or(self.game.round());
        if let Some((round, log)) = self.logs.iter().find(|(round, _)| *round == wanted) {
            return Ok(Answer::Log(*round, log.clone()));
        }
        if wanted == self.game.round() {
            return Ok(Answer::Log(wanted, Arc::new(self.game.log().clone())));
        }
        let rounds: Vec<String> = self.rounds().iter().map(ToString::to_string).collect();
        let rounds = rounds.join(", ");
        Err(Refusal::missing(format!("no log of round {wanted}; there are those of {rounds}")))
    }

    /// The rounds of which there is a log.
    fn rounds(&self) -> Vec<u32> {
        let mut rounds: Vec<u32> = self.logs.iter().map(|(round, _)| *round).collect();
        if !rounds.contains(&self.game.round()) {
            rounds.push(self.game.round());
        }
        rounds
    }

    fn show(&self) -> Value {
        let game = &self.game;
        let log_bytes: usize = self.logs.iter().map(|(_, log)| log.bytes()).sum();
        json!({
            "id": self.id, "scene": game.scene().name(), "players": game.players().len(),
            "people": game.people(), "teams": game.options().teams, "round": game.round(),
            "rounds_logged": self.rounds(), "tick": game.now(), "connections": self.connections.load(Ordering::Relaxed),
            "log_bytes": log_bytes + game.log().bytes(), "times": self.times.milliseconds(),
        })
    }
}
