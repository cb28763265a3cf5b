//! The output JSON of the League of Robot Runners' start kit, which PlanViz shows: the forms
//! of 2023 (no `version`) and of 2024.
//!
//! ```json
//! {"actionModel": "MAPF", "version": "2024 LoRR", "teamSize": 1, "start": [[0, 0, "E"]],
//!  "actualPaths": ["R,R,W"], "plannerPaths": ["R,R,W"], ...}
//! ```
//!
//! Two sets of actions: `MAPF` (`U D L R W`) and `MAPF_T` (`F` forward, `R` clockwise, `C`
//! counter-clockwise, `W`), `T` being a wait that a time-out caused. Both are read; `MAPF` is
//! written. PlanViz moves `U` to the row below while its older examples have it above, so the
//! reader walks both ways (see [`UpDown`]).

use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use throng_model::{Cell, Plan};

use crate::document::{PlanSize, last_arrival};
use crate::steps::{Moves, Step, UpDown, moves, next_cell};
use crate::text::{self, quote};
use crate::values::{Coordinate, cell, from_json};
use crate::{Context, FormatError, PlanDocument};

const EXPECTED: &str = "a LoRR output JSON with actionModel, start and actualPaths";
const VERSION_2024: &str = "2024 LoRR";

/// Which year's form to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LorrYear {
    /// 2023: no version, tasks of one location.
    Y2023,
    /// 2024: tasks of several errands, schedules.
    #[default]
    Y2024,
}

/// How to write a PlanViz file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanVizOptions {
    /// Which way `U` goes: as PlanViz reads it today, or as its older examples have it.
    pub up_down: UpDown,
    /// Which year's form.
    pub year: LorrYear,
    /// What a referee said of the plan, if one was asked.
    pub all_valid: Option<bool>,
}

#[derive(Deserialize)]
struct Head {
    version: Option<String>,
}

/// The parts of the file that tell the plan. The two years' events differ in form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound = "Event: DeserializeOwned")]
struct Output<Event> {
    action_model: ActionModel,
    team_size: Option<usize>,
    start: Vec<Start>,
    actual_paths: Option<Vec<String>>,
    planner_paths: Option<Vec<String>>,
    tasks: Option<Vec<Task>>,
    actual_schedule: Option<Vec<String>>,
    events: Option<Vec<Event>>,
}

#[derive(Deserialize)]
enum ActionModel {
    #[serde(rename = "MAPF")]
    Moves,
    #[serde(rename = "MAPF_T")]
    Turns,
}

/// `[task, tick, "assigned" | "finished"]`.
#[derive(Deserialize)]
struct Event2023(i64, #[expect(dead_code, reason = "a part of the form")] u64, String);

/// `[id, row, column]` in 2023, `[id, tick, [row, column, row, column, ...]]` in 2024.
#[derive(Deserialize)]
struct Task(i64, u64, Place);

#[derive(Deserialize)]
#[serde(untagged)]
enum Place {
    Column(u64),
    Errands(Vec<u64>),
}

impl Task {
    /// Where a task of a single errand leads.
    fn cell(&self) -> Option<Cell> {
        let (row, column) = match &self.2 {
            Place::Column(column) => (self.1, *column),
            Place::Errands(errands) => match errands[..] {
                [row, column] => (row, column),
                _ => return None,
            },
        };
        let side = |value: u64| Coordinate::try_from(i64::try_from(value).ok()?).ok();
        Some(cell(side(column)?, side(row)?))
    }
}

/// `[row, column, heading]`; the kit writes a fourth item after a south heading.
struct Start {
    cell: Cell,
    heading: usize,
}

const HEADINGS: [&str; 4] = ["E", "S", "W", "N"];

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items;
        impl<'de> Visitor<'de> for Items {
            type Value = Start;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a start as [row, column, \"E\" or another heading]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Start, A::Error> {
                let missing = || serde::de::Error::custom("a start needs row, column, heading");
                let row: Coordinate = items.next_element()?.ok_or_else(missing)?;
                let column: Coordinate = items.next_element()?.ok_or_else(missing)?;
                let heading: String = items.next_element()?.ok_or_else(missing)?;
                while items.next_element::<IgnoredAny>()?.is_some() {}
                let known = HEADINGS.iter().position(|name| *name == heading);
                let heading = known.or((heading == "N/A").then_some(0)).ok_or_else(|| {
                    serde::de::Error::custom(format!("heading {} is none of ESWN", quote(&heading)))
                })?;
                Ok(Start { cell: cell(column, row), heading })
            }
        }
        deserializer.deserialize_seq(Items)
    }
}

