//! Charts of tables 2 to 4: one group of bars per method, one bar per choice of caches.

use throng_draw::plot::BarChart;

use super::benchmark::Benchmark;
use super::journey::{Journey, TEST_WORK};
use super::rows::Row;
use super::times::Times;
use crate::LabError;
use crate::harness::{Study, svg_layout};

/// Low bars first: the legend is in the upper left corner.
const METHODS: [&str; 5] = ["RD", "VZ+", "SZ", "GR", "VZ"];
const CACHES: [(&str, &str); 4] = [
    ("no cache", ""),
    ("collision cache (CC)", "+CC"),
    ("CC and path cache (PC)", "+CC+PC"),
    ("CC and saturated path cache (sPC)", "+CC+sPC"),
];

/// The work of all journeys.
pub(super) fn draw(benchmark: &Benchmark, study: &mut Study<'_>) -> Result<(), LabError> {
    let charts = benchmark.by_workload.iter().map(|(name, journeys)| {
        let title = format!("{name}: nodes + {TEST_WORK} x collision tests");
        chart(&title, "work (thousands)", journeys, |journey| journey.work() / 1000.0)
    });
    let charts: Vec<String> = charts.collect::<Result<_, _>>()?;
    study.figure("work", svg_layout::beside(&charts));
    Ok(())
}

/// The times of all journeys; below, with expensive collision tests.
pub(super) fn draw_times(times: &Times, study: &mut Study<'_>) -> Result<(), LabError> {
    let mut rows = Vec::new();
    for (at, price) in ["", ", expensive collision tests"].into_iter().enumerate() {
        let charts = times.by_workload.iter().map(|(name, journeys)| {
            let title = format!("{name}: total time{price}");
            chart(&title, "milliseconds", &journeys[at], |journey| journey.total_ms)
        });
        let charts: Vec<String> = charts.collect::<Result<_, _>>()?;
        rows.push(svg_layout::beside(&charts));
    }
    study.figure("total-time", svg_layout::below(&rows));
    Ok(())
}

fn chart(
    title: &str,
    unit: &str,
    journeys: &[Journey],
    value: impl Fn(&Journey) -> f64,
) -> Result<String, LabError> {
    let chart = BarChart::new(title, "method", unit, &METHODS);
    let chart = CACHES.iter().fold(chart, |chart, (name, suffix)| {
        let bar = |method: &&str| {
            let row = format!("{method}{suffix}");
            // A combination without a row has no bar.
            Row::number(&row).and_then(|row| journeys.get(row)).map_or(0.0, &value)
        };
        chart.series(name, &METHODS.iter().map(bar).collect::<Vec<_>>())
    });
    Ok(chart.svg()?)
}
