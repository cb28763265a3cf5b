//! Runs the demo tick by tick and records it, until every unit has arrived or time is up.

use std::time::Duration;

use anyhow::Result;
use throng::model::{Cell, Plan};
use throng::referee::{Verdict, check};

use super::engine::Engine;
use super::scenario::DemoScenario;
use crate::clock::timed;

/// The demo ends at this tick at the latest.
pub(super) const TICKS_MAX: u32 = 450;

/// One tick as it is shown.
pub(super) struct Frame<'a> {
    pub(super) tick: u32,
    pub(super) cells: &'a [Cell],
    /// How many units are on their goals.
    pub(super) arrived: usize,
    /// How many others have not moved for longer than a step takes them.
    pub(super) waiting: usize,
    /// Mean time of planning and moving per tick.
    pub(super) mean: Duration,
}

/// The recorded run.
pub(super) struct Recording {
    /// The cell of every unit at every tick.
    pub(super) plan: Plan,
    pub(super) ticks: u32,
    /// How many units were waiting at the end.
    pub(super) waiting: usize,
    pub(super) time: Duration,
    pub(super) longest_tick: Duration,
    /// The referee's verdict on the whole run.
    pub(super) verdict: Verdict,
    /// The first broken rule, if any.
    pub(super) violation: Option<String>,
}

/// Runs until all units are on their goals at once, and shows every tick.
pub(super) fn record(
    scenario: &DemoScenario,
    engine: &mut dyn Engine,
    mut show: impl FnMut(&Frame<'_>) -> Result<()>,
) -> Result<Recording> {
    let mut paths = vec![Vec::new(); scenario.problem.units.len()];
    let (mut time, mut longest_tick) = (Duration::ZERO, Duration::ZERO);
    let mut violation = None;
    let mut tick = 0;
    let waiting = loop {
        let cells = engine.cells();
        for (path, &at) in paths.iter_mut().zip(&cells) {
            path.push(at);
        }
        violation = violation.or(engine.judge());
        let (arrived, waiting) = count(scenario, &paths);
        let mean = time / tick.max(1);
        show(&Frame { tick, cells: &cells, arrived, waiting, mean })?;
        if arrived == paths.len() || tick == TICKS_MAX {
            break waiting;
        }
        let ((), took) = timed(|| engine.tick());
        time += took;
        longest_tick = longest_tick.max(took);
        tick += 1;
    };
    let plan = Plan { paths };
    let verdict = check(&scenario.problem, &plan);
    let illegal = (!verdict.is_legal()).then(|| first_violation(&verdict));
    let violation = violation.or(illegal);
    Ok(Recording { plan, ticks: tick, waiting, time, longest_tick, verdict, violation })
}

fn first_violation(verdict: &Verdict) -> String {
    verdict.violations.first().map_or_else(String::new, ToString::to_string)
}

/// How many units have arrived, and how many wait elsewhere.
fn count(scenario: &DemoScenario, paths: &[Vec<Cell>]) -> (usize, usize) {
    let (mut arrived, mut waiting) = (0, 0);
    for (unit, path) in paths.iter().enumerate() {
        let Some(&here) = path.last() else { continue };
        let step_ticks = usize::from(scenario.movement(unit).pace);
        let stays = path.iter().rev().take_while(|&&at| at == here).count();
        if here == scenario.problem.units[unit].goal {
            arrived += 1;
        } else if stays > step_ticks {
            waiting += 1;
        }
    }
    (arrived, waiting)
}
