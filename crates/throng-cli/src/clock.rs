//! The only place that looks at the clock.
#![expect(clippy::disallowed_types, reason = "time is measured here, at the edge, and only shown")]

use std::time::{Duration, Instant};

/// Runs something and says how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let result = work();
    (result, begin.elapsed())
}
