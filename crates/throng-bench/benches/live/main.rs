//! The live world at scale: time per tick, expansions per tick, memory. Single-threaded. The
//! referee checks every tick in a second, untimed run.
//!
//! `cargo bench -p throng-bench --bench live -- [city] [large] [commands] [pursuit] [--ticks N] [--quick] [--json]`
//!
//! | part | world |
//! |---|---|
//! | city | 1,000 units on Berlin_1_256 (or a generated town of 256 x 256) |
//! | large | 10,000 units on Berlin_0_512, each cell doubled: 1024 x 1024 (or a generated town) |
//! | commands | 5,000 units on Berlin_0_512 (or a generated town): the time of single commands |
//! | pursuit | 100 pursuers of 100 units that wander in a town of 128 x 128: the cost of a pursuit |
//!
//! Units are 8-connected, cover one cell, need one tick per step and plan with WHCA*(16). A unit
//! that arrives gets a new random order.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod commands;
mod memory;
mod pursuit;
mod scene;

use std::process::ExitCode;

use scene::{Scene, Settings};
use serde_json::{Value, json};

/// The command-line arguments.
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
            "city" | "large" | "commands" | "pursuit" => arguments.parts.push(argument),
            other => {
                return Err(format!(
                    "`{other}` is no argument of this benchmark; see the top of its main.rs"
                ));
            }
        }
    }
    if arguments.parts.is_empty() {
        arguments.parts = ["city", "large", "commands", "pursuit"].map(str::to_owned).to_vec();
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

/// Runs a part twice: timed, and with the referee. Both must end with the same hash.
fn measure(part: &str, settings: Settings) -> Result<(String, Value), String> {
    if part == "pursuit" {
        return measure_pursuit(settings);
    }
    let scene = Scene::new(part, settings)?;
    if part == "commands" {
        return measure_commands(&scene);
    }
    let timed = scene.run_timed()?;
    let judged = scene.run_judged()?;
    if judged.hash != timed.hash {
        return Err(format!("the runs differ: {:016x} and {:016x}", timed.hash, judged.hash));
    }
    if let Some(violation) = judged.violation {
        return Err(format!("the referee found a violation: {violation}"));
    }
    let at = |share: f64| timed.percentile(share);
    let text = format!(
        "{part}: {} units on {} ({} ticks after {} ticks of warm-up)\n\
         tick: p50 {:.1} ms, p99 {:.1} ms, maximum {:.1} ms (during warm-up: {:.1} ms)\n\
         expanded: mean {:.0}, maximum {} per tick; {} arrivals, {} promotions\n\
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

/// Times pursuits.
fn measure_pursuit(settings: Settings) -> Result<(String, Value), String> {
    let ticks = settings.ticks * 4;
    let pursuit::Pursuit { each_us, walking_us, reached, hash } = pursuit::run(ticks)?;
    let text = format!(
        "pursuit: 100 pursuers, {ticks} ticks\n\
         {each_us:.2} us per pursuer and tick ({walking_us:.2} us per unit that patrols instead); \
         {reached} targets reached; hash {hash:016x}"
    );
    let json = json!({
        "ticks": ticks,
        "each_us": each_us,
        "walking_us": walking_us,
        "reached": reached,
        "hash": format!("{hash:016x}"),
    });
    Ok((text, json))
}

/// Times single commands.
fn measure_commands(scene: &Scene) -> Result<(String, Value), String> {
    let (all, hash) = commands::run(scene)?;
    let mut text = format!("commands: {} units on {}; hash {hash:016x}", scene.units, scene.name);
    let mut json = serde_json::Map::new();
    for times in &all {
        let (median, longest) = times.summary();
        text += &format!("\n{}: median {median:.2} ms, longest {longest:.2} ms", times.name);
        json.insert(times.name.to_owned(), json!({ "median_ms": median, "longest_ms": longest }));
    }
    json.insert("hash".to_owned(), json!(format!("{hash:016x}")));
    Ok((text, Value::Object(json)))
}
