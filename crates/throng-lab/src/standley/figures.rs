//! Figure 6, and how time and memory grow with the largest group.

use throng_draw::plot::{Axis, Chart};

use super::methods::Method;
use super::runs::{Run, Runs};
use crate::LabError;
use crate::harness::Study;

/// The clock may not have advanced, and the axis is logarithmic.
const LEAST: f64 = 1e-2;

pub(super) fn draw(runs: &Runs, study: &mut Study<'_>) -> Result<(), LabError> {
    study.figure("figure-6-time", solved(runs)?);
    let time = growth(runs, "Time against the largest group", "time (ms)", |run| run.milliseconds);
    study.figure("growth-time", time?);
    let memory = growth(runs, "Memory against the largest group", "memory (MiB)", Run::mebibytes);
    study.figure("growth-memory", memory?);
    Ok(())
}

/// "The running time of each algorithm on instances that took less than twenty seconds to
/// solve, sorted by ascending time."
fn solved(runs: &Runs) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "Figure 6: instances solved, each planner's sorted by time",
        Axis::linear("instance"),
        Axis::log("time (ms)"),
    );
    for (method, runs) in &runs.by_method {
        let mut times: Vec<f64> =
            runs.iter().filter(|run| run.solved.is_some()).map(|run| run.milliseconds).collect();
        times.sort_unstable_by(f64::total_cmp);
        let points = times.iter().enumerate();
        let points: Vec<_> = points.map(|(at, &time)| ((at + 1) as f64, time.max(LEAST))).collect();
        chart = chart.line(method.name(), &points);
    }
    Ok(chart.svg()?)
}

fn growth(
    runs: &Runs,
    title: &str,
    label: &str,
    value: impl Fn(&Run) -> f64,
) -> Result<String, LabError> {
    let mut chart = Chart::new(title, Axis::linear("units in the largest group"), Axis::log(label));
    for method in [Method::PartialIndependent, Method::Weighted, Method::Ours, Method::OursWeighted]
    {
        let solved = runs.of(method).iter().filter(|run| run.solved.is_some());
        let points: Vec<_> = solved
            .map(|run| (run.statistics.largest_group as f64, value(run).max(LEAST)))
            .collect();
        chart = chart.scatter(method.name(), &points);
    }
    Ok(chart.svg()?)
}
