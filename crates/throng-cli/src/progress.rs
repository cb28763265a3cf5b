//! Progress bars: on standard error, and only if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use throng::model::{Observer, Progress};

use crate::clock::Stopwatch;

/// A bar for this many pieces of work, called `what`.
pub(crate) fn bar(count: usize, what: &'static str) -> ProgressBar {
    styled(count, "{bar:40} {pos}/{len} {msg}, {eta} left").with_message(what)
}

fn styled(count: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Work that takes less time is not shown: a bar would only flicker.
const QUIET: Duration = Duration::from_millis(500);

/// Shows the progress of a planner that takes a while.
pub(crate) struct PlanningProgress {
    stopwatch: Stopwatch,
    units: usize,
    bar: Option<ProgressBar>,
}

impl PlanningProgress {
    pub(crate) fn new(stopwatch: Stopwatch, units: usize) -> Self {
        Self { stopwatch, units, bar: None }
    }
}

impl Observer for PlanningProgress {
    fn progress(&mut self, progress: Progress) {
        let elapsed = self.stopwatch.elapsed();
        if elapsed < QUIET {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            // Planned units may have to be planned again, so that no end can be predicted.
            let template = "{spinner} {pos}/{len} {msg}, {elapsed}";
            styled(self.units, template).with_elapsed(elapsed)
        });
        bar.set_message(message(progress));
        bar.set_position(progress.units_done as u64);
    }
}

fn message(progress: Progress) -> String {
    let mut message = format!("units planned, {} nodes expanded", progress.expanded);
    if let Some(bound) = progress.lower_bound {
        message += &format!(", lower bound {bound}");
    }
    if let Some(groups) = progress.groups {
        message += &format!(", {groups} groups");
    }
    message
}

impl Drop for PlanningProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
