//! Runs the demo tick by tick under one or several planners at once and records it.

use std::time::Duration;

use anyhow::Result;
use throng::model::{Cell, Plan};
use throng::referee::{Verdict, check};

use super::engine::Engine;
use super::planner::DemoPlanner;
use super::scenario::DemoScenario;
use crate::clock::timed;

/// The demo ends at this tick at the latest.
pub(super) const TICKS_MAX: u32 = 600;
/// It ends so many ticks after all units have arrived under one planner.
const ENCORE: u32 = 40;

/// One tick of a run as it is shown.
pub(super) struct Frame<'a> {
    pub(super) planner: DemoPlanner,
    pub(super) cells: &'a [Cell],
    /// How many units are on their goals.
    pub(super) arrived: usize,
    /// Mean time of planning and moving per tick.
    pub(super) mean: Duration,
}

/// A recorded run.
pub(super) struct Recording {
    pub(super) planner: DemoPlanner,
    /// The cell of every unit at every tick.
    pub(super) plan: Plan,
    /// By tick, how many units were on their goals.
    pub(super) arrived: Vec<usize>,
    /// When all units were on their goals, or the last tick.
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

/// A run that is being recorded.
struct Run<'a> {
    planner: DemoPlanner,
    engine: Box<dyn Engine + 'a>,
    paths: Vec<Vec<Cell>>,
    cells: Vec<Cell>,
    arrived: Vec<usize>,
    /// The ticks so far, until all units had arrived.
    ticks: u32,
    time: Duration,
    longest_tick: Duration,
    violation: Option<String>,
}

/// Runs until all units are on their goals under every planner, and shows every tick.
pub(super) fn record(
    scenario: &DemoScenario,
    planners: &[DemoPlanner],
    seed: u64,
    mut show: impl FnMut(u32, &[Frame<'_>]) -> Result<()>,
) -> Result<Vec<Recording>> {
    let run = |&planner| Run::new(scenario, planner, seed);
    let mut runs = planners.iter().map(run).collect::<Result<Vec<Run<'_>>>>()?;
    let mut ends = TICKS_MAX;
    for tick in 0.. {
        runs.iter_mut().for_each(|run| run.observe(scenario));
        let frames: Vec<Frame<'_>> = runs.iter().map(Run::frame).collect();
        show(tick, &frames)?;
        if runs.iter().any(Run::is_over) {
            ends = ends.min(tick + ENCORE);
        }
        if runs.iter().all(Run::is_over) || tick >= ends {
            break;
        }
        runs.iter_mut().for_each(Run::tick);
    }
    Ok(runs.into_iter().map(|run| run.finish(scenario)).collect())
}

impl<'a> Run<'a> {
    fn new(scenario: &'a DemoScenario, planner: DemoPlanner, seed: u64) -> Result<Self> {
        Ok(Self {
            planner,
            engine: planner.engine(scenario, seed)?,
            paths: vec![Vec::new(); scenario.problem.units.len()],
            cells: Vec::new(),
            arrived: Vec::new(),
            ticks: 0,
            time: Duration::ZERO,
            longest_tick: Duration::ZERO,
            violation: None,
        })
    }

    fn is_over(&self) -> bool {
        self.arrived.last() == Some(&self.paths.len())
    }

    fn tick(&mut self) {
        if self.is_over() {
            return;
        }
        let ((), took) = timed(|| self.engine.tick());
        self.time += took;
        self.longest_tick = self.longest_tick.max(took);
        self.ticks += 1;
    }

    fn observe(&mut self, scenario: &DemoScenario) {
        if !self.is_over() {
            self.cells = self.engine.cells();
            let violation = self.violation.take();
            self.violation = violation.or_else(|| self.engine.judge());
        }
        for (path, &at) in self.paths.iter_mut().zip(&self.cells) {
            path.push(at);
        }
        let units = scenario.problem.units.iter().zip(&self.cells);
        self.arrived.push(units.filter(|(unit, at)| unit.goal == **at).count());
    }

    fn frame(&self) -> Frame<'_> {
        let (planner, cells) = (self.planner, &self.cells);
        let arrived = self.arrived.last().copied().unwrap_or(0);
        Frame { planner, cells, arrived, mean: self.time / self.ticks.max(1) }
    }

    fn finish(self, scenario: &DemoScenario) -> Recording {
        let waiting = waiting(scenario, &self.paths);
        let plan = Plan { paths: self.paths };
        let verdict = check(&scenario.problem, &plan);
        let illegal = (!verdict.is_legal()).then(|| first_violation(&verdict));
        Recording {
            planner: self.planner,
            plan,
            arrived: self.arrived,
            ticks: self.ticks,
            waiting,
            time: self.time,
            longest_tick: self.longest_tick,
            verdict,
            violation: self.violation.or(illegal),
        }
    }
}

fn first_violation(verdict: &Verdict) -> String {
    verdict.violations.first().map_or_else(String::new, ToString::to_string)
}

/// How many units short of their goals have not moved for longer than a step takes them.
fn waiting(scenario: &DemoScenario, paths: &[Vec<Cell>]) -> usize {
    let is_waiting = |(unit, path): &(usize, &Vec<Cell>)| {
        let Some(&here) = path.last() else { return false };
        let step_ticks = usize::from(scenario.movement(*unit).pace);
        let stays = path.iter().rev().take_while(|&&at| at == here).count();
        here != scenario.problem.units[*unit].goal && stays > step_ticks
    };
    paths.iter().enumerate().filter(is_waiting).count()
}
