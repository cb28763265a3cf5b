//! Reads map and scenario into a problem; errors name file and line.

use anyhow::{Result, bail};
use throng::formats::{Scenario, scen};
use throng::model::ValidProblem;

use super::SolveOptions;
use crate::files;
use crate::mistakes::name_lines;

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
