//! Charts of tables 2 to 4: one group of bars per method, one bar per choice of caches.

use throng_draw::plot::BarChart;

use super::Configuration;
use super::measured::value;
use super::paper::{self, WORKLOADS};
use crate::LabError;
use crate::harness::{Rows, Study, svg_layout};

/// Low bars first: the legend is in the upper left corner.
const METHODS: [&str; 6] = ["RD+", "VZ+", "RD", "SZ", "GR", "VZ"];
const CACHES: [(&str, &str); 4] = [
    ("no cache", ""),
    ("collision cache (CC)", "+CC"),
    ("CC and path cache (PC)", "+CC+PC"),
    ("CC and saturated path cache (sPC)", "+CC+sPC"),
];

/// The total times, ours beside the paper's, a row for each workload.
pub(super) fn draw(rows: &Rows, study: &mut Study<'_>) -> Result<(), LabError> {
    let median = |test: &str, workload: &str| {
        let mut times = rows.by_seed(|rows| value(rows, test, workload, "ms")).list;
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let number = |test: &str| Configuration::ALL.iter().position(|known| known.name == test);
    let of_paper =
        |test: &str, workload: &str| Some(paper::measured(workload, number(test)?)?.seconds);
    let rows = WORKLOADS.iter().map(|workload| {
        let ours = chart(workload, "ours, median over seeds", "total time (ms)", median)?;
        let papers = chart(workload, "the paper's", "total time (s)", of_paper)?;
        Ok(svg_layout::beside(&[ours, papers]))
    });
    let rows: Vec<String> = rows.collect::<Result<_, LabError>>()?;
    let caption = "Total times of tables 2 to 4, ours (processor time) beside the paper's. A \
                   combination that was not measured has no bar; RD+ and VZ+ are ours.";
    study.figure_beside("total-time", caption, svg_layout::below(&rows));
    Ok(())
}

/// The chart of a workload.
fn chart(
    workload: &str,
    whose: &str,
    unit: &str,
    value: impl Fn(&str, &str) -> Option<f64>,
) -> Result<String, LabError> {
    let chart = BarChart::new(&format!("{workload}: {whose}"), "method", unit, &METHODS);
    let chart = CACHES.iter().fold(chart, |chart, (name, suffix)| {
        let bar = |method: &&str| value(&format!("{method}{suffix}"), workload).unwrap_or_default();
        chart.series(name, &METHODS.iter().map(bar).collect::<Vec<_>>())
    });
    Ok(chart.svg()?)
}
