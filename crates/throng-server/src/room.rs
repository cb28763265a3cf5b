//! One world on its own thread: it ticks at a set rate, carries out requests between ticks, and
//! publishes its state.

mod commands;
mod inspect;
mod orders;
mod overlay;
mod publish;
mod save;
mod sides;
mod start;
mod traffic;
mod zones;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use serde_json::Value;
use throng::World;
use throng::model::Map;
use tokio::sync::{oneshot, watch};

use crate::clock::Moment;
use crate::engine::Engine;
use crate::error::Refusal;
use crate::frame::{Frame, MapBytes, WorldInfo};
use crate::messages::ClientMessage;
use crate::options::{QUEUE_MAX, RATE_MAX};
use crate::progress::Progress;
use crate::saving::SavedWorld;
use crate::setup::Setup;
pub(crate) use orders::{FACINGS, FORMATIONS, KINDS};
pub(crate) use start::{Beginning, Source};
use traffic::Tag;

/// How long a paused world waits for requests.
const IDLE: Duration = Duration::from_millis(500);
/// How long a client waits for the answer of a world.
const ANSWER_WAIT: Duration = Duration::from_secs(20);
/// The least time between two published frames.
const FRAME_GAP: Duration = Duration::from_millis(12);

/// What a world can be asked.
pub(crate) enum Ask {
    /// What a client says.
    Message(ClientMessage),
    /// Several ticks at once, and the state after them.
    Ticks(u32),
    Snapshot,
    Replay,
    Map,
    /// Goes on from another world.
    Restore(Box<World>),
    Save,
    /// Ends the thread.
    Close,
}

/// What a world answers.
pub(crate) enum Answer {
    Done,
    Json(Value),
    Bytes(Vec<u8>),
    Map(Box<Map>),
    Saved(Box<SavedWorld>),
    /// Work that is done elsewhere, on this map.
    Later(Box<overlay::MapWork>),
}

struct Request {
    ask: Ask,
    reply: oneshot::Sender<Result<Answer, Refusal>>,
}

/// A world as the rest of the server sees it.
pub(crate) struct RoomHandle {
    pub(crate) id: String,
    requests: SyncSender<Request>,
    pub(crate) frames: watch::Receiver<Arc<Frame>>,
    pub(crate) viewers: AtomicUsize,
}

impl RoomHandle {
    /// Starts the thread of a world.
    pub(crate) fn start(id: &str, begin: Beginning, tick_hz: f64) -> Result<Arc<Self>, Refusal> {
        let (requests, inbox) = sync_channel(QUEUE_MAX);
        let (mut room, frames) = Room::new(id, begin, tick_hz, inbox)?;
        let run = move || room.run();
        let thread = std::thread::Builder::new().name(format!("world {id}")).spawn(run);
        thread.map_err(|error| Refusal::busy(format!("no thread for a world: {error}")))?;
        Ok(Arc::new(Self { id: id.to_owned(), requests, frames, viewers: AtomicUsize::new(0) }))
    }

    /// Asks the world and waits for the answer.
    pub(crate) async fn ask(&self, ask: Ask) -> Result<Answer, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.requests.try_send(Request { ask, reply }).map_err(|error| match error {
            TrySendError::Full(_) => {
                Refusal::busy(format!("{QUEUE_MAX} requests wait for this world; send fewer"))
            }
            TrySendError::Disconnected(_) => gone(&self.id),
        })?;
        match tokio::time::timeout(ANSWER_WAIT, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(gone(&self.id)),
            Err(_) => Err(Refusal::busy("the world did not answer in time; try again later")),
        }
    }

    /// The newest state.
    pub(crate) fn frame(&self) -> Arc<Frame> {
        self.frames.borrow().clone()
    }

    /// Whether the thread of the world is gone.
    pub(crate) fn has_ended(&self) -> bool {
        self.frames.has_changed().is_err()
    }

    pub(crate) fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }
}

fn gone(id: &str) -> Refusal {
    Refusal::missing(format!("the world {id:?} has ended; list the worlds with GET /v1/worlds"))
}

/// The world's own thread has this.
struct Room {
    id: String,
    source: Source,
    setup: Setup,
    engine: Engine,
    inbox: Receiver<Request>,
    outbox: watch::Sender<Arc<Frame>>,
    info: Arc<WorldInfo>,
    map: Arc<MapBytes>,
    buildings: Arc<Value>,
    /// By slot, what the server knows of a unit.
    tags: Vec<Option<Tag>>,
    progress: Progress,
    fights: sides::Fights,
    timing: Timing,
    /// Events since the last published frame.
    events: Vec<Value>,
    expanded: u64,
    is_changed: bool,
    is_closed: bool,
}

/// When the world ticks.
struct Timing {
    tick_hz: f64,
    speed: f64,
    is_paused: bool,
    next: Moment,
    published: Moment,
    /// The newest durations of ticks, in microseconds.
    durations: std::collections::VecDeque<u32>,
}

impl Timing {
    const KEPT: usize = 256;

    fn new(tick_hz: f64) -> Self {
        let (now, durations) = (Moment::now(), std::collections::VecDeque::new());
        Self { tick_hz, speed: 1.0, is_paused: false, next: now, published: now, durations }
    }

    fn period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / (self.tick_hz * self.speed).clamp(0.01, RATE_MAX))
    }

    fn note(&mut self, took: Duration) {
        if self.durations.len() == Self::KEPT {
            self.durations.pop_front();
        }
        self.durations.push_back(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    /// Sets the next tick. A world that is late skips ticks rather than hurry.
    fn schedule(&mut self) {
        self.next = self.next.after(self.period()).max(Moment::now());
    }

    /// Mean and 99th percentile in milliseconds.
    fn milliseconds(&self) -> (f64, f64) {
        let mut sorted: Vec<u32> = self.durations.iter().copied().collect();
        sorted.sort_unstable();
        let Some(last) = sorted.len().checked_sub(1) else { return (0.0, 0.0) };
        let sum: u64 = sorted.iter().map(|&took| u64::from(took)).sum();
        let mean = sum as f64 / sorted.len() as f64;
        (mean / 1e3, f64::from(sorted[last * 99 / 100]) / 1e3)
    }
}

impl Room {
    fn run(&mut self) {
        while !self.is_closed {
            let wait = if self.timing.is_paused { IDLE } else { self.timing.next.wait() };
            match self.inbox.recv_timeout(wait) {
                Ok(request) => self.serve(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if !self.timing.is_paused && self.timing.next.wait().is_zero() {
                self.tick();
                self.timing.schedule();
            }
            if self.is_changed && self.timing.published.elapsed() >= FRAME_GAP {
                self.publish();
            }
        }
    }

    fn serve(&mut self, request: Request) {
        let answer = self.answer(request.ask);
        // A client that has gone needs no answer.
        let _ = request.reply.send(answer);
    }

    fn tick(&mut self) {
        self.edit_by_script();
        self.drive_traffic();
        self.fight();
        let begin = Moment::now();
        let ticked = self.engine.tick();
        self.timing.note(begin.elapsed());
        self.expanded += ticked.expanded;
        self.progress.count(&ticked.events);
        self.keep_events(&ticked.events);
        let now = self.engine.now();
        self.progress.fade(now);
        for unit in self.engine.units() {
            if let Some(seen) = self.engine.see(unit) {
                self.progress.note(unit, &seen, now, self.engine.map());
            }
        }
        self.is_changed = true;
    }
}
