//! The processor time of this process.

/// Processor time that the main thread has used, in milliseconds. All planning here happens on it.
/// It is 0 where the system does not report it.
#[expect(clippy::disallowed_methods, reason = "Linux reports it in a file")]
pub(crate) fn used_ms() -> f64 {
    let statistics = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split_whitespace().next().and_then(|it| it.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e6
}

/// Processor time that all threads have used, in milliseconds, to the hundredth of a second.
#[expect(clippy::disallowed_methods, reason = "Linux reports it in a file")]
pub(crate) fn used_by_all_ms() -> f64 {
    let statistics = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may have spaces.
    let numbers = statistics.rsplit(')').next().unwrap_or_default().split_whitespace();
    let times = numbers.skip(11).take(2).filter_map(|it| it.parse::<f64>().ok());
    times.sum::<f64>() * 10.0
}

/// Runs something and returns its result and the milliseconds of processor time that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    // The system brings the count up to date when a thread yields.
    std::thread::yield_now();
    let begin = used_ms();
    let result = work();
    std::thread::yield_now();
    (result, used_ms() - begin)
}
