//! The common parts of charts: title, axes with grid, legend.

use std::fmt::Write;

use crate::plot::axis::{Range, tick_label};
use crate::xml::{escape, put, short};
use crate::{Colour, stroke_colour};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 60.0;
/// Height of one line of the legend.
const LEGEND_LINE: f64 = 20.0;
/// The start of its text, and the approximate width of a letter.
const LEGEND_TEXT: f64 = 32.0;
const LETTER: f64 = 7.0;

/// A chart under construction.
pub(super) struct Frame {
    svg: String,
    legend: Legend,
    height: f64,
}

/// The place of the next name of the legend.
#[derive(Clone, Copy)]
enum Legend {
    /// In a corner, name under name.
    Inside(f64, f64),
    /// Below the axis, name after name.
    Below(f64, f64),
}

/// From a share of the axis (0 left, 1 right) to pixels.
pub(super) fn x_px(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

/// From a share of the axis (0 bottom, 1 top) to pixels.
pub(super) fn y_px(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

impl Frame {
    pub(super) fn new(title: &str) -> Self {
        let (mut svg, middle, title) = (String::new(), WIDTH / 2.0, escape(title));
        put!(
            svg,
            "<text x=\"{middle}\" y=\"28\" font-size=\"17\" font-weight=\"600\" \
             text-anchor=\"middle\">{title}</text>\n"
        );
        Self { svg, legend: Legend::Inside(LEFT, TOP), height: HEIGHT }
    }

    /// Says in the middle that there is nothing to draw.
    pub(super) fn note_no_values(&mut self) {
        let (x, y) = (short(x_px(0.5)), short(y_px(0.5)));
        put!(self.svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">no values</text>\n");
    }

    /// Adds finished markup.
    pub(super) fn add(&mut self, markup: &str) {
        self.svg.push_str(markup);
        self.svg.push('\n');
    }

    pub(super) fn x_axis(&mut self, range: &Range, label: &str) {
        for &tick in &range.ticks {
            let x = short(x_px(range.share(tick)));
            let (top, bottom) = (y_px(1.0), y_px(0.0));
            self.grid_line(&x, top, &x, bottom);
            self.x_label(&x, &tick_label(tick));
        }
        self.x_title(label);
    }

    /// Names positions on the horizontal axis instead of measuring.
    pub(super) fn categories(&mut self, names: &[String]) {
        for (index, name) in names.iter().enumerate() {
            let x = x_px((index as f64 + 0.5) / names.len() as f64);
            self.x_label(&short(x), name);
        }
    }

    fn x_label(&mut self, x: &str, text: &str) {
        let (y, text) = (y_px(0.0) + 20.0, escape(text));
        put!(self.svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>\n");
    }

    pub(super) fn x_title(&mut self, label: &str) {
        let (x, y, label) = (short(x_px(0.5)), HEIGHT - 16.0, escape(label));
        put!(self.svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>\n");
    }

    pub(super) fn y_axis(&mut self, range: &Range, label: &str) {
        for &tick in &range.ticks {
            let y = y_px(range.share(tick));
            self.grid_line(&short(x_px(0.0)), y, &short(x_px(1.0)), y);
            let (x, text_y, text) = (LEFT - 8.0, short(y + 4.5), tick_label(tick));
            put!(self.svg, "<text x=\"{x}\" y=\"{text_y}\" text-anchor=\"end\">{text}</text>\n");
        }
        let (y, label) = (short(y_px(0.5)), escape(label));
        put!(
            self.svg,
            "<text transform=\"translate(20 {y}) rotate(-90)\" text-anchor=\"middle\">{label}\
             </text>\n"
        );
    }

    fn grid_line(&mut self, x1: &str, y1: f64, x2: &str, y2: f64) {
        let (y1, y2) = (short(y1), short(y2));
        put!(self.svg, "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"#e3e5e8\"/>\n");
    }

    /// Puts a legend of these names into a corner where it covers none of these places, first of all
    /// the upper left, or else below the axis.
    pub(super) fn place_legend(&mut self, names: &[&str], points: &[(f64, f64)]) {
        let letters = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = LEGEND_TEXT + letters as f64 * LETTER;
        let height = (names.len() as f64 + 0.5) * LEGEND_LINE;
        let (right, bottom) = (WIDTH - RIGHT - width, HEIGHT - BOTTOM - height);
        let is_free = |&(x, y): &(f64, f64)| {
            let is_under = |&(px, py): &(f64, f64)| {
                (x..x + width).contains(&px) && (y..y + height).contains(&py)
            };
            !points.iter().any(is_under)
        };
        let corners = [(LEFT, TOP), (right, TOP), (LEFT, bottom), (right, bottom)];
        let corner = corners.into_iter().find(is_free);
        self.legend = match corner {
            Some((x, y)) => Legend::Inside(x, y),
            None => Legend::Below(0.0, HEIGHT),
        };
    }

    /// The place of the next name.
    fn next_place(&mut self, name: &str) -> (f64, f64) {
        match self.legend {
            Legend::Inside(x, y) => {
                self.legend = Legend::Inside(x, y + LEGEND_LINE);
                (x, y)
            }
            Legend::Below(x, y) => {
                let width = LEGEND_TEXT + name.chars().count() as f64 * LETTER;
                let is_full = x > 0.0 && x + width > WIDTH - RIGHT;
                let (x, y) = if is_full { (0.0, y + LEGEND_LINE) } else { (x, y) };
                self.legend = Legend::Below(x + width, y);
                self.height = y + 1.5 * LEGEND_LINE;
                (x, y)
            }
        }
    }

    /// A line in the legend.
    pub(super) fn legend(&mut self, number: usize, name: &str) {
        let (left, top) = self.next_place(name);
        let (x, text_x) = (short(left + 12.0), short(left + LEGEND_TEXT));
        let (y, square_y) = (short(top + 18.0), short(top + 7.0));
        let (colour, name) = (stroke_colour(number), escape(name));
        // White behind the letters keeps them readable over lines.
        put!(
            self.svg,
            "<rect x=\"{x}\" y=\"{square_y}\" width=\"13\" height=\"13\" rx=\"3\" \
             fill=\"{colour}\"/>\n<text x=\"{text_x}\" y=\"{y}\" paint-order=\"stroke\" \
             stroke=\"#fff\" stroke-width=\"4\" stroke-opacity=\"0.8\">{name}</text>\n"
        );
    }

    /// Draws the two axes over everything, and ends the picture.
    pub(super) fn finish(mut self) -> String {
        let (left, right) = (short(x_px(0.0)), short(x_px(1.0)));
        let (top, bottom) = (short(y_px(1.0)), short(y_px(0.0)));
        let (ink, height) = (Colour::INK, self.height);
        put!(
            self.svg,
            "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{ink}\"/>\n</svg>\n"
        );
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"13\" fill=\"{ink}\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        svg.push_str(&self.svg);
        svg
    }
}