/// Reads an output file: the actual paths, or the planned ones where it has no others. Goals
/// are the tasks of units that have just one, of one errand.
///
/// # Errors
/// When the file is no such JSON, or of 2026.
pub fn read(bytes: &[u8], context: &Context<'_>) -> Result<PlanDocument, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    match from_json::<Head>(text, EXPECTED)?.version.as_deref() {
        None => {
            let output: Output<Vec<Event2023>> = from_json(text, EXPECTED)?;
            let goals = output.goals(|unit| output.assigned_2023(unit));
            output.document(goals, context)
        }
        Some(VERSION_2024) => {
            let output: Output<IgnoredAny> = from_json(text, EXPECTED)?;
            let goals = output.goals(|unit| output.scheduled_2024(unit));
            output.document(goals, context)
        }
        Some(other) => {
            let problem = format!("version {}", quote(other));
            Err(FormatError::new(problem, "give a file of 2023 (no version) or '2024 LoRR'"))
        }
    }
}

impl Output<Vec<Event2023>> {
    /// The only task that was ever assigned to the unit.
    fn assigned_2023(&self, unit: usize) -> Option<i64> {
        let events = self.events.as_ref()?.get(unit)?;
        only(events.iter().filter(|event| event.2 == "assigned").map(|event| event.0))
    }
}

impl Output<IgnoredAny> {
    /// The only task in the unit's schedule, which is `tick:task,tick:task`.
    fn scheduled_2024(&self, unit: usize) -> Option<i64> {
        let schedule = self.actual_schedule.as_ref()?.get(unit)?;
        let tasks = schedule.split(',').filter_map(|item| item.split_once(':'));
        only(tasks.filter_map(|(_, task)| task.trim().parse().ok()).filter(|&task| task >= 0))
    }
}

fn only(mut items: impl Iterator<Item = i64>) -> Option<i64> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

impl<Event> Output<Event> {
    fn goals(&self, task_of: impl Fn(usize) -> Option<i64>) -> Option<Vec<Cell>> {
        let tasks = self.tasks.as_ref()?;
        let place = |task: &Task| Some((task.0, task.cell()?));
        let by_id: std::collections::BTreeMap<i64, Cell> = tasks.iter().filter_map(place).collect();
        (0..self.start.len()).map(|unit| by_id.get(&task_of(unit)?).copied()).collect()
    }

    fn document(
        &self,
        goals: Option<Vec<Cell>>,
        context: &Context<'_>,
    ) -> Result<PlanDocument, FormatError> {
        let starts: Vec<Cell> = self.start.iter().map(|start| start.cell).collect();
        let Some(paths) = self.actual_paths.as_ref().or(self.planner_paths.as_ref()) else {
            let problem = "neither actualPaths nor plannerPaths";
            return Err(FormatError::new(problem, format!("give {EXPECTED}")));
        };
        for (name, count) in [("teamSize", self.team_size), ("paths", Some(paths.len()))] {
            if let Some(count) = count.filter(|&count| count != starts.len()) {
                let problem = format!("{name} says {count} units, start has {}", starts.len());
                return Err(FormatError::new(problem, "give every unit one start and one path"));
            }
        }
        let mut size = PlanSize::default();
        paths.iter().try_for_each(|path| size.add(path.split(',').count() + 1))?;
        let paths = match self.action_model {
            ActionModel::Moves => self.moved(&starts, paths, goals.as_deref(), context)?,
            ActionModel::Turns => self.turned(paths)?,
        };
        let plan = Plan { paths };
        Ok(PlanDocument { plan, starts, goals, ..PlanDocument::default() })
    }

