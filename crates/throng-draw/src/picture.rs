//! The content of a picture: a map and the layers over it.

use throng_model::{Cell, Map, Plan};

use crate::{Colour, DrawError, heat_colour, stroke_colour, unit_colour};

/// A map and everything drawn over it, from bottom to top: heat, paths, marks, discs. Parts off the
/// map are cut off.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub(crate) map: &'a Map,
    pub(crate) caption: Option<String>,
    pub(crate) legend: bool,
    pub(crate) heat: Option<Heat>,
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) discs: Vec<Disc>,
}

impl<'a> Picture<'a> {
    /// The bare map.
    #[must_use]
    pub fn new(map: &'a Map) -> Self {
        Self {
            map,
            caption: None,
            legend: false,
            heat: None,
            strokes: Vec::new(),
            marks: Vec::new(),
            discs: Vec::new(),
        }
    }

    /// A line of text under the picture (SVG only).
    #[must_use]
    pub fn caption(mut self, text: &str) -> Self {
        self.caption = Some(text.to_owned());
        self
    }

    /// Explains colours, lines and marks under the picture (SVG only).
    #[must_use]
    pub fn legend(mut self) -> Self {
        self.legend = true;
        self
    }

    /// Colours cells by a value, such as nodes expanded or distances. `values` go row by row; a cell
    /// without value keeps the look of its terrain. The scale runs from the smallest to the largest
    /// value; if they are equal, the cells have the colour in its middle.
    ///
    /// # Errors
    /// When the number of values differs from that of cells, or one is infinite or not a number.
    pub fn heat(mut self, label: &str, values: &[Option<f64>]) -> Result<Self, DrawError> {
        self.heat = Some(Heat::new(label, self.map, values)?);
        Ok(self)
    }

    /// A path through the centres of cells, in the next colour. Cells need not be adjacent, as in
    /// a smoothed path.
    #[must_use]
    pub fn path(self, label: &str, cells: &[Cell]) -> Self {
        let colour = stroke_colour(self.strokes.len());
        self.stroke(Stroke::new(label, cells, colour))
    }

    /// A path with its own style.
    #[must_use]
    pub fn stroke(mut self, stroke: Stroke) -> Self {
        self.strokes.push(stroke);
        self
    }

    /// Marks a cell.
    #[must_use]
    pub fn mark(self, kind: MarkKind, cell: Cell) -> Self {
        self.marked(Mark::new(kind, cell))
    }

    /// Adds a mark with its own style.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// Adds a round body, such as a unit.
    #[must_use]
    pub fn disc(mut self, disc: Disc) -> Self {
        self.discs.push(disc);
        self
    }

    /// The path of every unit, with its start and end, in the unit's colour.
    #[must_use]
    pub fn plan(mut self, plan: &Plan) -> Self {
        for (unit, path) in plan.paths.iter().enumerate() {
            let colour = unit_colour(unit);
            self = self.stroke(Stroke::new("", path, colour));
            if let (Some(&start), Some(&goal)) = (path.first(), path.last()) {
                self = self.marked(Mark::ring(unit, goal, 1));
                self = self.disc(Disc::unit(unit, Point::centre(start, 1), 1));
            }
        }
        self
    }
}

/// The number of pixels per cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// As many as bring the longer side near a thousand pixels, between 1 and 32.
    #[default]
    Auto,
    /// Exactly this many.
    Pixels(u16),
}

impl Scale {
    /// Pixels per side of each cell of this map, for a longer side of about `wanted`.
    pub(crate) fn cell_px(self, map: &Map, wanted: u32) -> Result<u32, DrawError> {
        let side = u32::from(map.width().max(map.height()));
        match self {
            Self::Auto => Ok((wanted / side).clamp(1, 32)),
            Self::Pixels(0) => Err(DrawError::ZeroScale),
            Self::Pixels(pixels) => Ok(u32::from(pixels)),
        }
    }
}

/// The width of paths, in cells of the given pixels: a share of the cell, but wide enough to be
/// seen.
pub(crate) fn stroke_width(cell_px: f64) -> f64 {
    (0.2_f64).max(if cell_px < 3.0 { 1.5 } else { 3.0 } / cell_px)
}

/// The radius of marks, in cells of the given pixels.
pub(crate) fn mark_radius(cell_px: f64) -> f64 {
    (0.36_f64).max(if cell_px < 3.0 { 4.0 } else { 6.0 } / cell_px)
}

