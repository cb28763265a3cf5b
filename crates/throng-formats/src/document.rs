//! The common form of plans: every plan format is read into it and written from it.

use std::collections::BTreeMap;

use throng_model::limits::{HORIZON_MAX, PLAN_CELLS_MAX, UNITS_MAX};
use throng_model::{Cell, Map, Plan};

use crate::{FormatError, Scenario};

/// A plan with what its file says about it: the form through which any plan format is
/// converted into any other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanDocument {
    /// The plan.
    pub plan: Plan,
    /// Where each unit starts, as the file says (or else the plan's first cells).
    pub starts: Vec<Cell>,
    /// The goal of each unit, if the file gives goals.
    pub goals: Option<Vec<Cell>>,
    /// The map's file name.
    pub map_file: Option<String>,
    /// The solver that made the plan.
    pub solver: Option<String>,
    /// All other entries of the file, by the format's own keys: `seed`, `comp_time`, ...
    pub metadata: BTreeMap<String, String>,
}

/// What a plan's file leaves out and other files hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The map (`-m`).
    pub map: Option<&'a Map>,
    /// The scenario (`-i`), for starts and goals.
    pub scenario: Option<&'a Scenario>,
    /// The scenario's file name, which tells its kind and number: `town-random-3.scen`.
    pub scenario_name: Option<&'a str>,
    /// How many units (`-N`): chooses among the plans of a file that holds several.
    pub units: Option<usize>,
}

impl PlanDocument {
    /// A document of nothing but the plan, whose starts are its first cells.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let starts = plan.paths.iter().filter_map(|path| path.first()).copied().collect();
        Self { plan, starts, ..Self::default() }
    }

    /// The same document with goals.
    #[must_use]
    pub fn with_goals(self, goals: Vec<Cell>) -> Self {
        Self { goals: Some(goals), ..self }
    }

    /// Sum over the units of the ticks until the last arrival at where they end: what the
    /// formats call cost. [`None`] when some unit has no path.
    #[must_use]
    pub fn sum_of_costs(&self) -> Option<u64> {
        self.plan.paths.iter().map(|path| last_arrival(path).map(|tick| tick as u64)).sum()
    }

    /// The last tick at which any unit moves; 0 for an empty plan.
    #[must_use]
    pub fn makespan(&self) -> usize {
        self.plan.paths.iter().filter_map(|path| last_arrival(path)).max().unwrap_or(0)
    }

    /// Whether every unit ends on its goal; `None` without goals.
    #[must_use]
    pub fn is_solved(&self) -> Option<bool> {
        let goals = self.goals.as_ref()?;
        let ends = self.plan.paths.iter().map(|path| path.last());
        Some(goals.len() == self.plan.paths.len() && ends.eq(goals.iter().map(Some)))
    }

    /// Takes goals that the file does not give from the scenario.
    pub(crate) fn complete(mut self, context: &Context<'_>) -> Self {
        let rows = context.scenario.and_then(|s| s.first(Some(self.plan.paths.len())).ok());
        let from_scenario = rows.map(|rows| rows.iter().map(|row| row.goal).collect());
        self.goals = self.goals.or(from_scenario);
        self
    }

    /// The paths, or an error that names the unit without one.
    pub(crate) fn full_paths(&self) -> Result<&[Vec<Cell>], FormatError> {
        match self.plan.paths.iter().position(Vec::is_empty) {
            None => Ok(&self.plan.paths),
            Some(unit) => Err(FormatError::new(
                format!("unit {unit} has no path"),
                "choose a format for unfinished plans (kei18), or solve first",
            )),
        }
    }
}

/// The tick from which the path stays where it ends.
pub(crate) fn last_arrival(path: &[Cell]) -> Option<usize> {
    let end = path.last()?;
    Some(path.iter().rposition(|cell| cell != end).map_or(0, |tick| tick + 1))
}

/// How large a plan has become while it is read. Checks the limits before memory is taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanSize {
    units: usize,
    cells: usize,
}

impl PlanSize {
    /// One more unit, with a path of this many cells.
    pub(crate) fn add(&mut self, path_cells: usize) -> Result<(), FormatError> {
        self.units += 1;
        self.cells = self.cells.saturating_add(path_cells);
        check(self.units, path_cells, self.cells)
    }

    /// A plan in which every unit has a path of this many cells.
    pub(crate) fn rectangle(units: usize, path_cells: usize) -> Result<(), FormatError> {
        check(units, path_cells, units.saturating_mul(path_cells))
    }
}

fn check(units: usize, path_cells: usize, cells: usize) -> Result<(), FormatError> {
    if units > UNITS_MAX {
        let problem = format!("more than {UNITS_MAX} units");
        return Err(FormatError::new(problem, "give a plan of fewer units"));
    }
    if path_cells > HORIZON_MAX as usize + 1 {
        let problem = format!("a plan past tick {HORIZON_MAX}");
        return Err(FormatError::new(problem, "give a shorter plan"));
    }
    if cells > PLAN_CELLS_MAX {
        let problem = format!("a plan of more than {PLAN_CELLS_MAX} cells");
        return Err(FormatError::new(problem, "give a plan of fewer units or ticks"));
    }
    Ok(())
}
