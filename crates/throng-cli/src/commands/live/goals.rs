//! New goals for units that arrive: cells that they can reach, drawn by seed.

use std::collections::BTreeMap;

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::grid::{ComponentId, Ground};
use throng::model::{Cell, ValidProblem};

use super::instance::Bodies;

/// Cells that are tried before a unit has to wait for its goal until the next tick.
const TRIES_MAX: u32 = 64;

/// Draws goals. No two units have goals that overlap.
pub(super) struct Renewal {
    rng: Pcg64Mcg,
    ground: Ground,
    /// The cells where units can stand, by component.
    cells: BTreeMap<ComponentId, Vec<Cell>>,
    /// The bodies of all units on their goals.
    taken: Bodies,
}

impl Renewal {
    pub(super) fn new(problem: &ValidProblem, seed: u64) -> Result<Self> {
        let ground = Ground::new(&problem.map, problem.movements[0].clone())?;
        let mut cells: BTreeMap<ComponentId, Vec<Cell>> = BTreeMap::new();
        for cell in problem.map.cells() {
            if let Some(component) = component_of(&ground, cell) {
                cells.entry(component).or_default().push(cell);
            }
        }
        let mut taken = Bodies::new(&problem.map, ground.movement().footprint);
        problem.units.iter().for_each(|unit| taken.set(unit.goal, true));
        Ok(Self { rng: Pcg64Mcg::seed_from_u64(seed), ground, cells, taken })
    }

    /// Another goal for a unit on its goal; `None` if no free cell was found.
    pub(super) fn draw(&mut self, goal: Cell) -> Option<Cell> {
        let cells = self.cells.get(&component_of(&self.ground, goal)?)?;
        let count = u32::try_from(cells.len()).ok()?;
        let mut any = (0..TRIES_MAX).map(|_| cells[self.rng.random_range(0..count) as usize]);
        let found = any.find(|&cell| self.taken.is_free(cell))?;
        self.taken.set(goal, false);
        self.taken.set(found, true);
        Some(found)
    }
}

fn component_of(ground: &Ground, cell: Cell) -> Option<ComponentId> {
    ground.components().component_of(ground.index(cell)?)
}
