//! Progress bars: on standard error, and only if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use throng::model::{Improvement, Observer, Progress};

use crate::clock::Stopwatch;
use crate::curve::Curve;

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
    log: PlanningLog,
}

/// What a planner did, in the order in which it did it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanningLog {
    /// The planners that it used, if it is one that uses others.
    pub(crate) stages: Vec<&'static str>,
    /// When there was a first plan, by planners that improve it.
    pub(crate) first_plan: Option<Duration>,
    pub(crate) curve: Curve,
}

impl PlanningProgress {
    pub(crate) fn new(stopwatch: Stopwatch, units: usize) -> Self {
        Self { stopwatch, units, bar: None, log: PlanningLog::default() }
    }

    /// Clears the bar.
    pub(crate) fn finish(mut self) -> PlanningLog {
        std::mem::take(&mut self.log)
    }

    fn note_first_plan(&mut self) {
        self.log.first_plan.get_or_insert(self.stopwatch.elapsed());
    }

    /// The bar, once the work takes long enough to be shown.
    fn bar(&mut self) -> Option<&ProgressBar> {
        let elapsed = self.stopwatch.elapsed();
        if elapsed < QUIET {
            return None;
        }
        Some(self.bar.get_or_insert_with(|| {
            // Planned units may have to be planned again, so that no end can be predicted.
            let template = "{spinner} {prefix}{pos}/{len} {msg}, {elapsed}";
            styled(self.units, template).with_elapsed(elapsed)
        }))
    }
}

impl Observer for PlanningProgress {
    fn progress(&mut self, progress: Progress) {
        let stage = self.log.stages.last().map_or(String::new(), |stage| format!("{stage}: "));
        if let Some(bar) = self.bar() {
            bar.set_prefix(stage);
            bar.set_message(message(progress));
            bar.set_position(progress.units_done as u64);
        }
    }

    fn stage(&mut self, planner: &'static str) {
        if planner == "lns" {
            self.note_first_plan();
        }
        self.log.stages.push(planner);
    }

    fn improved(&mut self, improvement: Improvement<'_>) {
        self.note_first_plan();
        let Improvement { expanded, cost, lower_bound, .. } = improvement;
        self.log.curve.add(self.stopwatch.elapsed(), expanded, cost, lower_bound);
        let units = self.units as u64;
        if let Some(bar) = self.bar() {
            bar.set_prefix("lns: ");
            bar.set_position(units);
            let ratio = cost as f64 / lower_bound.max(1) as f64;
            bar.set_message(format!(
                "units planned, cost {cost}, {ratio:.3} times the lower bound"
            ));
        }
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
