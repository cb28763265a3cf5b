//! The `throng` command.
//!
//! Arguments pass two stages: what was typed (clap's structs) becomes what it means (plain
//! options), and only that is run. This crate is an edge: it alone opens files, reads the
//! environment and looks at the clock.

mod clock;
mod commands;
mod curve;
mod files;
mod inputs;
mod mistakes;
mod progress;
mod report;
mod scene_inputs;
mod screen;
mod signals;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main().into()
}
