//! The referee's tests: figures, mutants, a second opinion, and any plan whatever.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod cases;
mod figures;
mod half_tick;
mod herd;
mod live;
mod live_mutants;
mod live_robustness;
mod metrics;
mod mutants;
mod opinion;
mod pace;
mod report;
mod robustness;
mod walk;
