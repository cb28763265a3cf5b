//! The memory of this process.

#[expect(clippy::disallowed_methods, reason = "Linux reports it in a file")]
/// The peak resident memory so far, in MiB; 0 where the system does not report it.
pub(crate) fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
