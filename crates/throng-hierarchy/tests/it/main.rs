//! The hierarchies against plain searches, judged by the referee or by brute force.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod edits;
mod golden;
mod movingai;
mod queries;
mod regions;
mod slices;
mod support;
