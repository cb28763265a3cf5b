//! The only file of the lab that reads a clock: the processor time of the thread.
//!
//! Other processes hardly change it. Where the system does not tell it, it is the time on the wall.

use std::time::Duration;

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(not(unix))]
#[expect(
    clippy::disallowed_types,
    reason = "times are results and limits of experiments here, and enter no plan"
)]
fn now() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// Runs something on this thread and returns its result and the milliseconds that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = now();
    let result = work();
    (result, (now() - begin).as_secs_f64() * 1000.0)
}

/// A limit on the processor time of the thread that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Duration);

impl Deadline {
    /// A deadline that many milliseconds from now.
    pub(crate) fn after(milliseconds: f64) -> Self {
        Self(now() + Duration::from_secs_f64(milliseconds / 1000.0))
    }

    pub(crate) fn is_over(&self) -> bool {
        now() >= self.0
    }
}
