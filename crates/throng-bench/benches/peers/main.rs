//! throng beside the crates `pathfinding`, `petgraph` and `grid_pathfinding` on the same
//! queries in one process, its distance fields beside a bare sweep, its edits beside a
//! fresh labelling.
//!
//! `cargo bench -p throng-bench --bench peers -- [searches] [fields] [edits] [--quick] [--json]`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod bare;
mod edits;
mod fields;
mod grid;
mod race;
mod rivals;
mod searches;
mod workload;

use std::process::ExitCode;

use serde_json::{Map as JsonMap, Value};

const PARTS: [&str; 3] = ["searches", "fields", "edits"];

/// The command-line arguments.
struct Arguments {
    parts: Vec<String>,
    quick: bool,
    json: bool,
}

impl Arguments {
    fn read() -> Result<Self, String> {
        let mut arguments = Self { parts: Vec::new(), quick: false, json: false };
        for given in std::env::args().skip(1) {
            match given.as_str() {
                "--quick" => arguments.quick = true,
                "--json" => arguments.json = true,
                // Cargo passes it to every bench.
                "--bench" => {}
                part if PARTS.contains(&part) => arguments.parts.push(given),
                other => return Err(unknown(other)),
            }
        }
        Ok(arguments)
    }

    fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

fn unknown(argument: &str) -> String {
    format!("`{argument}` means nothing here; give any of {}, --quick, --json", PARTS.join(", "))
}

/// The result of a part, as text and as JSON.
struct Report {
    text: String,
    json: Value,
}

fn main() -> ExitCode {
    match Arguments::read().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let measures = [searches::measure, fields::measure, edits::measure];
    let mut all = JsonMap::new();
    for (part, measure) in PARTS.into_iter().zip(measures) {
        if arguments.wants(part) {
            let report = measure(arguments.quick)?;
            if !arguments.json {
                println!("{}", report.text);
            }
            all.insert(part.to_owned(), report.json);
        }
    }
    if arguments.json {
        println!("{}", Value::Object(all));
    }
    Ok(())
}
