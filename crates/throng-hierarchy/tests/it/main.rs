//! Integration tests of the hierarchy.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod scene;
