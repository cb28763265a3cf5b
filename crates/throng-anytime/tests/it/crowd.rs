//! The crowd kernel: random scenes under the referee, small scenes that must be solved.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod arrivals;
mod memory;
mod scenes;
mod sim;
mod spaces;
