//! SVG: pictures for pages, sharp at every size.

use std::collections::BTreeMap;
use std::fmt::Write;

use throng_model::Map;

use crate::picture::{
    HEAT_OPACITY, Heat, Line, Mark, MarkKind, body_radius, mark_radius, stroke_width,
};
use crate::xml::{escape, put, short};
use crate::{Colour, Disc, Picture, Point, Scale, Stroke, heat_colour, terrain_colour};

/// The longer side of the map, in pixels.
const SIDE_WANTED_PX: u32 = 768;
/// A narrower picture has no room for the legend.
const WIDTH_PX_MIN: u32 = 320;
/// Height of one line of caption or legend, in pixels.
const LINE_PX: u32 = 24;
/// Least pixels per cell at which grid lines are drawn.
const GRID_CELL_PX_MIN: u32 = 12;

/// The picture as SVG.
///
/// Cells of one colour are merged into few large rectangles, so that a map of 512 x 512 cells stays
/// far below a megabyte.
#[must_use]
pub fn svg(picture: &Picture<'_>) -> String {
    svg_with(picture, "")
}

/// The picture with extra markup over its map, in units of cells.
pub(crate) fn svg_with(picture: &Picture<'_>, over: &str) -> String {
    let map = picture.map;
    let cell_px = Scale::Auto.cell_px(map, SIDE_WANTED_PX).unwrap_or(1);
    let (map_width, map_height) =
        (u32::from(map.width()) * cell_px, u32::from(map.height()) * cell_px);
    let width = map_width.max(WIDTH_PX_MIN).max(caption_width(picture));
    let mut footer = Footer { svg: String::new(), x: 0, y: map_height, width };
    footer.caption(picture);
    footer.legend(picture);
    let height = footer.y + if footer.y > map_height { LINE_PX / 3 } else { 0 };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <svg width=\"{map_width}\" height=\"{map_height}\" viewBox=\"0 0 {} {}\">\n",
        map.width(),
        map.height(),
    );
    terrain(&mut svg, map);
    if cell_px >= GRID_CELL_PX_MIN {
        grid(&mut svg, map);
    }
    if let Some(heat) = &picture.heat {
        heat_cells(&mut svg, map, heat);
    }
    let cell_px = f64::from(cell_px);
    picture.strokes.iter().for_each(|s| stroke(&mut svg, s, stroke_width(cell_px)));
    picture.marks.iter().for_each(|m| mark(&mut svg, m, mark_radius(cell_px)));
    picture.discs.iter().for_each(|d| disc(&mut svg, d));
    svg + over + "</svg>\n" + &footer.svg + "</svg>\n"
}

fn terrain(svg: &mut String, map: &Map) {
    let colours: Vec<Colour> = map.classes().iter().map(terrain_colour).collect();
    let mut counts = BTreeMap::new();
    for terrain in map.terrain() {
        *counts.entry(colours[terrain.get()]).or_insert(0_u32) += 1;
    }
    // The most frequent colour is the background of the others.
    let ground = counts.iter().max_by_key(|&(_, count)| count).map_or(Colour::WHITE, |(&c, _)| c);
    put!(svg, "<rect width=\"{}\" height=\"{}\" fill=\"{ground}\"/>\n", map.width(), map.height());
    let colour =
        |index: usize| Some(colours[map.terrain()[index].get()]).filter(|&colour| colour != ground);
    areas(svg, map, "shape-rendering=\"crispEdges\"", colour);
}

fn heat_cells(svg: &mut String, map: &Map, heat: &Heat) {
    let look = format!("shape-rendering=\"crispEdges\" fill-opacity=\"{HEAT_OPACITY}\"");
    areas(svg, map, &look, |index| heat.colour(index));
}

