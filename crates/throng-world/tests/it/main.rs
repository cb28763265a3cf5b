//! The live world from outside, judged tick by tick.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod budgets;
mod buildings;
mod bypasses;
mod corridor;
mod crowds;
mod determinism;
mod edits;
mod formations;
mod groups;
mod identity;
mod large_terrain;
mod layers;
mod links;
mod map_commands;
mod memory;
mod needs;
mod orders;
mod queries;
mod random_commands;
mod refereed;
mod replays;
mod safety;
mod snapshots;
mod speeds;
mod standing;
mod teams;
mod tracking;
mod why;
mod yielding;
