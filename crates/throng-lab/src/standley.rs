//! T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using
//! Heuristic Search" (draft of AAAI 2010), its experiment repeated.
//!
//! Two hundred grids of 32 x 32 cells, a fifth of them blocked, eight-connected (a diagonal
//! takes one tick), with 2 to 30 units each. The standard algorithm (S), operator
//! decomposition (OD), partial expansion (PE) and independent subproblems (ID, the paper's IS) in
//! the paper's combinations, also with weight 1.1: groups in conflict are merged at once. Beside
//! them our own: ID that first looks for plans that avoid each other, with a heuristic of the extra
//! cost of pairs of units.
//!
//! | shows | file |
//! |---|---|
//! | figure 6: instances solved, by time, sorted | `figure-6-time` |
//! | share solved in 1 s and in 20 s, short runs, open:closed, largest group | `summary-time` |
//! | time and memory against the largest group | `growth-time`, `growth-memory` |
//! | every run | `runs-time` |
//! | the paper's findings, ours, and the verdict | `findings` |
//!
//! A run has 20 seconds, and 4 GiB per search. Two rules keep the experiment under an hour. An
//! instance that our best planner cannot solve gets one second. So does a planner that failed ten
//! times in a row on instances with increasing numbers of units. Everything but the times is
//! reproducible; which runs end in time depends on the machine. A quick run has 20 grids, 0.3
//! seconds, and 0.1 for short runs.

mod claims;
mod figures;
mod findings;
mod instances;
mod methods;
mod runs;

use crate::Paper;

/// The paper's experiment.
pub const PAPER: Paper = Paper {
    name: "standley",
    citation: "T. Standley, Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using \
               Heuristic Search, 2010",
    parts: &[runs::run],
};
