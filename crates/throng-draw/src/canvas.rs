//! A canvas of pixels, with shapes that have smooth edges.

use crate::{Colour, DrawError, Point};

/// Most pixels in one picture, about 96 MiB: every map fits at one pixel per cell.
pub const PIXELS_MAX: u64 = 1 << 25;

#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<Colour>,
}

impl Canvas {
    /// A white canvas.
    pub(crate) fn new(width: u64, height: u64, side_max: u32) -> Result<Self, DrawError> {
        let error = DrawError::TooLarge { width, height, side_max };
        let side = |side: u64| u32::try_from(side).ok().filter(|&s| s <= side_max);
        let (Some(w), Some(h)) = (side(width), side(height)) else { return Err(error) };
        let count = u64::from(w) * u64::from(h);
        if count > PIXELS_MAX {
            return Err(error);
        }
        Ok(Self { width: w, height: h, pixels: vec![Colour::WHITE; count as usize] })
    }

    /// Fills a rectangle that lies on the canvas.
    pub(crate) fn fill(&mut self, left: u32, top: u32, width: u32, height: u32, colour: Colour) {
        for y in top..top + height {
            let start = y as usize * self.width as usize + left as usize;
            self.pixels[start..start + width as usize].fill(colour);
        }
    }

    /// Blends a colour over a rectangle that lies on the canvas.
    pub(crate) fn tint(
        &mut self,
        (left, top): (u32, u32),
        side: u32,
        colour: Colour,
        opacity: f64,
    ) {
        for y in top..top + side {
            let start = y as usize * self.width as usize + left as usize;
            for pixel in &mut self.pixels[start..start + side as usize] {
                *pixel = pixel.under(colour, opacity);
            }
        }
    }

    /// Paints the shape whose border is where `distance` (in pixels, negative inside) is
    /// zero, within `reach` pixels of `centre`. A pixel that the border crosses is mixed.
    fn shape(
        &mut self,
        centre: Point,
        reach: f64,
        colour: Colour,
        distance: impl Fn(f64, f64) -> f64,
    ) {
        let (left, right) = range(centre.x, reach, self.width);
        let (top, bottom) = range(centre.y, reach, self.height);
        for y in top..bottom {
            self.row(y, (left, right), colour, &distance);
        }
    }

    fn row(
        &mut self,
        y: u32,
        (left, right): (u32, u32),
        colour: Colour,
        distance: impl Fn(f64, f64) -> f64,
    ) {
        let start = y as usize * self.width as usize;
        for x in left..right {
            let inside = 0.5 - distance(f64::from(x) + 0.5, f64::from(y) + 0.5);
            if inside > 0.0 {
                let pixel = &mut self.pixels[start + x as usize];
                *pixel = pixel.under(colour, inside);
            }
        }
    }

    pub(crate) fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.shape(centre, radius + 1.0, colour, |x, y| from(centre, x, y) - radius);
    }

    pub(crate) fn ring(&mut self, centre: Point, radius: f64, thickness: f64, colour: Colour) {
        let distance = |x, y| (from(centre, x, y) - radius).abs() - thickness / 2.0;
        self.shape(centre, radius + thickness + 1.0, colour, distance);
    }

    pub(crate) fn diamond(&mut self, centre: Point, radius: f64, colour: Colour) {
        let distance =
            |x: f64, y: f64| ((x - centre.x).abs() + (y - centre.y).abs() - radius) * 0.707;
        self.shape(centre, radius + 1.0, colour, distance);
    }

    /// A filled polygon, by even-odd coverage of four lines per row of pixels.
    pub(crate) fn polygon(&mut self, corners: &[Point], colour: Colour, opacity: f64) {
        const LINES: u32 = 4;
        let low = corners.iter().map(|corner| corner.y).fold(f64::INFINITY, f64::min);
        let high = corners.iter().map(|corner| corner.y).fold(f64::NEG_INFINITY, f64::max);
        let (top, bottom) = range((low + high) / 2.0, (high - low) / 2.0, self.height);
        let mut covered = vec![0.0; self.width as usize];
        let mut crossings = Vec::new();
        for y in top..bottom {
            covered.fill(0.0);
            for line in 0..LINES {
                let height = f64::from(y) + (f64::from(line) + 0.5) / f64::from(LINES);
                crossings_at(corners, height, &mut crossings);
                for pair in crossings.chunks_exact(2) {
                    cover(&mut covered, pair[0], pair[1], opacity / f64::from(LINES));
                }
            }
            let start = y as usize * self.width as usize;
            for (pixel, share) in self.pixels[start..].iter_mut().zip(&covered) {
                if *share > 0.0 {
                    *pixel = pixel.under(colour, *share);
                }
            }
        }
    }

    /// A thick line with round ends.
    pub(crate) fn segment(&mut self, a: Point, b: Point, thickness: f64, colour: Colour) {
        let reach = thickness / 2.0 + 1.0;
        let (top, bottom) = range((a.y + b.y) / 2.0, (a.y - b.y).abs() / 2.0 + reach, self.height);
        for y in top..bottom {
            // Only the part of the line near this row.
            let at = |edge: f64| a.towards(b, (f64::from(y) + 0.5 + edge - a.y) / (b.y - a.y));
            let is_level = (b.y - a.y).abs() < 1e-9;
            let (from, to) = if is_level { (a, b) } else { (at(-reach), at(reach)) };
            let middle = Point { x: (from.x + to.x) / 2.0, y: f64::from(y) + 0.5 };
            let distance = |x, y| from_segment(a, b, x, y) - thickness / 2.0;
            self.row(
                y,
                range(middle.x, (from.x - to.x).abs() / 2.0 + reach, self.width),
                colour,
                distance,
            );
        }
    }
}

