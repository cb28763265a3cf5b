//! The live world from outside.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod random_commands;
mod replays;
mod snapshots;
