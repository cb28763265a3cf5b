//! Load on loopback, bounded: many viewers of one world, then path queries, cold and warm; the
//! latter with `wrk` too where it is installed (Debian's package `wrk`).
//!
//! `cargo run --release -p throng-server --example load -- [VIEWERS] [SECONDS] [QUERIES]`
#![expect(clippy::disallowed_types, reason = "it measures")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example that prints figures")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use throng_server::{Server, ServerOptions};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, connect};

const TICK_HZ: f64 = 20.0;
const CONNECTIONS: usize = 4;
/// Cells per side of the map of queries.
const SIDE: usize = 256;
/// Cold queries.
const COLD: usize = 400;

fn main() {
    let argument = |index: usize, default: u64| {
        std::env::args().nth(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let viewers = argument(1, 200).min(500) as usize;
    let seconds = argument(2, 60).min(600);
    let queries = argument(3, 20_000).min(100_000) as usize;
    let options = ServerOptions {
        scenario: "maze".to_owned(),
        units: Some(1_000),
        tick_hz: TICK_HZ,
        requests_per_second: 1e6,
        ..ServerOptions::default()
    };
    let server = Server::start(&options).unwrap();
    let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
    let is_stopped = stop.clone();
    let thread = std::thread::spawn(move || server.run(|| is_stopped.load(Ordering::SeqCst)));
    watch(address, viewers, Duration::from_secs(seconds));
    ask_paths(address, COLD / CONNECTIONS, "cold: each on a map that was just uploaded", true);
    ask_paths(address, queries / CONNECTIONS, "warm: all on one map", false);
    run_wrk(address);
    stop.store(true, Ordering::SeqCst);
    thread.join().unwrap().unwrap();
}

/// What one viewer saw.
struct Seen {
    frames: u32,
    bytes: usize,
    tick_ms_p99: f64,
}

fn watch(address: SocketAddr, viewers: usize, time: Duration) {
    let before = memory_kib();
    let threads: Vec<_> = (0..viewers)
        .map(|_| {
            std::thread::Builder::new()
                .stack_size(1 << 18)
                .spawn(move || view(address, time))
                .unwrap()
        })
        .collect();
    std::thread::sleep(time / 4);
    let early = memory_kib();
    let seen: Vec<Seen> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let (seconds, count) = (time.as_secs_f64(), seen.len() as f64);
    let rate = |seen: &Seen| f64::from(seen.frames) / seconds;
    let least = seen.iter().map(rate).fold(f64::INFINITY, f64::min);
    let bytes: usize = seen.iter().map(|seen| seen.bytes).sum();
    println!("{viewers} viewers, 1,000 units, {TICK_HZ} ticks per second, {seconds} s");
    println!(
        "frames per second: least {least:.1}, mean {:.1}",
        seen.iter().map(rate).sum::<f64>() / count
    );
    println!("bytes per viewer and second: {:.0}", bytes as f64 / count / seconds);
    println!("tick p99: {:.2} ms", seen.iter().map(|seen| seen.tick_ms_p99).fold(0.0, f64::max));
    println!("memory (server and viewers): {before} KiB, {early} KiB, {} KiB", memory_kib());
}

fn view(address: SocketAddr, time: Duration) -> Seen {
    let (mut socket, _) = connect(format!("ws://{address}/v1/worlds/main/ws")).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    }
    let mut seen = Seen { frames: 0, bytes: 0, tick_ms_p99: 0.0 };
    let begin = Instant::now();
    while begin.elapsed() < time {
        let message = socket.read().unwrap();
        seen.bytes += message.len();
        match message {
            Message::Binary(bytes) if bytes[0] <= 2 => seen.frames += 1,
            Message::Text(text) if text.contains("\"type\":\"status\"") => {
                let json: serde_json::Value = serde_json::from_str(&text).unwrap();
                seen.tick_ms_p99 = json["tick_ms_p99"].as_f64().unwrap_or(0.0);
            }
            _ => {}
        }
    }
    seen
}

fn ask_paths(address: SocketAddr, count: usize, name: &str, is_cold: bool) {
    let begin = Instant::now();
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|number| std::thread::spawn(move || ask(address, count, number, is_cold)))
        .collect();
    let mut times: Vec<Duration> =
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let took = begin.elapsed();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "path queries, {name}: {} in {:.2} s, {:.0} per second; p50 {:.2} ms, p99 {:.2} ms",
        times.len(),
        took.as_secs_f64(),
        times.len() as f64 / took.as_secs_f64(),
        at(50),
        at(99),
    );
}

