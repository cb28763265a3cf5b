//! The paper's figures 2 to 7.

use throng_draw::plot::{Axis, Chart};
use throng_draw::{Disc, Mark, Picture, Point, svg};

use super::arena::{self, Method, UNITS_MAX};
use crate::LabError;
use crate::harness::statistics::{interval, percentile};
use crate::harness::{Rows, Study};

/// A figure: file, title, label of the y axis, metric, what the paper's figure has. On a logarithmic
/// axis medians stand between quartiles, elsewhere means in their confidence intervals.
struct Figure {
    name: &'static str,
    title: &'static str,
    y: &'static str,
    metric: &'static str,
    is_log: bool,
    paper: &'static str,
}

const FIGURES: [Figure; 7] = [
    Figure {
        name: "figure-3",
        title: "Figure 3: units that do not arrive within 100 turns",
        y: "failed (%)",
        metric: "failed",
        is_log: false,
        paper: "The paper with 100 agents: LRA* 20%, WHCA*(16) under 2%; with few agents none.",
    },
    Figure {
        name: "figure-4",
        title: "Figure 4: turns until the first arrival (failed units count 100)",
        y: "turns, mean",
        metric: "turns-all",
        is_log: false,
        paper: "The paper with 100 agents: LRA* more than twice the shortest path, CA* and HCA* 1.2 times.",
    },
    Figure {
        name: "figure-5",
        title: "Figure 5: how often a unit returns to a cell",
        y: "cycles per unit",
        metric: "cycles",
        is_log: false,
        paper: "The paper with 100 agents: WHCA* at most 1.5, LRA* more than 10 times that, CA* and HCA* very few.",
    },
    Figure {
        name: "figure-6-nodes",
        title: "Figure 6: work before the first move, all units",
        y: "nodes expanded, median",
        metric: "first-nodes",
        is_log: true,
        paper: "The paper has times only.",
    },
    Figure {
        name: "figure-6-time",
        title: "Figure 6: time before the first move, all units",
        y: "processor time (ms), median",
        metric: "first-ms",
        is_log: true,
        paper: "The paper with 100 agents: CA* over 1 s, HCA* slightly less, WHCA*(16) under 100 ms.",
    },
    Figure {
        name: "figure-7-nodes",
        title: "Figure 7: work of the most expensive turn, all units",
        y: "nodes expanded, median",
        metric: "turn-nodes",
        is_log: true,
        paper: "The paper has times only.",
    },
    Figure {
        name: "figure-7-time",
        title: "Figure 7: time of the most expensive turn, all units",
        y: "processor time (ms), median",
        metric: "turn-ms",
        is_log: true,
        paper: "The paper with 100 agents: WHCA*(16) about 50 ms; windows of 8, 16 and 32 similar.",
    },
];

pub(super) fn draw(rows: &Rows, counts: &[usize], study: &mut Study<'_>) -> Result<(), LabError> {
    study.figure("figure-2", environment(study.options().seed)?);
    for figure in &FIGURES {
        study.figure_beside(figure.name, figure.paper, chart(figure, rows, counts)?);
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
    Ok(svg(&picture.caption("Figure 2, an environment: from each disc to the ring of its colour")))
}

fn chart(figure: &Figure, rows: &Rows, counts: &[usize]) -> Result<String, LabError> {
    let y = if figure.is_log { Axis::log(figure.y) } else { Axis::linear(figure.y) };
    let mut chart = Chart::new(figure.title, Axis::linear("units"), y);
    for method in Method::PRINTED {
        let of = rows.of(&method.name());
        chart = chart.line_with_band(&method.name(), &points(&of, counts, figure));
    }
    if figure.metric == "turns-all" {
        let shortest = Figure { metric: "shortest", ..*figure };
        let of = rows.of(&Method::LocalRepair.name());
        chart = chart.line_with_band("shortest path", &points(&of, counts, &shortest));
    }
    Ok(chart.svg()?)
}

/// The least value on a logarithmic axis: a node, or the tick of a clock in milliseconds.
fn least(figure: &Figure) -> f64 {
    match figure.is_log {
        true if figure.metric.ends_with("nodes") => 1.0,
        true => 1e-3,
        false => 0.0,
    }
}

/// The median, and the quartiles.
fn quartiles(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    (percentile(&values, 50), percentile(&values, 25), percentile(&values, 75))
}

/// By number of units, where cases were run: the middle value, and the ends of its band.
fn points(rows: &Rows, counts: &[usize], figure: &Figure) -> Vec<(f64, f64, f64, f64)> {
    let least = least(figure);
    let point = |&count: &usize| {
        let of = rows.with("units", &count.to_string());
        of.values("work").next()?;
        let values: Vec<f64> = match figure.metric {
            "failed" => of.values("arrived").map(|arrived| 100.0 - arrived).collect(),
            metric => of.values(metric).collect(),
        };
        let (middle, low, high) = if figure.is_log { quartiles(values) } else { interval(&values) };
        Some((count as f64, middle.max(least), low.max(least), high.max(least)))
    };
    counts.iter().filter_map(point).collect()
}
