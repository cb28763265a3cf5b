//! The paper's figures 2 to 7.

use throng_draw::plot::{Axis, Chart};
use throng_draw::{Disc, Mark, Picture, Point, svg};

use super::arena::{self, Method, UNITS_MAX};
use super::results::Results;
use crate::LabError;
use crate::crowd::CrowdSummary;
use crate::harness::Study;

pub(super) fn draw(results: &Results, study: &mut Study<'_>) -> Result<(), LabError> {
    study.figure("figure-2", environment(study.options().seed)?);
    for (name, chart) in [
        ("figure-3", success(results)),
        ("figure-4", lengths(results)),
        ("figure-5", cycles(results)),
        ("figure-6-nodes", first(results)),
        ("figure-7-nodes", turn_max(results)),
    ] {
        study.figure(name, chart.svg()?);
    }
    Ok(())
}

/// The first environment, with all units at their starts and rings around their goals.
fn environment(seed: u64) -> Result<String, LabError> {
    let problem = arena::problem(seed, 0, UNITS_MAX)?;
    let mut picture = Picture::new(&problem.map);
    for (unit, at) in problem.units.iter().enumerate() {
        picture = picture.marked(Mark::ring(unit, at.goal, 1)).disc(Disc::unit(
            unit,
            Point::centre(at.start, 1),
            1,
        ));
    }
    Ok(svg(&picture.caption("an environment: from each disc to the ring of its colour")))
}

fn points(
    results: &Results,
    method: Method,
    value: impl Fn(&CrowdSummary) -> f64,
) -> Vec<(f64, f64)> {
    let counts = results.counts.iter().enumerate();
    counts.map(|(at, &units)| (units as f64, value(&results.of(at, method)))).collect()
}

fn with_lines(
    chart: Chart,
    results: &Results,
    value: impl Fn(&CrowdSummary) -> f64 + Copy,
) -> Chart {
    let all = Method::ALL.into_iter();
    all.fold(chart, |chart, method| chart.line(&method.name(), &points(results, method, value)))
}

/// Failures instead of successes: the same numbers, but the lines are easier to tell apart.
fn success(results: &Results) -> Chart {
    let chart = Chart::new(
        "Figure 3: units that do not arrive within 100 turns",
        Axis::linear("units"),
        Axis::linear("failed (%)"),
    );
    with_lines(chart, results, |result| 100.0 - result.units.success)
}

fn lengths(results: &Results) -> Chart {
    let chart = Chart::new(
        "Figure 4: turns until the first arrival (failed units count 100)",
        Axis::linear("units"),
        Axis::linear("turns, mean"),
    );
    let chart = with_lines(chart, results, |result| result.units.length_all);
    let shortest = points(results, Method::LocalRepair, |result| result.units.shortest);
    chart.line("shortest path", &shortest)
}

fn cycles(results: &Results) -> Chart {
    let chart = Chart::new(
        "Figure 5: how often a unit returns to a cell",
        Axis::linear("units"),
        Axis::linear("cycles per unit"),
    );
    with_lines(chart, results, |result| result.units.cycles)
}

fn first(results: &Results) -> Chart {
    let chart = Chart::new(
        "Figure 6: work before the first move, all units",
        Axis::linear("units"),
        Axis::log("nodes expanded, mean"),
    );
    with_lines(chart, results, |result| result.expanded_first.max(1.0))
}

fn turn_max(results: &Results) -> Chart {
    let chart = Chart::new(
        "Figure 7: work in the most expensive turn, all units",
        Axis::linear("units"),
        Axis::log("nodes expanded, mean"),
    );
    with_lines(chart, results, |result| result.expanded_turn_max.max(1.0))
}
