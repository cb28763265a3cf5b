//! Searches through time against brute force, the referee, and each other.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod footprints;
mod out_of_range;
mod overlap;
mod rra;
mod space_time;
