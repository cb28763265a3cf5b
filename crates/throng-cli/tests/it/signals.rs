//! Real signals to real processes: planning stops with the best plan so far.
#![cfg(unix)]
#![expect(clippy::disallowed_types, reason = "waiting for a process has to end some day")]

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Folder;
use crate::solve::{open_map, scenario};

/// Longer than any of these processes takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Units that go back and forth through one gap for longer than the test waits.
fn jam(name: &str) -> Folder {
    let mut rows: Vec<Vec<u8>> = vec![vec![b'.'; 41]; 40];
    rows.iter_mut().for_each(|row| row[20] = b'@');
    rows[20][20] = b'.';
    let text = rows.iter().map(|row| String::from_utf8(row.clone()).unwrap() + "\n");
    let map = format!("type octile\nheight 40\nwidth 41\nmap\n{}", text.collect::<String>());
    let east = |i: u16| [i % 20, i / 20, 21 + i % 20, i / 20];
    let west = |i: u16| [21 + i % 20, 20 + i / 20, i % 20, 20 + i / 20];
    let units: Vec<_> = (0..300).flat_map(|i| [east(i), west(i)]).collect();
    Folder::new(name).with("a.map", map).with("a-random-1.scen", scenario(41, 40, &units))
}

fn start(folder: &Folder, words: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.current_dir(&folder.0).args(words.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn kill(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until the process handles signals and plans: it has read its files long before it
/// has used this much processor time.
fn wait_until_busy(child: &mut Child) {
    let begin = Instant::now();
    let stat = format!("/proc/{}/stat", child.id());
    while begin.elapsed() < PATIENCE {
        assert!(child.try_wait().unwrap().is_none(), "it ended before the signal");
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        let fields: Vec<_> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
        let ticks = fields.get(11).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0);
        if ticks >= 30 {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never got to work");
}

/// The exit code and standard output of a process that ends in time.
fn finish(mut child: Child) -> (Option<i32>, String) {
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    (status.code(), out)
}

#[test]
fn the_first_signal_stops_planning_with_the_best_plan_so_far() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for signal in ["-INT", "-TERM"] {
        let folder = jam(&format!("signal{signal}"));
        let words = "solve -m a.map -i a-random-1.scen --solver whca,turns=1000000 -t 1000 -o \
                     plan.txt --json";
        let mut child = start(&folder, words);
        wait_until_busy(&mut child);
        kill(&child, signal);
        let (code, out) = finish(child);
        assert_eq!(code, Some(2), "{signal}: {out}");
        let json: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&json["status"], &json["reproducible"]), (&json!("budget"), &json!(false)));
        assert_eq!(folder.names(), ["a-random-1.scen", "a.map", "plan.txt"]);
        let checked = folder.throng("check -m a.map -i a-random-1.scen -p plan.txt --json");
        assert_eq!(checked.exits(3).json()["legal"], json!(true));
    }
}

/// `joint` has no plan before the last; it still ends with an answer.
#[test]
fn a_planner_without_a_plan_stops_too() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = jam("signal-joint");
    let words = "solve -m a.map -i a-random-1.scen --solver joint,od,pe,id -t 1000 -o plan.txt";
    let mut child = start(&folder, words);
    wait_until_busy(&mut child);
    kill(&child, "-INT");
    let (code, out) = finish(child);
    assert_eq!(code, Some(2), "{out}");
    assert!(out.contains("stopped by a signal") && out.contains("there is no plan"), "{out}");
    assert_eq!(folder.names(), ["a-random-1.scen", "a.map"]);
}

/// Writing to a pipe without a reader, the process cannot stop by itself.
#[test]
fn the_second_signal_ends_at_once_and_leaves_nothing_behind() {
    let folder = Folder::new("signal-twice").with("a.map", open_map(5, 5));
    let folder = folder.with("a-random-1.scen", scenario(5, 5, &[[0, 0, 3, 3]]));
    let pipe = folder.path("plan.txt");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let mut child = start(&folder, "solve -m a.map -i a-random-1.scen -o plan.txt");
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() && begin.elapsed() < PATIENCE {
        kill(&child, "-TERM");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (code, _) = finish(child);
    // Before its handler is installed the signal itself ends it, and there is no code.
    assert!(code.is_none_or(|code| code == 130), "{code:?}");
    assert_eq!(folder.names(), ["a-random-1.scen", "a.map", "plan.txt"]);
}
