//! Draws a picture onto a canvas.

use throng_model::{Map, TerrainId};

use crate::canvas::Canvas;
use crate::picture::{HEAT_OPACITY, Line, Mark, MarkKind, body_radius, mark_radius, stroke_width};
use crate::{Colour, Disc, DrawError, Picture, Point, Stroke, terrain_colour};

/// Least pixels per cell at which grid lines are drawn: below, they would hide the map.
const GRID_CELL_PX_MIN: u32 = 12;
/// How much darker a grid line is.
const GRID_OPACITY: f64 = 0.07;

/// Draws terrain; it has the colour of each class.
pub(crate) struct Terrain {
    colours: Vec<Colour>,
    cell_px: u32,
}

impl Terrain {
    pub(crate) fn new(map: &Map, cell_px: u32) -> Self {
        Self { colours: map.classes().iter().map(terrain_colour).collect(), cell_px }
    }

    /// A canvas with the bare map.
    pub(crate) fn canvas(&self, map: &Map, side_max: u32) -> Result<Canvas, DrawError> {
        let side = |cells: u16| u64::from(cells) * u64::from(self.cell_px);
        let mut canvas = Canvas::new(side(map.width()), side(map.height()), side_max)?;
        let cells = map.cells().zip(map.terrain());
        for (cell, &terrain) in cells {
            self.cell(&mut canvas, u32::from(cell.x), u32::from(cell.y), terrain);
        }
        Ok(canvas)
    }

    /// Draws one cell.
    pub(crate) fn cell(&self, canvas: &mut Canvas, x: u32, y: u32, terrain: TerrainId) {
        let colour = self.colours[terrain.get()];
        let side = self.cell_px;
        let (left, top) = (x * side, y * side);
        if side < GRID_CELL_PX_MIN {
            return canvas.fill(left, top, side, side, colour);
        }
        canvas.fill(left, top, side, side, colour.under(Colour::hex(0), GRID_OPACITY));
        canvas.fill(left, top, side - 1, side - 1, colour);
    }
}

/// Draws everything over the terrain.
pub(crate) fn overlays(canvas: &mut Canvas, picture: &Picture<'_>, cell_px: u32) {
    heat(canvas, picture, cell_px);
    let brush = Brush { cell_px: f64::from(cell_px) };
    for stroke in &picture.strokes {
        brush.stroke(canvas, stroke);
    }
    for mark in &picture.marks {
        brush.mark(canvas, mark);
    }
    for disc in &picture.discs {
        brush.disc(canvas, disc);
    }
}

fn heat(canvas: &mut Canvas, picture: &Picture<'_>, cell_px: u32) {
    let Some(heat) = &picture.heat else { return };
    for (index, cell) in picture.map.cells().enumerate() {
        if let Some(colour) = heat.colour(index) {
            let corner = (u32::from(cell.x) * cell_px, u32::from(cell.y) * cell_px);
            canvas.tint(corner, cell_px, colour, HEAT_OPACITY);
        }
    }
}

struct Brush {
    cell_px: f64,
}

impl Brush {
    fn pixel(&self, point: Point) -> Point {
        Point { x: point.x * self.cell_px, y: point.y * self.cell_px }
    }

    fn stroke(&self, canvas: &mut Canvas, stroke: &Stroke) {
        let thickness = stroke_width(self.cell_px) * self.cell_px;
        let corners: Vec<Point> = stroke.corners().into_iter().map(|p| self.pixel(p)).collect();
        let pieces = match stroke.line {
            Line::Solid => corners.windows(2).map(|pair| (pair[0], pair[1])).collect(),
            Line::Dashed => dashes(&corners, thickness * 2.2),
        };
        // A light rim separates the line from dark ground; one pixel per cell leaves no room for it.
        if self.cell_px >= 4.0 {
            for &(a, b) in &pieces {
                canvas.segment(a, b, thickness * 1.7, Colour::WHITE);
            }
        }
        for (a, b) in pieces {
            canvas.segment(a, b, thickness, stroke.colour);
        }
    }

    fn mark(&self, canvas: &mut Canvas, mark: &Mark) {
        let centre = self.pixel(mark.at);
        let radius = mark_radius(self.cell_px) * self.cell_px;
        let colour = mark.paint();
        match mark.kind {
            MarkKind::Start => {
                canvas.disc(centre, radius, Colour::WHITE);
                canvas.disc(centre, radius * 0.75, colour);
            }
            MarkKind::Goal => {
                canvas.disc(centre, radius, Colour::WHITE);
                canvas.ring(centre, radius * 0.85, radius * 0.3, colour);
                canvas.disc(centre, radius * 0.35, colour);
            }
            MarkKind::Ring => {
                let thickness = (0.1 * self.cell_px).max(1.0);
                let radius = body_radius(mark.footprint) * self.cell_px - thickness / 2.0;
                canvas.ring(centre, radius.max(1.0), thickness, colour);
            }
            MarkKind::Door => {
                canvas.diamond(centre, radius * 1.15, Colour::INK);
                canvas.diamond(centre, radius * 0.8, colour);
            }
            MarkKind::Broken => cross(canvas, centre, radius, colour),
        }
    }

    fn disc(&self, canvas: &mut Canvas, disc: &Disc) {
        let radius = (body_radius(disc.footprint) * self.cell_px).max(1.0);
        let centre = self.pixel(disc.centre);
        // A rim only where part of the disc remains.
        if radius >= 4.0 {
            canvas.disc(centre, radius, disc.colour.under(Colour::hex(0), 0.45));
            canvas.disc(centre, radius - (radius * 0.16).max(1.0), disc.colour);
        } else {
            canvas.disc(centre, radius, disc.colour);
        }
    }
}

fn cross(canvas: &mut Canvas, centre: Point, radius: f64, colour: Colour) {
    let at = |dx: f64, dy: f64| Point { x: centre.x + dx * radius, y: centre.y + dy * radius };
    for (thickness, colour) in [(radius * 0.75, Colour::WHITE), (radius * 0.45, colour)] {
        canvas.segment(at(-1.0, -1.0), at(1.0, 1.0), thickness, colour);
        canvas.segment(at(-1.0, 1.0), at(1.0, -1.0), thickness, colour);
    }
}

/// Cuts a line into dashes with gaps of the same length.
pub(crate) fn dashes(corners: &[Point], dash_px: f64) -> Vec<(Point, Point)> {
    let mut pieces = Vec::new();
    let mut walked = 0.0;
    for pair in corners.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let length = ((b.x - a.x).powi(2) + (b.y - a.y).powi(2)).sqrt();
        let mut from = 0.0;
        while from < length {
            let phase: f64 = (walked + from) % (2.0 * dash_px);
            let left = if phase < dash_px { dash_px - phase } else { 2.0 * dash_px - phase };
            // Rounding must not stop the loop's progress.
            let to = (from + left.max(0.01)).min(length);
            if phase < dash_px {
                pieces.push((a.towards(b, from / length), a.towards(b, to / length)));
            }
            from = to;
        }
        walked += length;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_dashed_line_is_drawn() {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 37.0)].map(|(x, y)| Point { x, y });
        let drawn: f64 =
            dashes(&corners, 5.0).iter().map(|(a, b)| (b.x - a.x).abs() + (b.y - a.y).abs()).sum();
        assert!((drawn - 137.0 / 2.0).abs() < 5.0, "{drawn}");
        assert!(dashes(&[corners[0], corners[0]], 5.0).is_empty());
    }
}
