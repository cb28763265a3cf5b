//! `throng serve`: it serves, saves on SIGTERM, and survives kill -9 at any moment.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::Folder;

/// A server, and its address.
fn serve(folder: &Folder, words: &str) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.current_dir(&folder.0).args(["serve", "--listen", "127.0.0.1:0"]);
    command.args(words.split_whitespace()).stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    assert!(line.contains("127.0.0.1"), "it says where it is: {line:?}");
    (child, address)
}

fn world(address: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let head =
        format!("GET /v1/worlds/main HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// Kills the server while it saves, every 10 ms. `THRONG_KILLS` sets how often.
#[test]
fn a_world_survives_kill_at_any_moment() {
    let asked = std::env::var("THRONG_KILLS").ok().and_then(|text| text.parse().ok());
    let rounds: u64 = asked.unwrap_or(20);
    let folder = Folder::new("serve-kill");
    let words = "--scenario crossing --units 40 --tick-hz 200 --state state.json --save-every 0.01";
    let mut last = 0;
    for round in 0..rounds {
        let (mut child, address) = serve(&folder, words);
        let found = world(&address);
        assert_eq!(found["units"], 40, "round {round}");
        let tick = found["tick"].as_u64().unwrap();
        assert!(tick >= last, "round {round}: tick {tick} after {last}");
        std::thread::sleep(Duration::from_millis(60 + round * 37 % 120));
        last = tick;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(last > 0, "something was saved and restored");
}

#[test]
fn sigterm_saves_and_ends_well() {
    let folder = Folder::new("serve-term");
    let words = "--scenario bay --tick-hz 100 --state state.json";
    let (child, address) = serve(&folder, words);
    std::thread::sleep(Duration::from_millis(200));
    let tick = world(&address)["tick"].as_u64().unwrap();
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder.names(), ["state.json"]);
    let (mut child, address) = serve(&folder, words);
    assert!(world(&address)["tick"].as_u64().unwrap() >= tick);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn mistakes_are_explained() {
    let check = |words: &str, said: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        let output = command.arg("serve").args(words.split_whitespace()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.contains(said), "{words}: {error}");
    };
    check("--listen 0.0.0.0:0", "give a token");
    check("--scenario nowhere --listen 127.0.0.1:0", "use one of: town");
    check("--tick-hz 0 --listen 127.0.0.1:0", "ticks per second");
    check("--units 99999999 --listen 127.0.0.1:0", "at most");
}
