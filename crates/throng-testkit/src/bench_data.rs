//! The location of MovingAI's benchmark files. They are not part of the repository. Tests that
//! need them say so and pass without.
#![expect(clippy::disallowed_methods, reason = "tests look for benchmark files")]
#![expect(clippy::print_stderr, reason = "a test run says what it skipped")]

use std::path::{Path, PathBuf};

/// A folder of the benchmark, in `THRONG_BENCH` or beside the repository.
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

/// The bytes of a benchmark file.
///
/// # Panics
/// When the file cannot be read.
#[must_use]
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