    fn moved(
        &self,
        starts: &[Cell],
        paths: &[String],
        goals: Option<&[Cell]>,
        context: &Context<'_>,
    ) -> Result<Vec<Vec<Cell>>, FormatError> {
        let units = paths.iter().enumerate();
        let steps = units.map(|(unit, path)| actions(path).map(|a| step(unit, a)).collect());
        let steps: Vec<Vec<Step>> = steps.collect::<Result<_, _>>()?;
        Moves { starts, steps: &steps, goals, map: context.map }.paths(UpDown::UpAddsRow)
    }

    /// The paths of units that turn before they move.
    fn turned(&self, paths: &[String]) -> Result<Vec<Vec<Cell>>, FormatError> {
        let units = self.start.iter().zip(paths).enumerate();
        units.map(|(unit, (start, path))| turned_path(unit, start, path)).collect()
    }
}

fn actions(path: &str) -> impl Iterator<Item = &str> {
    path.split(',').map(str::trim).filter(|action| !action.is_empty())
}

fn step(unit: usize, action: &str) -> Result<Step, FormatError> {
    match action {
        "U" => Ok(Step::Up),
        "D" => Ok(Step::Down),
        "L" => Ok(Step::Left),
        "R" => Ok(Step::Right),
        "W" | "T" => Ok(Step::Wait),
        other => Err(unknown_action(unit, other, "U, D, L, R, W and T")),
    }
}

fn unknown_action(unit: usize, action: &str, known: &str) -> FormatError {
    let problem = format!("unit {unit}: {} is no action of this model", quote(action));
    FormatError::new(problem, format!("use {known}"))
}

