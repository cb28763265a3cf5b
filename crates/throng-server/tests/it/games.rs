//! The players' game over WebSocket: join, go, see each other, come back, and the log.

#[expect(clippy::disallowed_types, reason = "it measures the time between frames")]
#[path = "../../examples/game_load/run.rs"]
mod load;

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use throng::scene::Scene;
use throng_lab::lanctot::{GameLog, interest_map};
use throng_server::ServerOptions;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

use crate::client::TestServer;

/// A player as a client sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    player: u16,
    level: u8,
    x: f32,
    y: f32,
}

/// A connection to a game.
struct Player {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    texts: Vec<Value>,
    seen: Vec<Seen>,
    tick: u32,
    next_request: u64,
}

impl Player {
    fn connect(server: &TestServer) -> Self {
        let address = format!("ws://{}/v1/games/main/ws", server.address);
        let (socket, _) = connect(address).expect("a WebSocket");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        }
        let mut player =
            Self { socket, texts: Vec::new(), seen: Vec::new(), tick: 0, next_request: 1 };
        player.until(|player| !player.seen.is_empty());
        player
    }

    /// Connects and joins; the answer too.
    fn join(server: &TestServer, name: &str) -> (Self, Value) {
        let mut player = Self::connect(server);
        let joined = player.ask(json!({ "type": "join", "name": name }));
        assert_eq!(joined["type"], "joined", "{joined}");
        player.until(|player| player.place(number(&joined)).is_some());
        (player, joined)
    }

    fn read(&mut self) {
        match self.socket.read().expect("a message") {
            Message::Text(text) => {
                self.texts.push(serde_json::from_str(&text).expect("JSON"));
                let over = self.texts.len().saturating_sub(500);
                self.texts.drain(..over);
            }
            Message::Binary(bytes) => self.take(&bytes),
            _ => {}
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let length = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let (players, orbs) = (usize::from(short(2)), usize::from(short(12)));
        assert_eq!(bytes.len(), 16 + players * 16 + orbs * 12);
        self.tick = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        let records = (0..players).map(|index| 16 + index * 16);
        let seen = |at: usize| Seen {
            player: short(at),
            level: bytes[at + 2],
            x: length(at + 4),
            y: length(at + 8),
        };
        self.seen = records.map(seen).collect();
    }

    fn until(&mut self, mut done: impl FnMut(&Self) -> bool) {
        for _ in 0..5_000 {
            if done(self) {
                return;
            }
            self.read();
        }
        panic!("it did not happen: {:?}", self.texts.last());
    }

    /// Sends a message and waits for its answer.
    fn ask(&mut self, mut message: Value) -> Value {
        let request = self.next_request;
        self.next_request += 1;
        message["request"] = request.into();
        self.socket.send(Message::text(message.to_string())).expect("sent");
        loop {
            if let Some(index) = self.texts.iter().position(|text| text["request"] == request) {
                return self.texts.remove(index);
            }
            self.read();
        }
    }

    fn place(&self, player: u64) -> Option<Seen> {
        self.seen.iter().find(|seen| u64::from(seen.player) == player).copied()
    }

    fn names(&self) -> Vec<&str> {
        let list = self.texts.iter().rfind(|text| text["type"] == "players");
        let list = list.and_then(|list| list["players"].as_array());
        list.into_iter().flatten().filter_map(|player| player["name"].as_str()).collect()
    }
}

fn server() -> TestServer {
    TestServer::start(&ServerOptions::default())
}

fn number(joined: &Value) -> u64 {
    joined["player"].as_u64().unwrap()
}

#[test]
fn two_players_see_each_other_walk() {
    let server = server();
    let (mut anna, as_anna) = Player::join(&server, "anna");
    let (mut bert, as_bert) = Player::join(&server, "bert");
    anna.until(|anna| anna.names().contains(&"bert") && anna.place(number(&as_bert)).is_some());
    bert.until(|bert| bert.names().contains(&"anna"));
    let before = anna.place(number(&as_bert)).unwrap();
    let done = bert.ask(json!({ "type": "go", "x": 15.0, "y": 15.0 }));
    assert_eq!(done["type"], "done", "{done}");
    let began = anna.tick;
    anna.until(|anna| {
        let now = anna.place(number(&as_bert)).unwrap();
        (now.x - before.x).hypot(now.y - before.y) > 1.0
    });
    // The server alone moves players: no faster than they walk.
    let now = anna.place(number(&as_bert)).unwrap();
    let walked = (now.x - before.x).hypot(now.y - before.y);
    assert!(f64::from(walked) <= f64::from(anna.tick - began + 3) * 0.2 + 1e-3, "{walked}");
    bert.until(|bert| {
        bert.texts.iter().any(|text| text["type"] == "way" && !text["known"].is_null())
    });
    assert_ne!(as_anna["team"], as_bert["team"], "people are spread over the teams");
}

