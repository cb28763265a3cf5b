//! Bar charts with groups.

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
    /// When there is no bar, a series does not have one value per category, or a number is not
    /// finite.
    pub fn svg(&self) -> Result<String, PlotError> {
        self.check()?;
        let values = self.series.iter().flat_map(|(_, values)| values.iter().copied());
        let y = self.y.over(values.chain([0.0]));
        let mut frame = Frame::new(&self.title);
        frame.y_axis(&y, &self.y.label);
        frame.categories(&self.categories);
        frame.x_title(&self.x_label);
        for (number, (_, values)) in self.series.iter().enumerate() {
            for (category, &value) in values.iter().enumerate() {
                frame.add(&self.bar(number, category, (y.share(0.0), y.share(value))));
            }
        }
        for (number, (name, _)) in self.series.iter().enumerate() {
            frame.legend(number, name);
        }
        Ok(frame.finish())
    }

    fn bar(&self, number: usize, category: usize, (zero, value): (f64, f64)) -> String {
        let group = 1.0 / self.categories.len() as f64;
        let width = group * GROUP_SHARE / self.series.len() as f64;
        let left = group * (category as f64 + (1.0 - GROUP_SHARE) / 2.0) + width * number as f64;
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
        if self.series.is_empty() || self.categories.is_empty() {
            return Err(PlotError::Empty { title: self.title.clone() });
        }
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
