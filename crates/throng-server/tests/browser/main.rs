//! The page in a real browser: the server of this crate, Chromium, and its WebDriver.
//!
//! Without a browser every test says what to install and passes. Screenshots are kept in
//! `target/screenshots`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]
#![expect(clippy::print_stderr, reason = "a skipped test says why")]

mod browser;
mod driver;
mod host;
mod looks;
mod play;
mod wire;
mod worlds;
