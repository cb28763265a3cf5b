//! Plans written as moves: left, right, up, down, wait.
//!
//! Tools disagree which way up is, and old files of one tool contradict its new ones. So
//! readers walk a plan both ways and keep the one that makes more sense.

use std::cmp::Reverse;

use throng_model::limits::MAP_SIDE_MAX;
use throng_model::{Cell, Map};

use crate::FormatError;

/// One move of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Wait,
    Left,
    Right,
    Up,
    Down,
}

/// Which way a move called up goes. Row 0 is the topmost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpDown {
    /// Up goes to the row below (row + 1): PlanViz today.
    #[default]
    UpAddsRow,
    /// Up goes to the row above (row - 1): PlanViz's older example files, MAPF tracker.
    UpSubtractsRow,
}

impl UpDown {
    fn reversed(self) -> Self {
        match self {
            Self::UpAddsRow => Self::UpSubtractsRow,
            Self::UpSubtractsRow => Self::UpAddsRow,
        }
    }

    fn offset(self, step: Step) -> (i32, i32) {
        let up = if self == Self::UpAddsRow { 1 } else { -1 };
        match step {
            Step::Wait => (0, 0),
            Step::Left => (-1, 0),
            Step::Right => (1, 0),
            Step::Up => (0, up),
            Step::Down => (0, -up),
        }
    }
}

/// The moves of all units and what is known about where they lead.
pub(crate) struct Moves<'a> {
    pub(crate) starts: &'a [Cell],
    pub(crate) steps: &'a [Vec<Step>],
    pub(crate) goals: Option<&'a [Cell]>,
    pub(crate) map: Option<&'a Map>,
}

impl Moves<'_> {
    /// The paths, up and down being read as `expected` unless the other way reaches more
    /// goals, or as many with fewer steps into walls.
    pub(crate) fn paths(&self, expected: UpDown) -> Result<Vec<Vec<Cell>>, FormatError> {
        let other = expected.reversed();
        let up_down = if self.score(other) > self.score(expected) { other } else { expected };
        let units = self.starts.iter().zip(self.steps).enumerate();
        units.map(|(unit, (&start, steps))| walk(unit, start, steps, up_down)).collect()
    }

    fn score(&self, up_down: UpDown) -> (usize, Reverse<usize>) {
        let (mut reached, mut blocked) = (0, 0);
        for (unit, (&start, steps)) in self.starts.iter().zip(self.steps).enumerate() {
            let mut at = (i32::from(start.x), i32::from(start.y));
            for &step in steps {
                let (dx, dy) = up_down.offset(step);
                at = (at.0 + dx, at.1 + dy);
                blocked += usize::from(!self.is_free(at));
            }
            let goal = self.goals.and_then(|goals| goals.get(unit));
            reached += usize::from(goal.is_some() && goal.copied() == cell(at));
        }
        (reached, Reverse(blocked))
    }

    fn is_free(&self, at: (i32, i32)) -> bool {
        match (cell(at), self.map) {
            (Some(cell), Some(map)) => map.is_passable(cell),
            (found, _) => found.is_some(),
        }
    }
}

/// The cell next to another, if some map could have it.
pub(crate) fn next_cell(at: Cell, (dx, dy): (i32, i32)) -> Option<Cell> {
    cell((i32::from(at.x) + dx, i32::from(at.y) + dy))
}

fn cell((x, y): (i32, i32)) -> Option<Cell> {
    let side = |value| u16::try_from(value).ok().filter(|&v| u32::from(v) < MAP_SIDE_MAX);
    side(x).zip(side(y)).map(Cell::from)
}

fn walk(
    unit: usize,
    start: Cell,
    steps: &[Step],
    up_down: UpDown,
) -> Result<Vec<Cell>, FormatError> {
    let mut path = Vec::with_capacity(steps.len() + 1);
    path.push(start);
    let mut at = start;
    for (tick, &step) in steps.iter().enumerate() {
        at = next_cell(at, up_down.offset(step)).ok_or_else(|| {
            let problem = format!("unit {unit} leaves every map from {at} at tick {}", tick + 1);
            FormatError::new(problem, "check that map, scenario and plan belong together")
        })?;
        path.push(at);
    }
    Ok(path)
}

/// The moves of a path.
pub(crate) fn moves(unit: usize, path: &[Cell], up_down: UpDown) -> Result<Vec<Step>, FormatError> {
    const STEPS: [Step; 5] = [Step::Wait, Step::Left, Step::Right, Step::Up, Step::Down];
    let steps = path.windows(2).enumerate().map(|(tick, pair)| {
        let offset = |step: &Step| {
            let (dx, dy) = up_down.offset(*step);
            pair[0].offset(dx, dy)
        };
        STEPS.into_iter().find(|step| offset(step) == Some(pair[1])).ok_or_else(|| {
            let problem =
                format!("unit {unit} goes from {} to {} at tick {}", pair[0], pair[1], tick + 1);
            FormatError::new(problem, "this format has moves to the four neighbours only")
        })
    });
    steps.collect()
}
