//! The planners against brute force, the referee and the benchmark.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a broken test should stop at once")]

mod benchmark;
mod brute;
mod cluster;
mod crowd;
mod help;
mod lacam;
mod lifelong;
mod lns;
mod pibt;
mod small_worlds;
