//! How much memory the process holds.

#[expect(clippy::disallowed_methods, reason = "the system says it in a small file")]
/// The most memory that was resident so far, in MiB; 0 where the system does not tell.
pub(crate) fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
