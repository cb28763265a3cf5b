//! The searches against an oracle, MovingAI's recorded lengths, and themselves.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod cases;
mod figures;
mod first_discovered;
mod golden;
mod memory;
mod movingai;
mod oracle;
mod out_of_range;
mod slices;
