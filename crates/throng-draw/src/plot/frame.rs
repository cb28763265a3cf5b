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
    /// The position of the next line of the legend.
    legend_at: (f64, f64),
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
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"13\" fill=\"{}\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n",
            Colour::INK
        );
        let (middle, title) = (WIDTH / 2.0, escape(title));
        put!(
            svg,
            "<text x=\"{middle}\" y=\"28\" font-size=\"17\" font-weight=\"600\" \
             text-anchor=\"middle\">{title}</text>\n"
        );
        Self { svg, legend_at: (LEFT, TOP) }
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

    /// Puts a legend of these names into the corner where it covers the fewest of these places; ties
    /// go to the upper left.
    pub(super) fn place_legend(&mut self, names: &[&str], points: &[(f64, f64)]) {
        let letters = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = LEGEND_TEXT + letters as f64 * LETTER;
        let height = (names.len() as f64 + 0.5) * LEGEND_LINE;
        let (right, bottom) = (WIDTH - RIGHT - width, HEIGHT - BOTTOM - height);
        let covered = |&(x, y): &(f64, f64)| {
            let is_under = |&&(px, py): &&(f64, f64)| {
                (x..x + width).contains(&px) && (y..y + height).contains(&py)
            };
            points.iter().filter(is_under).count()
        };
        let corners = [(LEFT, TOP), (right, TOP), (LEFT, bottom), (right, bottom)];
        self.legend_at = corners.into_iter().min_by_key(covered).unwrap_or(self.legend_at);
    }

    /// A line in the legend.
    pub(super) fn legend(&mut self, number: usize, name: &str) {
        let (left, top) = self.legend_at;
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
        self.legend_at.1 += LEGEND_LINE;
    }

    /// Draws the two axes over everything, and ends the picture.
    pub(super) fn finish(mut self) -> String {
        let (left, right) = (short(x_px(0.0)), short(x_px(1.0)));
        let (top, bottom) = (short(y_px(1.0)), short(y_px(0.0)));
        put!(
            self.svg,
            "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{}\"/>\n</svg>\n",
            Colour::INK
        );
        self.svg
    }
}
