//! Lines and points over two axes.

use std::fmt::Write;

use crate::plot::axis::Range;
use crate::plot::frame::{Frame, x_px, y_px};
use crate::plot::{Axis, PlotError};
use crate::stroke_colour;
use crate::xml::{put, short};

/// Lines and points over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    kind: Kind,
    points: Vec<(f64, f64)>,
    /// The lower and upper end at each point; empty without a band.
    band: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Line,
    Scatter,
}

impl Chart {
    /// A chart without series.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, series: Vec::new() }
    }

    /// A line through points, in the order given.
    #[must_use]
    pub fn line(self, name: &str, points: &[(f64, f64)]) -> Self {
        self.with(name, Kind::Line, points.to_vec(), Vec::new())
    }

    /// A line with a band around it: (x, y, low, high) each, such as a confidence interval.
    #[must_use]
    pub fn line_with_band(self, name: &str, points: &[(f64, f64, f64, f64)]) -> Self {
        let line = points.iter().map(|&(x, y, ..)| (x, y)).collect();
        let band = points.iter().map(|&(_, _, low, high)| (low, high)).collect();
        self.with(name, Kind::Line, line, band)
    }

    /// Points without a line.
    #[must_use]
    pub fn scatter(self, name: &str, points: &[(f64, f64)]) -> Self {
        self.with(name, Kind::Scatter, points.to_vec(), Vec::new())
    }

    fn with(
        mut self,
        name: &str,
        kind: Kind,
        points: Vec<(f64, f64)>,
        band: Vec<(f64, f64)>,
    ) -> Self {
        self.series.push(Series { name: name.to_owned(), kind, points, band });
        self
    }

    /// The chart as SVG.
    ///
    /// # Errors
    /// When a number is not finite or does not fit its axis.
    pub fn svg(&self) -> Result<String, PlotError> {
        self.check()?;
        let points = self.series.iter().flat_map(|series| &series.points);
        let bands = self.series.iter().flat_map(|series| &series.band);
        let x = self.x.over(points.clone().map(|&(x, _)| x));
        let heights = points.map(|&(_, y)| y);
        let y = self.y.over(heights.chain(bands.flat_map(|&(low, high)| [low, high])));
        let mut frame = Frame::new(&self.title);
        frame.x_axis(&x, &self.x.label);
        frame.y_axis(&y, &self.y.label);
        if self.series.iter().all(|series| series.points.is_empty()) {
            frame.note_no_values();
        }
        for (number, series) in self.series.iter().enumerate() {
            frame.add(&series.markup(number, &x, &y));
        }
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let drawn: Vec<_> = self.series.iter().flat_map(|series| series.inked(&x, &y)).collect();
        frame.place_legend(&names, &drawn);
        for (number, series) in self.series.iter().enumerate() {
            frame.legend(number, &series.name);
        }
        Ok(frame.finish())
    }

    fn check(&self) -> Result<(), PlotError> {
        for series in &self.series {
            for (index, &(x, y)) in series.points.iter().enumerate() {
                self.x.check(&series.name, index, x)?;
                self.y.check(&series.name, index, y)?;
            }
            for (index, &(low, high)) in series.band.iter().enumerate() {
                self.y.check(&series.name, index, low)?;
                self.y.check(&series.name, index, high)?;
                if low > high {
                    let series = series.name.clone();
                    return Err(PlotError::Band { series, index, low, high });
                }
            }
        }
        Ok(())
    }
}

/// Places on a line between two of its points, for the legend to avoid.
const PLACES_BETWEEN: u8 = 12;

impl Series {
    /// The points in pixels; on a line, also places between them.
    fn inked(&self, x: &Range, y: &Range) -> Vec<(f64, f64)> {
        let place = |&(px, py): &(f64, f64)| (x_px(x.share(px)), y_px(y.share(py)));
        let points: Vec<_> = self.points.iter().map(place).collect();
        if self.kind == Kind::Scatter {
            return points;
        }
        let between = |pair: &[(f64, f64)]| {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            let shares = (1..PLACES_BETWEEN).map(|at| f64::from(at) / f64::from(PLACES_BETWEEN));
            shares.map(move |share| (x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
        };
        let lines: Vec<_> = points.windows(2).flat_map(between).collect();
        points.into_iter().chain(lines).collect()
    }

    fn markup(&self, number: usize, x: &Range, y: &Range) -> String {
        let colour = stroke_colour(number);
        let place =
            |px: f64, py: f64| format!("{},{}", short(x_px(x.share(px))), short(y_px(y.share(py))));
        let mut markup = String::new();
        if !self.band.is_empty() {
            let along = self.points.iter().zip(&self.band);
            let upper = along.clone().map(|(&(x, _), &(_, high))| place(x, high));
            let lower = along.rev().map(|(&(x, _), &(low, _))| place(x, low));
            let outline: Vec<String> = upper.chain(lower).collect();
            let outline = outline.join(" ");
            put!(markup, "<polygon points=\"{outline}\" fill=\"{colour}\" fill-opacity=\"0.18\"/>");
        }
        let places: Vec<String> = self.points.iter().map(|&(x, y)| place(x, y)).collect();
        if self.kind == Kind::Line {
            let line = places.join(" ");
            put!(
                markup,
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"2.2\" stroke-linejoin=\"round\"/>"
            );
        }
        self.dots(&mut markup, &places, number);
        markup
    }

    /// Dots on a line, unless there are too many to distinguish.
    fn dots(&self, markup: &mut String, places: &[String], number: usize) {
        const LINE_DOTS_MAX: usize = 40;
        let (radius, opacity) = match self.kind {
            Kind::Line if places.len() > LINE_DOTS_MAX => return,
            Kind::Line => ("3.4", "1"),
            Kind::Scatter => ("3.6", "0.7"),
        };
        put!(markup, "<g fill=\"{}\" fill-opacity=\"{opacity}\">", stroke_colour(number));
        for place in places {
            let (x, y) = place.split_once(',').unwrap_or((place, "0"));
            put!(markup, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
        }
        markup.push_str("</g>");
    }
}
