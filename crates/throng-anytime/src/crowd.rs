//! The crowd kernel: the next step of every unit of a live crowd, with bounded work.
//!
//! K. Okumura, M. Machida, X. Défago, Y. Tamura, "Priority Inheritance with Backtracking for
//! Iterative Multi-agent Path Finding" (Artificial Intelligence 310, 2022), called PIBT. Its
//! units cover one vertex and take one tick per step. The kernel does the same for every
//! [`Space`](throng_spacetime::Space): bodies of several cells, slow steps, corner rules, the
//! crossing of diagonals, manoeuvres.
//!
//! | file | what it has |
//! |---|---|
//! | `kernel.rs` | the public entry: one tick |
//! | `claims.rs` | which unit holds which entry now and in the next tick |
//! | `placing.rs` | the units where they are, and what they have begun |
//! | `candidates.rs` | the moves of a unit, ranked |
//! | `turn.rs` | priority inheritance, on an explicit stack |
//! | `backtracking.rs` | what is undone when a unit cannot make room |
//! | `probe.rs` | whether a move is free, and which units would have to leave first |
//! | `escape.rs` | which moves lead out of an area that takes several steps to leave |
//! | `swap.rs` | the exchange of places in corridors and dead ends |
//! | `waiting.rs` | priorities that grow with the time since the last arrival |

mod backtracking;
mod candidates;
mod claims;
mod escape;
mod kernel;
mod placing;
mod probe;
mod swap;
mod turn;
mod waiting;

pub use kernel::{CrowdError, CrowdKernel, CrowdUnit, Preferences};
pub use waiting::Waiting;
