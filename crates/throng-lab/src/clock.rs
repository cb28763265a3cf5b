//! The only place of the laboratory that looks at the clock.
#![expect(clippy::disallowed_types, reason = "times are a result here, and decide nothing")]

use std::time::Instant;

/// Runs something and says how many milliseconds it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let result = work();
    (result, begin.elapsed().as_secs_f64() * 1000.0)
}

/// A time by which something has to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// So many milliseconds from now.
    pub(crate) fn after(milliseconds: f64) -> Self {
        Self(Instant::now() + std::time::Duration::from_secs_f64(milliseconds / 1000.0))
    }

    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}
