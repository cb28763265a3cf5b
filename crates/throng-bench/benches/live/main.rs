//! The live world at scale: how long a tick takes, what it expands, how much memory it
//! holds. Single-threaded; every tick is judged by the referee in a second, untimed run.
//!
//! `cargo bench -p throng-bench --bench live -- [city] [large] [--ticks N] [--quick] [--json]`
//!
//! | part | world |
//! |---|---|
//! | city | 1,000 units on Berlin_1_256 (or a generated town of 256 x 256) |
//! | large | 10,000 units on Berlin_0_512, each cell doubled: 1024 x 1024 (or a generated town) |
//!
//! Units are eight-connected, one cell, one tick a step, with random orders renewed on
//! arrival, under WHCA*(16).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod memory;
mod scene;

use std::process::ExitCode;

use scene::{Scene, Settings};
use serde_json::{Value, json};

/// What was asked for on the command line.
struct Arguments {
    parts: Vec<String>,
    settings: Settings,
    json: bool,
}

fn read_arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { parts: Vec::new(), settings: Settings::default(), json: false };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--quick" => arguments.settings.ticks = 100,
            "--json" => arguments.json = true,
            "--bench" => {}
            "--ticks" => {
                let ticks = given.next().and_then(|ticks| ticks.parse().ok());
                arguments.settings.ticks = ticks.ok_or("--ticks needs a number")?;
            }
            "city" | "large" => arguments.parts.push(argument),
            other => return Err(format!("`{other}` means nothing here; see the top of this file")),
        }
    }
    if arguments.parts.is_empty() {
        arguments.parts = vec!["city".to_owned(), "large".to_owned()];
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let arguments = match read_arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut all = serde_json::Map::new();
    for part in &arguments.parts {
        match measure(part, arguments.settings) {
            Ok((text, json)) => {
                if !arguments.json {
                    println!("{text}");
                }
                all.insert(part.clone(), json);
            }
            Err(error) => {
                eprintln!("{part}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    if arguments.json {
        println!("{}", Value::Object(all));
    }
    ExitCode::SUCCESS
}

/// Runs a part twice: timed, and before the referee. Both must end with the same hash.
fn measure(part: &str, settings: Settings) -> Result<(String, Value), String> {
    let scene = Scene::new(part, settings)?;
    let timed = scene.run_timed()?;
    let judged = scene.run_judged()?;
    if judged.hash != timed.hash {
        return Err(format!("the runs differ: {:016x} and {:016x}", timed.hash, judged.hash));
    }
    if let Some(violation) = judged.violation {
        return Err(format!("the referee objects: {violation}"));
    }
    let at = |share: f64| timed.percentile(share);
    let text = format!(
        "{part}: {} units on {} ({} ticks, after {} to warm up)\n\
         tick: p50 {:.1} ms, p99 {:.1} ms, maximum {:.1} ms (warming up: {:.1} ms)\n\
         expanded: mean {:.0}, maximum {} a tick; {} arrivals, {} promotions\n\
         memory: {:.0} MiB; referee: {} unit-ticks, no violation; hash {:016x}",
        scene.units,
        scene.name,
        timed.ticks_ms.len(),
        timed.warm_up_ms.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        timed.warm_up_ms.iter().copied().fold(0.0, f64::max),
        timed.expanded_mean(),
        timed.expanded.iter().max().unwrap_or(&0),
        timed.arrivals,
        timed.promotions,
        timed.memory_mib,
        judged.unit_ticks,
        timed.hash,
    );
    let json = json!({
        "units": scene.units,
        "map": scene.name,
        "ticks": timed.ticks_ms.len(),
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "maximum_ms": at(1.0),
        "expanded_mean": timed.expanded_mean(),
        "arrivals": timed.arrivals,
        "memory_mib": timed.memory_mib,
        "refereed_unit_ticks": judged.unit_ticks,
        "hash": format!("{:016x}", timed.hash),
    });
    Ok((text, json))
}
