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
        bar.set_message(message(progress));
        bar.set_position(progress.units_done as u64);
    }
}

fn message(progress: Progress) -> String {
    let mut message = format!("units planned, {} nodes expanded", progress.expanded);
    if let Some(bound) = progress.lower_bound {
        message += &format!(", no plan costs less than {bound}");
    }
    if let Some(groups) = progress.groups {
        message += &format!(", {groups} groups");
    }
    message
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