#[test]
fn nobody_acts_for_another_or_where_it_is_not() {
    let server = server();
    let mut stranger = Player::connect(&server);
    for message in [
        json!({ "type": "go", "x": 1.0, "y": 1.0 }),
        json!({ "type": "tag" }),
        json!({ "type": "stop", "player": 0 }),
        json!({ "type": "leave", "player": 0 }),
    ] {
        let answer = stranger.ask(message.clone());
        assert!(answer["message"].as_str().unwrap().contains("join"), "{message}: {answer}");
    }
    let (mut anna, as_anna) = Player::join(&server, "anna");
    let place = anna.place(number(&as_anna));
    let wrong = [
        json!({ "type": "go", "x": -1.0, "y": 1.0 }),
        json!({ "type": "go", "x": 1.0, "y": 1.0, "level": 9 }),
        json!({ "type": "go", "x": 1.0, "y": 1.0, "level": 256 }),
        json!({ "type": "go", "x": 1e300, "y": 1.0, "how": "straight" }),
        json!({ "type": "go", "x": "1", "y": 1.0 }),
        json!({ "type": "go", "x": 1.0, "y": 1.0, "how": "teleport" }),
        json!({ "type": "go" }),
        json!({ "type": "interest", "level": 77 }),
        json!({ "type": "fly" }),
        json!({ "type": "join", "name": "again" }),
        json!([1]),
        json!(null),
    ];
    for message in wrong {
        let text = message.to_string();
        let answer = match message.is_object() {
            true => anna.ask(message),
            false => {
                anna.socket.send(Message::text(text.clone())).unwrap();
                anna.until(|it| it.texts.iter().any(|text| text["type"] == "error"));
                anna.texts.retain(|text| text["type"] != "error");
                continue;
            }
        };
        assert_eq!(answer["type"], "error", "{text}: {answer}");
    }
    assert_eq!(anna.place(number(&as_anna)), place);
}

#[test]
fn a_player_comes_back_after_a_lost_connection() {
    let server = server();
    let (anna, as_anna) = Player::join(&server, "anna");
    drop(anna);
    let mut again = Player::connect(&server);
    let wrong = json!({ "type": "join", "name": "", "key": "0123456789abcdef0123456789abcdef" });
    assert_eq!(again.ask(wrong)["type"], "error");
    let back = again.ask(json!({ "type": "join", "name": "x", "key": as_anna["key"] }));
    assert_eq!((&back["player"], &back["name"]), (&as_anna["player"], &json!("anna")));
    // Another window with the same key takes over: only one speaks for a player.
    let mut third = Player::connect(&server);
    third.ask(json!({ "type": "join", "name": "x", "key": as_anna["key"] }));
    assert!(
        again.ask(json!({ "type": "stop" }))["message"]
            .as_str()
            .unwrap()
            .contains("another window")
    );
    assert_eq!(third.ask(json!({ "type": "stop" }))["type"], "done");
    assert_eq!(third.ask(json!({ "type": "leave" }))["type"], "done");
    third.until(|third| third.place(number(&as_anna)).is_none());
}

