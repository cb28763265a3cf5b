//! Follows a lifelong run: the referee judges every tick, and the trace is kept if a file is
//! wanted.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use throng::anytime::lifelong::{Lifelong, Motion, Tasks, TurnAction};
use throng::anytime::{Graph, Vertex};
use throng::formats::lorr_run::{self, LorrAction, LorrEvent, LorrPaths, LorrRun};
use throng::formats::{Context, FormatKind, PlanDocument, PlanVizOptions, write_plan};
use throng::model::limits::PLAN_CELLS_MAX;
use throng::model::{Cell, Conflicts, Plan, UnitId};
use throng::referee::{LiveReferee, Sighting};

use super::course::Course;
use crate::files::Output;

pub(super) struct Record<'a> {
    course: &'a Course,
    graph: &'a Graph,
    referee: LiveReferee,
    violations: usize,
    first_violation: String,
    trace: Option<Trace>,
}

/// What a file needs.
struct Trace {
    output: Output,
    paths: Vec<Vec<Cell>>,
    actions: Vec<Vec<LorrAction>>,
    events: Vec<Vec<LorrEvent>>,
    tasks: Vec<(u32, Cell)>,
}

impl<'a> Record<'a> {
    pub(super) fn new(
        course: &'a Course,
        graph: &'a Graph,
        ticks: u32,
        output: Option<Output>,
    ) -> Result<Self> {
        let units = course.starts.len();
        if let Some(output) = &output {
            let name = output.path().display();
            if units.saturating_mul(ticks as usize + 1) > PLAN_CELLS_MAX {
                bail!("{name}: a trace of more than {PLAN_CELLS_MAX} cells; run fewer ticks");
            }
            if is_json(output) && !course.is_straight() {
                bail!("{name}: the League's format has no diagonal steps; end the name in .txt");
            }
        }
        let trace = output.map(|output| Trace {
            output,
            paths: vec![Vec::new(); units],
            actions: vec![Vec::new(); units],
            events: vec![Vec::new(); units],
            tasks: Vec::new(),
        });
        let referee = LiveReferee::new(Conflicts::default());
        let first_violation = String::new();
        Ok(Self { course, graph, referee, violations: 0, first_violation, trace })
    }

    pub(super) fn cell(&self, at: Vertex) -> Cell {
        self.graph.cell(at)
    }

    pub(super) fn violations(&self) -> usize {
        self.violations
    }

    pub(super) fn first_violation(&self) -> &str {
        &self.first_violation
    }

    /// Judges the state after a tick and notes it.
    pub(super) fn observe<T: Tasks>(&mut self, run: &Lifelong<'_, T>, tick: u32) {
        let sighting = |(unit, &at): (usize, &Vertex)| Sighting {
            unit: UnitId::new(unit as u32),
            movement: &self.course.movement,
            at: self.graph.cell(at),
            heading: None,
            team: 0,
            layer: 0,
        };
        let sightings: Vec<_> = run.positions().iter().enumerate().map(sighting).collect();
        let found = self.referee.tick(&self.course.map, &sightings, &[]);
        let mut wrong: Vec<String> = found.iter().map(ToString::to_string).collect();
        // A goal counts only where the referee saw the unit.
        for event in run.events().iter().filter(|event| event.finished) {
            if sightings[event.unit].at != self.graph.cell(event.task.goal) {
                wrong.push(format!("tick {tick}: unit {} is not on its goal", event.unit));
            }
        }
        self.violations += wrong.len();
        if let Some(first) = wrong.into_iter().next().filter(|_| self.first_violation.is_empty()) {
            self.first_violation = first;
        }
        if let Some(trace) = &mut self.trace {
            trace.note(run, self.graph, tick);
        }
    }

    /// Writes the trace; what people are told about it.
    pub(super) fn write(&self) -> Result<String> {
        let Some(trace) = &self.trace else { return Ok(String::new()) };
        let name = trace.output.path().display().to_string();
        let text = if is_json(&trace.output) {
            lorr_run::write(&trace.league(self.course, self.violations == 0))
        } else {
            trace.kei18(self.course)
        };
        trace.output.write(text.map_err(|error| error.in_file(&name))?.as_bytes())?;
        Ok(format!("{name}: written\n"))
    }
}

fn is_json(output: &Output) -> bool {
    output.extension() == "json"
}

impl Trace {
    fn note<T: Tasks>(&mut self, run: &Lifelong<'_, T>, graph: &Graph, tick: u32) {
        for (path, &at) in self.paths.iter_mut().zip(run.positions()) {
            path.push(graph.cell(at));
        }
        if tick > 0 {
            for (actions, &action) in self.actions.iter_mut().zip(run.actions()) {
                actions.push(league_action(action));
            }
        }
        for event in run.events() {
            let (task, finished) = (event.task.id, event.finished);
            self.events[event.unit].push(LorrEvent { task, tick, finished });
            if !finished {
                self.tasks.push((task, graph.cell(event.task.goal)));
            }
        }
    }

    fn league<'t>(&'t self, course: &'t Course, all_valid: bool) -> LorrRun<'t> {
        let paths = match course.motion {
            Motion::Turns => LorrPaths::Turns(&self.actions),
            Motion::Steps => LorrPaths::Cells(&self.paths),
        };
        let (events, tasks) = (&self.events, &self.tasks);
        LorrRun { starts: &course.starts, paths, events, tasks, all_valid }
    }

    fn kei18(&self, course: &Course) -> Result<String, throng::formats::FormatError> {
        let document = PlanDocument {
            map_file: Some(course.map_name.clone()),
            solver: Some("lifelong".to_owned()),
            metadata: BTreeMap::new(),
            ..PlanDocument::new(Plan { paths: self.paths.clone() })
        };
        let options = PlanVizOptions::default();
        write_plan(FormatKind::Kei18, &document, &Context::default(), options)
    }
}

fn league_action(action: TurnAction) -> LorrAction {
    match action {
        TurnAction::Forward => LorrAction::Forward,
        TurnAction::Clockwise => LorrAction::Clockwise,
        TurnAction::CounterClockwise => LorrAction::CounterClockwise,
        TurnAction::Wait => LorrAction::Wait,
    }
}