/// The radius of bodies, in cells.
pub(crate) fn body_radius(footprint: u8) -> f64 {
    f64::from(footprint) * 0.42
}

/// A point on the map in cells, also between cells. Always finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    /// The centre of a body of `footprint` x `footprint` cells whose position is `cell`.
    #[must_use]
    pub fn centre(cell: Cell, footprint: u8) -> Self {
        let half = f64::from(footprint) / 2.0;
        Self { x: f64::from(cell.x) + half, y: f64::from(cell.y) + half }
    }

    /// A point on the straight line to another point; `share` 0 is here, 1 there.
    #[must_use]
    pub fn towards(self, other: Self, share: f64) -> Self {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        Self { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }
}

/// How a path is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Line {
    /// One line.
    #[default]
    Solid,
    /// Dashes: an abandoned path, an alternative.
    Dashed,
}

/// A path in the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its name in the legend; a path without name is not in the legend.
    pub label: String,
    /// Its points.
    pub points: Vec<Point>,
    /// Its colour.
    pub colour: Colour,
    /// How it is drawn.
    pub line: Line,
}

impl Stroke {
    /// A solid line through the centres of the cells.
    #[must_use]
    pub fn new(label: &str, cells: &[Cell], colour: Colour) -> Self {
        let points = cells.iter().map(|&cell| Point::centre(cell, 1)).collect();
        Self::through(label, points, colour)
    }

    /// A solid line through any points.
    #[must_use]
    pub fn through(label: &str, points: Vec<Point>, colour: Colour) -> Self {
        Self { label: label.to_owned(), points, colour, line: Line::Solid }
    }

    /// The same, dashed.
    #[must_use]
    pub fn dashed(mut self) -> Self {
        self.line = Line::Dashed;
        self
    }

    /// The points where the path bends, and its ends.
    pub(crate) fn corners(&self) -> Vec<Point> {
        let mut corners: Vec<Point> = Vec::new();
        for &point in &self.points {
            if let [.., a, b] = corners[..]
                && is_between(a, b, point)
            {
                corners.pop();
            }
            corners.push(point);
        }
        corners
    }
}

/// Whether `b` lies on the line from `a` to `c`.
fn is_between(a: Point, b: Point, c: Point) -> bool {
    let (first, second) = ((b.x - a.x, b.y - a.y), (c.x - b.x, c.y - b.y));
    let turn = first.0 * second.1 - first.1 * second.0;
    let forward = first.0 * second.0 + first.1 * second.1;
    turn.abs() < 1e-9 && forward >= 0.0
}

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// Where a unit starts: a disc with a rim.
    Start,
    /// The goal of a unit: a ring around a dot.
    Goal,
    /// The goal of one of many units: a thin ring that its body just fills.
    Ring,
    /// An exit or entrance of a building: a diamond.
    Door,
    /// A broken cell: a cross.
    Broken,
}

impl MarkKind {
    pub(crate) const ALL: [Self; 5] =
        [Self::Start, Self::Goal, Self::Ring, Self::Door, Self::Broken];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Ring => "unit's goal",
            Self::Door => "door",
            Self::Broken => "broken",
        }
    }

    pub(crate) fn colour(self) -> Colour {
        match self {
            Self::Start => Colour::hex(0x00_72_b2),
            Self::Goal | Self::Ring => Colour::hex(0xc2_18_5b),
            Self::Door => Colour::hex(0xe6_9f_00),
            Self::Broken => Colour::hex(0xc6_28_28),
        }
    }

    /// The letter in plain text.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Start => 'A',
            Self::Goal | Self::Ring => 'B',
            Self::Door => '+',
            Self::Broken => 'X',
        }
    }
}

/// A mark on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Its meaning.
    pub kind: MarkKind,
    /// Its point.
    pub at: Point,
    /// Side of the body that a ring encloses, in cells.
    pub footprint: u8,
    /// The colour, if not that of its kind.
    pub colour: Option<Colour>,
}

impl Mark {
    /// The mark in the centre of a cell.
    #[must_use]
    pub fn new(kind: MarkKind, cell: Cell) -> Self {
        Self { kind, at: Point::centre(cell, 1), footprint: 1, colour: None }
    }

    /// The ring around a unit's goal, in the unit's colour.
    #[must_use]
    pub fn ring(unit: usize, goal: Cell, footprint: u8) -> Self {
        let at = Point::centre(goal, footprint);
        Self { kind: MarkKind::Ring, at, footprint, colour: Some(unit_colour(unit)) }
    }

