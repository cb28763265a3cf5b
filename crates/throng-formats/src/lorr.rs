//! The problem files of the League of Robot Runners, 2023 and 2024: a JSON file that names a
//! map, an agent file and a task file.
//!
//! ```json
//! {"mapFile": "maps/town.map", "agentFile": "agents/town.agents",
//!  "taskFile": "tasks/town.tasks", "teamSize": 2, "numTasksReveal": 1.5,
//!  "version": "2024 LoRR"}
//! ```
//!
//! The agent file and the task file have a count in the first line, and then one line of
//! locations (row * width + column) per agent or task.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use throng_model::limits::{MAP_SIDE_MAX, UNITS_MAX};
use throng_model::{Cell, CellIndex, Map, MovementProfile, Problem, Unit};

use crate::FormatError;
use crate::text::{self, Line};
use crate::values::from_json;

const EXPECTED: &str = "a LoRR problem JSON with mapFile, agentFile, taskFile and teamSize";
/// Most tasks in a file, and most errands in a task.
const TASKS_MAX: usize = 1_000_000;
const LOCATION_MAX: u32 = MAP_SIDE_MAX * MAP_SIDE_MAX - 1;

/// A problem file. Names of other files are relative to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LorrProblem {
    /// The map, in MovingAI's format.
    pub map_file: String,
    /// The file with the units' starts.
    pub agent_file: String,
    /// The file with their goals.
    pub task_file: String,
    /// The number of units: the first ones of the agent file.
    pub team_size: usize,
    /// The number of tasks per unit that are known in advance.
    #[serde(default = "one")]
    pub num_tasks_reveal: f64,
    /// `2024 LoRR`; `None` in 2023.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How tasks are assigned (2023): `roundrobin`, `greedy` or `roundrobin_fixed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_assignment_strategy: Option<String>,
}

fn one() -> f64 {
    1.0
}

/// Reads a problem file.
///
/// # Errors
/// When it is not such a JSON file, or one of 2026, in which a step takes several ticks.
pub fn read_problem(bytes: &[u8]) -> Result<LorrProblem, FormatError> {
    let problem: LorrProblem = from_json(text::decode(bytes, EXPECTED)?, EXPECTED)?;
    check(&problem)?;
    Ok(problem)
}

fn check(problem: &LorrProblem) -> Result<(), FormatError> {
    if let Some(version) = problem.version.as_deref().filter(|&version| version != "2024 LoRR") {
        let remedy = "give a file of 2023 (no version) or '2024 LoRR'";
        return Err(FormatError::new(format!("version {}", text::quote(version)), remedy));
    }
    if problem.team_size > UNITS_MAX {
        let wrong = format!("teamSize {}: the limit is {UNITS_MAX}", problem.team_size);
        return Err(FormatError::new(wrong, "give a smaller team"));
    }
    let reveal = problem.num_tasks_reveal;
    if !reveal.is_finite() || reveal < 0.0 {
        let wrong = format!("numTasksReveal {reveal}");
        return Err(FormatError::new(wrong, "give a finite number of at least 0"));
    }
    Ok(())
}

/// Writes a problem file.
///
/// # Errors
/// When a number is out of bounds.
pub fn write_problem(problem: &LorrProblem) -> Result<String, FormatError> {
    check(problem)?;
    let json = serde_json::to_string_pretty(problem);
    json.map(|text| text + "\n").map_err(|error| FormatError::new(error.to_string(), "correct it"))
}

/// Reads an agent file: one start location per unit.
///
/// # Errors
/// When the count is wrong or a line is no location.
pub fn read_agents(bytes: &[u8]) -> Result<Vec<CellIndex>, FormatError> {
    let rows = read_list(bytes, "agents", UNITS_MAX)?;
    // Values after the first are settings of other years.
    Ok(rows.into_iter().filter_map(|row| row.first().copied()).collect())
}