/// Where the edges of a polygon cross a height, from left to right.
fn crossings_at(corners: &[Point], height: f64, crossings: &mut Vec<f64>) {
    crossings.clear();
    let next = corners.iter().cycle().skip(1);
    for (a, b) in corners.iter().zip(next) {
        if (a.y <= height) != (b.y <= height) {
            crossings.push(a.x + (b.x - a.x) * (height - a.y) / (b.y - a.y));
        }
    }
    crossings.sort_by(f64::total_cmp);
}

/// Adds the share of each pixel of a row that lies between two coordinates.
#[expect(clippy::cast_sign_loss, reason = "clamped to the row")]
fn cover(row: &mut [f64], from: f64, to: f64, weight: f64) {
    let side = row.len() as f64;
    let (from, to) = (from.clamp(0.0, side), to.clamp(0.0, side));
    let (first, last) = (from.floor() as usize, to.ceil() as usize);
    for (pixel, left) in row.iter_mut().zip(0_u32..).take(last).skip(first) {
        let left = f64::from(left);
        *pixel += weight * (to.min(left + 1.0) - from.max(left)).max(0.0);
    }
}

/// The pixels within `reach` of a coordinate.
#[expect(clippy::cast_sign_loss, reason = "a float below zero becomes 0: the canvas's edge")]
fn range(centre: f64, reach: f64, side: u32) -> (u32, u32) {
    let (first, last) = ((centre - reach).floor() as u32, (centre + reach).ceil() as u32);
    (first.min(side), last.min(side))
}

fn from(point: Point, x: f64, y: f64) -> f64 {
    let (dx, dy) = (x - point.x, y - point.y);
    (dx * dx + dy * dy).sqrt()
}

fn from_segment(a: Point, b: Point, x: f64, y: f64) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let along = ((x - a.x) * dx + (y - a.y) * dy) / square;
    // A segment without length is a dot: its share is not a number.
    let nearest = a.towards(b, along);
    from(nearest, x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = Colour::hex(0);

    fn covered(draw: impl Fn(&mut Canvas)) -> f64 {
        let mut canvas = Canvas::new(40, 30, 100).unwrap();
        draw(&mut canvas);
        canvas.pixels.iter().map(|p| 1.0 - f64::from(p.r) / 255.0).sum()
    }

    fn check(draw: impl Fn(&mut Canvas), expected: f64) {
        let area = covered(draw);
        assert!((area - expected).abs() < 0.04 * expected + 0.2, "{area} is not {expected}");
    }

    #[test]
    fn shapes_cover_the_area_that_geometry_says() {
        let middle = Point { x: 20.0, y: 15.0 };
        let pi = std::f64::consts::PI;
        check(|c| c.disc(middle, 10.0, BLACK), pi * 100.0);
        check(|c| c.ring(middle, 8.0, 3.0, BLACK), pi * 16.0 * 3.0);
        check(|c| c.diamond(middle, 8.0, BLACK), 128.0);
        let kite = [(20.0, 5.0), (30.0, 15.0), (20.0, 25.0), (14.0, 15.0)];
        check(|c| c.polygon(&kite.map(|(x, y)| Point { x, y }), BLACK, 1.0), 160.0);
        let end = Point { x: 35.0, y: 15.0 };
        check(|c| c.segment(middle, end, 4.0, BLACK), 60.0 + pi * 4.0);
        check(|c| c.segment(middle, middle, 4.0, BLACK), pi * 4.0);
        let slanted = Point { x: 10.0, y: 5.0 };
        check(|c| c.segment(middle, slanted, 4.0, BLACK), 200_f64.sqrt() * 4.0 + pi * 4.0);
        let steep = Point { x: 21.0, y: 25.0 };
        check(|c| c.segment(steep, middle, 4.0, BLACK), 101_f64.sqrt() * 4.0 + pi * 4.0);
    }

    #[test]
    fn shapes_off_the_canvas_are_cut_off() {
        check(|c| c.disc(Point { x: 0.0, y: 0.0 }, 10.0, BLACK), std::f64::consts::PI * 25.0);
        check(|c| c.disc(Point { x: -500.0, y: 9e9 }, 10.0, BLACK), 0.0);
    }

    #[test]
    fn sizes_past_the_limit_are_refused_before_allocation() {
        for (width, height) in [(u64::MAX, 1), (70_000, 1), (65_000, 65_000)] {
            let refused = Canvas::new(width, height, 65_535).err();
            assert_eq!(refused, Some(DrawError::TooLarge { width, height, side_max: 65_535 }));
        }
    }
}
