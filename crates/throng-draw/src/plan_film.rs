//! Animations of plans.

use std::ops::Range;

use throng_model::limits::{FOOTPRINT_MAX, PACE_MAX};
use throng_model::{Cell, Map, MovementProfile, Plan};

use crate::animation::{Animation, FRAMES_MAX};
use crate::svg_image::{moving_disc, svg_with};
use crate::{Colour, Disc, DrawError, Mark, Picture, Point, Scale, Stroke, unit_colour};

/// The visible part of a unit's movement profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// Side that it covers, in cells.
    pub footprint: u8,
    /// Ticks that a step takes.
    pub pace: u8,
}

impl Default for Body {
    fn default() -> Self {
        Self { footprint: 1, pace: 1 }
    }
}

impl From<&MovementProfile> for Body {
    fn from(movement: &MovementProfile) -> Self {
        Self {
            footprint: movement.footprint.clamp(1, FOOTPRINT_MAX),
            pace: movement.pace.clamp(1, PACE_MAX),
        }
    }
}

/// The options of an animated plan.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOptions {
    /// Pixels per cell.
    pub scale: Scale,
    /// The duration of a tick.
    pub tick_ms: u32,
    /// Frames per tick: more are smoother, and the file is larger.
    pub frames_per_tick: u8,
    /// Length of the visible path behind a unit, in ticks; 0 shows none.
    pub trail_ticks: u32,
    /// Whether rings show the last cells of units.
    pub goals: bool,
    /// The units' colours in order; units beyond them have the colours of their numbers.
    pub colours: Vec<Colour>,
    /// The picture below the units.
    pub marks: Vec<Mark>,
    /// How long the last frame stays before the animation starts over.
    pub hold_ms: u32,
    /// The ticks to show; all of them if `None`.
    pub ticks: Option<Range<u32>>,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            scale: Scale::Auto,
            tick_ms: 240,
            frames_per_tick: 6,
            trail_ticks: 0,
            goals: true,
            colours: Vec::new(),
            marks: Vec::new(),
            hold_ms: 2000,
            ticks: None,
        }
    }
}

/// The plan as animated GIF: units move smoothly from cell to cell.
///
/// `bodies` are the units' in order; units beyond them fill one cell and step once per tick.
///
/// ```
/// use throng_draw::{FilmOptions, gif};
/// use throng_model::{Cell, Map, Plan};
/// let plan = Plan { paths: vec![vec![Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]] };
/// let film = gif(&Map::empty(4, 2)?, &plan, &[], &FilmOptions::default())?;
/// assert!(film.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the picture is too large or there are too many frames.
pub fn gif(
    map: &Map,
    plan: &Plan,
    bodies: &[Body],
    options: &FilmOptions,
) -> Result<Vec<u8>, DrawError> {
    let (first, end) = options.ticks_of(plan);
    let frames_per_tick = u32::from(options.frames_per_tick.max(1));
    let moving = u64::from(end - first) * u64::from(frames_per_tick);
    if moving >= FRAMES_MAX as u64 {
        return Err(DrawError::TooManyFrames { asked: moving + 1 });
    }
    let film = Film { map, plan, bodies, options };
    let mut animation = Animation::new(map, options.scale)?;
    for frame in 0..moving as u32 {
        let now = Moment {
            tick: first + frame / frames_per_tick,
            share: f64::from(frame % frames_per_tick) / f64::from(frames_per_tick),
        };
        animation.frame(&film.picture(now), options.tick_ms / frames_per_tick)?;
    }
    let ending = film.picture(Moment { tick: end, share: 0.0 });
    animation.frame(&ending, options.hold_ms)?;
    animation.finish()
}

/// The plan as animated SVG: sharp at every size, and smooth for any duration of a tick. It ignores
/// the options for scale, frames and trails.
///
/// ```
/// use throng_draw::{FilmOptions, svg_film};
/// use throng_model::{Cell, Map, Plan};
/// let plan = Plan { paths: vec![vec![Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]] };
/// let film = svg_film(&Map::empty(4, 2)?, &plan, &[], &FilmOptions::default());
/// assert!(film.contains("<animate "));
/// # Ok::<(), throng_model::MapError>(())
/// ```
#[must_use]
pub fn svg_film(map: &Map, plan: &Plan, bodies: &[Body], options: &FilmOptions) -> String {
    let film = Film { map, plan, bodies, options };
    let (first, end) = options.ticks_of(plan);
    let tick_ms = options.tick_ms.max(1);
    // The last point, repeated for each tick of the final pause.
    let resting = std::iter::repeat_n(end, (options.hold_ms / tick_ms) as usize + 1);
    let ticks: Vec<u32> = (first..=end).chain(resting.take(RESTING_TICKS_MAX)).collect();
    let mut ground = Picture::new(map);
    ground.marks.clone_from(&options.marks);
    let mut units = String::new();
    for (unit, path) in plan.paths.iter().enumerate() {
        let moments = ticks.iter().map(|&tick| Moment { tick, share: 0.0 });
        let places = moments.filter_map(|now| place(path, film.body(unit), now));
        let places: Vec<Point> = places.collect();
        let Some(&first) = places.first() else { continue };
        ground.marks.extend(film.ring(unit));
        moving_disc(&mut units, &film.disc(unit, first), &places, tick_ms);
    }
    svg_with(&ground, &units)
}

