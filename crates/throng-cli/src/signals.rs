//! Signals: Ctrl-C, SIGTERM and SIGHUP.
//!
//! A command that can stop early with a result is asked to stop by the first signal; the second
//! one ends the program. For other commands the first signal ends it. Temporary files are removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a program that a signal ended: 128 plus the number of SIGINT.
const EXIT_CODE: i32 = 130;

/// Whether the running command checks [`STOPPED`].
static STOPS_BY_ITSELF: AtomicBool = AtomicBool::new(false);
/// Whether a signal was received.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Whether the terminal must be reset: colours are in use.
static RESETS_COLOURS: AtomicBool = AtomicBool::new(false);
/// The temporary files that exist. The signal handler holds the lock until the program ends, so
/// that no other thread can create one.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Handles signals from now on.
pub(crate) fn install() {
    // Without a handler a signal still ends the program; that is no reason to refuse to run.
    let _ = ctrlc::set_handler(handle);
}

fn handle() {
    let is_first = !STOPPED.swap(true, Ordering::SeqCst);
    if is_first && STOPS_BY_ITSELF.load(Ordering::SeqCst) {
        return;
    }
    let files = temporary();
    for path in files.iter() {
        let _ = fs::remove_file(path);
    }
    if RESETS_COLOURS.load(Ordering::SeqCst) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(b"\x1b[0m\n").and_then(|()| out.flush());
    }
    std::process::exit(EXIT_CODE);
}

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a signal asked the command to stop.
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// Tells that the command checks [`is_stopped`], so that the first signal does not end it.
pub(crate) fn stop_by_itself() {
    STOPS_BY_ITSELF.store(true, Ordering::SeqCst);
}

/// Makes the signal handler reset the terminal's colours.
pub(crate) fn reset_colours() {
    RESETS_COLOURS.store(true, Ordering::SeqCst);
}

/// A new file that is removed when this is dropped or a signal ends the program, unless it
/// was renamed before.
pub(crate) struct TemporaryFile {
    pub(crate) file: File,
    path: PathBuf,
}

impl TemporaryFile {
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        let mut files = temporary();
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        files.push(path.clone());
        Ok(Self { file, path })
    }

    /// Puts the file in the place of another.
    pub(crate) fn rename(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut files = temporary();
        // After a rename there is nothing to remove.
        let _ = fs::remove_file(&self.path);
        files.retain(|path| *path != self.path);
    }
}
