//! The demo as a film.

use anyhow::Result;
use throng::model::{Cell, Plan};
use throng_draw::{Animation, FilmOptions, Scale, svg_film};

use super::panels::{Panels, name};
use super::recording::Recording;
use super::scenario::DemoScenario;

const CELL_PX: u16 = 6;
const TICK_MS: u32 = 70;
/// How long the first and the last frame stay.
const LOOK_MS: u32 = 1200;
const HOLD_MS: u32 = 3500;
/// More frames make the file too large: then only some ticks are shown.
const FRAMES_MAX: usize = 240;

/// All runs side by side, as GIF or SVG.
pub(super) fn shoot(
    scenario: &DemoScenario,
    runs: &[Recording],
    extension: &str,
) -> Result<Vec<u8>> {
    let mut panels = Panels::new(scenario, runs.len())?;
    if extension == "svg" {
        return svg(scenario, runs, panels);
    }
    let ticks = runs.iter().map(|run| run.arrived.len()).max().unwrap_or(1);
    let stride = ticks.div_ceil(FRAMES_MAX).max(1);
    let mut film: Option<Animation> = None;
    for tick in (0..ticks).step_by(stride) {
        let is_last = tick + stride >= ticks;
        let tick = if is_last { ticks - 1 } else { tick };
        let cells: Vec<Vec<Cell>> = runs.iter().map(|run| cells_at(&run.plan, tick)).collect();
        for (number, run) in runs.iter().enumerate() {
            let arrived = run.arrived.get(tick).or(run.arrived.last()).copied().unwrap_or(0);
            panels.write(number, name(run.planner), &count(scenario, arrived))?;
        }
        let cells: Vec<&[Cell]> = cells.iter().map(Vec::as_slice).collect();
        if film.is_none() {
            film = Some(Animation::new(panels.map(), Scale::Pixels(CELL_PX))?);
        }
        let frame_ms = TICK_MS * stride.min(2) as u32;
        let frame_ms = if is_last {
            HOLD_MS
        } else if tick == 0 {
            LOOK_MS
        } else {
            frame_ms
        };
        if let Some(film) = &mut film {
            film.frame(&panels.picture(scenario, &cells), frame_ms)?;
        }
    }
    Ok(film.map_or_else(|| Ok(Vec::new()), Animation::finish)?)
}

fn count(scenario: &DemoScenario, arrived: usize) -> String {
    format!("{arrived}/{}", scenario.problem.units.len())
}

fn cells_at(plan: &Plan, tick: usize) -> Vec<Cell> {
    plan.paths.iter().filter_map(|path| path.get(tick).or(path.last()).copied()).collect()
}

/// In SVG all units move smoothly, and the text has the counts of the last tick.
fn svg(scenario: &DemoScenario, runs: &[Recording], mut panels: Panels) -> Result<Vec<u8>> {
    let mut plan = Plan { paths: Vec::new() };
    let (mut bodies, mut colours) = (Vec::new(), Vec::new());
    for (number, run) in runs.iter().enumerate() {
        let arrived = run.arrived.last().copied().unwrap_or(0);
        panels.write(number, name(run.planner), &count(scenario, arrived))?;
        let moved = |path: &Vec<Cell>| path.iter().map(|&at| panels.cell(number, at)).collect();
        plan.paths.extend(run.plan.paths.iter().map(moved));
        bodies.extend(scenario.bodies());
        colours.extend(scenario.colours());
    }
    let options = FilmOptions {
        tick_ms: TICK_MS,
        // The last cell of a unit that got stuck is not its goal.
        goals: false,
        colours,
        hold_ms: HOLD_MS,
        ..FilmOptions::default()
    };
    Ok(svg_film(panels.map(), &plan, &bodies, &options).into_bytes())
}
