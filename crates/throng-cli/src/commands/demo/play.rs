//! The crossing, tick by tick, until everybody is there or nobody hopes any more.

use std::time::Duration;

use anyhow::Result;
use throng::referee::{Verdict, check};
use throng::{Cell, Plan};

use super::cast::Cast;
use super::movers::Mover;
use crate::clock::timed;

/// When the curtain falls at the latest.
pub(super) const TICKS_MAX: u32 = 450;

/// What is seen at a tick.
pub(super) struct Scene<'a> {
    pub(super) tick: u32,
    pub(super) places: &'a [Cell],
    /// How many units are where they want to be.
    pub(super) arrived: usize,
    /// How many others have not moved for as long as a step takes them.
    pub(super) waiting: usize,
    /// How long planning and moving took, a tick.
    pub(super) mean: Duration,
}

/// What happened.
pub(super) struct Play {
    /// Where everybody was at every tick.
    pub(super) plan: Plan,
    pub(super) ticks: u32,
    /// How many units waited in the end.
    pub(super) waiting: usize,
    pub(super) time: Duration,
    pub(super) longest_tick: Duration,
    /// What the referee says about the whole.
    pub(super) verdict: Verdict,
    /// The first broken rule, if any.
    pub(super) violation: Option<String>,
}

/// Plays until everybody is on its goal at once, and shows every tick.
pub(super) fn play(
    cast: &Cast,
    mover: &mut dyn Mover,
    mut show: impl FnMut(&Scene<'_>) -> Result<()>,
) -> Result<Play> {
    let mut paths = vec![Vec::new(); cast.problem.units.len()];
    let (mut time, mut longest_tick) = (Duration::ZERO, Duration::ZERO);
    let mut violation = None;
    let mut tick = 0;
    let waiting = loop {
        let places = mover.places();
        for (path, &at) in paths.iter_mut().zip(&places) {
            path.push(at);
        }
        violation = violation.or(mover.judge());
        let (arrived, waiting) = count(cast, &paths);
        let mean = time / tick.max(1);
        show(&Scene { tick, places: &places, arrived, waiting, mean })?;
        if arrived == paths.len() || tick == TICKS_MAX {
            break waiting;
        }
        let ((), took) = timed(|| mover.tick());
        time += took;
        longest_tick = longest_tick.max(took);
        tick += 1;
    };
    let plan = Plan { paths };
    let verdict = check(&cast.problem, &plan);
    let illegal = (!verdict.is_legal()).then(|| first_violation(&verdict));
    let violation = violation.or(illegal);
    Ok(Play { plan, ticks: tick, waiting, time, longest_tick, verdict, violation })
}

fn first_violation(verdict: &Verdict) -> String {
    verdict.violations.first().map_or_else(String::new, ToString::to_string)
}

/// How many units are there, and how many wait on the way.
fn count(cast: &Cast, paths: &[Vec<Cell>]) -> (usize, usize) {
    let (mut arrived, mut waiting) = (0, 0);
    for (unit, path) in paths.iter().enumerate() {
        let Some(&here) = path.last() else { continue };
        let step_ticks = usize::from(cast.movement(unit).pace);
        let stays = path.iter().rev().take_while(|&&at| at == here).count();
        if here == cast.problem.units[unit].goal {
            arrived += 1;
        } else if stays > step_ticks {
            waiting += 1;
        }
    }
    (arrived, waiting)
}
