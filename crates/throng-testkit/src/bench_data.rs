//! Where MovingAI's benchmark files are. They are not part of the repository; tests that
//! need them say so and pass without.
#![expect(clippy::disallowed_methods, reason = "tests look for files on this machine")]
#![expect(clippy::print_stderr, reason = "whoever runs the tests should know what was skipped")]

use std::path::{Path, PathBuf};

/// The folder below the benchmark's root, from `THRONG_BENCH` or beside the repository.
#[must_use]
pub fn folder(below: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let root = std::env::var("THRONG_BENCH").map_or(beside, PathBuf::from);
    let folder = root.join(below);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no benchmark files here; set THRONG_BENCH to the folder with {below}");
    None
}

/// The text of a file in the benchmark.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
