//! An axis: its quantity, its scale, its ticks.

use crate::plot::PlotError;
use crate::xml::short;

/// The quantity of an axis, on a linear or logarithmic scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub(super) label: String,
    log: bool,
}

impl Axis {
    /// A linear scale; `label` names quantity and unit: `time (ms)`.
    #[must_use]
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), log: false }
    }

    /// A logarithmic scale. Values must be positive.
    #[must_use]
    pub fn log(label: &str) -> Self {
        Self { label: label.to_owned(), log: true }
    }

    pub(super) fn check(&self, series: &str, index: usize, value: f64) -> Result<(), PlotError> {
        let series = || series.to_owned();
        if value.is_nan() || value.abs() > VALUE_MAX {
            return Err(PlotError::NotFinite { series: series(), index, value });
        }
        if self.log && value < 1.0 / VALUE_MAX {
            return Err(PlotError::NotPositive { series: series(), index, value });
        }
        Ok(())
    }

    /// The axis around these values, which passed [`Axis::check`].
    pub(super) fn over(&self, values: impl Iterator<Item = f64> + Clone) -> Range {
        let least = values.clone().reduce(f64::min).unwrap_or(1.0);
        let largest = values.reduce(f64::max).unwrap_or(1.0);
        if self.log { Range::log(least, largest) } else { Range::linear(least, largest) }
    }
}

/// Largest value on an axis: beyond it, differences and ratios would overflow.
const VALUE_MAX: f64 = 1e100;
/// About the largest number of ticks on an axis.
const TICKS_WANTED: f64 = 6.0;

/// An axis from end to end, with its ticks.
#[derive(Clone, Debug)]
pub(super) struct Range {
    from: f64,
    to: f64,
    log: bool,
    pub(super) ticks: Vec<f64>,
}

impl Range {
    /// Starts at zero if that leaves less than half of the axis empty; ends at ticks.
    pub(super) fn linear(least: f64, largest: f64) -> Self {
        let least = if least > 0.0 && least < largest / 2.0 { 0.0 } else { least };
        let (least, largest) = widened(least, largest);
        let step = step_above((largest - least) / TICKS_WANTED);
        let (first, last) = ((least / step).floor(), (largest / step).ceil());
        let count = (last - first).clamp(1.0, 4.0 * TICKS_WANTED);
        let mut ticks = Vec::new();
        let mut number = 0.0;
        while number <= count {
            ticks.push((first + number) * step);
            number += 1.0;
        }
        Self { from: first * step, to: (first + count) * step, log: false, ticks }
    }

    /// Ticks at powers of ten, and at twice and five times those when they are few.
    fn log(least: f64, largest: f64) -> Self {
        let (first, last) = (least.log10().floor(), largest.log10().ceil());
        let last = if last > first { last } else { first + 1.0 };
        let every = ((last - first) / TICKS_WANTED).ceil().max(1.0);
        let between: &[f64] = if last - first <= 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        let mut exponent = first;
        while exponent <= last {
            ticks.extend(between.iter().map(|times| times * power_of_ten(exponent)));
            exponent += every;
        }
        // The ends are the ticks just outside the values.
        let from = ticks.iter().copied().rfind(|&t| t <= least).unwrap_or(least);
        let to = ticks.iter().copied().find(|&t| t >= largest).unwrap_or(largest);
        let to = if to > from { to } else { from * 10.0 };
        ticks.retain(|t| (from..=to).contains(t));
        Self { from, to, log: true, ticks }
    }

    /// The position of a value: 0 at the start of the axis, 1 at its end.
    pub(super) fn share(&self, value: f64) -> f64 {
        if self.log {
            return (value.log10() - self.from.log10()) / (self.to.log10() - self.from.log10());
        }
        (value - self.from) / (self.to - self.from)
    }
}

/// Widens a range that is too narrow to show.
fn widened(least: f64, largest: f64) -> (f64, f64) {
    let size = least.abs().max(largest.abs());
    if largest - least > (size * 1e-9).max(1.0 / VALUE_MAX) {
        return (least, largest);
    }
    let room = if size > 1.0 / VALUE_MAX { size / 2.0 } else { 1.0 };
    (least - room, largest + room)
}

/// The smallest of 1, 2, 5, 10, 20, ... (and their tenths) that is at least `step`.
fn step_above(step: f64) -> f64 {
    let power = power_of_ten(step.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= step);
    times.unwrap_or(10.0) * power
}

/// A power of ten. Parsing is exact where a product of tens would accumulate errors.
fn power_of_ten(exponent: f64) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// A number for an axis.
pub(super) fn tick_label(value: f64) -> String {
    let size = value.abs();
    match size {
        s if s >= 1e15 || (s > 0.0 && s < 1e-3) => format!("{value:e}"),
        s if s >= 1e9 => short(value / 1e9) + "G",
        s if s >= 1e6 => short(value / 1e6) + "M",
        s if s >= 1e4 => short(value / 1e3) + "k",
        _ => short(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: &Range, expected: &[&str]) {
        let labels: Vec<String> = range.ticks.iter().map(|&t| tick_label(t)).collect();
        assert_eq!(labels, expected);
        assert!(range.share(range.from).abs() < 1e-9);
        assert!((range.share(range.to) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn ticks_stand_at_round_numbers() {
        check(&Range::linear(3.0, 97.0), &["0", "20", "40", "60", "80", "100"]);
        check(&Range::linear(-0.5, 1.0), &["-0.5", "0", "0.5", "1"]);
        check(&Range::linear(90.0, 100.0), &["90", "92", "94", "96", "98", "100"]);
        check(&Range::linear(5.0, 5.0), &["2", "3", "4", "5", "6", "7", "8"]);
        check(&Range::linear(0.0, 0.0), &["-1", "-0.5", "0", "0.5", "1"]);
        check(&Range::linear(0.0, 2.5e6), &["0", "500k", "1M", "1.5M", "2M", "2.5M"]);
        check(&Range::linear(0.0, 12.0), &["0", "2", "4", "6", "8", "10", "12"]);
        check(&Range::log(3.0, 40.0), &["2", "5", "10", "20", "50"]);
        check(&Range::log(7.0, 7.0), &["5", "10"]);
        check(&Range::log(0.02, 3e5), &["0.01", "1", "100", "10k", "1M"]);
    }

    #[test]
    fn no_finite_values_break_the_axis() {
        let extremes =
            [-1e100, -1e-99, -5e-324, 0.0, 5e-324, 1e-100, 1.0, 1.0 + f64::EPSILON, 1e17, 1e100];
        for (i, &least) in extremes.iter().enumerate() {
            for &largest in &extremes[i..] {
                let mut ranges = vec![Range::linear(least, largest)];
                if least >= 1e-100 {
                    ranges.push(Range::log(least, largest));
                }
                for range in ranges {
                    assert!((1..40).contains(&range.ticks.len()), "{least} {largest}: {range:?}");
                    let (a, b) = (range.share(least), range.share(largest));
                    assert!(a.is_finite() && b.is_finite(), "{least} {largest}: {a} {b} {range:?}");
                }
            }
        }
    }
}