/// Draws the cells of each colour as one shape made of rectangles.
fn areas(svg: &mut String, map: &Map, look: &str, colour: impl Fn(usize) -> Option<Colour>) {
    let shapes = shapes(usize::from(map.width()), usize::from(map.height()), colour);
    put!(svg, "<g {look}>\n");
    for (colour, shape) in shapes {
        put!(svg, "<path fill=\"{colour}\" d=\"{shape}\"/>\n");
    }
    svg.push_str("</g>\n");
}

/// A run of cells of one colour in a row: colour, first column, columns.
type Run = (Colour, usize, usize);

/// The path data of each colour's cells: runs along a row, joined with equal runs below.
fn shapes(
    width: usize,
    height: usize,
    colour: impl Fn(usize) -> Option<Colour>,
) -> BTreeMap<Colour, String> {
    let mut shapes: BTreeMap<Colour, String> = BTreeMap::new();
    let mut finish = |(colour, x, length): Run, top: usize, bottom: usize| {
        let shape = shapes.entry(colour).or_default();
        put!(shape, "M{x} {top}h{length}v{}h-{length}z", bottom - top);
    };
    let mut open: BTreeMap<Run, usize> = BTreeMap::new();
    for y in 0..height {
        let mut next = BTreeMap::new();
        for run in runs(y * width, width, &colour) {
            next.insert(run, open.remove(&run).unwrap_or(y));
        }
        open.into_iter().for_each(|(run, top)| finish(run, top, y));
        open = next;
    }
    open.into_iter().for_each(|(run, top)| finish(run, top, height));
    shapes
}

fn runs(start: usize, width: usize, colour: impl Fn(usize) -> Option<Colour>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for x in 0..width {
        let Some(colour) = colour(start + x) else { continue };
        match runs.last_mut() {
            Some((last, from, length)) if *last == colour && *from + *length == x => *length += 1,
            _ => runs.push((colour, x, 1)),
        }
    }
    runs
}

fn grid(svg: &mut String, map: &Map) {
    let (width, height) = (map.width(), map.height());
    svg.push_str("<path stroke=\"#000\" stroke-opacity=\"0.08\" stroke-width=\"0.05\" d=\"");
    (1..width).for_each(|x| {
        put!(svg, "M{x} 0v{height}");
    });
    (1..height).for_each(|y| {
        put!(svg, "M0 {y}h{width}");
    });
    svg.push_str("\"/>\n");
}

fn stroke(svg: &mut String, stroke: &Stroke, width: f64) {
    let points: Vec<String> =
        stroke.corners().iter().map(|p| format!("{},{}", short(p.x), short(p.y))).collect();
    let points = points.join(" ");
    let dash = match stroke.line {
        Line::Solid => String::new(),
        Line::Dashed => format!(" stroke-dasharray=\"{0} {0}\"", short(width * 2.2)),
    };
    put!(svg, "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{dash}>");
    if !stroke.label.is_empty() {
        put!(svg, "<title>{}</title>", escape(&stroke.label));
    }
    for (colour, width) in [(Colour::WHITE, width * 1.7), (stroke.colour, width)] {
        let width = short(width);
        put!(svg, "<polyline stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{points}\"/>");
    }
    svg.push_str("</g>\n");
}

fn mark(svg: &mut String, mark: &Mark, radius: f64) {
    let colour = mark.paint();
    let Point { x, y } = mark.at;
    put!(svg, "<g><title>{}</title>", mark.kind.label());
    match mark.kind {
        MarkKind::Start => {
            circle(svg, mark.at, radius, "fill=\"#fff\"");
            circle(svg, mark.at, radius * 0.75, &format!("fill=\"{colour}\""));
        }
        MarkKind::Goal => {
            let rim = short(radius * 0.3);
            let look = format!("fill=\"#fff\" stroke=\"{colour}\" stroke-width=\"{rim}\"");
            circle(svg, mark.at, radius * 0.85, &look);
            circle(svg, mark.at, radius * 0.35, &format!("fill=\"{colour}\""));
        }
        MarkKind::Ring => {
            let width = radius * 0.25;
            let look =
                format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"", short(width));
            circle(svg, mark.at, body_radius(mark.footprint) - width / 2.0, &look);
        }
        MarkKind::Door => {
            let (r, rim) = (radius, short(radius * 0.25));
            let look =
                format!("fill=\"{colour}\" stroke=\"{}\" stroke-width=\"{rim}\"", Colour::INK);
            polygon(svg, &[(x - r, y), (x, y - r), (x + r, y), (x, y + r)], &look);
        }
        MarkKind::Broken => {
            cross(svg, mark.at, radius, Colour::WHITE, 0.75);
            cross(svg, mark.at, radius, colour, 0.45);
        }
    }
    svg.push_str("</g>\n");
}

