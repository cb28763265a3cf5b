//! The environments of the paper, and the units in them.

use throng::cooperative::{
    CooperativeAStar, Instance, LocalRepair, PlanningOrder, Simulation, Windowed,
};
use throng::model::{MovementProfile, Problem, ValidProblem};
use throng::spacetime::{FootprintRules, GridSpace};

use crate::harness::CaseId;
use crate::{LabError, generate};

/// Side of the paper's environments, in cells.
const SIDE: u32 = 32;
/// Share of obstacles placed at random; cells that they cut off are filled as well.
const OBSTACLES_PERCENT: u32 = 20;
/// Environments of the paper.
pub(crate) const MAPS: usize = 10;
/// Largest number of units.
pub(crate) const UNITS_MAX: usize = 100;
/// A unit that has not arrived after this many turns has failed.
pub(crate) const TURNS: u32 = 100;

/// The problem of a scenario. Maps alternate; a smaller number of units is a prefix of a larger.
pub(crate) fn problem(seed: u64, scenario: usize, units: usize) -> Result<ValidProblem, LabError> {
    let id = |stage, case| CaseId { stage, seed, case };
    let map = id("environment", scenario % MAPS).number();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, map)?;
    let movement = MovementProfile::four_connected();
    let id = id("scenario", scenario);
    let mut placed = generate::scenario(&map, &movement, UNITS_MAX, 0, id.number())?;
    placed.truncate(units);
    id.valid(Problem::new(map, movement, placed))
}

/// The instance of a problem.
pub(crate) fn instance(problem: &ValidProblem) -> Instance<GridSpace> {
    Instance::of(problem, &FootprintRules::default())
}

/// A planner of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    LocalRepair,
    Cooperative,
    Hierarchical,
    /// With this window.
    Windowed(u32),
}

impl Method {
    /// In the order of the paper's figures.
    pub(crate) const ALL: [Self; 6] = [
        Self::LocalRepair,
        Self::Cooperative,
        Self::Hierarchical,
        Self::Windowed(8),
        Self::Windowed(16),
        Self::Windowed(32),
    ];

    pub(crate) fn name(self) -> String {
        match self {
            Self::LocalRepair => "LRA*".to_owned(),
            Self::Cooperative => "CA*".to_owned(),
            Self::Hierarchical => "HCA*".to_owned(),
            Self::Windowed(window) => format!("WHCA*({window})"),
        }
    }

    /// A simulation with this planner. Units plan in the random order of the scenario: the paper
    /// names no other.
    pub(crate) fn simulate(
        self,
        instance: &Instance<GridSpace>,
        seed: u64,
    ) -> Box<dyn Simulation + '_> {
        let order = PlanningOrder::Given;
        match self {
            Self::LocalRepair => Box::new(LocalRepair::default().simulate(instance, seed)),
            Self::Cooperative => Box::new(
                CooperativeAStar { order, ..CooperativeAStar::ca() }.simulate(instance, seed),
            ),
            Self::Hierarchical => Box::new(
                CooperativeAStar { order, ..CooperativeAStar::hca() }.simulate(instance, seed),
            ),
            Self::Windowed(window) => {
                Box::new(Windowed { window, order, ..Windowed::default() }.simulate(instance, seed))
            }
        }
    }
}
