//! Pictures as text for the terminal.

use std::fmt::Write;

use throng_model::{Map, TerrainId};

use crate::picture::HEAT_OPACITY;
use crate::{Colour, Disc, Picture, Point, terrain_colour};

/// The picture as lines of text, at most `max_width` characters wide.
///
/// With `colour`, two cells share a character (a half block) in 24-bit colours. Without, each cell
/// is its terrain's letter; `*` is a path, `A` a start, `B` a goal, `+` a door, `X` a broken cell,
/// `o` a unit. A map that is too wide is reduced: one sample represents several cells, and shows
/// what lies over the terrain first.
#[must_use]
pub fn terminal(picture: &Picture<'_>, colour: bool, max_width: usize) -> String {
    let samples = Samples::new(picture, max_width.max(1));
    if colour { samples.blocks() } else { samples.letters() }
}

/// The content of one sample.
#[derive(Clone, Copy)]
struct Sample {
    letter: char,
    colour: Colour,
}

/// The picture at the size of the terminal.
struct Samples {
    columns: usize,
    samples: Vec<Sample>,
    /// Side of a sample, in cells.
    cells: usize,
}

impl Samples {
    fn new(picture: &Picture<'_>, max_width: usize) -> Self {
        let (width, height) = (usize::from(picture.map.width()), usize::from(picture.map.height()));
        let cells = width.div_ceil(max_width);
        let columns = width.div_ceil(cells);
        let looks = looks(picture);
        let mut samples = Vec::with_capacity(columns * height.div_ceil(cells));
        let mut counts = vec![0_u32; picture.map.classes().len()];
        for top in (0..height).step_by(cells) {
            for left in (0..width).step_by(cells) {
                let index = commonest(picture.map, (left, top), cells, &mut counts);
                samples.push(looks[index]);
            }
        }
        let mut samples = Self { columns, samples, cells };
        samples.overlays(picture);
        samples
    }

    fn overlays(&mut self, picture: &Picture<'_>) {
        for stroke in &picture.strokes {
            for pair in stroke.points.windows(2) {
                self.line(pair[0], pair[1], Sample { letter: '*', colour: stroke.colour });
            }
        }
        for mark in &picture.marks {
            self.put(mark.at, Sample { letter: mark.kind.letter(), colour: mark.paint() });
        }
        for disc in &picture.discs {
            self.disc(disc);
        }
    }

    #[expect(clippy::cast_sign_loss, reason = "points are at 0 and more, or saturate to it")]
    fn put(&mut self, at: Point, sample: Sample) {
        let (column, row) = (at.x as usize / self.cells, at.y as usize / self.cells);
        if column < self.columns
            && let Some(place) = self.samples.get_mut(row * self.columns + column)
        {
            *place = sample;
        }
    }

    /// All cells of the body that are on the map.
    fn disc(&mut self, disc: &Disc) {
        let footprint = u16::from(disc.footprint);
        // From the centre of the first cell to the centre of the last.
        let first = 0.5 - f64::from(footprint) / 2.0;
        let (left, top) = (disc.centre.x + first, disc.centre.y + first);
        for (dx, dy) in (0..footprint).flat_map(|dy| (0..footprint).map(move |dx| (dx, dy))) {
            let at = Point { x: left + f64::from(dx), y: top + f64::from(dy) };
            if at.x >= 0.0 && at.y >= 0.0 {
                self.put(at, Sample { letter: 'o', colour: disc.colour });
            }
        }
    }

    fn line(&mut self, a: Point, b: Point, sample: Sample) {
        let steps = (b.x - a.x).abs().max((b.y - a.y).abs()).ceil().max(1.0);
        let mut step = 0.0;
        while step <= steps {
            self.put(a.towards(b, step / steps), sample);
            step += 1.0;
        }
    }

    fn letters(&self) -> String {
        let mut text = String::new();
        for row in self.samples.chunks(self.columns) {
            text.extend(row.iter().map(|sample| sample.letter));
            text.push('\n');
        }
        text
    }

    /// Upper half blocks: the foreground is the upper sample, the background the lower.
    fn blocks(&self) -> String {
        let mut text = String::new();
        let rows: Vec<&[Sample]> = self.samples.chunks(self.columns).collect();
        for pair in rows.chunks(2) {
            let mut last = None;
            for column in 0..self.columns {
                let upper = pair[0][column].colour;
                let lower = pair.get(1).map(|row| row[column].colour);
                if last != Some((upper, lower)) {
                    set_colours(&mut text, upper, lower);
                    last = Some((upper, lower));
                }
                text.push('▀');
            }
            text.push_str("\x1b[0m\n");
        }
        text
    }
}

