//! Progress bars: on standard error, and only if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many pieces of work, called `what`.
pub(crate) fn bar(count: usize, what: &'static str) -> ProgressBar {
    styled(count, "{bar:40} {pos}/{len} {msg}, {eta} left").with_message(what)
}

/// The same for work that may go back, so that nobody knows what is left; it began a while
/// ago.
pub(crate) fn spinner(count: usize, elapsed: Duration) -> ProgressBar {
    styled(count, "{spinner} {pos}/{len} {msg}, {elapsed}").with_elapsed(elapsed)
}

fn styled(count: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
