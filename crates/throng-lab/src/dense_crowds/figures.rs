//! Cost, success and time against the number of units, one chart per map.

use throng_draw::plot::{Axis, BarChart, Chart, PlotError};

use super::instances::Ground;
use super::methods::Method;
use super::results::{Crowd, CrowdResult, Results};
use crate::LabError;
use crate::harness::Study;
use crate::harness::svg_layout::{below, beside};

/// The clock may not have advanced, and the axis is logarithmic.
const LEAST_MS: f64 = 1e-2;
/// The lower end of the logarithmic axis of costs, in percent above the lower bound.
const LEAST_PERCENT: f64 = 0.1;

pub(super) fn draw(results: &Results, study: &mut Study<'_>) -> Result<(), LabError> {
    study.figure("cost", four(|ground| cost(results, ground))?);
    study.figure("solved", four(|ground| solved(results, ground))?);
    study.figure("times", four(|ground| times(results, ground))?);
    Ok(())
}

/// The charts of all maps in two rows.
fn four(chart: impl Fn(Ground) -> Result<String, PlotError>) -> Result<String, LabError> {
    let rows = Ground::ALL.chunks(2).map(|grounds| {
        let charts = grounds.iter().map(|&ground| chart(ground));
        Ok(beside(&charts.collect::<Result<Vec<_>, _>>()?))
    });
    Ok(below(&rows.collect::<Result<Vec<_>, LabError>>()?))
}

fn crowds(results: &Results, ground: Ground) -> impl Iterator<Item = Crowd> + Clone {
    results.crowds.iter().copied().filter(move |crowd| crowd.ground == ground)
}

/// The number of units and the result of a solver in each crowd on a map.
fn points(
    results: &Results,
    ground: Ground,
    method: Method,
) -> impl Iterator<Item = (f64, CrowdResult)> {
    let result = move |crowd| Some((crowd, results.summary(method, crowd)?));
    crowds(results, ground).filter_map(result).map(|(crowd, result)| (crowd.units as f64, result))
}

/// `auto` often equals `lns`: it has dots instead of a line, so that both can be seen.
fn with_dots(chart: Chart, dots: impl Iterator<Item = (f64, f64)>) -> Chart {
    chart.scatter("auto (dots)", &dots.collect::<Vec<_>>())
}

/// Means, with a band from the least to the largest; where at least half are solved.
fn cost(results: &Results, ground: Ground) -> Result<String, PlotError> {
    let title = format!("Cost: {}", ground.title());
    let axis = Axis::log("sum of costs above the lower bound (%)");
    let percent = |cost: f64| ((cost - 1.0) * 100.0).max(LEAST_PERCENT);
    let mut chart = Chart::new(&title, Axis::linear("units"), axis);
    for method in Method::ALL {
        let solved = points(results, ground, method).filter(|(_, result)| result.mostly_solves());
        let costs = solved.filter_map(|(units, result)| Some((units, result.cost?)));
        let costs: Vec<_> = costs
            .map(|(units, (mean, least, largest))| {
                (units, percent(mean), percent(least), percent(largest))
            })
            .collect();
        chart = match method {
            Method::Auto => with_dots(chart, costs.iter().map(|&(units, mean, ..)| (units, mean))),
            _ => chart.line_with_band(method.name(), &costs),
        };
    }
    chart.svg()
}

/// Bars, since many lines would coincide at 0 and 100. The legend stands where the first group
/// would be.
fn solved(results: &Results, ground: Ground) -> Result<String, PlotError> {
    let title = format!("Scenarios solved: {}", ground.title());
    let counts = crowds(results, ground).map(|crowd| crowd.units.to_string());
    let names: Vec<String> = std::iter::once(String::new()).chain(counts).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut chart = BarChart::new(&title, "units", "solved (%)", &names);
    for method in Method::ALL {
        let share = |crowd| {
            let result = results.summary(method, crowd);
            result.map_or(0.0, |result| result.solved as f64 * 100.0 / result.runs as f64)
        };
        let shares = std::iter::once(0.0).chain(crowds(results, ground).map(share));
        chart = chart.series(method.name(), &shares.collect::<Vec<_>>());
    }
    chart.svg()
}

fn times(results: &Results, ground: Ground) -> Result<String, PlotError> {
    let title = format!("Time until the solver ended: {}", ground.title());
    let chart = Chart::new(&title, Axis::linear("units"), Axis::log("time (ms), median"));
    let with_line = |chart: Chart, method: Method| {
        let points = points(results, ground, method);
        let points = points.map(|(units, result)| (units, result.milliseconds.max(LEAST_MS)));
        match method {
            Method::Auto => with_dots(chart, points),
            _ => chart.line(method.name(), &points.collect::<Vec<_>>()),
        }
    };
    Method::ALL.into_iter().fold(chart, with_line).svg()
}
