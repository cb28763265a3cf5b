//! A real server on a free port of loopback, and real clients.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken test should stop at once"
)]

mod client;
mod described;
mod games;
mod hostile;
mod orders;
mod queries;
mod soak;
mod states;
mod viewers;
mod worlds;
