//! Shapes in pixels, and both ways to draw them: as SVG and onto a canvas.

use std::fmt::Write;

use crate::canvas::Canvas;
use crate::raster::dashes;
use crate::xml::{escape, put, short, tenths};
use crate::{Colour, Point};

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) width: f64,
    pub(super) is_dashed: bool,
    /// A white rim separates the line from what is below it.
    pub(super) has_rim: bool,
}

impl Pen {
    pub(super) const fn thin(colour: Colour, width: f64) -> Self {
        Self { colour, width, is_dashed: false, has_rim: false }
    }
}

/// What a mark looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Disc,
    Ring,
    Diamond,
}

/// A shape in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Polygons of one colour, filled.
    Areas { polygons: Vec<Vec<Point>>, fill: Colour, opacity: f64 },
    /// Lines of one look.
    Lines { lines: Vec<Vec<Point>>, pen: Pen },
    /// A mark with a white rim.
    Mark { symbol: Symbol, at: Point, radius: f64, colour: Colour },
    /// Text, which only SVG shows.
    Text { at: Point, text: String },
}

/// The SVG of shapes, and of the legend below them.
pub(super) fn svg(shapes: &[Shape], width: f64, height: f64, legend: &str) -> String {
    let (width, height) = (width.ceil(), height.ceil());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"14\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    shapes.iter().for_each(|shape| shape.write(&mut svg));
    svg + legend + "</svg>\n"
}

impl Shape {
    pub(super) fn write(&self, svg: &mut String) {
        match self {
            Self::Areas { polygons, fill, opacity } => {
                put!(svg, "<path fill=\"{fill}\" fill-opacity=\"{}\" d=\"", short(*opacity));
                polygons.iter().for_each(|polygon| path_data(svg, polygon, "z"));
                svg.push_str("\"/>\n");
            }
            Self::Lines { lines, pen } => {
                if pen.has_rim {
                    let white = Pen { colour: Colour::WHITE, width: pen.width + 2.5, ..*pen };
                    write_lines(svg, lines, white);
                }
                write_lines(svg, lines, *pen);
            }
            Self::Mark { symbol, at, radius, colour } => {
                write_mark(svg, *symbol, *at, *radius, *colour);
            }
            Self::Text { at, text } => {
                put!(svg, "<text x=\"{}\" y=\"{}\" ", short(at.x), short(at.y));
                put!(svg, "fill=\"{}\">{}</text>\n", Colour::INK, escape(text));
            }
        }
    }

    pub(super) fn paint(&self, canvas: &mut Canvas) {
        match self {
            Self::Areas { polygons, fill, opacity } => {
                polygons.iter().for_each(|polygon| canvas.polygon(polygon, *fill, *opacity));
            }
            Self::Lines { lines, pen } => paint_lines(canvas, lines, *pen),
            Self::Mark { symbol, at, radius, colour } => match symbol {
                Symbol::Disc => {
                    canvas.disc(*at, *radius, Colour::WHITE);
                    canvas.disc(*at, radius * 0.8, *colour);
                }
                Symbol::Ring => {
                    canvas.disc(*at, *radius, Colour::WHITE);
                    canvas.ring(*at, radius * 0.75, radius * 0.3, *colour);
                }
                Symbol::Diamond => {
                    canvas.diamond(*at, *radius, Colour::WHITE);
                    canvas.diamond(*at, radius * 0.75, *colour);
                }
            },
            Self::Text { .. } => {}
        }
    }
}

fn path_data(svg: &mut String, points: &[Point], end: &str) {
    for (number, point) in points.iter().enumerate() {
        let command = if number == 0 { "M" } else { "L" };
        put!(svg, "{command}{} {}", tenths(point.x), tenths(point.y));
    }
    svg.push_str(end);
}

fn write_lines(svg: &mut String, lines: &[Vec<Point>], pen: Pen) {
    let dash = if pen.is_dashed { " stroke-dasharray=\"6 5\"" } else { "" };
    put!(svg, "<path fill=\"none\" stroke=\"{}\" ", pen.colour);
    put!(svg, "stroke-width=\"{}\" stroke-linecap=\"round\" ", short(pen.width));
    put!(svg, "stroke-linejoin=\"round\"{dash} d=\"");
    lines.iter().for_each(|line| path_data(svg, line, ""));
    svg.push_str("\"/>\n");
}

pub(super) fn write_mark(svg: &mut String, symbol: Symbol, at: Point, radius: f64, colour: Colour) {
    let (x, y, r) = (short(at.x), short(at.y), short(radius * 0.85));
    match symbol {
        Symbol::Disc => {
            put!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" ");
            put!(svg, "fill=\"{colour}\" stroke=\"#fff\"/>\n");
        }
        Symbol::Ring => {
            put!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#fff\" ");
            put!(svg, "stroke=\"{colour}\" stroke-width=\"{}\"/>\n", short(radius * 0.35));
        }
        Symbol::Diamond => {
            put!(
                svg,
                "<path d=\"M{x} {}l{r} {r}l-{r} {r}l-{r} -{r}z\" ",
                short(at.y - radius * 0.85)
            );
            put!(svg, "fill=\"{colour}\" stroke=\"#fff\"/>\n");
        }
    }
}

fn paint_lines(canvas: &mut Canvas, lines: &[Vec<Point>], pen: Pen) {
    let pieces = |line: &Vec<Point>| match pen.is_dashed {
        true => dashes(line, 5.5),
        false => line.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    };
    let pieces: Vec<(Point, Point)> = lines.iter().flat_map(pieces).collect();
    if pen.has_rim {
        for &(a, b) in &pieces {
            canvas.segment(a, b, pen.width + 2.5, Colour::WHITE);
        }
    }
    for (a, b) in pieces {
        canvas.segment(a, b, pen.width, pen.colour);
    }
}
