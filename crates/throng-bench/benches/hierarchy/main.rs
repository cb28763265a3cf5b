//! The grid hierarchy beside A* and the crate `hierarchical_pathfinding`, on the same maps
//! and queries in one process: building, queries, lengths, edits, maps that change, growth
//! with the map, and threads.
//!
//! `cargo bench -p throng-bench --bench hierarchy -- [queries] [edits] [changing] [growth] [threads] [--quick] [--json] [--out=FOLDER]`
//!
//! `--out` writes the growth with the map as comma-separated values and as a plot.
//!
//! Maps of games and cities of the MovingAI benchmark of 512 cells per side and more (or
//! generated ones), with discs of terrain of factors 2 to 8 on them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod changing;
mod edits;
mod growth;
mod peer;
mod queries;
#[path = "../peers/race.rs"]
mod race;
mod searches;
mod terrain;
mod threads;
mod walls;
#[path = "../peers/workload.rs"]
mod workload;

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Map as JsonMap, Value};

const PARTS: [&str; 5] = ["queries", "edits", "changing", "growth", "threads"];

/// The result of a part, as text and as JSON.
struct Report {
    text: String,
    json: Value,
    /// Files to write: names and contents.
    files: Vec<(&'static str, String)>,
}

fn run() -> Result<(), String> {
    let given: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let known = |it: &&String| PARTS.contains(&it.as_str()) || it.starts_with("--");
    if let Some(other) = given.iter().find(|it| !known(it)) {
        return Err(format!("`{other}` means nothing here; give any of {}", PARTS.join(", ")));
    }
    let has = |flag: &str| given.iter().any(|it| it == flag);
    let folder = given.iter().find_map(|it| it.strip_prefix("--out="));
    let wants_all = !PARTS.iter().any(|part| has(part));
    let measures =
        [queries::measure, edits::measure, changing::measure, growth::measure, threads::measure];
    let mut all = JsonMap::new();
    for (part, measure) in PARTS.into_iter().zip(measures) {
        if wants_all || has(part) {
            let report = measure(has("--quick"))?;
            if !has("--json") {
                println!("{}", report.text);
            }
            if let Some(folder) = &folder {
                write_all(Path::new(folder), &report.files)?;
            }
            all.insert(part.to_owned(), report.json);
        }
    }
    if has("--json") {
        println!("{}", Value::Object(all));
    }
    Ok(())
}

fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<(), String> {
    for (name, contents) in files {
        let path = folder.join(name);
        std::fs::write(&path, contents).map_err(|why| format!("{}: {why}", path.display()))?;
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
