//! The planner against brute force, the paper's figures, and its own promises.

mod agreement;
mod help;
