//! Reads map and scenario into the units of a live run; errors name file and line.

use anyhow::{Result, anyhow, bail};
use throng::cooperative::Instance;
use throng::formats::scen;
use throng::grid::Ground;
use throng::model::{Cell, CellIndex, Map, MovementProfile, Problem, Unit, ValidProblem};
use throng::spacetime::{FootprintRules, GridSpace};

use super::LiveArguments;
use crate::files;
use crate::mistakes::name_lines;

/// The units with their starts and goals.
pub(super) struct LiveInstance {
    pub(super) problem: ValidProblem,
    /// How many units of the scenario do not fit on their start and goal.
    pub(super) skipped: usize,
}

impl LiveInstance {
    pub(super) fn read(arguments: &LiveArguments) -> Result<Self> {
        let map = arguments.map.read()?;
        let input = files::read(&arguments.scenario)?;
        let scenario = input.parse(scen::read)?;
        if scenario.rows.is_empty() {
            bail!("{}: the scenario has no units; add rows", input.name);
        }
        let units = arguments.units.map(|units| units as usize);
        // A scenario is made for units of one cell: what is wrong for them is a mistake.
        let movement = arguments.movement();
        let single = MovementProfile { footprint: 1, ..movement.clone() };
        let problem = input.parse(|_| scenario.problem(&map, units, single))?.validate();
        let problem = problem.map_err(|errors| name_lines(&input.name, &scenario.rows, &errors))?;
        let Problem { map, units, conflicts, .. } = problem.into_inner();
        let ground = Ground::new(&map, movement.clone())?;
        let fitting = fitting(&map, &ground, &units);
        if fitting.is_empty() {
            let size = movement.footprint;
            bail!("{}: no unit of {size} x {size} cells fits; give a smaller --size", input.name);
        }
        let skipped = units.len() - fitting.len();
        let problem = Problem { map, movements: vec![movement], units: fitting, conflicts };
        let problem = problem.validate().map_err(|errors| anyhow!("{}: {errors}", input.name))?;
        Ok(Self { problem, skipped })
    }

    /// The same for LRA*.
    pub(super) fn space_time(&self) -> Instance<GridSpace> {
        Instance::of(&self.problem, &FootprintRules::default())
    }
}

/// The units that can stand on their start and goal beside the units before them.
fn fitting(map: &Map, ground: &Ground, units: &[Unit]) -> Vec<Unit> {
    let side = ground.movement().footprint;
    let mut starts = Bodies::new(map, side);
    let mut goals = Bodies::new(map, side);
    let mut fitting = Vec::with_capacity(units.len());
    for &unit in units {
        let stands = ground.can_stand(unit.start) && ground.can_stand(unit.goal);
        if stands && starts.is_free(unit.start) && goals.is_free(unit.goal) {
            starts.set(unit.start, true);
            goals.set(unit.goal, true);
            fitting.push(unit);
        }
    }
    fitting
}

/// Which cells are covered by bodies of one size.
pub(super) struct Bodies {
    width: u16,
    side: u8,
    covered: Vec<bool>,
}

impl Bodies {
    pub(super) fn new(map: &Map, side: u8) -> Self {
        Self { width: map.width(), side, covered: vec![false; map.terrain().len()] }
    }

    /// Whether a body fits there. The body must lie on the map.
    pub(super) fn is_free(&self, at: Cell) -> bool {
        self.cells(at).all(|index| !self.covered[index.get()])
    }

    /// Puts a body on the map, or removes it.
    pub(super) fn set(&mut self, at: Cell, covered: bool) {
        let cells: Vec<CellIndex> = self.cells(at).collect();
        cells.into_iter().for_each(|index| self.covered[index.get()] = covered);
    }

    fn cells(&self, at: Cell) -> impl Iterator<Item = CellIndex> + use<> {
        let (width, side) = (u32::from(self.width), u32::from(self.side));
        let first = u32::from(at.y) * width + u32::from(at.x);
        (0..side).flat_map(move |y| (0..side).map(move |x| CellIndex(first + y * width + x)))
    }
}