#[test]
fn a_game_is_saved_and_its_players_come_back() {
    let path = std::env::temp_dir().join(format!("throng-it-game-{}.json", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let options = ServerOptions {
        state: Some(path.clone()),
        save_every: Duration::from_millis(100),
        ..ServerOptions::default()
    };
    let server = TestServer::start(&options);
    let small = json!({ "id": "small", "players": 6, "teams": 3, "seed": 5 });
    server.json("POST", "/v1/games", &small);
    let (mut anna, as_anna) = Player::join(&server, "anna");
    assert_eq!(anna.ask(json!({ "type": "go", "x": 15.0, "y": 15.0 }))["type"], "done");
    let began = anna.tick;
    anna.until(|anna| anna.tick > began + 15);
    let tick = anna.tick;
    drop(anna);
    drop(server);
    let server = TestServer::start(&options);
    let games = server.json("GET", "/v1/games", &Value::Null);
    let ids: Vec<&Value> = games.as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert_eq!(ids, ["main", "small"]);
    let log = server.ask("GET", "/v1/games/main/log", b"").1;
    let log = GameLog::read(&String::from_utf8(log).unwrap()).unwrap();
    assert!(log.move_updates() > 100, "the log goes on: {}", log.move_updates());
    let mut again = Player::connect(&server);
    assert!(again.tick >= tick && again.place(number(&as_anna)).is_some());
    let back = again.ask(json!({ "type": "join", "name": "x", "key": as_anna["key"] }));
    assert_eq!((&back["player"], &back["name"]), (&as_anna["player"], &json!("anna")));
    again.until(|again| again.tick > tick + 5);
    drop(again);
    drop(server);
    let file = std::fs::File::open(&path).unwrap();
    let mut damaged: Value = serde_json::from_reader(file).unwrap();
    damaged["games"][0]["game"]["players"] = json!([]);
    std::fs::write(&path, damaged.to_string()).unwrap();
    let refused = throng_server::Server::start(&options).err().expect("damaged").to_string();
    assert!(refused.contains("does not fit together"), "{refused}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_flood_is_refused_and_others_play_on() {
    let server = server();
    let (mut anna, _) = Player::join(&server, "anna");
    let (mut flooder, _) = Player::join(&server, "flooder");
    for index in 0..200 {
        let message =
            json!({ "type": "go", "x": f64::from(index % 30), "y": 3.0, "request": index });
        if flooder.socket.send(Message::text(message.to_string())).is_err() {
            break;
        }
    }
    let refused =
        |text: &Value| text["message"].as_str().is_some_and(|it| it.contains("send fewer"));
    flooder.until(|flooder| flooder.texts.iter().any(refused));
    let tick = anna.tick;
    anna.until(|anna| anna.tick > tick + 10);
    assert_eq!(anna.ask(json!({ "type": "go", "x": 3.0, "y": 3.0 }))["type"], "done");
}

#[test]
fn what_is_played_is_a_log_for_the_lab() {
    let figures = load::run(6, 3, 30);
    for (number, client) in figures.clients.iter().enumerate() {
        assert!(client.frames > 30 && client.commands > 3, "client {number}: {}", client.frames);
        assert!(client.gap_max >= client.gap_without_pauses_max && client.bytes > 10_000);
    }
    assert!(figures.tick_ms.0 <= figures.tick_ms.1 && figures.tick_ms.1 <= figures.tick_ms.2);
    let [early, late] = figures.memory_kib;
    assert!(late <= early + load::GROWTH_MAX_KIB, "{early} KiB, then {late} KiB");
    assert!(figures.paused < Duration::from_secs(600));
    assert_eq!((figures.rounds, figures.delivered < 60, figures.tagged < 10_000), (1, true, true));
    let log = GameLog::read(&figures.log).unwrap();
    assert_eq!(log.move_updates(), figures.log_moves);
    assert!(log.move_updates() > 500 && log.set_destinations() > 50, "{}", log.move_updates());
    let scene = Scene::read(figures.scene.as_bytes()).unwrap().validate().unwrap();
    let extracted = throng_lab::lanctot::extracted(&log, 1.0);
    assert!(!extracted.is_empty());
    let ground = throng::scene::Level::GROUND;
    let map = interest_map(&[log], &scene, ground);
    assert!(
        (0..map.rows()).any(|row| (0..map.columns()).any(|column| map.grade(column, row) >= 1.0))
    );
}

#[test]
fn games_are_created_listed_and_deleted() {
    let server = server();
    let new = json!({ "id": "small", "players": 8, "teams": 2, "seed": 3, "round_ticks": 5 });
    let made = server.json("POST", "/v1/games", &new);
    assert_eq!(
        (&made["players"], &made["teams"], &made["scene"]),
        (&json!(8), &json!(2), &json!("town 3"))
    );
    for (wrong, status) in [
        (json!({ "id": "small" }), 409),
        (json!({ "id": "a/b" }), 400),
        (json!({ "players": 1 }), 400),
        (json!({ "players": 5_000_000 }), 400),
        (json!({ "scene": {} }), 400),
    ] {
        assert_eq!(server.refusable("POST", "/v1/games", &wrong).0, status, "{wrong}");
    }
    let games = server.json("GET", "/v1/games", &Value::Null);
    assert_eq!(games.as_array().unwrap().len(), 2);
    let (status, log) = server.ask("GET", "/v1/games/small/log", b"");
    assert_eq!(
        (status, GameLog::read(&String::from_utf8(log).unwrap()).unwrap().move_updates()),
        (200, 0)
    );
    assert_eq!(server.ask("GET", "/v1/games/small/log?round=7", b"").0, 404);
    assert_eq!(server.ask("GET", "/v1/games/small/log?round=x", b"").0, 400);
    server.json("DELETE", "/v1/games/small", &Value::Null);
    assert_eq!(server.ask("GET", "/v1/games/small", b"").0, 404);
    for _ in 0..3 {
        server.json("POST", "/v1/games", &json!({}));
    }
    assert_eq!(server.refusable("POST", "/v1/games", &json!({})).0, 409, "the limit");
}

#[test]
fn the_interest_map_grows() {
    let server = server();
    let mut watcher = Player::connect(&server);
    watcher.until(|watcher| watcher.tick > 10);
    let map = watcher.ask(json!({ "type": "interest", "level": 0 }));
    assert_eq!((&map["columns"], &map["rows"]), (&json!(120), &json!(120)));
    let cells = map["cells"].as_str().unwrap();
    assert!(cells.len() == 120 * 120 / 3 * 4 && cells.contains(|letter| letter != 'A'));
}
