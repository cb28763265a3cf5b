//! How the cost fell while a planner improved its plan.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throng_draw::plot::{Axis, Chart};

/// Points that are kept: enough for a smooth picture.
const POINTS_MAX: usize = 400;
/// The times that people are shown, in seconds, besides the first and the last point.
const SHOWN_SECONDS: [f64; 8] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];

/// A better plan: when it was found, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct CurvePoint {
    pub(crate) ms: f64,
    pub(crate) expanded: u64,
    pub(crate) cost: u64,
    pub(crate) over_bound: f64,
}

/// All better plans, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    points: Vec<CurvePoint>,
    /// The lower bound that costs are divided by: the first one. Later ones may be higher.
    lower_bound: Option<u64>,
}

impl Curve {
    pub(crate) fn add(&mut self, elapsed: Duration, expanded: u64, cost: u64, lower_bound: u64) {
        let ms = (elapsed.as_secs_f64() * 1e6).round() / 1e3;
        let lower_bound = *self.lower_bound.get_or_insert(lower_bound);
        let over_bound = (cost as f64 / lower_bound.max(1) as f64 * 1e4).round() / 1e4;
        self.points.push(CurvePoint { ms, expanded, cost, over_bound });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// At most [`POINTS_MAX`] of the points, evenly chosen, with the first and the last.
    pub(crate) fn points(&self) -> Vec<CurvePoint> {
        let (count, last) = (self.points.len(), self.points.len().saturating_sub(1));
        if count <= POINTS_MAX {
            return self.points.clone();
        }
        (0..POINTS_MAX).map(|index| self.points[index * last / (POINTS_MAX - 1)]).collect()
    }

    /// The curve in one line: `3.370 (0.02 s), 2.100 (1.00 s), 1.920 (9.98 s)`.
    pub(crate) fn text(&self) -> Option<String> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let at = |seconds: &f64| self.points.iter().rev().find(|point| point.ms <= seconds * 1e3);
        let between = SHOWN_SECONDS.iter().filter_map(at);
        let mut shown: Vec<&CurvePoint> = Vec::new();
        for point in [first].into_iter().chain(between).chain([last]) {
            if shown.last().is_none_or(|before| before.cost != point.cost) {
                shown.push(point);
            }
        }
        let show =
            |point: &&CurvePoint| format!("{:.3} ({:.2} s)", point.over_bound, point.ms / 1e3);
        Some(shown.iter().map(show).collect::<Vec<_>>().join(", "))
    }

    /// The curve as a picture; `None` if no plan was found.
    pub(crate) fn svg(&self, title: &str) -> Result<Option<String>> {
        let points = self.points();
        let Some(last) = points.last() else {
            return Ok(None);
        };
        // A step for every better plan: until then the old cost holds.
        let mut line: Vec<(f64, f64)> = Vec::new();
        for point in &points {
            let seconds = point.ms / 1e3;
            line.extend(line.last().map(|&(_, cost)| (seconds, cost)));
            line.push((seconds, point.over_bound));
        }
        line.push((last.ms / 1e3, last.over_bound));
        let chart = Chart::new(title, Axis::linear("seconds"), Axis::linear("cost / lower bound"));
        Ok(Some(chart.line("best plan", &line).svg()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn falling(count: u64) -> Curve {
        let mut curve = Curve::default();
        for step in 0..count {
            curve.add(Duration::from_millis(10 * step), step, 2000 - step, 1000);
        }
        curve
    }

    #[test]
    fn few_points_are_kept_and_the_last_one_among_them() {
        assert_eq!(falling(7).points().len(), 7);
        let points = falling(1000).points();
        assert_eq!((points.len(), points[0].cost, points[399].cost), (POINTS_MAX, 2000, 1001));
    }

    #[test]
    fn people_see_a_few_times() {
        let expected =
            "2.000 (0.00 s), 1.990 (0.10 s), 1.970 (0.30 s), 1.900 (1.00 s), 1.881 (1.19 s)";
        assert_eq!(falling(120).text().as_deref(), Some(expected));
        assert_eq!(Curve::default().text(), None);
    }

    #[test]
    fn the_picture_has_the_title() {
        assert!(falling(50).svg("lns").unwrap().unwrap().contains("lns"));
        assert_eq!(Curve::default().svg("lns").unwrap(), None);
    }
}
