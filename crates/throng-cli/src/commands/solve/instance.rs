//! Reads map and scenario into a problem; errors name file and line.

use anyhow::{Result, anyhow, bail};
use throng::formats::{Scenario, ScenarioRow, scen};
use throng::model::ValidProblem;
use throng::model::{ProblemError, ProblemErrors};

use super::SolveOptions;
use crate::files;

/// The problem to solve, and the scenario it came from.
pub(super) struct Instance {
    pub(super) problem: ValidProblem,
    pub(super) scenario: Scenario,
}

impl Instance {
    pub(super) fn read(options: &SolveOptions<'_>) -> Result<Self> {
        let map = options.reading.read(options.map)?;
        let input = files::read(options.scenario)?;
        let scenario = input.parse(scen::read)?;
        if scenario.rows.is_empty() {
            bail!("{}: the scenario has no units; add rows", input.name);
        }
        let movement = options.movement.clone();
        let problem = input.parse(|_| scenario.problem(&map, options.units, movement))?;
        let problem = problem.validate();
        let problem = problem.map_err(|errors| name_lines(&input.name, &scenario.rows, &errors))?;
        Ok(Self { problem, scenario })
    }
}

/// Most mistakes shown.
const SHOWN_MAX: usize = 10;

/// The mistakes, each with the line of the unit that it is about.
fn name_lines(file: &str, rows: &[ScenarioRow], errors: &ProblemErrors) -> anyhow::Error {
    let shown = errors.0.iter().take(SHOWN_MAX).map(|error| {
        let row = unit_of(error).and_then(|unit| rows.get(unit));
        row.map_or(format!("{file}: {error}"), |row| format!("{file}:{}: {error}", row.line))
    });
    let mut lines: Vec<_> = shown.collect();
    if errors.0.len() > SHOWN_MAX {
        lines.push(format!("and {} more", errors.0.len() - SHOWN_MAX));
    }
    anyhow!(lines.join("\n"))
}

fn unit_of(error: &ProblemError) -> Option<usize> {
    let unit = match error {
        ProblemError::TooManyUnits(_) | ProblemError::MovementProfile { .. } => return None,
        ProblemError::NoSuchMovement { unit, .. }
        | ProblemError::OffMap { unit, .. }
        | ProblemError::InWall { unit, .. } => unit,
        ProblemError::Shared { second, .. } => second,
    };
    Some(unit.index())
}
