//! A paper's method exactly as printed beside ours, on the same instances.

use super::{Experiment, Table, row};

/// One measure of a method as printed and of ours, on the same instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The method as printed, and ours.
    pub methods: [String; 2],
    /// The instances that both ran on.
    pub instances: String,
    /// What was measured, with its unit.
    pub measure: &'static str,
    /// The value as printed, and ours.
    pub values: [String; 2],
}

impl Comparison {
    /// A comparison of two measured values; none if one is missing.
    pub(crate) fn new(
        methods: [&str; 2],
        instances: &str,
        (measure, decimals): (&'static str, usize),
        values: [Option<f64>; 2],
    ) -> Option<Self> {
        let [printed, ours] = values;
        let values = [printed?, ours?].map(|value| format!("{value:.decimals$}"));
        let methods = methods.map(str::to_owned);
        Some(Self { methods, instances: instances.to_owned(), measure, values })
    }
}

/// The comparisons of all papers as one table.
pub(super) fn table<'a>(experiments: impl Iterator<Item = &'a Experiment>) -> Table {
    let title = "The papers' methods as printed beside ours, on the same instances";
    let columns = ["method as printed", "ours", "instances", "measure", "as printed", "ours"];
    let mut table = Table::new("as-printed", title, &columns);
    for comparison in experiments.flat_map(|experiment| &experiment.comparisons) {
        let Comparison { methods, instances, measure, values } = comparison;
        let [method, our_method] = methods.each_ref().map(String::as_str);
        let [printed, ours] = values.each_ref().map(String::as_str);
        table.push(row![method, our_method, instances.as_str(), *measure, printed, ours]);
    }
    table
}