    /// The same in another colour.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    pub(crate) fn paint(&self) -> Colour {
        self.colour.unwrap_or(self.kind.colour())
    }
}

/// A round body on the map, such as a moving unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its centre.
    pub centre: Point,
    /// Its side, in cells.
    pub footprint: u8,
    /// Its colour.
    pub colour: Colour,
}

impl Disc {
    /// A unit in its colour.
    #[must_use]
    pub fn unit(unit: usize, centre: Point, footprint: u8) -> Self {
        Self { centre, footprint, colour: unit_colour(unit) }
    }
}

/// Values of cells, on a scale of few colours, so that equal neighbours can be drawn as one.
#[derive(Clone, Debug)]
pub(crate) struct Heat {
    pub(crate) label: String,
    pub(crate) least: f64,
    pub(crate) largest: f64,
    levels: Vec<u8>,
}

/// Colours of a heat scale; levels count from 1, and 0 is a cell without value.
const LEVELS: u8 = 32;
/// The opacity of a heat colour over the terrain.
pub(crate) const HEAT_OPACITY: f64 = 0.72;

impl Heat {
    fn new(label: &str, map: &Map, values: &[Option<f64>]) -> Result<Self, DrawError> {
        let cells = map.terrain().len();
        if values.len() != cells {
            return Err(DrawError::HeatCount { given: values.len(), cells });
        }
        if let Some(index) = values.iter().position(|v| v.is_some_and(|v| !v.is_finite())) {
            return Err(DrawError::HeatNotFinite { index });
        }
        let given = || values.iter().flatten().copied();
        let least = given().reduce(f64::min).unwrap_or(0.0);
        let largest = given().reduce(f64::max).unwrap_or(0.0);
        let level = |value: &Option<f64>| value.map_or(0, |v| level(v, least, largest));
        let levels = values.iter().map(level).collect();
        Ok(Self { label: label.to_owned(), least, largest, levels })
    }

    /// The colour of a cell, if it has a value.
    pub(crate) fn colour(&self, index: usize) -> Option<Colour> {
        let level = self.levels.get(index).copied().filter(|&level| level > 0)?;
        Some(heat_colour(f64::from(level - 1) / f64::from(LEVELS - 1)))
    }
}

fn level(value: f64, least: f64, largest: f64) -> u8 {
    // Halves, because the difference of two finite numbers may be infinite.
    let range = largest / 2.0 - least / 2.0;
    let share = if range > 0.0 { (value / 2.0 - least / 2.0) / range } else { 0.5 };
    #[expect(clippy::cast_sign_loss, reason = "a share is between 0 and 1")]
    let steps = (share * f64::from(LEVELS - 1)) as u8;
    1 + steps.min(LEVELS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit_no_scale_are_refused() {
        let map = Map::empty(2, 1).unwrap();
        let heat = |values: &[Option<f64>]| Picture::new(&map).heat("h", values).map(|_| ());
        assert_eq!(heat(&[None]), Err(DrawError::HeatCount { given: 1, cells: 2 }));
        let index = 1;
        assert_eq!(heat(&[None, Some(f64::NAN)]), Err(DrawError::HeatNotFinite { index }));
        assert_eq!(heat(&[None, Some(f64::INFINITY)]), Err(DrawError::HeatNotFinite { index }));
        assert_eq!(heat(&[Some(f64::MIN), Some(f64::MAX)]), Ok(()));
    }

    #[test]
    fn the_scale_runs_from_the_least_to_the_largest_value() {
        let check = |value, expected| assert_eq!(level(value, -10.0, 10.0), expected, "{value}");
        check(-10.0, 1);
        check(0.0, 16);
        check(10.0, LEVELS);
        assert_eq!(level(f64::MAX, f64::MIN, f64::MAX), LEVELS);
        assert_eq!(level(3.0, 3.0, 3.0), 16, "the middle");
    }

    #[test]
    fn only_bends_and_ends_are_corners() {
        let cells = [(0, 0), (1, 0), (2, 0), (2, 0), (3, 1), (4, 2), (3, 1)].map(Cell::from);
        let corners = Stroke::new("", &cells, Colour::INK).corners();
        let expected = [(0, 0), (2, 0), (4, 2), (3, 1)].map(|c| Point::centre(c.into(), 1));
        assert_eq!(corners, expected);
    }
}
