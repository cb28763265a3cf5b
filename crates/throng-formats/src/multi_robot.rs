//! The YAML of libMultiRobotPlanning: problems in, schedules out.
//!
//! ```yaml
//! map:
//!   dimensions: [4, 2]
//!   obstacles:
//!     - [1, 1]
//! agents:
//!   - name: agent0
//!     start: [0, 0]
//!     goal: [2, 0]
//! ```
//!
//! ```yaml
//! statistics:
//!   cost: 2
//!   makespan: 2
//! schedule:
//!   agent0:
//!     - x: 0
//!       y: 0
//!       t: 0
//! ```
//!
//! There y points up, but its converter copies MovingAI's y unchanged; so does throng.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use throng_model::{Cell, Factor, Map, MapError, MovementProfile, Plan, Problem, Unit};

use crate::document::PlanSize;
use crate::values::{Coordinate, Pair, Side, Time, cell, from_yaml, number_or_quoted, quoted};
use crate::{FormatError, PlanDocument, text};

const PROBLEM: &str = "a libMultiRobotPlanning problem: map (dimensions, obstacles) and agents \
                       (name, start, goal) on a grid";
const SCHEDULE: &str = "a libMultiRobotPlanning schedule: agents with lists of x, y and t";

#[derive(Deserialize)]
struct ProblemFile {
    map: GridMap,
    agents: Vec<Agent>,
}

#[derive(Deserialize)]
struct GridMap {
    dimensions: (Side, Side),
    #[serde(default)]
    obstacles: Vec<Pair>,
}

#[derive(Deserialize)]
struct Agent {
    start: Pair,
    goal: Pair,
}

/// Reads a problem on a grid. All units move four-connected.
///
/// # Errors
/// When the file is no such YAML, or an obstacle lies off the map.
pub fn read_problem(bytes: &[u8]) -> Result<Problem, FormatError> {
    let text = text::decode(bytes, PROBLEM)?;
    let file: ProblemFile = from_yaml(text, PROBLEM)?;
    let map = grid(&file.map).map_err(|error| {
        FormatError::new(error.to_string(), "correct the dimensions or the obstacles")
    })?;
    let units = file.agents.iter().map(|a| Unit::new(a.start.cell(), a.goal.cell())).collect();
    Ok(Problem::new(map, MovementProfile::four_connected(), units))
}

fn grid(file: &GridMap) -> Result<Map, MapError> {
    let open = Map::empty(file.dimensions.0.0, file.dimensions.1.0)?;
    let (width, height) = (open.width(), open.height());
    let mut cells = open.terrain().to_vec();
    for cell in file.obstacles.iter().map(|pair| pair.cell()) {
        let index = open.index(cell).ok_or(MapError::OffMap { cell, width, height })?;
        cells[index.get()] = Map::WALL;
    }
    Map::new(width, height, open.classes().to_vec(), cells)
}

/// Writes a problem. Cells that its first movement profile cannot enter become obstacles.
///
/// # Errors
/// When some terrain costs more than other terrain: the format cannot say so.
pub fn write_problem(problem: &Problem) -> Result<String, FormatError> {
    let map = &problem.map;
    let factors = match problem.movements.first() {
        Some(movement) => movement.factors(map),
        None => map.classes().iter().map(|class| class.factor).collect(),
    };
    let factor = |cell: &Cell| map.terrain_at(*cell).and_then(|t| factors[t.get()]);
    let costly = |cell: &Cell| factor(cell).is_some_and(|f| f != Factor::ONE);
    if let Some(cell) = map.cells().find(costly) {
        let problem = format!("cell {cell} has a cost factor");
        return Err(FormatError::new(problem, "this format has free and blocked cells only"));
    }
    let mut out = format!("map:\n  dimensions: [{}, {}]\n", map.width(), map.height());
    let mut obstacles = map.cells().filter(|cell| factor(cell).is_none()).peekable();
    out.push_str(if obstacles.peek().is_some() { "  obstacles:\n" } else { "  obstacles: []\n" });
    for cell in obstacles {
        let _ = writeln!(out, "    - [{}, {}]", cell.x, cell.y);
    }
    out.push_str(if problem.units.is_empty() { "agents: []\n" } else { "agents:\n" });
    for (index, Unit { start, goal, .. }) in problem.units.iter().enumerate() {
        let _ = writeln!(out, "  - name: agent{index}");
        let _ = writeln!(out, "    start: [{}, {}]", start.x, start.y);
        let _ = writeln!(out, "    goal: [{}, {}]", goal.x, goal.y);
    }
    Ok(out)
}

