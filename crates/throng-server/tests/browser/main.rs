//! The page in a real browser: the server of this crate, Chromium, and its WebDriver.
//!
//! Without a browser every test says what to install and passes. Screenshots are kept in
//! `target/screenshots`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "a broken test stops at once, and a skipped one says so"
)]

mod browser;
mod driver;
mod game;
mod host;
mod looks;
mod play;
mod speed;
mod wire;
mod worlds;
