//! The grid hierarchy beside A* and the crate `hierarchical_pathfinding`, on the same maps
//! and queries in one process: building, queries, lengths, edits, growth with the map, and
//! threads.
//!
//! `cargo bench -p throng-bench --bench hierarchy -- [queries] [edits] [growth] [threads] [--quick] [--json]`
//!
//! Maps of games and cities of the MovingAI benchmark of 512 cells a side and more (or
//! generated ones), with discs of terrain of factors 2 to 8 on them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod asked;
mod edits;
mod growth;
mod peer;
mod queries;
#[path = "../peers/race.rs"]
mod race;
mod terrain;
mod threads;
#[path = "../peers/workload.rs"]
mod workload;

use std::process::ExitCode;

use serde_json::{Map as JsonMap, Value};

const PARTS: [&str; 4] = ["queries", "edits", "growth", "threads"];

/// What a part measured, for people and for machines.
struct Report {
    text: String,
    json: Value,
}

fn run() -> Result<(), String> {
    let given: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let known = |it: &&String| PARTS.contains(&it.as_str()) || it.starts_with("--");
    if let Some(other) = given.iter().find(|it| !known(it)) {
        return Err(format!("`{other}` means nothing here; give any of {}", PARTS.join(", ")));
    }
    let has = |flag: &str| given.iter().any(|it| it == flag);
    let wants_all = !PARTS.iter().any(|part| has(part));
    let measures = [queries::measure, edits::measure, growth::measure, threads::measure];
    let mut all = JsonMap::new();
    for (part, measure) in PARTS.into_iter().zip(measures) {
        if wants_all || has(part) {
            let report = measure(has("--quick"))?;
            if !has("--json") {
                println!("{}", report.text);
            }
            all.insert(part.to_owned(), report.json);
        }
    }
    if has("--json") {
        println!("{}", Value::Object(all));
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
