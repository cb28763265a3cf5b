//! The referee's tests: the papers' figures, mutants, a naive checker, and malformed input.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod cases;
mod check_moves;
mod check_path;
mod figures;
mod half_tick;
mod links;
mod live;
mod live_mutants;
mod live_robustness;
mod metrics;
mod mutants;
mod naive_checker;
mod pace;
mod report;
mod robustness;
mod safe_world;
mod uneven_steps;
