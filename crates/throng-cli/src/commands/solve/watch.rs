//! Shows how planning goes, if it takes a while.

use std::time::Duration;

use indicatif::ProgressBar;
use throng::model::{Observer, Progress};

use crate::clock::Stopwatch;
use crate::progress;

/// Until then a bar would only flicker.
const QUIET: Duration = Duration::from_millis(500);

/// A bar that appears when planning takes a while, and goes with it.
pub(super) struct Watch {
    stopwatch: Stopwatch,
    units: usize,
    bar: Option<ProgressBar>,
}

impl Watch {
    pub(super) fn new(stopwatch: Stopwatch, units: usize) -> Self {
        Self { stopwatch, units, bar: None }
    }
}

impl Observer for Watch {
    fn progress(&mut self, progress: Progress) {
        let elapsed = self.stopwatch.elapsed();
        if elapsed < QUIET {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| progress::spinner(self.units, elapsed));
        bar.set_message(format!("units planned, {} nodes expanded", progress.expanded));
        bar.set_position(progress.units_done as u64);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
