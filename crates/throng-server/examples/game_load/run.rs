//! A server with a game, clients that play in it, and what they see. The tests run a short form.

use std::io::{ErrorKind, Read as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throng_server::{GameSetup, Server, ServerOptions};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, connect};

/// Memory may grow by so much after a quarter of the time: logs of former rounds have a limit of 48 MiB,
/// and the present one of 32 MiB.
pub(crate) const GROWTH_MAX_KIB: u64 = 128 << 10;
/// Frames between two commands of a client.
const FRAMES_PER_COMMAND: u32 = 6;

/// What was measured.
pub(crate) struct Figures {
    /// Milliseconds: median, 99th percentile and longest.
    pub(crate) tick_ms: (f64, f64, f64),
    pub(crate) clients: Vec<Client>,
    pub(crate) rounds: u64,
    pub(crate) delivered: u64,
    pub(crate) tagged: u64,
    pub(crate) log_moves: usize,
    /// How long the system let no thread of this process run, in all.
    pub(crate) paused: Duration,
    /// The memory of this process after a quarter of the time, and at the end.
    pub(crate) memory_kib: [u64; 2],
    /// The log of the last round, and the scene, as downloaded.
    pub(crate) log: String,
    pub(crate) scene: String,
}

/// What one client saw.
#[derive(Default)]
pub(crate) struct Client {
    pub(crate) frames: u32,
    pub(crate) bytes: u64,
    pub(crate) commands: u32,
    pub(crate) gap_max: Duration,
    /// The same without the time in which the system let no thread of this process run.
    pub(crate) gap_without_pauses_max: Duration,
    delivered: u64,
    tagged: u64,
    tick_ms: (f64, f64, f64),
}

/// Lets clients play among computer players for some seconds.
pub(crate) fn run(seconds: u64, clients: u32, computers: u32) -> Figures {
    let mut game = GameSetup::default();
    game.options.players = computers + clients;
    game.options.orbs = computers / 2;
    game.options.orbs_to_win = 60;
    let server = Server::start(&ServerOptions { game, ..ServerOptions::default() }).unwrap();
    let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
    let is_stopped = stop.clone();
    let thread = std::thread::spawn(move || server.run(|| is_stopped.load(Ordering::SeqCst)));
    // The game is made when somebody first asks for it.
    get(address, "/v1/games/main");
    let time = Duration::from_secs(seconds);
    let pauses = Arc::new(Pauses::default());
    let (watched, is_over) = (pauses.clone(), stop.clone());
    let watch = std::thread::spawn(move || watched.watch(&is_over));
    let threads: Vec<_> = (0..clients)
        .map(|number| {
            let pauses = pauses.clone();
            std::thread::spawn(move || play(address, number, time, &pauses))
        })
        .collect();
    std::thread::sleep(time / 4);
    let early = memory_kib();
    let clients: Vec<Client> = threads.into_iter().map(|it| it.join().unwrap()).collect();
    let late = memory_kib();
    let shown: Value = serde_json::from_str(&get(address, "/v1/games/main")).unwrap();
    let log = get(address, "/v1/games/main/log");
    let figures = Figures {
        tick_ms: clients[0].tick_ms,
        rounds: shown["round"].as_u64().unwrap_or(0),
        delivered: clients[0].delivered,
        tagged: clients[0].tagged,
        paused: pauses.total(),
        log_moves: log.lines().filter(|line| line.contains(",MV,")).count(),
        memory_kib: [early, late],
        scene: get(address, "/v1/games/main/scene"),
        log,
        clients,
    };
    stop.store(true, Ordering::SeqCst);
    watch.join().unwrap();
    thread.join().unwrap().unwrap();
    figures
}

/// How long a thread that only sleeps was not woken in time: then the whole process stood still, because
/// other processes had the machine or somebody stopped it.
#[derive(Default)]
pub(crate) struct Pauses(AtomicU64);

impl Pauses {
    fn total(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }

    fn watch(&self, is_over: &AtomicBool) {
        const NAP: Duration = Duration::from_millis(10);
        while !is_over.load(Ordering::SeqCst) {
            let begin = Instant::now();
            std::thread::sleep(NAP);
            let late = begin.elapsed().saturating_sub(2 * NAP);
            self.0.fetch_add(late.as_millis() as u64, Ordering::SeqCst);
        }
    }
}

/// One client: joins, and sends its player here and there.
fn play(address: SocketAddr, number: u32, time: Duration, pauses: &Pauses) -> Client {
    let (mut socket, _) = connect(format!("ws://{address}/v1/games/main/ws")).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    }
    send(&mut socket, &json!({ "type": "join", "name": format!("client {number}") }));
    let mut client = Client::default();
    let (begin, mut before) = (Instant::now(), None);
    let mut state = u64::from(number) + 1;
    while begin.elapsed() < time {
        let message = match socket.read() {
            // The process was stopped for a while and goes on.
            Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
            message => message.unwrap(),
        };
        client.bytes += message.len() as u64;
        match message {
            Message::Binary(_) => {
                let now = Instant::now();
                let paused = pauses.total();
                if let Some((since, paused_before)) = before.replace((now, paused)) {
                    let gap = now - since;
                    client.gap_max = client.gap_max.max(gap);
                    let own = gap.saturating_sub(paused - paused_before);
                    client.gap_without_pauses_max = client.gap_without_pauses_max.max(own);
                }
                client.frames += 1;
                if (client.frames + number).is_multiple_of(FRAMES_PER_COMMAND) {
                    send(&mut socket, &command(&mut state));
                    client.commands += 1;
                }
            }
            Message::Text(text) => client.note(&serde_json::from_str(&text).unwrap()),
            _ => {}
        }
    }
    client
}

impl Client {
    fn note(&mut self, message: &Value) {
        let number = |name: &str| message[name].as_f64().unwrap_or(0.0);
        match message["type"].as_str() {
            Some("status") => {
                self.tick_ms =
                    (number("tick_ms_p50"), number("tick_ms_p99"), number("tick_ms_max"));
            }
            Some("events") => {
                for event in message["events"].as_array().into_iter().flatten() {
                    self.delivered += event["count"].as_u64().unwrap_or(0);
                    self.tagged += u64::from(event["kind"] == "tagged");
                }
            }
            _ => {}
        }
    }
}

/// The next of a row of numbers that look random.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// A random command: mostly paths over the whole town, on both levels.
fn command(state: &mut u64) -> Value {
    let how = if draw(state, 4) == 0 { "straight" } else { "path" };
    let level = u64::from(draw(state, 4) == 0);
    let mut coordinate = || draw(state, 3_000) as f64 / 100.0;
    let (x, y) = (coordinate(), coordinate());
    match draw(state, 8) {
        0 => json!({ "type": "tag" }),
        1 => json!({ "type": "stop" }),
        _ => json!({ "type": "go", "x": x, "y": y, "level": level, "how": how }),
    }
}

fn send(socket: &mut WebSocket<MaybeTlsStream<TcpStream>>, message: &Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

/// The body of an answer.
fn get(address: SocketAddr, path: &str) -> String {
    use std::io::Write as _;
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
}

/// The memory of this process, where the system tells it.
fn memory_kib() -> u64 {
    let mut text = String::new();
    let read = std::fs::File::open("/proc/self/status")
        .and_then(|mut file| file.read_to_string(&mut text));
    let line = text.lines().find(|line| line.starts_with("VmRSS")).filter(|_| read.is_ok());
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