/// Longest pause at the end of an animated SVG.
const RESTING_TICKS_MAX: usize = 100;

impl FilmOptions {
    /// The first and the last tick that are shown.
    fn ticks_of(&self, plan: &Plan) -> (u32, u32) {
        let last_tick = plan.last_tick().0;
        let ticks = self.ticks.clone().unwrap_or(0..last_tick);
        let first = ticks.start.min(last_tick);
        (first, ticks.end.clamp(first, last_tick))
    }
}

/// A tick and the elapsed share of the next one.
#[derive(Clone, Copy)]
struct Moment {
    tick: u32,
    share: f64,
}

struct Film<'a> {
    map: &'a Map,
    plan: &'a Plan,
    bodies: &'a [Body],
    options: &'a FilmOptions,
}

impl<'a> Film<'a> {
    fn picture(&self, now: Moment) -> Picture<'a> {
        let mut picture = Picture::new(self.map);
        picture.marks.clone_from(&self.options.marks);
        for (unit, path) in self.plan.paths.iter().enumerate() {
            let body = self.body(unit);
            let Some(place) = place(path, body, now) else { continue };
            picture.marks.extend(self.ring(unit));
            let disc = self.disc(unit, place);
            if self.options.trail_ticks > 0 {
                let trail = self.trail(path, body, now, place);
                picture = picture.stroke(Stroke::through("", trail, disc.colour));
            }
            picture = picture.disc(disc);
        }
        picture
    }

    fn body(&self, unit: usize) -> Body {
        self.bodies.get(unit).copied().unwrap_or_default()
    }

    fn colour(&self, unit: usize) -> Colour {
        self.options.colours.get(unit).copied().unwrap_or_else(|| unit_colour(unit))
    }

    fn disc(&self, unit: usize, centre: Point) -> Disc {
        Disc { centre, footprint: self.body(unit).footprint, colour: self.colour(unit) }
    }

    /// The ring at the unit's last cell, if rings are wanted.
    fn ring(&self, unit: usize) -> Option<Mark> {
        let goal = self.plan.paths[unit].last().filter(|_| self.options.goals)?;
        let ring = Mark::ring(unit, *goal, self.body(unit).footprint);
        Some(ring.coloured(self.colour(unit)))
    }

    fn trail(&self, path: &[Cell], body: Body, now: Moment, place: Point) -> Vec<Point> {
        let since = now.tick.saturating_sub(self.options.trail_ticks);
        let visited = (since..=now.tick).filter_map(|tick| path.get(tick as usize));
        let points = visited.map(|&cell| Point::centre(cell, body.footprint));
        points.chain([place]).collect()
    }
}

/// The centre of a unit. A unit of pace p that arrives at tick t left at tick t - p.
fn place(path: &[Cell], body: Body, now: Moment) -> Option<Point> {
    let at = |tick: u32| path.get(tick as usize).or(path.last()).copied();
    let here = at(now.tick)?;
    let centre = |cell| Point::centre(cell, body.footprint);
    let pace = u32::from(body.pace.max(1));
    let arrives = (1..=pace).find(|&ahead| at(now.tick.saturating_add(ahead)) != Some(here));
    let Some((ahead, there)) = arrives.and_then(|a| Some((a, at(now.tick.saturating_add(a))?)))
    else {
        return Some(centre(here));
    };
    let walked = f64::from(pace - ahead) + now.share;
    Some(centre(here).towards(centre(there), walked / f64::from(pace)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pace: u8, tick: u32, share: f64, expected_x: f64) {
        let columns: [u16; 6] = [0, 1, 1, 1, 2, 2];
        let path = columns.map(|x| Cell::new(x, 0));
        let found = place(&path, Body { footprint: 1, pace }, Moment { tick, share }).unwrap();
        assert!((found.x - 0.5 - expected_x).abs() < 1e-9, "pace {pace}, {tick}: {found:?}");
    }

    #[test]
    fn units_glide_over_the_ticks_that_a_step_takes() {
        check(1, 0, 0.5, 0.5);
        check(1, 2, 0.5, 1.0);
        check(1, 3, 0.25, 1.25);
        check(1, 9, 0.9, 2.0);
        check(2, 2, 0.0, 1.0);
        check(2, 2, 0.5, 1.25);
        check(2, 3, 0.5, 1.75);
        check(3, 1, 0.0, 1.0);
        check(3, 3, 0.0, 1.0 + 2.0 / 3.0);
    }

    #[test]
    fn a_unit_without_path_is_nowhere() {
        assert_eq!(place(&[], Body::default(), Moment { tick: 0, share: 0.0 }), None);
    }
}
