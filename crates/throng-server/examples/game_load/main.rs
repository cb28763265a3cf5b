//! The players' game under load: a hundred computer players and ten clients that play.
//!
//! `cargo run --release -p throng-server --example game_load -- [SECONDS] [CLIENTS] [COMPUTER_PLAYERS]`
//!
//! It fails when a client waits longer than a second for a frame although this process could run, or
//! memory grows without bound.
#![expect(clippy::disallowed_types, reason = "it measures")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example that prints figures")]

mod run;

use std::time::Duration;

/// A longer gap between two frames is a stall.
const STALL: Duration = Duration::from_secs(1);

fn main() {
    let argument = |index: usize, default: u64| {
        std::env::args().nth(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let seconds = argument(1, 600).clamp(4, 86_400);
    let clients = argument(2, 10).clamp(1, 60) as u32;
    let computers = argument(3, 100).clamp(2, 130) as u32;
    let figures = run::run(seconds, clients, computers);
    println!("{computers} computer players and {clients} clients for {seconds} s");
    let (p50, p99, max) = figures.tick_ms;
    println!("tick: p50 {p50:.2} ms, p99 {p99:.2} ms, longest {max:.2} ms, of 100 ms");
    for (number, client) in figures.clients.iter().enumerate() {
        println!(
            "client {number}: {} frames, {:.1} per second, longest gap {} ms ({} ms without pauses), {} commands, {} bytes per second",
            client.frames,
            f64::from(client.frames) / seconds as f64,
            client.gap_max.as_millis(),
            client.gap_without_pauses_max.as_millis(),
            client.commands,
            client.bytes / seconds,
        );
    }
    let run::Figures { rounds, delivered, tagged, log_moves, .. } = figures;
    println!(
        "{rounds} rounds, {delivered} orbs brought home, {tagged} tags, last log: {log_moves} moves"
    );
    let (log, scene) = (figures.log.len(), figures.scene.len());
    println!("downloaded: a log of {log} bytes and a scene of {scene} bytes");
    let [early, late] = figures.memory_kib;
    println!("memory (server and clients): {early} KiB after a quarter, {late} KiB at the end");
    println!("the system let no thread run for {} ms in all", figures.paused.as_millis());
    let gaps = figures.clients.iter().map(|client| client.gap_without_pauses_max);
    let longest = gaps.max().unwrap_or_default();
    if longest > STALL || late > early + run::GROWTH_MAX_KIB {
        println!("failed: a stall, or memory that grows");
        std::process::exit(1);
    }
}
