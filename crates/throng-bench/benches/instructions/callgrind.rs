//! Counts instructions with valgrind.
#![expect(clippy::disallowed_methods, reason = "callgrind writes its counts to a file")]

use std::process::{Command, Stdio};

use crate::loops::COUNTED;

pub(crate) fn is_installed() -> bool {
    let mut probe = Command::new("valgrind");
    probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Runs this program under callgrind and returns the instructions of the counted part.
pub(crate) fn count(name: &str) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let counts = std::env::temp_dir().join(format!("throng-{}-{name}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect=*{COUNTED}*"))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(program)
        .args(["--once", name])
        .output()
        .map_err(|error| format!("valgrind did not start: {error}"))?;
    let text = std::fs::read_to_string(&counts).unwrap_or_default();
    // A file that cannot be removed does no harm.
    let _ = std::fs::remove_file(&counts);
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    total(&text).ok_or_else(|| format!("{name}: callgrind reported no count"))
}

/// The number in the line `totals: N`.
fn total(text: &str) -> Option<u64> {
    let total = text.lines().find_map(|line| line.strip_prefix("totals:"))?;
    total.trim().parse().ok().filter(|&total| total > 0)
}
