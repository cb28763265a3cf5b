//! The output JSON of a lifelong run in the form of the League of Robot Runners, 2023, which
//! PlanViz shows. [`planviz::read`](crate::planviz::read) reads it.
//!
//! Each unit has a list of events `[task, tick, "assigned" | "finished"]`. Every unit first looks
//! east. As in the League's start kit, the makespan is the number of ticks, and the sum of costs is
//! that times the units.

use serde::Serialize;
use throng_model::Cell;

use crate::FormatError;
use crate::document::PlanSize;
use crate::steps::{Step, UpDown, moves};

/// What a unit that turns does in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LorrAction {
    /// `F`: one step in the direction of its heading.
    Forward,
    /// `R`: a quarter turn clockwise.
    Clockwise,
    /// `C`: a quarter turn counter-clockwise.
    CounterClockwise,
    /// `W`: nothing.
    Wait,
}

/// What all units do, a list for each.
#[derive(Clone, Copy, Debug)]
pub enum LorrPaths<'a> {
    /// Actions of units that turn: the action model `MAPF_T`.
    Turns(&'a [Vec<LorrAction>]),
    /// Cells of units that do not, from their starts on: the action model `MAPF`.
    Cells(&'a [Vec<Cell>]),
}

/// That a task was given to a unit, or finished by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LorrEvent {
    /// The task's number.
    pub task: u32,
    /// When.
    pub tick: u32,
    /// Whether it was finished.
    pub finished: bool,
}

/// A lifelong run.
#[derive(Clone, Copy, Debug)]
pub struct LorrRun<'a> {
    /// Where units start.
    pub starts: &'a [Cell],
    /// What they do.
    pub paths: LorrPaths<'a>,
    /// Each unit's events, by tick.
    pub events: &'a [Vec<LorrEvent>],
    /// The number and the cell of every task that was given to a unit.
    pub tasks: &'a [(u32, Cell)],
    /// Whether a referee found no violation.
    pub all_valid: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    action_model: &'static str,
    #[serde(rename = "AllValid")]
    all_valid: &'static str,
    team_size: usize,
    start: Vec<(u16, u16, &'static str)>,
    num_task_finished: usize,
    sum_of_cost: usize,
    makespan: usize,
    actual_paths: Vec<String>,
    planner_paths: Vec<String>,
    planner_times: [f64; 0],
    errors: [u8; 0],
    events: Vec<Vec<(u32, u32, &'static str)>>,
    tasks: Vec<(u32, u16, u16)>,
}

/// Writes a run. It holds no times, so that equal runs give equal bytes.
///
/// # Errors
/// When units differ in the number of starts, paths and events, or make other than
/// four-connected steps; or when the run is too long.
pub fn write(run: &LorrRun<'_>) -> Result<String, FormatError> {
    let (action_model, actual_paths, ticks) = match run.paths {
        LorrPaths::Turns(actions) => {
            let paths = actions.iter().map(|path| letters(path, turn_letter)).collect();
            ("MAPF_T", paths, actions.iter().map(Vec::len).max().unwrap_or(0))
        }
        LorrPaths::Cells(cells) => {
            let ticks = cells.iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1);
            ("MAPF", moved(cells)?, ticks)
        }
    };
    PlanSize::rectangle(run.starts.len(), ticks + 1)?;
    if [actual_paths.len(), run.events.len()] != [run.starts.len(); 2] {
        let problem = format!("{} starts, but other numbers of paths or events", run.starts.len());
        return Err(FormatError::new(problem, "give every unit one of each"));
    }
    let finished = run.events.iter().flatten().filter(|event| event.finished).count();
    let output = Written {
        action_model,
        all_valid: if run.all_valid { "Yes" } else { "No" },
        team_size: run.starts.len(),
        start: run.starts.iter().map(|cell| (cell.y, cell.x, "E")).collect(),
        num_task_finished: finished,
        sum_of_cost: ticks * run.starts.len(),
        makespan: ticks,
        planner_paths: actual_paths.clone(),
        actual_paths,
        planner_times: [],
        errors: [],
        events: run.events.iter().map(|events| events.iter().map(item).collect()).collect(),
        tasks: run.tasks.iter().map(|&(id, cell)| (id, cell.y, cell.x)).collect(),
    };
    let json = serde_json::to_string(&output);
    json.map_err(|error| FormatError::new(error.to_string(), "correct the run"))
}

fn moved(cells: &[Vec<Cell>]) -> Result<Vec<String>, FormatError> {
    let paths = cells.iter().enumerate();
    let steps = paths.map(|(unit, path)| moves(unit, path, UpDown::default()));
    steps.map(|steps| Ok(letters(&steps?, step_letter))).collect()
}

fn letters<A: Copy>(actions: &[A], letter: impl Fn(A) -> char) -> String {
    let mut text = String::with_capacity(actions.len() * 2);
    for (index, &action) in actions.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push(letter(action));
    }
    text
}

fn turn_letter(action: LorrAction) -> char {
    match action {
        LorrAction::Forward => 'F',
        LorrAction::Clockwise => 'R',
        LorrAction::CounterClockwise => 'C',
        LorrAction::Wait => 'W',
    }
}

fn step_letter(step: Step) -> char {
    match step {
        Step::Up => 'U',
        Step::Down => 'D',
        Step::Left => 'L',
        Step::Right => 'R',
        Step::Wait => 'W',
    }
}

fn item(event: &LorrEvent) -> (u32, u32, &'static str) {
    (event.task, event.tick, if event.finished { "finished" } else { "assigned" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, planviz};

    const EVENTS: [LorrEvent; 2] = [
        LorrEvent { task: 4, tick: 0, finished: false },
        LorrEvent { task: 4, tick: 3, finished: true },
    ];

    fn run<'a>(paths: LorrPaths<'a>, events: &'a [Vec<LorrEvent>]) -> LorrRun<'a> {
        let (starts, tasks) = (&[Cell { x: 1, y: 2 }], &[(4, Cell { x: 2, y: 3 })]);
        LorrRun { starts, paths, events, tasks, all_valid: true }
    }

    #[test]
    fn both_action_models_read_back_as_the_same_cells() {
        use LorrAction::{Clockwise, Forward, Wait};
        let events = [EVENTS.to_vec()];
        let cells = [[(1, 2), (2, 2), (2, 2), (2, 3), (2, 3)].map(Cell::from).to_vec()];
        let turns = [vec![Forward, Clockwise, Forward, Wait]];
        for paths in [LorrPaths::Turns(&turns), LorrPaths::Cells(&cells)] {
            let text = write(&run(paths, &events)).unwrap();
            let read = planviz::read(text.as_bytes(), &Context::default()).unwrap();
            assert_eq!(read.plan.paths, cells, "{text}");
            assert_eq!(read.goals, Some(vec![Cell::new(2, 3)]));
            assert!(text.contains("\"numTaskFinished\":1,\"sumOfCost\":4,\"makespan\":4"));
            assert!(text.contains("\"events\":[[[4,0,\"assigned\"],[4,3,\"finished\"]]]"));
        }
    }

    #[test]
    fn lists_of_different_lengths_are_refused() {
        let turns = [vec![LorrAction::Wait]];
        assert!(write(&run(LorrPaths::Turns(&turns), &[])).is_err());
        let events = [Vec::new()];
        let jump = [vec![Cell::new(1, 2), Cell::new(3, 2)]];
        assert!(write(&run(LorrPaths::Cells(&jump), &events)).is_err());
    }
}
