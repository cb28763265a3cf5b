//! The demo as a film.

use anyhow::Result;
use throng::grid::Ground;
use throng::model::{Cell, Map};
use throng_draw::{Animation, Colour, Disc, Mark, MarkKind, Picture, Point, Scale, Stroke};

use super::run::{self, BridgeRun};
use super::{PLANNED, REPAIRED, ends, town};

const CELL_PX: u16 = 10;
const FRAME_MS: u32 = 40;
/// How long a step onto plain ground takes; costlier ground takes as much longer.
const STEP_MS: f64 = 62.0;
/// How long the plan is shown before the unit leaves, and the new one before it goes on.
const LOOK_MS: u32 = 1200;
const END_MS: u32 = 3000;
/// The side of the unit's body, in cells: larger than one, so that it is visible.
const BODY: u8 = 2;
const UNIT: Colour = Colour::hex(0xc2_18_5b);
/// The path that was given up.
const LOST: Colour = Colour::hex(0x77_77_77);

/// Fire and smoke: side in cells, and colour, of each frame.
const BLAST: [(u8, u32); 14] = [
    (1, 0xff_ff_ff),
    (3, 0xff_f3_b0),
    (5, 0xff_d5_4f),
    (6, 0xff_b3_00),
    (7, 0xfb_8c_00),
    (7, 0xef_6c_00),
    (6, 0xd8_43_15),
    (6, 0x8d_3a_22),
    (5, 0x5d_40_37),
    (5, 0x4e_4a_48),
    (4, 0x61_61_61),
    (3, 0x75_75_75),
    (2, 0x8a_8a_8a),
    (1, 0x9e_9e_9e),
];
/// The frame of the blast in which the bridge falls.
const FALL: usize = 4;

/// Films the run, from the plan to the arrival.
pub(super) fn shoot(run: &BridgeRun) -> Result<Vec<u8>> {
    let mut film = Animation::new(&run.before, Scale::Pixels(CELL_PX))?;
    let first = TimedWalk::new(&run.before, &run.walked)?;
    let second = TimedWalk::new(&run.after, &run.rest)?;
    film.frame(&with_unit(planned(run, &run.before, Vec::new()), first.place(0.0)), LOOK_MS)?;
    for moment in first.moments() {
        let scene = planned(run, &run.before, first.trail(moment));
        film.frame(&with_unit(scene, first.place(moment)), FRAME_MS)?;
    }
    for frame in 0..BLAST.len() {
        let map = if frame < FALL { &run.before } else { &run.after };
        let scene = with_unit(planned(run, map, first.points.clone()), second.place(0.0));
        film.frame(&blast(scene, run, frame), FRAME_MS * 2)?;
    }
    film.frame(&with_unit(repaired(run, &first.points), second.place(0.0)), LOOK_MS)?;
    for moment in second.moments() {
        let scene = repaired(run, &first.points);
        let scene = scene.stroke(Stroke::through("", second.trail(moment), UNIT));
        film.frame(&with_unit(scene, second.place(moment)), FRAME_MS)?;
    }
    let arrived = repaired(run, &first.points);
    let arrived = arrived.stroke(Stroke::through("", second.points.clone(), UNIT));
    film.frame(&with_unit(arrived, second.place(f64::MAX)), END_MS)?;
    Ok(film.finish()?)
}

/// The town, the way as planned, and over it the part that is walked.
fn planned<'a>(run: &BridgeRun, map: &'a Map, trail: Vec<Point>) -> Picture<'a> {
    let plan = Stroke::new("", &run.trip.path.cells, PLANNED).dashed();
    ends(run, town(run, map).stroke(plan).stroke(Stroke::through("", trail, UNIT)))
}

/// The town without the bridge: what was walked, what was given up, what is left to go.
fn repaired<'a>(run: &'a BridgeRun, walked: &[Point]) -> Picture<'a> {
    let broken = run.blown.iter().copied();
    let scene = town(run, &run.after)
        .stroke(Stroke::new("", &run.lost, LOST).dashed())
        .stroke(Stroke::through("", walked.to_vec(), UNIT))
        .stroke(Stroke::new("", &run.rest, REPAIRED).dashed());
    let scene =
        broken.step_by(2).fold(scene, |s, cell| s.marked(Mark::new(MarkKind::Broken, cell)));
    ends(run, scene)
}

fn with_unit(scene: Picture<'_>, at: Point) -> Picture<'_> {
    scene.disc(Disc { centre: at, footprint: BODY, colour: UNIT })
}

/// A fire in the middle of the bridge and two smaller ones at its ends, a little later.
fn blast<'a>(scene: Picture<'a>, run: &BridgeRun, frame: usize) -> Picture<'a> {
    let (Some(&first), Some(&last)) = (run.blown.first(), run.blown.last()) else {
        return scene;
    };
    let (one_end, other_end) = (Point::centre(first, 1), Point::centre(last, 1));
    let fires = [(0.5, 0, 0), (0.1, 2, 1), (0.9, 3, 2)];
    fires.into_iter().fold(scene, |scene, (share, delay, smaller)| {
        let fire = frame.checked_sub(delay).and_then(|frame| BLAST.get(frame));
        let Some(&(side, colour)) = fire else { return scene };
        let footprint = side.saturating_sub(smaller).max(1);
        let centre = one_end.towards(other_end, share);
        scene.disc(Disc { centre, footprint, colour: Colour::hex(colour) })
    })
}

/// A path with the time at which each of its points is reached.
struct TimedWalk {
    points: Vec<Point>,
    times_ms: Vec<f64>,
}

impl TimedWalk {
    fn new(map: &Map, cells: &[Cell]) -> Result<Self> {
        let ground = Ground::new(map, run::movement())?;
        let mut walk = Self { points: Vec::new(), times_ms: Vec::new() };
        let mut now = 0.0;
        for (index, &cell) in cells.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| cells.get(before));
            let cost = before.and_then(|&before| ground.step_cost(before, cell));
            now += cost.map_or(0.0, |cost| cost.in_cells() * STEP_MS);
            walk.points.push(Point::centre(cell, 1));
            walk.times_ms.push(now);
        }
        Ok(walk)
    }

    /// The moments of its frames.
    fn moments(&self) -> impl Iterator<Item = f64> + use<> {
        let end = self.times_ms.last().copied().unwrap_or(0.0);
        let frames = (1..).map(|frame: u32| f64::from(frame * FRAME_MS));
        frames.take_while(move |&moment| moment < end)
    }

    /// How many points are behind at a moment: at least the first.
    fn behind(&self, moment_ms: f64) -> usize {
        self.times_ms.partition_point(|&time| time <= moment_ms).max(1)
    }

    fn place(&self, moment_ms: f64) -> Point {
        let next = self.behind(moment_ms);
        let from = self.points[next - 1];
        let (Some(&to), Some(&until)) = (self.points.get(next), self.times_ms.get(next)) else {
            return from;
        };
        let since = self.times_ms[next - 1];
        from.towards(to, (moment_ms - since) / (until - since))
    }

    /// The part that is walked at a moment.
    fn trail(&self, moment_ms: f64) -> Vec<Point> {
        let mut trail = self.points[..self.behind(moment_ms)].to_vec();
        trail.push(self.place(moment_ms));
        trail
    }
}