/// Path queries by a load generator that shares nothing with this example.
fn run_wrk(address: SocketAddr) {
    let (mut stream, mut answers) = connection(address);
    let map = upload(&mut stream, &mut answers, address);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/paths.lua");
    let mut command = std::process::Command::new("wrk");
    command.args(["-t1", "-c8", "-d10s", "--latency", "-s", script, &format!("http://{address}")]);
    let side = SIDE.to_string();
    match command.args(["--", &map, &side, &side]).output() {
        Ok(output) => println!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => println!("no wrk: {error}"),
    }
}

fn connection(address: SocketAddr) -> (TcpStream, BufReader<TcpStream>) {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let answers = BufReader::new(stream.try_clone().unwrap());
    (stream, answers)
}

/// Uploads an empty map; its id.
fn upload(
    stream: &mut TcpStream,
    answers: &mut BufReader<TcpStream>,
    address: SocketAddr,
) -> String {
    let rows = format!("{}\n", ".".repeat(SIDE)).repeat(SIDE);
    let map = format!("type octile\nheight {SIDE}\nwidth {SIDE}\nmap\n{rows}");
    let uploaded = send(stream, answers, address, ("POST", "/v1/maps"), &map);
    let json: serde_json::Value = serde_json::from_slice(&uploaded).unwrap();
    json["id"].as_str().unwrap().to_owned()
}

/// Path queries on a map of its own over one connection; cold ones on a new map each time.
fn ask(address: SocketAddr, count: usize, number: usize, is_cold: bool) -> Vec<Duration> {
    let (mut stream, mut answers) = connection(address);
    let mut map = upload(&mut stream, &mut answers, address);
    let mut times = Vec::with_capacity(count);
    for query in 0..count {
        if is_cold && query > 0 {
            let path = format!("/v1/maps/{map}");
            send(&mut stream, &mut answers, address, ("DELETE", &path), "");
            map = upload(&mut stream, &mut answers, address);
        }
        let mix = |salt: usize| (query * 7_919 + number * 104_729 + salt * 31) % SIDE;
        let body = format!(
            "{{\"map\":\"{map}\",\"from\":[[{},{}]],\"to\":[[{},{}]]}}",
            mix(1),
            mix(2),
            mix(3),
            mix(4)
        );
        let begin = Instant::now();
        let answer = send(&mut stream, &mut answers, address, ("POST", "/v1/path"), &body);
        times.push(begin.elapsed());
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains("\"status\":\"found\""), "{text}");
    }
    times
}

fn send(
    stream: &mut TcpStream,
    answers: &mut BufReader<TcpStream>,
    address: SocketAddr,
    (method, path): (&str, &str),
    body: &str,
) -> Vec<u8> {
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let (mut line, mut length) = (String::new(), 0);
    while line != "\r\n" {
        line.clear();
        answers.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut answer = vec![0; length];
    answers.read_exact(&mut answer).unwrap();
    answer
}

/// The memory of this process, where the system tells it.
fn memory_kib() -> u64 {
    let mut text = String::new();
    let read = std::fs::File::open("/proc/self/status")
        .and_then(|mut file| file.read_to_string(&mut text));
    let line = text.lines().find(|line| line.starts_with("VmRSS")).filter(|_| read.is_ok());
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
