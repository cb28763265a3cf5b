//! Feeds broken files to throng's parsers: deterministic, on stable Rust.
//!
//! ```text
//! throng-fuzz --target all --cases 20000 --seed 1
//! throng-fuzz --target scen --input fuzz-failure-scen-1-4711.bin
//! ```
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "an edge: it prints, measures time and reads the file to replay"
)]

mod mutate;
mod scenes;
mod seeds;
mod targets;
mod worlds;

use std::any::Any;
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Parser;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use targets::Target;

/// Feeds broken files to throng's parsers.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The parser to test, or `all`.
    #[arg(long, default_value = "all")]
    target: String,
    /// Number of cases, divided among the targets.
    #[arg(long, default_value_t = 20_000)]
    cases: u64,
    /// Seed of the cases: the same seed gives the same cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs the target on this file only.
    #[arg(long)]
    input: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let is_chosen = |target: &&Target| ["all", target.name].contains(&&arguments.target[..]);
    let chosen: Vec<&Target> = targets::ALL.iter().filter(is_chosen).collect();
    if chosen.is_empty() {
        let names = targets::ALL.each_ref().map(|target| target.name).join(", ");
        bail!("no target '{}'; use all or one of {names}", arguments.target);
    }
    // The message of a failing case is shown once, below.
    panic::set_hook(Box::new(|_| {}));
    if let Some(file) = &arguments.input {
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        return chosen.iter().try_for_each(|target| replay(target, &bytes));
    }
    let share = arguments.cases.div_ceil(chosen.len() as u64);
    chosen.iter().try_for_each(|target| fuzz(target, share, arguments.seed))
}

fn replay(target: &Target, bytes: &[u8]) -> anyhow::Result<()> {
    match attempt(target, bytes) {
        Ok(is_accepted) => {
            println!("{}: {}", target.name, if is_accepted { "accepted" } else { "refused" });
            Ok(())
        }
        Err(message) => bail!("{}: {message}", target.name),
    }
}

fn fuzz(target: &Target, cases: u64, seed: u64) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut accepted = 0_u64;
    for case in 0..cases {
        let input = input(target, seed, case);
        match attempt(target, &input) {
            Ok(is_accepted) => accepted += u64::from(is_accepted),
            Err(message) => bail!(failure(target, seed, case, &input, &message)?),
        }
    }
    let rate = cases as f64 / start.elapsed().as_secs_f64().max(1e-9);
    println!("{:<22}{cases:>8} cases{accepted:>8} accepted{rate:>10.0} cases/s", target.name);
    Ok(())
}

/// Every case has its own generator and does not depend on the cases before it.
fn input(target: &Target, seed: u64, case: u64) -> Vec<u8> {
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut rng = Pcg64Mcg::seed_from_u64(seed.wrapping_mul(GOLDEN_RATIO).wrapping_add(case));
    mutate::mutant(target.seeds, &mut rng)
}

/// Whether the target accepts the input, or the message of its panic.
fn attempt(target: &Target, input: &[u8]) -> Result<bool, String> {
    panic::catch_unwind(|| (target.run)(input)).map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

/// Writes the input to a file and says how to reproduce the failure.
fn failure(
    target: &Target,
    seed: u64,
    case: u64,
    input: &[u8],
    message: &str,
) -> anyhow::Result<String> {
    let name = target.name;
    let file = format!("fuzz-failure-{name}-{seed}-{case}.bin");
    std::fs::write(&file, input).with_context(|| file.clone())?;
    Ok(format!(
        "{name}, case {case}: {message}\nreproduce: throng-fuzz --target {name} --input {file}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_hundred_cases_of_every_target_pass() {
        for target in &targets::ALL {
            for case in 0..200 {
                let input = input(target, 7, case);
                let shown = String::from_utf8_lossy(&input);
                assert!(attempt(target, &input).is_ok(), "{}, case {case}:\n{shown}", target.name);
            }
        }
    }

    #[test]
    fn a_panic_is_caught_and_its_message_kept() {
        let broken = Target { name: "broken", run: |bytes| bytes[3] > 0, seeds: &[b"a"] };
        let message = attempt(&broken, b"ab").unwrap_err();
        assert!(message.starts_with("index out of bounds"), "{message}");
        assert_eq!(attempt(&broken, b"abcd"), Ok(true));
    }
}
