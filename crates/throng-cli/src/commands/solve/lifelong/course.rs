//! What a lifelong run is about: map, starts and tasks, from a MovingAI scenario or from the files
//! of the League of Robot Runners.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use throng::anytime::lifelong::{Assignment, ListedTasks, Motion, SeededTasks, Tasks};
use throng::anytime::{Graph, Vertex};
use throng::formats::lorr::LorrProblem;
use throng::formats::{FormatKind, MapOptions, Passable, detect, lorr, map, scen};
use throng::model::{Cell, CellIndex, Map, MovementProfile, Neighbours};

use super::super::SolveArguments;
use super::in_file;
use crate::files::{self, Input};
use crate::inputs::Moves;

/// Map, units and where their goals come from.
pub(super) struct Course {
    pub(super) map: Map,
    pub(super) map_name: String,
    pub(super) movement: MovementProfile,
    pub(super) motion: Motion,
    pub(super) starts: Vec<Cell>,
    goals: Goals,
    /// The files read.
    files: Vec<PathBuf>,
    /// The file with the starts, for messages.
    starts_file: String,
    goals_file: String,
}

enum Goals {
    /// The first goal of each unit; the others are drawn.
    First(Vec<Cell>),
    Listed(Vec<Cell>, Assignment),
}

impl Course {
    pub(super) fn read(arguments: &SolveArguments) -> Result<Self> {
        let Some(path) = &arguments.scenario else {
            bail!("give a scenario (-i SCEN) or a problem file (-i PROBLEM.json)");
        };
        let input = files::read(path)?;
        match detect(&input.bytes) {
            Some(FormatKind::LorrProblem) => Self::league(arguments, path, &input),
            _ if path.extension().is_some_and(|extension| extension == "json") => {
                Self::league(arguments, path, &input)
            }
            _ => Self::scenario(arguments, path, &input),
        }
    }

    /// A MovingAI scenario.
    fn scenario(arguments: &SolveArguments, path: &Path, input: &Input) -> Result<Self> {
        let Some(map_path) = &arguments.map else { bail!("give a map (-m MAP)") };
        let scenario = input.parse(scen::read)?;
        let units = arguments.units.map(|units| units as usize);
        let rows = input.parse(|_| scenario.first(units))?;
        let movement = arguments.movement.movement(arguments.moves);
        if movement.footprint != 1 {
            bail!("--footprint {}: lifelong units cover one cell", movement.footprint);
        }
        Ok(Self {
            map: arguments.reading.read(map_path)?,
            map_name: files::base_name(map_path),
            movement,
            motion: Motion::Steps,
            starts: rows.iter().map(|row| row.start).collect(),
            goals: Goals::First(rows.iter().map(|row| row.goal).collect()),
            files: vec![map_path.clone(), path.to_owned()],
            starts_file: input.name.clone(),
            goals_file: input.name.clone(),
        })
    }

    /// A problem of the League of Robot Runners; its units turn.
    fn league(arguments: &SolveArguments, path: &Path, input: &Input) -> Result<Self> {
        if arguments.moves == Moves::Eight {
            bail!("--moves 8: the units of {} turn, and make straight steps only", input.name);
        }
        let footprint = arguments.movement.movement(arguments.moves).footprint;
        if footprint != 1 {
            bail!("--footprint {footprint}: lifelong units cover one cell");
        }
        let problem = input.parse(lorr::read_problem)?;
        let assignment = in_file(&input.name, assignment(&problem))?;
        let beside = |name: &str| path.parent().unwrap_or(Path::new(".")).join(name);
        let map_path = arguments.map.clone().unwrap_or_else(|| beside(&problem.map_file));
        let (agent_path, task_path) = (beside(&problem.agent_file), beside(&problem.task_file));
        let options = MapOptions { passable: Passable::Mapf };
        let map = files::read(&map_path)?.parse(|bytes| map::read(bytes, options))?;
        let (agents, tasks) = (files::read(&agent_path)?, files::read(&task_path)?);
        let starts = agents.parse(lorr::read_agents)?;
        let team = arguments.units.map_or(problem.team_size, |units| units as usize);
        let Some(starts) = starts.get(..team) else {
            bail!("{}: {} starts for a team of {team}; add the rest", agents.name, starts.len());
        };
        let goals = tasks.parse(lorr::read_tasks)?;
        let goals = in_file(&tasks.name, single_errands(&goals))?;
        Ok(Self {
            starts: in_file(&agents.name, cells(&map, starts))?,
            goals: Goals::Listed(in_file(&tasks.name, cells(&map, &goals))?, assignment),
            map_name: files::base_name(&map_path),
            map,
            movement: MovementProfile::four_connected(),
            motion: Motion::Turns,
            starts_file: agents.name,
            goals_file: tasks.name,
            files: vec![path.to_owned(), map_path, agent_path, task_path],
        })
    }