fn cross(svg: &mut String, centre: Point, radius: f64, colour: Colour, thickness: f64) {
    let (left, right) = (short(centre.x - radius), short(centre.x + radius));
    let (top, bottom) = (short(centre.y - radius), short(centre.y + radius));
    let width = short(radius * thickness);
    put!(
        svg,
        "<path stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
         d=\"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}\"/>"
    );
}

fn polygon(svg: &mut String, corners: &[(f64, f64)], look: &str) {
    let points: Vec<String> =
        corners.iter().map(|&(x, y)| format!("{},{}", short(x), short(y))).collect();
    put!(svg, "<polygon points=\"{}\" {look}/>", points.join(" "));
}

fn circle(svg: &mut String, centre: Point, radius: f64, look: &str) {
    let (x, y, radius) = (short(centre.x), short(centre.y), short(radius));
    put!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>");
}

fn disc(svg: &mut String, disc: &Disc) {
    circle(svg, disc.centre, body_radius(disc.footprint) * 0.92, &disc_look(disc));
    svg.push('\n');
}

fn disc_look(disc: &Disc) -> String {
    let rim = disc.colour.under(Colour::hex(0), 0.45);
    let width = short(body_radius(disc.footprint) * 0.16);
    format!("fill=\"{}\" stroke=\"{rim}\" stroke-width=\"{width}\"", disc.colour)
}

/// A disc that moves from point to point, each in the same time, and starts over at the end.
pub(crate) fn moving_disc(svg: &mut String, disc: &Disc, places: &[Point], gap_ms: u32) {
    let radius = short(body_radius(disc.footprint) * 0.92);
    put!(svg, "<circle r=\"{radius}\" {}>", disc_look(disc));
    let duration_ms = u64::from(gap_ms) * (places.len() as u64).saturating_sub(1);
    let mut animate = |name: &str, values: Vec<String>| {
        let values = values.join(";");
        put!(svg, "<animate attributeName=\"{name}\" dur=\"{duration_ms}ms\" ");
        put!(svg, "repeatCount=\"indefinite\" values=\"{values}\"/>");
    };
    animate("cx", places.iter().map(|place| short(place.x)).collect());
    animate("cy", places.iter().map(|place| short(place.y)).collect());
    svg.push_str("</circle>\n");
}

/// The approximate width of a text. No font is available to measure: 8 pixels per letter are enough
/// for most.
fn text_width(text: &str) -> u32 {
    8 * u32::try_from(text.chars().count()).unwrap_or(u32::MAX).min(1 << 16)
}

/// The width of a caption; one longer than a page is cut off.
fn caption_width(picture: &Picture<'_>) -> u32 {
    const WIDTH_PX_MAX: u32 = 1200;
    picture.caption.as_deref().map_or(0, |caption| text_width(caption).min(WIDTH_PX_MAX))
}

/// The lines under the map; `y` is the start of the next one.
struct Footer {
    svg: String,
    x: u32,
    y: u32,
    width: u32,
}

