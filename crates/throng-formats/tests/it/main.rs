//! throng-formats from outside: bytes in, model out, and back.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a broken test should stop at once, and a skipped one say so"
)]

mod bad_input;
mod bench;
mod plans;
mod properties;
mod readings;
