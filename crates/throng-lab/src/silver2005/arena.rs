//! The environments of the paper, and the units in them.

use throng::cooperative::{
    CooperativeAStar, Heuristic, Instance, LocalRepair, PlanningOrder, Simulation, Windowed,
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

/// A planner of the paper, as printed or with what we added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    LocalRepair,
    Cooperative,
    Hierarchical,
    /// With this window.
    Windowed(u32),
    /// CA* whose units try again when they find no path.
    OursCooperative,
    /// HCA* whose units try again when they find no path.
    OursHierarchical,
    /// WHCA* with promotion, yielding by priority and penalties for other units' goals.
    OursWindowed(u32),
}

/// A window as long as any path in these environments.
pub(crate) const LONGEST: u32 = 256;

impl Method {
    /// As printed, in the order of the paper's figures.
    pub(crate) const PRINTED: [Self; 6] = [
        Self::LocalRepair,
        Self::Cooperative,
        Self::Hierarchical,
        Self::Windowed(8),
        Self::Windowed(16),
        Self::Windowed(32),
    ];

    /// With what we added, and the longest window as printed.
    pub(crate) const OTHERS: [Self; 6] = [
        Self::OursCooperative,
        Self::OursHierarchical,
        Self::OursWindowed(8),
        Self::OursWindowed(16),
        Self::OursWindowed(32),
        Self::Windowed(LONGEST),
    ];

    pub(crate) fn name(self) -> String {
        match self {
            Self::LocalRepair => "LRA*".to_owned(),
            Self::Cooperative => "CA*".to_owned(),
            Self::Hierarchical => "HCA*".to_owned(),
            Self::Windowed(window) => format!("WHCA*({window})"),
            Self::OursCooperative => "ours: CA* that tries again".to_owned(),
            Self::OursHierarchical => "ours: HCA* that tries again".to_owned(),
            Self::OursWindowed(window) => {
                format!("ours: WHCA*({window}) with promotion, yielding, goal penalty")
            }
        }
    }

    /// A simulation with this planner. Units plan in the random order of the scenario: the paper
    /// names no other.
    pub(crate) fn simulate(
        self,
        instance: &Instance<GridSpace>,
        seed: u64,
    ) -> Box<dyn Simulation + '_> {
        let complete = |heuristic, tries_again| {
            let printed = CooperativeAStar::silver2005(heuristic);
            CooperativeAStar { tries_again, ..printed }.simulate(instance, seed)
        };
        let (order, printed) = (PlanningOrder::Given, Windowed::silver2005());
        match self {
            Self::LocalRepair => Box::new(LocalRepair::default().simulate(instance, seed)),
            Self::Cooperative => Box::new(complete(Heuristic::Estimate, false)),
            Self::Hierarchical => Box::new(complete(Heuristic::TrueDistance, false)),
            Self::OursCooperative => Box::new(complete(Heuristic::Estimate, true)),
            Self::OursHierarchical => Box::new(complete(Heuristic::TrueDistance, true)),
            Self::Windowed(window) => {
                Box::new(Windowed { window, ..printed }.simulate(instance, seed))
            }
            Self::OursWindowed(window) => {
                Box::new(Windowed { window, order, ..Windowed::default() }.simulate(instance, seed))
            }
        }
    }
}
