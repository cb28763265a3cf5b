//! Hexagons and roads against what geometry says of them.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod spaces;
