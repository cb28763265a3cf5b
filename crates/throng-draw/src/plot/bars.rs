//! Bar charts with groups.

use crate::plot::axis::Range;
use crate::plot::frame::{Frame, x_px, y_px};
use crate::plot::{Axis, PlotError};
use crate::stroke_colour;
use crate::xml::short;

/// Bars in groups: one group per category, one bar per series in it.
///
/// ```
/// use throng_draw::plot::BarChart;
/// let chart = BarChart::new("Nodes expanded", "map", "nodes", &["maze", "rooms"])
///     .series("A*", &[900.0, 400.0])
///     .series("JPS", &[120.0, 30.0]);
/// assert!(chart.svg()?.contains("JPS"));
/// # Ok::<(), throng_draw::plot::PlotError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BarChart {
    title: String,
    x_label: String,
    y: Axis,
    categories: Vec<String>,
    series: Vec<(String, Vec<f64>)>,
}

/// Places on the edge of a bar that the legend avoids.
const PLACES_ON_BAR: u8 = 12;
/// The share of a category's width that its bars fill.
const GROUP_SHARE: f64 = 0.72;

impl BarChart {
    /// A chart without bars. Bars start at zero, so the axis is linear.
    #[must_use]
    pub fn new(title: &str, x_label: &str, y_label: &str, categories: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            x_label: x_label.to_owned(),
            y: Axis::linear(y_label),
            categories: categories.iter().map(|&name| name.to_owned()).collect(),
            series: Vec::new(),
        }
    }

    /// Adds a bar to each group.
    #[must_use]
    pub fn series(mut self, name: &str, values: &[f64]) -> Self {
        self.series.push((name.to_owned(), values.to_vec()));
        self
    }

    /// The chart as SVG.
    ///
    /// # Errors
    /// When a series does not have one value per category, or a number is not finite.
    pub fn svg(&self) -> Result<String, PlotError> {
        self.check()?;
        let values = self.series.iter().flat_map(|(_, values)| values.iter().copied());
        let y = self.y.over(values.chain([0.0]));
        let mut frame = Frame::new(&self.title);
        frame.y_axis(&y, &self.y.label);
        frame.categories(&self.categories);
        frame.x_title(&self.x_label);
        if self.series.is_empty() || self.categories.is_empty() {
            frame.note_no_values();
        }
        for (number, (_, values)) in self.series.iter().enumerate() {
            for (category, &value) in values.iter().enumerate() {
                frame.add(&self.bar(number, category, (y.share(0.0), y.share(value))));
            }
        }
        let names: Vec<&str> = self.series.iter().map(|(name, _)| name.as_str()).collect();
        frame.place_legend(&names, &self.inked(&y));
        for (number, name) in names.iter().enumerate() {
            frame.legend(number, name);
        }
        Ok(frame.finish())
    }

    /// Places on both edges of every bar, for the legend to avoid.
    fn inked(&self, y: &Range) -> Vec<(f64, f64)> {
        let mut places = Vec::new();
        for (number, (_, values)) in self.series.iter().enumerate() {
            for (category, &value) in values.iter().enumerate() {
                let (left, width) = self.place(number, category);
                let shares = (1..=PLACES_ON_BAR).map(|at| f64::from(at) / f64::from(PLACES_ON_BAR));
                let heights = shares.map(|share| y_px(y.share(value * share)));
                places.extend(heights.flat_map(|y| [(x_px(left), y), (x_px(left + width), y)]));
            }
        }
        places
    }

    /// The left end and the width of a bar, as shares of the axis.
    fn place(&self, number: usize, category: usize) -> (f64, f64) {
        let group = 1.0 / self.categories.len() as f64;
        let width = group * GROUP_SHARE / self.series.len() as f64;
        let first = group * (category as f64 + (1.0 - GROUP_SHARE) / 2.0);
        (first + width * number as f64, width)
    }

    fn bar(&self, number: usize, category: usize, (zero, value): (f64, f64)) -> String {
        let (left, width) = self.place(number, category);
        let (top, bottom) = (y_px(zero.max(value)), y_px(zero.min(value)));
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            short(x_px(left)),
            short(top),
            short((x_px(left + width) - x_px(left)) * 0.94),
            short(bottom - top),
            stroke_colour(number)
        )
    }

    fn check(&self) -> Result<(), PlotError> {
        for (name, values) in &self.series {
            if values.len() != self.categories.len() {
                let (series, given) = (name.clone(), values.len());
                return Err(PlotError::BarCount {
                    series,
                    given,
                    categories: self.categories.len(),
                });
            }
            for (index, &value) in values.iter().enumerate() {
                self.y.check(name, index, value)?;
            }
        }
        Ok(())
    }
}