impl Footer {
    fn caption(&mut self, picture: &Picture<'_>) {
        let Some(caption) = &picture.caption else { return };
        let (y, text) = (self.y + 18, escape(caption));
        put!(self.svg, "<text x=\"4\" y=\"{y}\" font-size=\"14\" fill=\"{}\">", Colour::INK);
        put!(self.svg, "{text}</text>\n");
        self.y += LINE_PX;
    }

    fn legend(&mut self, picture: &Picture<'_>) {
        if !picture.legend {
            return;
        }
        self.y += LINE_PX;
        for (label, colour) in terrain_entries(picture.map) {
            let box_look = format!("fill=\"{colour}\" stroke=\"#999\" stroke-width=\"0.5\"");
            self.entry(&label, &format!("<rect width=\"14\" height=\"14\" {box_look}/>"));
        }
        if let Some(heat) = &picture.heat {
            self.heat(heat);
        }
        for stroke in picture.strokes.iter().filter(|stroke| !stroke.label.is_empty()) {
            let dash = if stroke.line == Line::Dashed { " stroke-dasharray=\"4 3\"" } else { "" };
            let look = format!("stroke=\"{}\" stroke-width=\"3\"{dash}", stroke.colour);
            self.entry(&stroke.label, &format!("<path d=\"M0 7h14\" {look}/>"));
        }
        for kind in MarkKind::ALL {
            if let Some(first) = picture.marks.iter().find(|mark| mark.kind == kind) {
                let mut symbol = String::new();
                let at = Point { x: 7.0, y: 7.0 };
                mark(&mut symbol, &Mark { at, footprint: 14, ..*first }, 6.0);
                self.entry(kind.label(), symbol.trim_end());
            }
        }
    }

    /// A symbol of 14 x 14 pixels and its meaning; it starts a new line when this one is full.
    fn entry(&mut self, label: &str, symbol: &str) {
        let length = 14 + 6 + text_width(label);
        if self.x > 0 && self.x.saturating_add(length) > self.width {
            self.x = 0;
            self.y += LINE_PX;
        }
        let (x, y, text) = (self.x + 4, self.y - 17, escape(label));
        put!(self.svg, "<g transform=\"translate({x} {y})\">{symbol}");
        put!(self.svg, "<text x=\"20\" y=\"12\" fill=\"{}\">{text}</text></g>\n", Colour::INK);
        self.x = self.x.saturating_add(length + 14);
    }

    fn heat(&mut self, heat: &Heat) {
        let label = format!(
            "{}: {} (light) to {} (dark)",
            heat.label,
            short(heat.least),
            short(heat.largest)
        );
        let mut scale = String::new();
        for step in 0..7_u32 {
            let (x, colour) = (step * 2, heat_colour(f64::from(step) / 6.0));
            put!(scale, "<rect x=\"{x}\" width=\"2\" height=\"14\" fill=\"{colour}\"/>");
        }
        self.entry(&label, &scale);
    }
}

/// The terrain that occurs, with its factor where a step onto it costs more than on plain ground.
fn terrain_entries(map: &Map) -> Vec<(String, Colour)> {
    let mut occurs = vec![false; map.classes().len()];
    map.terrain().iter().for_each(|terrain| occurs[terrain.get()] = true);
    let classes = map.classes().iter().zip(occurs).filter(|&(_, occurs)| occurs);
    classes
        .map(|(class, _)| {
            let label = match class.factor {
                Some(factor) if factor.get() > 1 => format!("{} × {factor}", class.name),
                _ => class.name.clone(),
            };
            (label, terrain_colour(class))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_of_neighbouring_rows_become_one_rectangle() {
        let rows = ["##..", "##.#", ".#.#"].concat().into_bytes();
        let colour = |i: usize| (rows[i] == b'#').then_some(Colour::INK);
        let drawn = shapes(4, 3, colour).remove(&Colour::INK).unwrap();
        assert_eq!(drawn, "M0 0h2v2h-2zM1 2h1v1h-1zM3 1h1v2h-1z");
    }
}
