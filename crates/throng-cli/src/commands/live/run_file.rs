//! The file that a run is written to. It holds no times: the same run gives the same bytes.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde::Serialize;
use throng::formats::{Context, FormatKind, PlanDocument, PlanVizOptions, write_plan};
use throng::model::limits::PLAN_CELLS_MAX;
use throng::model::{Cell, Plan, ValidProblem};
use throng_draw::{Body, FilmOptions, Mark, gif, svg_film, unit_colour};

use super::LiveArguments;
use super::engine::Seen;
use super::instance::LiveInstance;
use crate::files::{self, Output};

/// A film shows this many ticks at most: longer ones are too large to be shown.
const FILM_TICKS_MAX: usize = 2_000;
/// Several frames per tick make steps smooth; more frames than this make the file too large.
const FRAMES_SMOOTH_MAX: usize = 400;
const TICK_MS: u32 = 80;
const HOLD_MS: u32 = 2500;

/// A run as it is kept for its file.
pub(super) struct RunFile<'a> {
    output: Output,
    kind: Kind,
    arguments: &'a LiveArguments,
    problem: &'a ValidProblem,
    /// The cells of each unit, tick by tick.
    paths: Vec<Vec<Cell>>,
    /// Tick, unit, column and row.
    orders: Vec<(u32, usize, u16, u16)>,
    ticks: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gif,
    Svg,
    Json,
    Text,
}

/// The run as JSON.
#[derive(Serialize)]
struct RunJson<'a> {
    map: String,
    planner: &'static str,
    moves: u8,
    size: u8,
    pace: u8,
    seed: u64,
    units: usize,
    ticks: usize,
    /// Tick, unit, column and row of every goal that was given.
    orders: &'a [(u32, usize, u16, u16)],
    /// By tick, then unit: column and row.
    cells: Vec<Vec<[u16; 2]>>,
}

impl<'a> RunFile<'a> {
    /// Refuses runs that can become too long for the file, before they start.
    pub(super) fn new(
        output: Output,
        arguments: &'a LiveArguments,
        instance: &'a LiveInstance,
    ) -> Result<Self> {
        let kind = match output.extension().as_str() {
            "gif" => Kind::Gif,
            "svg" => Kind::Svg,
            "json" => Kind::Json,
            _ => Kind::Text,
        };
        let problem = &instance.problem;
        let units = problem.units.len();
        let mut ticks = arguments.ticks_max() as usize;
        if matches!(kind, Kind::Gif | Kind::Svg) {
            ticks = ticks.min(FILM_TICKS_MAX);
        }
        if units.saturating_mul(ticks + 1) > PLAN_CELLS_MAX {
            let name = output.path().display();
            bail!("{name}: a run of more than {PLAN_CELLS_MAX} cells; give fewer --ticks");
        }
        let goals = problem.units.iter().enumerate();
        let orders = goals.map(|(unit, spec)| (0, unit, spec.goal.x, spec.goal.y)).collect();
        let paths = vec![Vec::new(); units];
        Ok(Self { output, kind, arguments, problem, paths, orders, ticks: 0 })
    }

    fn is_film(&self) -> bool {
        matches!(self.kind, Kind::Gif | Kind::Svg)
    }

    /// Notes where units are at the next tick.
    pub(super) fn note(&mut self, seen: &[Seen]) {
        self.ticks += 1;
        if self.is_film() && self.ticks > FILM_TICKS_MAX + 1 {
            return;
        }
        for (path, one) in self.paths.iter_mut().zip(seen) {
            path.push(one.at);
        }
    }

    /// Notes a new goal.
    pub(super) fn note_order(&mut self, tick: u32, unit: usize, goal: Cell) {
        self.orders.push((tick, unit, goal.x, goal.y));
    }

    /// Writes the file; what people are told about it.
    pub(super) fn write(mut self, is_everywhere: bool) -> Result<String> {
        let plan = Plan { paths: std::mem::take(&mut self.paths) };
        let ticks = self.ticks.saturating_sub(1);
        let shown = plan.last_tick().0;
        let (bytes, what) = match self.kind {
            Kind::Gif | Kind::Svg => (self.film(&plan)?, format!("film of {shown} ticks")),
            Kind::Json => (self.json(&plan)?, format!("orders and cells of {shown} ticks")),
            Kind::Text => (self.text(plan, is_everywhere)?, format!("kei18 plan of {shown} ticks")),
        };
        self.output.write(&bytes)?;
        let rest = if (shown as usize) < ticks {
            format!(", the first of {ticks}")
        } else {
            String::new()
        };
        Ok(format!("{}: {what}{rest}\n", self.output.path().display()))
    }

    fn film(&self, plan: &Plan) -> Result<Vec<u8>> {
        let movement = &self.problem.movements[0];
        let ring = |(unit, goal): (usize, Cell)| {
            Mark::ring(unit, goal, movement.footprint).coloured(unit_colour(unit))
        };
        let goals = self.problem.units.iter().map(|unit| unit.goal).enumerate();
        let is_short = plan.last_tick().0 as usize * 2 <= FRAMES_SMOOTH_MAX;
        let options = FilmOptions {
            tick_ms: TICK_MS,
            frames_per_tick: if is_short { 2 } else { 1 },
            // The last cell of a unit may be another than its goal.
            goals: false,
            // Goals that change are not marked.
            marks: if self.arguments.renew { Vec::new() } else { goals.map(ring).collect() },
            hold_ms: HOLD_MS,
            ..FilmOptions::default()
        };
        let bodies = vec![Body::from(movement); plan.paths.len()];
        Ok(match self.kind {
            Kind::Svg => svg_film(&self.problem.map, plan, &bodies, &options).into_bytes(),
            _ => gif(&self.problem.map, plan, &bodies, &options)?,
        })
    }

    fn json(&self, plan: &Plan) -> Result<Vec<u8>> {
        let last_tick = plan.last_tick().0 as usize;
        let row = |tick: usize| {
            let cells = plan.paths.iter().filter_map(|path| path.get(tick));
            cells.map(|cell| [cell.x, cell.y]).collect()
        };
        let json = RunJson {
            map: files::base_name(&self.arguments.map.map),
            planner: self.arguments.planner.name(),
            moves: self.arguments.moves.count(),
            size: self.arguments.size,
            pace: self.arguments.pace,
            seed: self.arguments.seed,
            units: plan.paths.len(),
            ticks: last_tick,
            orders: &self.orders,
            cells: (0..=last_tick).map(row).collect(),
        };
        let mut bytes = serde_json::to_vec(&json)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn text(&self, plan: Plan, is_everywhere: bool) -> Result<Vec<u8>> {
        let document = PlanDocument::new(plan);
        let document = if self.arguments.renew {
            document
        } else {
            document.with_goals(self.problem.units.iter().map(|unit| unit.goal).collect())
        };
        let pairs = [
            ("solved", u64::from(is_everywhere).to_string()),
            ("seed", self.arguments.seed.to_string()),
        ];
        let document = PlanDocument {
            map_file: Some(files::base_name(&self.arguments.map.map)),
            solver: Some(format!("live-{}", self.arguments.planner.name())),
            metadata: BTreeMap::from(pairs.map(|(key, value)| (key.to_owned(), value))),
            ..document
        };
        let (context, options) = (Context::default(), PlanVizOptions::default());
        let text = write_plan(FormatKind::Kei18, &document, &context, options);
        let name = self.output.path().display().to_string();
        Ok(text.map_err(|error| error.in_file(&name))?.into_bytes())
    }
}
