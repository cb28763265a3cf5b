//! Charts of experiments as SVG. A chart without values says so between its axes.
//!
//! ```
//! use throng_draw::plot::{Axis, Chart};
//! let chart = Chart::new("Time to plan", Axis::linear("units"), Axis::log("time (ms)"))
//!     .line("CA*", &[(10.0, 1.5), (100.0, 40.0)])
//!     .line("WHCA*", &[(10.0, 1.0), (100.0, 12.0)]);
//! assert!(chart.svg()?.starts_with("<svg"));
//! # Ok::<(), throng_draw::plot::PlotError>(())
//! ```

mod axis;
mod bars;
mod chart;
mod frame;

pub use axis::Axis;
pub use bars::BarChart;
pub use chart::Chart;

/// Why a chart could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// A value that does not fit an axis.
    #[error(
        "series \"{series}\", value {index}: {value} is not between -1e100 and 1e100; leave the \
         point out"
    )]
    NotFinite {
        /// The series.
        series: String,
        /// Which of its values, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A value that is not positive on a logarithmic axis.
    #[error(
        "series \"{series}\", value {index}: {value} cannot be on a logarithmic axis; use a \
         linear one or leave the point out"
    )]
    NotPositive {
        /// The series.
        series: String,
        /// Which of its values, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A band whose ends are exchanged.
    #[error(
        "series \"{series}\", value {index}: its band runs from {low} to {high}; exchange them"
    )]
    Band {
        /// The series.
        series: String,
        /// Which of its values, from 0.
        index: usize,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A series with too few or too many bars.
    #[error(
        "series \"{series}\" has {given} values for {categories} categories: give one for each"
    )]
    BarCount {
        /// The series.
        series: String,
        /// Values given.
        given: usize,
        /// Categories of the chart.
        categories: usize,
    },
}
