//! The planners before judges that share no code with them: naive models, brute force and
//! the referee.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod budgets;
mod cases;
mod footprints;
mod planners;
mod reservations;
mod sent;
mod spaces;
mod store;
