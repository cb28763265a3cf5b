//! The environments of the paper, and the units in them.

use throng::cooperative::{CooperativeAStar, Fleet, LocalRepair, Order, Simulation, Windowed};
use throng::spacetime::{FootprintRules, GridSpace};
use throng::{MovementProfile, Problem, ValidProblem};

use crate::case::CaseId;
use crate::{LabError, generate};

/// Cells a side of the paper's environments.
const SIDE: u32 = 32;
/// Obstacles that are placed at random; what they cut off is filled as well.
const OBSTACLES_PERCENT: u32 = 20;
/// How many environments the paper has.
pub(crate) const MAPS: usize = 10;
/// Units in the fullest environment.
pub(crate) const UNITS_MAX: usize = 100;
/// A unit that has not arrived after so many turns has failed.
pub(crate) const TURNS: u32 = 100;

/// The problem of a scenario: the maps take turns, and fewer units are the first of more.
pub(crate) fn problem(seed: u64, scenario: usize, units: usize) -> Result<ValidProblem, LabError> {
    let id = |stage, case| CaseId { stage, seed, case };
    let map = id("environment", scenario % MAPS).number();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, map)?;
    let movement = MovementProfile::four_connected();
    let id = id("scenario", scenario);
    let mut placed = generate::scenario(&map, &movement, UNITS_MAX, 0, id.number())?;
    placed.truncate(units);
    let problem = Problem::new(map, movement, placed).validate();
    problem.map_err(|errors| id.illegal(errors.to_string()))
}

/// The fleet of a problem.
pub(crate) fn fleet(problem: &ValidProblem) -> Fleet<GridSpace> {
    Fleet::of(problem, &FootprintRules::default())
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

    /// The planner at work. Units plan in the order of the scenario, which is random: the
    /// paper names no better one.
    pub(crate) fn simulate(self, fleet: &Fleet<GridSpace>, seed: u64) -> Box<dyn Simulation + '_> {
        let order = Order::Given;
        match self {
            Self::LocalRepair => Box::new(LocalRepair::default().simulate(fleet, seed)),
            Self::Cooperative => {
                Box::new(CooperativeAStar { order, ..CooperativeAStar::ca() }.simulate(fleet, seed))
            }
            Self::Hierarchical => Box::new(
                CooperativeAStar { order, ..CooperativeAStar::hca() }.simulate(fleet, seed),
            ),
            Self::Windowed(window) => {
                Box::new(Windowed { window, order, ..Windowed::default() }.simulate(fleet, seed))
            }
        }
    }
}
