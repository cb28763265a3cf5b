//! Runs the units tick by tick until all stand on their goals, or time is up.

use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;
use throng::model::{Cell, ValidProblem};

use super::engine::{Engine, Seen};
use super::goals::Renewal;
use super::run_file::RunFile;
use super::watch::Watch;
use crate::clock::timed;
use crate::{files, progress, signals};

/// What is to be run.
pub(super) struct Course<'a> {
    pub(super) problem: &'a ValidProblem,
    pub(super) ticks_max: u32,
    pub(super) renewal: Option<Renewal>,
    pub(super) file: Option<RunFile<'a>>,
}

/// What happened.
pub(super) struct Run {
    pub(super) ticks: u32,
    /// How many units stand on their goals at the end.
    pub(super) arrived: usize,
    pub(super) all_arrived_tick: Option<u32>,
    /// How many goals were reached, if units get new ones.
    pub(super) goals: u64,
    /// The time of each tick.
    pub(super) times: Vec<Duration>,
    pub(super) longest_stall_ticks: u32,
    pub(super) violations: usize,
    pub(super) first_violation: Option<String>,
    pub(super) unit_ticks: u64,
    pub(super) unreachable: usize,
    /// The first few units that are short of their goals, and why.
    pub(super) short: Vec<String>,
    pub(super) hash: u64,
    /// The most memory of the process, before the file was made.
    pub(super) memory_bytes: Option<u64>,
    /// Whether a signal stopped it.
    pub(super) is_interrupted: bool,
    /// Whether a limit in milliseconds cut planning short.
    pub(super) is_cut_short: bool,
    /// What people are told about the file.
    pub(super) written: String,
}

/// How many units that are short of their goals are named.
const SHORT_MAX: usize = 5;

fn short(engine: &dyn Engine, goals: &[Cell]) -> Vec<String> {
    let seen = engine.see();
    let units = seen.iter().zip(goals).enumerate().filter(|(_, (one, goal))| !one.is_on(**goal));
    let line = |(unit, (one, goal)): (usize, (&Seen, &Cell))| {
        let why = engine.why(unit).map_or_else(String::new, |why| format!(": {why}"));
        format!("unit {unit} at {}, goal {goal}{why}", one.at)
    };
    units.take(SHORT_MAX).map(line).collect()
}

impl Course<'_> {
    pub(super) fn run(mut self, engine: &mut dyn Engine) -> Result<Run> {
        let mut goals: Vec<Cell> = self.problem.units.iter().map(|unit| unit.goal).collect();
        let mut watch = Watch::new(self.problem, engine.sees_headings());
        let (mut times, mut reached) = (Vec::new(), 0);
        let bar = self.bar();
        let mut tick = 0;
        let arrived = loop {
            let seen = engine.see();
            watch.observe(&seen, &goals);
            self.file.iter_mut().for_each(|file| file.note(&seen));
            let arrived = seen.iter().zip(&goals).filter(|(one, goal)| one.is_on(**goal)).count();
            bar.set_position(if self.renewal.is_some() { tick.into() } else { arrived as u64 });
            let is_done = arrived == goals.len() && self.renewal.is_none();
            if is_done || tick == self.ticks_max || signals::is_stopped() {
                break arrived;
            }
            if tick > 0 {
                reached += self.renew(engine, &seen, &mut goals, tick)?;
            }
            let ((), took) = timed(|| engine.tick());
            times.push(took);
            tick += 1;
        };
        bar.finish_and_clear();
        watch.finish();
        // Films take much memory: it does not count.
        let memory_bytes = files::peak_memory_bytes();
        let is_everywhere = arrived == goals.len() && self.renewal.is_none();
        let written = self.file.map_or(Ok(String::new()), |file| file.write(is_everywhere))?;
        Ok(Run {
            ticks: tick,
            arrived,
            all_arrived_tick: is_everywhere.then_some(tick),
            // Units that arrived last get no goal any more.
            goals: reached + if tick > 0 { arrived as u64 } else { 0 },
            times,
            longest_stall_ticks: watch.longest_stall(),
            violations: watch.violations,
            unit_ticks: watch.unit_ticks(),
            first_violation: watch.first_violation,
            unreachable: engine.unreachable(),
            short: short(engine, &goals),
            hash: engine.hash(),
            memory_bytes,
            is_interrupted: signals::is_stopped(),
            is_cut_short: engine.is_cut_short(),
            written,
        })
    }

    fn bar(&self) -> ProgressBar {
        match self.renewal {
            Some(_) => progress::bar(self.ticks_max as usize, "ticks"),
            None => progress::bar(self.problem.units.len(), "units on their goals"),
        }
    }

    /// Gives units on their goals new ones. Returns how many goals were reached.
    fn renew(
        &mut self,
        engine: &mut dyn Engine,
        seen: &[Seen],
        goals: &mut [Cell],
        tick: u32,
    ) -> Result<u64> {
        let Some(renewal) = &mut self.renewal else { return Ok(0) };
        let mut reached = 0;
        for (unit, (one, goal)) in seen.iter().zip(goals).enumerate() {
            if !one.is_on(*goal) {
                continue;
            }
            // A goal counts when the unit gets the next one: it may have to wait for it.
            if let Some(next) = renewal.draw(*goal) {
                *goal = next;
                engine.send(unit, next)?;
                self.file.iter_mut().for_each(|file| file.note_order(tick, unit, next));
                reached += 1;
            }
        }
        Ok(reached)
    }
}
