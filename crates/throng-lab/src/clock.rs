//! The only place of the laboratory that looks at the clock.
#![expect(clippy::disallowed_types, reason = "times are a result here, and decide nothing")]

use std::time::Instant;

/// Runs something and says how many milliseconds it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let result = work();
    (result, begin.elapsed().as_secs_f64() * 1000.0)
}