fn set_colours(text: &mut String, upper: Colour, lower: Option<Colour>) {
    let _ = write!(text, "\x1b[38;2;{};{};{}", upper.r, upper.g, upper.b);
    let _ = match lower {
        Some(lower) => write!(text, ";48;2;{};{};{}m", lower.r, lower.g, lower.b),
        None => write!(text, ";49m"),
    };
}

/// The look of each cell without paths and marks.
fn looks(picture: &Picture<'_>) -> Vec<Sample> {
    let map = picture.map;
    let classes: Vec<Sample> = map
        .classes()
        .iter()
        .map(|class| Sample { letter: printable(class.symbol), colour: terrain_colour(class) })
        .collect();
    let heat = |index| picture.heat.as_ref().and_then(|heat| heat.colour(index));
    let look = |(index, terrain): (usize, &TerrainId)| {
        let ground = classes[terrain.get()];
        heat(index).map_or(ground, |heat| Sample {
            colour: ground.colour.under(heat, HEAT_OPACITY),
            ..ground
        })
    };
    map.terrain().iter().enumerate().map(look).collect()
}

/// A printable letter. Letters come from files: none may control the terminal.
fn printable(symbol: char) -> char {
    if symbol.is_control() { '?' } else { symbol }
}

/// A cell of the most frequent class in a sample.
fn commonest(map: &Map, corner: (usize, usize), cells: usize, counts: &mut [u32]) -> usize {
    let (width, height) = (usize::from(map.width()), usize::from(map.height()));
    counts.fill(0);
    let mut best = (0, corner.1 * width + corner.0);
    for y in corner.1..(corner.1 + cells).min(height) {
        for x in corner.0..(corner.0 + cells).min(width) {
            let index = y * width + x;
            let count = &mut counts[map.terrain()[index].get()];
            *count += 1;
            if *count > best.0 {
                best = (*count, index);
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MarkKind;
    use throng_model::Cell;
    use throng_testkit::map;

    fn drawn(picture: &Picture<'_>, max_width: usize) -> String {
        terminal(picture, false, max_width)
    }

    #[test]
    fn letters_show_terrain_path_and_marks() {
        let map = map("....
             .@2.
             ....");
        let path = [(0, 0), (0, 2), (3, 2)].map(Cell::from);
        let picture = Picture::new(&map)
            .path("", &path)
            .mark(MarkKind::Start, path[0])
            .mark(MarkKind::Goal, path[2])
            .mark(MarkKind::Broken, Cell::new(900, 900))
            .mark(MarkKind::Broken, Cell::new(4, 0));
        assert_eq!(drawn(&picture, 80), "A...\n*@2.\n***B\n");
    }

    #[test]
    fn bodies_fill_their_cells() {
        let map = map("....
             ....
             ....");
        let disc = |cell: (u16, u16), footprint| {
            Disc::unit(0, Point::centre(cell.into(), footprint), footprint)
        };
        let picture = Picture::new(&map).disc(disc((0, 0), 1)).disc(disc((2, 1), 2));
        assert_eq!(drawn(&picture, 80), "o...\n..oo\n..oo\n");
        let picture = Picture::new(&map).disc(disc((1, 0), 3)).disc(disc((3, 2), 2));
        assert_eq!(drawn(&picture, 80), ".ooo\n.ooo\n.ooo\n");
    }

    #[test]
    fn too_wide_a_map_is_drawn_smaller_but_keeps_its_marks() {
        let map = map("@@....
             @.....
             ..@@@@
             ..@@.@");
        let picture = Picture::new(&map).mark(MarkKind::Goal, Cell::new(5, 3));
        assert_eq!(drawn(&picture, 3), "@..\n.@B\n");
        assert_eq!(drawn(&picture, 5), "@..\n.@B\n");
        assert_eq!(drawn(&picture, 0), "B\n");
    }

    #[test]
    fn colours_come_two_cells_a_character() {
        let map = map(".@
             .@
             ..");
        let text = terminal(&Picture::new(&map), true, 80);
        let expected = "\x1b[38;2;243;239;230;48;2;243;239;230m▀\x1b[38;2;61;66;75;48;2;61;66;75m▀\
                        \x1b[0m\n\x1b[38;2;243;239;230;49m▀▀\x1b[0m\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn letters_cannot_steer_the_terminal() {
        assert_eq!(printable('\x1b'), '?');
        assert_eq!(printable('ß'), 'ß');
    }
}
