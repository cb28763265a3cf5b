//! The planner against brute force, the paper's figures, and its own promises.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a broken test should stop at once")]

mod agreement;
mod bodies;
mod brute;
mod exhaustive;
mod figures;
mod help;
mod metamorphic;
mod odd;
mod promises;
mod regressions;
mod spaces;
mod table;
mod worlds;
