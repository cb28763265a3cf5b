//! The legend below a picture of a scene.

use std::fmt::Write;

use super::shapes::{Pen, Shape, Symbol};
use crate::xml::{escape, put};
use crate::{Colour, Point, heat_colour};

/// Height of one line, in pixels.
const LINE_PX: f64 = 24.0;
/// Width of a symbol, in pixels.
const SYMBOL_PX: f64 = 20.0;

/// What a look in the picture means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) look: Look,
    pub(super) label: String,
}

/// A look in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    Area(Colour),
    Line(Pen),
    Mark(Symbol, Colour),
    Heat,
}

/// The legend from `top` on, and its height. A line that is full is continued below.
pub(super) fn svg(entries: &[Entry], width: f64, top: f64) -> (String, f64) {
    let mut svg = String::new();
    let (mut x, mut lines) = (0.0, 1.0);
    for entry in entries {
        // No font is at hand to measure: its letters are about this wide.
        let length = SYMBOL_PX + 8.0 + entry.label.chars().count() as f64 * 8.5;
        if x > 0.0 && x + length > width - 20.0 {
            (x, lines) = (0.0, lines + 1.0);
        }
        let (left, middle) = (x + 20.0, top + (lines - 0.5) * LINE_PX);
        symbol(&mut svg, entry.look, left, middle);
        let text_left = left + SYMBOL_PX + 6.0;
        put!(svg, "<text x=\"{text_left}\" y=\"{}\" ", middle + 5.0);
        put!(svg, "fill=\"{}\">{}</text>\n", Colour::INK, escape(&entry.label));
        x += length + 16.0;
    }
    (svg, lines * LINE_PX + 8.0)
}

fn symbol(svg: &mut String, look: Look, left: f64, middle: f64) {
    let point = |x: f64, y: f64| Point { x: left + x, y: middle + y };
    let square = |from: f64, to: f64| {
        vec![point(from, -7.0), point(to, -7.0), point(to, 7.0), point(from, 7.0)]
    };
    match look {
        Look::Area(fill) => {
            Shape::Areas { polygons: vec![square(0.0, 16.0)], fill, opacity: 1.0 }.write(svg);
        }
        Look::Line(pen) => {
            let lines = vec![vec![point(0.0, 0.0), point(SYMBOL_PX, 0.0)]];
            Shape::Lines { lines, pen }.write(svg);
        }
        Look::Mark(symbol, colour) => {
            Shape::Mark { symbol, at: point(10.0, 0.0), radius: 7.0, colour }.write(svg);
        }
        Look::Heat => {
            for step in 0..5_u32 {
                let from = f64::from(step) * 4.0;
                let fill = heat_colour(f64::from(step) / 4.0);
                let polygons = vec![square(from, from + 4.0)];
                Shape::Areas { polygons, fill, opacity: 1.0 }.write(svg);
            }
        }
    }
}
