//! The only file of the lab that reads the clock.
#![expect(
    clippy::disallowed_types,
    reason = "times are results and limits of experiments here, and enter no plan"
)]

use std::time::Instant;

/// Runs something and returns its result and the milliseconds that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let result = work();
    (result, begin.elapsed().as_secs_f64() * 1000.0)
}

/// A deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// A deadline that many milliseconds from now.
    pub(crate) fn after(milliseconds: f64) -> Self {
        Self(Instant::now() + std::time::Duration::from_secs_f64(milliseconds / 1000.0))
    }

    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}