/// Reads a task file: the locations of each task's errands, in order.
///
/// # Errors
/// When the count is wrong or a line holds no locations.
pub fn read_tasks(bytes: &[u8]) -> Result<Vec<Vec<CellIndex>>, FormatError> {
    read_list(bytes, "tasks", TASKS_MAX)
}

fn read_list(bytes: &[u8], what: &str, max: usize) -> Result<Vec<Vec<CellIndex>>, FormatError> {
    let text = text::decode(bytes, &format!("a file of {what}: their count, then a line each"))?;
    let mut lines = text::lines(text).filter(|l| !l.is_blank() && !l.text.starts_with('#'));
    let Some(head) = lines.next() else {
        return Err(FormatError::new(format!("no count of {what}"), "add it as the first line"));
    };
    let count =
        head.split(|_| false).next().map_or(Ok(0), |field| field.whole(what, 0..=max as u32))?;
    let mut rows = Vec::new();
    for line in lines {
        if rows.len() == count as usize {
            let problem = format!("more than the {count} {what} that the file begins with");
            return Err(line.error(0, problem, "correct the count or remove the line"));
        }
        rows.push(locations(line)?);
    }
    if rows.len() != count as usize {
        let problem = format!("{} of {count} {what}", rows.len());
        return Err(FormatError::new(problem, "correct the count or add the lines"));
    }
    Ok(rows)
}

fn locations(line: Line<'_>) -> Result<Vec<CellIndex>, FormatError> {
    let fields = line.split(|c| c == ',').filter(|field| !field.text.is_empty());
    let locations = fields.map(|field| Ok(CellIndex(field.whole("location", 0..=LOCATION_MAX)?)));
    match locations.collect::<Result<Vec<_>, _>>()? {
        locations if locations.is_empty() => Err(line.error(0, "no location", "give at least one")),
        locations => Ok(locations),
    }
}

/// Writes an agent file.
#[must_use]
pub fn write_agents(starts: &[CellIndex]) -> String {
    write_tasks(&starts.iter().map(|&start| vec![start]).collect::<Vec<_>>())
}

/// Writes a task file.
#[must_use]
pub fn write_tasks(tasks: &[Vec<CellIndex>]) -> String {
    let mut out = format!("{}\n", tasks.len());
    for task in tasks {
        let errands: Vec<String> = task.iter().map(|location| location.0.to_string()).collect();
        let _ = writeln!(out, "{}", errands.join(","));
    }
    out
}

impl LorrProblem {
    /// The start of the competition as a one-shot problem: unit i goes to the first errand of
    /// task i, as in round robin.
    ///
    /// # Errors
    /// When agents or tasks are fewer than the team, or a location is off the map.
    pub fn opening(
        &self,
        map: &Map,
        agents: &[CellIndex],
        tasks: &[Vec<CellIndex>],
        movement: MovementProfile,
    ) -> Result<Problem, FormatError> {
        let team = self.team_size;
        let few = |what: &str, count: usize| {
            FormatError::new(format!("{count} {what} for a team of {team}"), "add the missing ones")
        };
        let agents = agents.get(..team).ok_or_else(|| few("agents", agents.len()))?;
        let tasks = tasks.get(..team).ok_or_else(|| few("tasks", tasks.len()))?;
        let goals = tasks.iter().filter_map(|task| task.first());
        let unit = |(&start, &goal): (&CellIndex, &CellIndex)| {
            Ok(Unit::new(cell(map, start)?, cell(map, goal)?))
        };
        let units = agents.iter().zip(goals).map(unit).collect::<Result<_, _>>()?;
        Ok(Problem::new(map.clone(), movement, units))
    }
}

fn cell(map: &Map, location: CellIndex) -> Result<Cell, FormatError> {
    if location.get() < map.terrain().len() {
        return Ok(map.cell(location));
    }
    let (width, height) = (map.width(), map.height());
    let problem = format!("location {} is off the map of {width} x {height} cells", location.0);
    Err(FormatError::new(problem, "give the map that the problem was made for (-m MAP)"))
}
