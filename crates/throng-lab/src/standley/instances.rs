//! The random grids, and the units on them.

use rand::RngExt as _;
use throng::{CornerRule, DiagonalCost, MovementProfile, Problem, ValidProblem};

use crate::case::CaseId;
use crate::{LabError, Options, generate};

const SIDE: u32 = 32;
const OBSTACLES_PERCENT: u32 = 20;
/// How many the paper has.
const INSTANCES: usize = 200;

/// A problem, and how many units it has.
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
fn movement() -> MovementProfile {
    MovementProfile {
        corners: CornerRule::AlwaysCut,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    }
}

/// All instances, those with the fewest units first.
pub(super) fn all(options: &Options) -> Result<Vec<Instance>, LabError> {
    let instances = (0..options.cases(INSTANCES)).map(|case| instance(options.seed, case));
    let mut instances = instances.collect::<Result<Vec<_>, _>>()?;
    instances.sort_by_key(Instance::units);
    Ok(instances)
}

fn instance(seed: u64, case: usize) -> Result<Instance, LabError> {
    let id = CaseId { stage: "instances", seed, case };
    let mut rng = id.rng();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, rng.random())?;
    let (units, movement) = (rng.random_range(2..=30_u32) as usize, movement());
    let placed = generate::scenario(&map, &movement, units, 0, rng.random())?;
    let problem = Problem::new(map, movement, placed).validate();
    let problem = problem.map_err(|errors| id.illegal(errors.to_string()))?;
    Ok(Instance { id, problem })
}