    /// The files that must not be overwritten.
    pub(super) fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    /// Whether the steps are straight, so that the League's formats can hold them.
    pub(super) fn is_straight(&self) -> bool {
        self.movement.neighbours == Neighbours::Four
    }

    /// Where units start, each on a position of its own.
    pub(super) fn start_positions(&self, graph: &Graph) -> Result<Vec<Vertex>> {
        if self.starts.is_empty() {
            bail!("{}: no units; add some", self.starts_file);
        }
        let starts = positions(graph, &self.starts, &self.starts_file, "starts")?;
        let mut taken = vec![None; graph.len()];
        for (unit, at) in starts.iter().enumerate() {
            if let Some(first) = taken[at.get()].replace(unit) {
                let (file, cell) = (&self.starts_file, self.starts[unit]);
                bail!("{file}: units {first} and {unit} both start at {cell}; move one of them");
            }
        }
        Ok(starts)
    }

    /// Where goals come from.
    pub(super) fn tasks(&self, graph: &Graph, seed: u64) -> Result<Box<dyn Tasks>> {
        let units = self.starts.len();
        let goals = |cells: &[Cell]| positions(graph, cells, &self.goals_file, "goal");
        Ok(match &self.goals {
            Goals::First(first) => Box::new(SeededTasks::new(graph, goals(first)?, units, seed)),
            Goals::Listed(list, assignment) => {
                Box::new(ListedTasks::new(goals(list)?, *assignment, units))
            }
        })
    }
}

fn assignment(problem: &LorrProblem) -> Result<Assignment> {
    if let Some(version) = &problem.version {
        bail!("version '{version}': only problems of 2023 run; give one without a version");
    }
    match problem.task_assignment_strategy.as_deref() {
        None | Some("roundrobin") => Ok(Assignment::RoundRobin),
        Some("greedy") => Ok(Assignment::Greedy),
        Some("roundrobin_fixed") => Ok(Assignment::RoundRobinFixed),
        Some(other) => bail!(
            "taskAssignmentStrategy '{}'; use roundrobin, greedy or roundrobin_fixed",
            other.escape_debug()
        ),
    }
}

fn single_errands(tasks: &[Vec<CellIndex>]) -> Result<Vec<CellIndex>> {
    let single = |(number, task): (usize, &Vec<CellIndex>)| match task[..] {
        [only] => Ok(only),
        _ => bail!("task {number} has {} errands; tasks of 2023 have one", task.len()),
    };
    tasks.iter().enumerate().map(single).collect()
}

fn cells(map: &Map, locations: &[CellIndex]) -> Result<Vec<Cell>> {
    let cell = |(number, &location): (usize, &CellIndex)| {
        if location.get() < map.terrain().len() {
            return Ok(map.cell(location));
        }
        let (width, height) = (map.width(), map.height());
        let wrong = format!("entry {number}: location {} is off the map", location.0);
        Err(anyhow!("{wrong} of {width} x {height} cells; give the right map (-m MAP)"))
    };
    locations.iter().enumerate().map(cell).collect()
}

fn positions(graph: &Graph, cells: &[Cell], file: &str, what: &str) -> Result<Vec<Vertex>> {
    let position = |(number, &cell): (usize, &Cell)| {
        let found = graph.vertex(cell);
        found.ok_or_else(|| anyhow!("{file}: {what} {number} at {cell} is no free cell; move it"))
    };
    cells.iter().enumerate().map(position).collect()
}
