//! The live world from outside, judged tick by tick.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod buildings;
mod corridor;
mod court;
mod determinism;
mod edits;
mod groups;
mod large_terrain;
mod making_way;
mod orders;
mod random_commands;
mod replays;
mod safety;
mod snapshots;
mod why;
