//! Hostile clients: the world goes on ticking, other viewers are served, memory is bounded.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use throng::model::Map;
use throng::world::{Recorder, WorldOptions};
use throng_server::{Server, ServerError, ServerOptions};
use tokio_tungstenite::tungstenite::{Message, connect};

use crate::client::{Known, TestServer};

/// The world has ticked on, and answers.
fn check_alive(server: &TestServer) {
    let tick = || server.json("GET", "/v1/worlds/main", &Value::Null)["tick"].as_u64().unwrap();
    let before = tick();
    for _ in 0..200 {
        if tick() > before + 3 {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the world stands still at tick {before}");
}

#[test]
fn garbage_is_answered_and_then_disconnected() {
    let server = TestServer::of("bay", 4);
    let mut viewer = server.watch("main");
    let texts = [
        "",
        "{",
        "[]",
        "null",
        "{\"type\":1}",
        "{\"type\":\"order\",\"units\":[1e99]}",
        "\u{0}\u{ffff}",
    ];
    for text in texts {
        viewer.socket.send(Message::text(text)).unwrap();
        assert!(viewer.text("error")["message"].is_string(), "{text}");
    }
    viewer.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert!(viewer.text("error")["message"].as_str().unwrap().contains("text"));
    // A good message ends the row of bad ones.
    assert_eq!(viewer.ask(json!({"type": "ping", "t": 7}))["t"], 7);
    for _ in 0..60 {
        let _ = viewer.socket.send(Message::text("x"));
    }
    let ended = (0..2_000).any(|_| viewer.socket.read().is_err());
    assert!(ended, "60 bad messages in a row");
    // Bytes that are no frame, and bytes that are no HTTP.
    for garbage in
        [&b"\xff\xff\xff\xff\xff\xff\xff\xff"[..], &[0; 5_000], b"GET / HTTP/9.9\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let _ = stream.write_all(garbage);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
    }
    check_alive(&server);
}

#[test]
fn large_messages_and_uploads_are_refused() {
    let server = TestServer::of("bay", 4);
    let mut viewer = server.watch("main");
    let _ = viewer.socket.send(Message::text("x".repeat(70 << 10)));
    assert!((0..2_000).any(|_| viewer.socket.read().is_err()), "70 KiB were taken");
    let huge = vec![b'.'; 9 << 20];
    for path in ["/v1/maps", "/v1/worlds", "/v1/worlds/main/restore", "/v1/path"] {
        let status = server.ask("POST", path, &huge).0;
        // The server may close before it has read everything.
        assert!(status == 413 || status == 0, "{path}: {status}");
    }
    // A length that is promised and not sent, and a map that claims to be huge.
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "POST /v1/maps HTTP/1.1\r\nHost: {}\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    let _ = stream.write_all(head.as_bytes());
    let map = b"type octile\nheight 4096\nwidth 4096\nmap\n";
    assert_eq!(server.ask("POST", "/v1/maps", map).0, 400);
    check_alive(&server);
}

#[test]
fn floods_are_limited() {
    let server = TestServer::of("door", 50);
    let mut flooder = server.watch("main");
    let message = json!({"type": "paint", "terrain": 0, "rect": [1, 1, 30, 30]}).to_string();
    for _ in 0..1_000 {
        if flooder.socket.send(Message::text(message.clone())).is_err() {
            break;
        }
    }
    check_alive(&server);
    // Another viewer is served meanwhile.
    let mut other = server.watch("main");
    let frame = other.frame;
    other.until(|viewer| viewer.frame > frame + 10);
}

#[test]
fn a_viewer_that_reads_nothing_does_not_stop_the_world() {
    let server = TestServer::of("maze", 300);
    let mut idle = Vec::new();
    for _ in 0..20 {
        let address = format!("ws://{}/v1/worlds/main/ws", server.address);
        idle.push(connect(address).expect("a WebSocket"));
    }
    let mut viewer = server.watch("main");
    let begin = viewer.tick;
    viewer.until(|viewer| viewer.tick > begin + 60);
    check_alive(&server);
}

#[test]
fn a_thousand_connections_leave_room_for_those_who_are_there() {
    let server = TestServer::of("bay", 4);
    let mut viewer = server.watch("main");
    let connections: Vec<TcpStream> =
        (0..1_000).filter_map(|_| TcpStream::connect(server.address).ok()).collect();
    let begin = viewer.tick;
    viewer.until(|viewer| viewer.tick > begin + 20);
    assert_eq!(viewer.ask(json!({"type": "ping"}))["type"], "pong");
    drop(connections);
    check_alive(&server);
}

#[test]
fn hostile_snapshots_are_refused() {
    let server = TestServer::of("bay", 4);
    server.json("POST", "/v1/worlds/main/pause", &Value::Null);
    let (_, good) = server.ask("GET", "/v1/worlds/main/snapshot", b"");
    let tick = server.json("GET", "/v1/worlds/main", &Value::Null)["tick"].clone();
    let mut accepted = 0;
    for number in 0..60_usize {
        let mut bad = good.clone();
        let at = number * 7_919 % bad.len();
        bad[at] ^= 1 << (number % 8);
        if number % 3 == 0 {
            bad.truncate(at);
        }
        accepted += usize::from(server.ask("POST", "/v1/worlds/main/restore", &bad).0 == 200);
    }
    assert_eq!(accepted, 0, "the checksum covers every byte");
    assert_eq!(server.json("GET", "/v1/worlds/main", &Value::Null)["tick"], tick);
    assert_eq!(server.ask("POST", "/v1/worlds/main/restore", &good).0, 200);
    server.json("POST", "/v1/worlds/main/resume", &Value::Null);
    check_alive(&server);
}

#[test]
fn hostile_replays_are_refused_or_cut_off() {
    let server = TestServer::of("bay", 4);
    let mut viewer = server.watch("main");
    viewer.until(|viewer| viewer.tick > 70);
    server.json("POST", "/v1/worlds/main/pause", &Value::Null);
    let (_, good) = server.ask("GET", "/v1/worlds/main/replay", b"");
    for number in 0..60_usize {
        let mut bad = good.clone();
        let at = number * 7_919 % bad.len();
        bad[at] ^= 1 << (number % 8);
        if number % 3 == 0 {
            bad.truncate(at);
        }
        assert_eq!(server.ask("POST", "/v1/replays", &bad).0, 400, "byte {at}");
    }
    // A small file that makes for a long run.
    let world = throng::World::new(Map::empty(8, 8).unwrap(), WorldOptions::default()).unwrap();
    let mut recorder = Recorder::with_hash_every(world, 1_024);
    for _ in 0..200_000 {
        recorder.tick();
    }
    let long = recorder.replay().to_bytes();
    assert!(long.len() < 10_000, "{} bytes", long.len());
    let (status, messages) = server.ask("POST", "/v1/replays", &long);
    let verdict = Known::default().take_all(&messages);
    assert_eq!((status, &verdict["truncated"]), (200, &json!(true)));
    server.json("POST", "/v1/worlds/main/resume", &Value::Null);
    check_alive(&server);
}

#[test]
fn other_machines_need_a_token() {
    let mut options =
        ServerOptions { listen: ([0, 0, 0, 0], 0).into(), ..ServerOptions::default() };
    assert!(matches!(Server::start(&options), Err(ServerError::NoToken(_))));
    options.token = Some("short".to_owned());
    assert!(matches!(Server::start(&options), Err(ServerError::NoToken(_))));
    // Loopback stands for another machine here: the token counts there too.
    options.listen = ServerOptions::default().listen;
    options.token = Some("0123456789abcdef".to_owned());
    options.units = Some(1);
    let server = TestServer::start(&options);
    let host = format!("Host: {}\r\n", server.address);
    let with = |more: &str| server.ask_with("GET", "/v1/worlds", b"", &format!("{host}{more}")).0;
    assert_eq!(with(""), 401);
    assert_eq!(with("Authorization: Bearer 0123456789abcdeX\r\n"), 401);
    assert_eq!(with("Authorization: Bearer 0123456789abcdef\r\n"), 200);
    assert_eq!(with("Cookie: throng_token=0123456789abcdef\r\n"), 200);
    assert_eq!(server.ask("GET", "/?token=0123456789abcdef", b"").0, 303);
    assert_eq!(server.ask("GET", "/?token=wrong", b"").0, 401);
    assert_eq!(server.ask("GET", "/healthz", b"").0, 200);
}