fn turned_path(unit: usize, start: &Start, path: &str) -> Result<Vec<Cell>, FormatError> {
    let (mut at, mut heading) = (start.cell, start.heading);
    let mut cells = vec![at];
    for action in actions(path) {
        match action {
            "R" => heading = (heading + 1) % 4,
            "C" => heading = (heading + 3) % 4,
            "W" | "T" => {}
            "F" => {
                let offset = [(1, 0), (0, 1), (-1, 0), (0, -1)][heading];
                at = next_cell(at, offset).ok_or_else(|| {
                    let problem = format!("unit {unit} leaves every map from {at}");
                    FormatError::new(problem, "correct its start or its path")
                })?;
            }
            other => return Err(unknown_action(unit, other, "F, R, C, W and T")),
        }
        cells.push(at);
    }
    Ok(cells)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    action_model: &'static str,
    #[serde(rename = "AllValid", skip_serializing_if = "Option::is_none")]
    all_valid: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
    team_size: usize,
    start: Vec<(u16, u16, &'static str)>,
    num_task_finished: usize,
    sum_of_cost: u64,
    makespan: usize,
    actual_paths: Vec<String>,
    planner_paths: Vec<String>,
    planner_times: Vec<f64>,
    errors: [u8; 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule_errors: Option<[u8; 0]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_schedule: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    planner_schedule: Option<Vec<String>>,
    events: serde_json::Value,
    tasks: serde_json::Value,
}

/// Writes an output file with the actions `MAPF`. Each unit gets one task: its goal, or where
/// its path ends if goals are unknown (PlanViz refuses files without tasks).
///
/// `AllValid` is left out of a plan that was not checked: the format has no word for it.
///
/// # Errors
/// When a unit has no path or makes other than four-connected steps.
pub fn write(document: &PlanDocument, options: PlanVizOptions) -> Result<String, FormatError> {
    let paths = document.full_paths()?;
    let is_2024 = options.year == LorrYear::Y2024;
    let ticks = paths.iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1);
    PlanSize::rectangle(paths.len(), ticks + 1)?;
    let written = paths.iter().enumerate().map(|(u, path)| write_path(u, path, ticks, options));
    let actual_paths = written.collect::<Result<Vec<_>, _>>()?;
    let tasks = UnitTask::all(document, paths);
    let schedule: Vec<String> = (0..paths.len()).map(|unit| format!("0:{unit}")).collect();
    let output = Written {
        action_model: "MAPF",
        all_valid: options.all_valid.map(|valid| if valid { "Yes" } else { "No" }),
        version: is_2024.then_some(VERSION_2024),
        team_size: paths.len(),
        start: paths.iter().map(|path| (path[0].y, path[0].x, "E")).collect(),
        num_task_finished: tasks.iter().filter(|task| task.finished.is_some()).count(),
        sum_of_cost: document.sum_of_costs().unwrap_or(0),
        makespan: ticks,
        planner_paths: actual_paths.clone(),
        actual_paths,
        planner_times: Vec::new(),
        errors: [],
        schedule_errors: is_2024.then_some([]),
        actual_schedule: is_2024.then(|| schedule.clone()),
        planner_schedule: is_2024.then_some(schedule),
        events: if is_2024 { events_2024(&tasks) } else { events_2023(&tasks) },
        tasks: tasks.iter().enumerate().map(|(id, task)| task.json(id, options.year)).collect(),
    };
    let json = serde_json::to_string(&output);
    json.map_err(|error| FormatError::new(error.to_string(), "correct the plan"))
}

fn write_path(
    unit: usize,
    path: &[Cell],
    ticks: usize,
    options: PlanVizOptions,
) -> Result<String, FormatError> {
    let letter = |step: Step| match step {
        Step::Up => "U",
        Step::Down => "D",
        Step::Left => "L",
        Step::Right => "R",
        Step::Wait => "W",
    };
    let mut letters: Vec<_> = moves(unit, path, options.up_down)?.into_iter().map(letter).collect();
    letters.resize(ticks, "W");
    Ok(letters.join(","))
}

/// A unit's goal as a task, and when it was reached for good.
struct UnitTask {
    cell: Cell,
    finished: Option<usize>,
}

impl UnitTask {
    fn all(document: &PlanDocument, paths: &[Vec<Cell>]) -> Vec<Self> {
        let goals = document.goals.as_deref().unwrap_or_default();
        let tasks = paths.iter().enumerate().map(|(unit, path)| {
            let end = path.last().copied().unwrap_or_default();
            let cell = goals.get(unit).copied().unwrap_or(end);
            Self { cell, finished: last_arrival(path).filter(|_| end == cell) }
        });
        tasks.collect()
    }

    fn json(&self, id: usize, year: LorrYear) -> serde_json::Value {
        let (row, column) = (self.cell.y, self.cell.x);
        match year {
            LorrYear::Y2023 => serde_json::json!([id, row, column]),
            LorrYear::Y2024 => serde_json::json!([id, 0, [row, column]]),
        }
    }
}

/// `[[[task, tick, "assigned"], ...], ...]`, a list for each unit.
fn events_2023(tasks: &[UnitTask]) -> serde_json::Value {
    let of_unit = |(id, task): (usize, &UnitTask)| {
        let assigned = serde_json::json!([id, 0, "assigned"]);
        let finished = task.finished.map(|tick| serde_json::json!([id, tick, "finished"]));
        std::iter::once(assigned).chain(finished).collect::<serde_json::Value>()
    };
    tasks.iter().enumerate().map(of_unit).collect()
}

/// `[[tick, unit, task, errands done], ...]`, by tick.
fn events_2024(tasks: &[UnitTask]) -> serde_json::Value {
    let finished = tasks.iter().enumerate().filter_map(|(id, task)| Some((task.finished?, id)));
    let mut events: Vec<_> = finished.collect();
    events.sort_unstable();
    events.into_iter().map(|(tick, id)| serde_json::json!([tick, id, id, 1])).collect()
}
