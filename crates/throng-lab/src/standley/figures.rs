//! Figure 6, and how time and memory grow with the largest group.

use throng_draw::plot::{Axis, Chart};

use super::methods::Method;
use crate::LabError;
use crate::harness::{Row, Rows, Study};

/// The clock may not have advanced, and the axis is logarithmic.
const LEAST: f64 = 1e-2;

/// The lines of figure 6: the paper's planners, and ours.
const SHOWN: [Method; 8] = [
    Method::Standard,
    Method::Decomposition,
    Method::Partial,
    Method::StandardIndependent,
    Method::DecompositionIndependent,
    Method::PartialIndependent,
    Method::Weighted,
    Method::Ours,
];

pub(super) fn draw(rows: &Rows, study: &mut Study<'_>) -> Result<(), LabError> {
    let caption = "The paper's figure 6: S and OD end first; with all three techniques more than \
                   half of 200 instances take less than a second.";
    study.figure_beside("figure-6-time", caption, solved(rows)?);
    let time = growth(rows, "Time against the largest group", "time (ms)", |row| row.milliseconds);
    study.figure("growth-time", time?);
    let mebibytes = |row: &Row| row.bytes as f64 / f64::from(1 << 20);
    let memory = growth(rows, "Memory against the largest group", "memory (MiB)", mebibytes);
    study.figure("growth-memory", memory?);
    Ok(())
}

/// "The running time of each algorithm on instances that took less than twenty seconds to
/// solve, sorted by ascending time."
fn solved(rows: &Rows) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "Figure 6: instances solved, each planner's sorted by time",
        Axis::linear("instance"),
        Axis::log("processor time (ms)"),
    );
    for method in SHOWN {
        let solved = rows.of(method.name()).filter(|row| row.get("cost").is_some());
        let mut times: Vec<f64> = solved.values("ms").collect();
        times.sort_unstable_by(f64::total_cmp);
        let points = times.iter().enumerate();
        let points: Vec<_> = points.map(|(at, &time)| ((at + 1) as f64, time.max(LEAST))).collect();
        chart = chart.line(method.name(), &points);
    }
    Ok(chart.svg()?)
}

fn growth(
    rows: &Rows,
    title: &str,
    label: &str,
    value: impl Fn(&Row) -> f64,
) -> Result<String, LabError> {
    let mut chart = Chart::new(title, Axis::linear("units in the largest group"), Axis::log(label));
    for method in [Method::PartialIndependent, Method::Weighted, Method::Ours, Method::OursWeighted]
    {
        let solved = rows.of(method.name()).filter(|row| row.get("cost").is_some());
        let points: Vec<_> = solved
            .iter()
            .map(|row| (row.get("largest").unwrap_or(0.0), value(row).max(LEAST)))
            .collect();
        chart = chart.scatter(method.name(), &points);
    }
    Ok(chart.svg()?)
}
