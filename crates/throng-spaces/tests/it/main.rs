//! Hexagons and roads against what geometry says of them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod spaces;
