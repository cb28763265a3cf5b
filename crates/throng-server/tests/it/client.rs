//! A server for one test, an HTTP client and a WebSocket client.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
use throng_server::{Server, ServerOptions};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

/// A server that stops with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn start(options: &ServerOptions) -> Self {
        let server = Server::start(options).expect("a server");
        let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
        let is_stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            server.run(|| is_stopped.load(Ordering::SeqCst)).expect("it runs");
        });
        Self { address, stop, thread: Some(thread) }
    }

    /// A server whose first world is this scenario.
    pub(crate) fn of(scenario: &str, units: u32) -> Self {
        let mut options = ServerOptions::default();
        scenario.clone_into(&mut options.scenario);
        options.units = Some(units);
        options.tick_hz = 50.0;
        Self::start(&options)
    }

    /// Sends a request; gives status and body.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let host = format!("Host: {}\r\n", self.address);
        self.ask_with(method, path, body, &host)
    }

    /// The same with these headers.
    pub(crate) fn ask_with(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        headers: &str,
    ) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        // A server that refuses early closes the connection: its answer is read all the same.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        split(&answer)
    }

    /// The JSON of a request that must succeed.
    pub(crate) fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.refusable(method, path, body);
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }

    /// Status and JSON of a request.
    pub(crate) fn refusable(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, answer) = self.ask(method, path, body.as_bytes());
        (status, serde_json::from_slice(&answer).unwrap_or(Value::Null))
    }

    pub(crate) fn watch(&self, world: &str) -> Viewer {
        Viewer::join(&format!("ws://{}/v1/worlds/{world}/ws", self.address))
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Status and body of an answer; chunks are joined.
fn split(answer: &[u8]) -> (u16, Vec<u8>) {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut body = answer.get(end + 4..).unwrap_or_default();
    if !head.contains("transfer-encoding: chunked") {
        return (status, body.to_vec());
    }
    let mut joined = Vec::new();
    while let Some(line) = body.windows(2).position(|two| two == b"\r\n") {
        let length =
            usize::from_str_radix(&String::from_utf8_lossy(&body[..line]), 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        joined.extend_from_slice(&body[line + 2..line + 2 + length]);
        body = &body[line + 4 + length..];
    }
    (status, joined)
}

/// A unit as a client knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) size: u8,
    pub(crate) team: u8,
    pub(crate) status: u8,
    pub(crate) profile: u8,
    /// End of the step in progress and ticks until then, for slow units.
    pub(crate) heading: Option<(u16, u16, u8)>,
}

/// A world as far as messages have told.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) map: Vec<u8>,
    pub(crate) width: usize,
    pub(crate) tick: u32,
    pub(crate) frame: u32,
    pub(crate) units: BTreeMap<u32, Unit>,
}

/// A client that follows a world.
pub(crate) struct Viewer {
    pub(crate) socket: WebSocket<MaybeTlsStream<TcpStream>>,
    pub(crate) hello: Value,
    known: Known,
    /// Text messages that were not asked for yet.
    texts: Vec<Value>,
    next_request: u64,
}

impl std::ops::Deref for Viewer {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.known
    }
}

impl Viewer {
    pub(crate) fn join(address: &str) -> Self {
        let (socket, _) = connect(address).expect("a WebSocket");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        }
        let mut viewer = Self {
            socket,
            hello: Value::Null,
            known: Known::default(),
            texts: Vec::new(),
            next_request: 1,
        };
        viewer.until(|viewer| viewer.frame > 0);
        viewer
    }

    /// Takes one message.
    pub(crate) fn read(&mut self) {
        match self.socket.read().expect("a message") {
            Message::Text(text) => {
                let json: Value = serde_json::from_str(&text).expect("JSON");
                if json["type"] == "hello" {
                    self.hello = json.clone();
                }
                // Events that no test asks for do not pile up.
                // Events that no test asks for do not pile up.
                if self.texts.len() > 100 {
                    self.texts.drain(..50);
                }
                self.texts.push(json);
            }
            Message::Binary(bytes) => self.known.take_frame(&bytes),
            _ => {}
        }
    }

    pub(crate) fn until(&mut self, mut done: impl FnMut(&Self) -> bool) {
        for _ in 0..20_000 {
            if done(self) {
                return;
            }
            self.read();
        }
        panic!("it did not happen");
    }

    /// Sends a message and waits for its answer.
    pub(crate) fn ask(&mut self, mut message: Value) -> Value {
        let request = self.next_request;
        self.next_request += 1;
        message["request"] = request.into();
        self.socket.send(Message::text(message.to_string())).expect("sent");
        for _ in 0..20_000 {
            if let Some(index) = self.texts.iter().position(|text| text["request"] == request) {
                return self.texts.swap_remove(index);
            }
            self.read();
        }
        panic!("no answer to {message}");
    }

    /// The newest message of a type, after waiting for one.
    pub(crate) fn text(&mut self, kind: &str) -> Value {
        self.texts.retain(|text| text["type"] != kind);
        self.until(|viewer| viewer.texts.iter().any(|text| text["type"] == kind));
        let index = self.texts.iter().rposition(|text| text["type"] == kind).unwrap();
        self.texts.swap_remove(index)
    }
}

impl Known {
    fn take_frame(&mut self, bytes: &[u8]) {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        match bytes[0] {
            3 => {
                self.width = number(4) as usize;
                self.map = bytes[12..].to_vec();
            }
            4 => {
                for index in 0..number(4) as usize {
                    self.map[number(8 + index * 4) as usize] = bytes[1];
                }
            }
            kind => {
                if kind == 1 {
                    self.units.clear();
                }
                (self.tick, self.frame) = (number(4), number(8));
                let (units, removed) = (number(12) as usize, number(16) as usize);
                assert_eq!(bytes.len(), 20 + units * 20 + removed * 4);
                for at in (0..units).map(|index| 20 + index * 20) {
                    let (size, team, status) = (bytes[at + 14], bytes[at + 15], bytes[at + 16]);
                    let (x, y, left) =
                        (short(at + 4), short(at + 6), bytes[at + 13] - bytes[at + 12]);
                    let heading = (left > 0).then(|| (short(at + 8), short(at + 10), left));
                    let profile = bytes[at + 17];
                    let unit = Unit { x, y, size, team, status, profile, heading };
                    self.units.insert(number(at), unit);
                }
                for at in (0..removed).map(|index| 20 + units * 20 + index * 4) {
                    self.units.remove(&number(at));
                }
            }
        }
    }

    /// Takes the messages of a replay; gives the verdict, which comes last.
    pub(crate) fn take_all(&mut self, messages: &[u8]) -> Value {
        let (mut rest, mut text) = (messages, Value::Null);
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().unwrap());
        while !rest.is_empty() {
            let (kind, length) = (number(rest), number(&rest[4..]) as usize);
            let message = &rest[8..8 + length];
            rest = &rest[8 + length..];
            match kind {
                0 => text = serde_json::from_slice(message).unwrap(),
                _ => self.take_frame(message),
            }
        }
        text
    }

    /// No two units share a cell, and none stands where the map has a wall at that terrain id.
    pub(crate) fn check_bodies(&self) {
        let mut covered = BTreeMap::new();
        for (id, unit) in &self.units {
            for y in unit.y..unit.y + u16::from(unit.size) {
                for x in unit.x..unit.x + u16::from(unit.size) {
                    let other = covered.insert((x, y), id);
                    assert_eq!(other, None, "tick {}: units {id} at {x},{y}", self.tick);
                }
            }
        }
    }
}
