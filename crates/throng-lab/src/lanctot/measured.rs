//! Values of the measured rows, for tables and claims.

use super::paper::{self, Measured};
use super::{Configuration, paper::WORKLOADS};
use crate::harness::Rows;

pub(super) const RANDOM: &str = WORKLOADS[0];
pub(super) const MODELED: &str = WORKLOADS[1];
pub(super) const EXTRACTED: &str = WORKLOADS[2];

/// A value of a row of tables 2 to 4, of the rows of one seed.
pub(super) fn value(rows: &Rows, test: &str, workload: &str, metric: &str) -> Option<f64> {
    rows.of(test).with("workload", workload).mean(metric)
}

/// The first test's value divided by the second's.
pub(super) fn ratio(
    rows: &Rows,
    [test, other]: [&str; 2],
    workload: &str,
    metric: &str,
) -> Option<f64> {
    let of = value(rows, other, workload, metric)?;
    Some(value(rows, test, workload, metric)? / of.max(f64::MIN_POSITIVE))
}

/// How many times faster the second test is, by processor time.
pub(super) fn faster(rows: &Rows, tests: [&str; 2], workload: &str) -> Option<f64> {
    ratio(rows, tests, workload, "ms")
}

/// By how much a test's paths are longer than those of GR, in percent.
pub(super) fn longer(rows: &Rows, test: &str, workload: &str) -> Option<f64> {
    Some((ratio(rows, [test, "GR"], workload, "distance")? - 1.0) * 100.0)
}

/// The least of some values; `None` if one is missing.
pub(super) fn least<const N: usize>(values: [Option<f64>; N]) -> Option<f64> {
    values.into_iter().try_fold(f64::INFINITY, |least, value| Some(least.min(value?)))
}

/// The largest of some values; `None` if one is missing.
pub(super) fn most<const N: usize>(values: [Option<f64>; N]) -> Option<f64> {
    values.into_iter().try_fold(f64::NEG_INFINITY, |most, value| Some(most.max(value?)))
}

/// 1 if it is so, 0 if it is not.
pub(super) fn so(is_so: bool) -> Option<f64> {
    Some(f64::from(u8::from(is_so)))
}

/// Ours divided by the paper's, the geometric mean over the thirteen rows of a table.
pub(super) fn of_paper(
    rows: &Rows,
    workload: &str,
    metric: &str,
    of: fn(Measured) -> f64,
) -> Option<f64> {
    let mut sum = 0.0;
    for (number, test) in Configuration::ALL.iter().take(Configuration::OF_PAPER).enumerate() {
        let paper = of(paper::measured(workload, number)?);
        sum += (value(rows, test.name, workload, metric)? / paper).ln();
    }
    Some((sum / Configuration::OF_PAPER as f64).exp())
}

/// The geometric mean of [`of_paper`] over the three tables.
pub(super) fn of_tables(rows: &Rows, metric: &str, of: fn(Measured) -> f64) -> Option<f64> {
    let factors = WORKLOADS.map(|workload| of_paper(rows, workload, metric, of));
    Some(factors.into_iter().product::<Option<f64>>()?.cbrt())
}

/// A value over all seeds: the median, and the least and largest where they differ.
pub(super) fn spread(values: &[f64], decimals: usize) -> Option<String> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted[sorted.len() / 2];
    let [median, least, most] = [middle, first, last].map(|value| format!("{value:.decimals$}"));
    Some(if least == most { median } else { format!("{median} ({least} to {most})") })
}
