//! The planners before judges that share no code with them.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

mod spaces;