#[derive(Deserialize)]
struct ScheduleFile {
    #[serde(default)]
    statistics: BTreeMap<String, String>,
    schedule: Agents,
}

#[derive(Deserialize)]
struct State {
    x: Coordinate,
    y: Coordinate,
    t: Time,
}

/// The agents in the file's order, which no map type keeps.
struct Agents(Vec<(String, Vec<State>)>);

impl<'de> Deserialize<'de> for Agents {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Agents;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("agents by name")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Agents, A::Error> {
                let mut agents = Vec::new();
                while let Some(agent) = map.next_entry()? {
                    agents.push(agent);
                }
                Ok(Agents(agents))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Reads a schedule. Agents called `agent0`, `agent1`, ... are ordered by number, others as
/// they come. Between two states an agent stays; the statistics become metadata.
///
/// # Errors
/// When the file is no such YAML, or an agent's times do not rise from 0.
pub fn read_schedule(bytes: &[u8]) -> Result<PlanDocument, FormatError> {
    let text = text::decode(bytes, SCHEDULE)?;
    let ScheduleFile { statistics, schedule: Agents(mut agents) } = from_yaml(text, SCHEDULE)?;
    sort_by_number(&mut agents);
    let mut size = PlanSize::default();
    let paths = agents.iter().map(|(name, states)| {
        let last = states.last().map_or(0, |state| state.t.0 as usize + 1);
        size.add(last)?;
        path(name, states)
    });
    let paths = paths.collect::<Result<_, _>>()?;
    Ok(PlanDocument { metadata: statistics, ..PlanDocument::new(Plan { paths }) })
}

fn sort_by_number(agents: &mut [(String, Vec<State>)]) {
    let number = |name: &str| name.strip_prefix("agent").and_then(|n| n.parse::<u32>().ok());
    if agents.iter().all(|(name, _)| number(name).is_some()) {
        agents.sort_by_key(|(name, _)| number(name));
    }
}

fn path(name: &str, states: &[State]) -> Result<Vec<Cell>, FormatError> {
    let mut path: Vec<Cell> = Vec::new();
    for State { x, y, t } in states {
        let tick = t.0 as usize;
        let starts_late = path.is_empty() && tick > 0;
        if starts_late || tick < path.len() {
            let problem = format!("{}: t {tick} after {} ticks", text::quote(name), path.len());
            return Err(FormatError::new(problem, "let t rise from 0"));
        }
        if let Some(&last) = path.last() {
            path.resize(tick, last);
        }
        path.push(cell(*x, *y));
    }
    Ok(path)
}

/// Writes a schedule; metadata and the plan's costs become its statistics.
#[must_use]
pub fn write_schedule(document: &PlanDocument) -> String {
    let mut statistics = document.metadata.clone();
    let cost = document.sum_of_costs().map(|cost| cost.to_string());
    let makespan = Some(document.makespan().to_string());
    for (key, value) in [("cost", cost), ("makespan", makespan)] {
        if let Some(value) = value {
            statistics.entry(key.to_owned()).or_insert(value);
        }
    }
    let mut out = "statistics:\n".to_owned();
    for (key, value) in &statistics {
        let _ = writeln!(out, "  {}: {}", key_text(key), number_or_quoted(value));
    }
    let is_empty = document.plan.paths.is_empty();
    out.push_str(if is_empty { "schedule: {}\n" } else { "schedule:\n" });
    for (unit, path) in document.plan.paths.iter().enumerate() {
        let _ = writeln!(out, "  agent{unit}:{}", if path.is_empty() { " []" } else { "" });
        for (tick, cell) in path.iter().enumerate() {
            let _ = writeln!(out, "    - x: {}\n      y: {}\n      t: {tick}", cell.x, cell.y);
        }
    }
    out
}

fn key_text(key: &str) -> String {
    let is_word = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_word { key.to_owned() } else { quoted(key) }
}
