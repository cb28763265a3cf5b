//! The grid hierarchy against A*, judged by the referee.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod edits;
mod golden;
mod movingai;
mod queries;
mod slices;
mod support;
