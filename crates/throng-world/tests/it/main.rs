//! The live world from outside.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod random_commands;
mod replays;
mod snapshots;
