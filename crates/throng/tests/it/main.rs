//! Integration tests of the façade crate.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod examples;
