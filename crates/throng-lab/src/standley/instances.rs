//! The random grids, and the units on them.
//!
//! In the paper each cell is blocked with a probability of 20%. Here exactly 20% of the cells are,
//! and then those that are not connected to the largest free part.

use rand::RngExt as _;
use throng::model::{CornerRule, DiagonalCost, MovementProfile, Problem, ValidProblem};

use crate::harness::CaseId;
use crate::{LabError, generate};

const SIDE: u32 = 32;
const OBSTACLES_PERCENT: u32 = 20;

/// A problem and its case.
pub(super) struct Instance {
    pub(super) id: CaseId,
    pub(super) problem: ValidProblem,
}

impl Instance {
    pub(super) fn units(&self) -> usize {
        self.problem.units.len()
    }
}

/// "Agents can move simultaneously to one of their eight adjacent cells."
pub(super) fn movement() -> MovementProfile {
    MovementProfile {
        corners: CornerRule::AlwaysCut,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    }
}

/// The instance of a case.
pub(super) fn instance(id: CaseId) -> Result<Instance, LabError> {
    let mut rng = id.rng();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, rng.random())?;
    let (units, movement) = (rng.random_range(2..=30_u32) as usize, movement());
    let placed = generate::scenario(&map, &movement, units, 0, rng.random())?;
    let problem = id.valid(Problem::new(map, movement, placed))?;
    Ok(Instance { id, problem })
}
