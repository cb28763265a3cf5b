//! The four planners as [`Planner`]s of a problem.

use throng_model::{Budget, Observer, Planner, Report, ValidProblem};

use throng_search::FootprintRules;

use crate::local_repair::plan_local_repair;
use crate::parked::plan_parked;
use crate::unforeseen::plan_unforeseen;
use crate::windowed::plan_windowed;
use crate::{Arrival, CrewOptions, Fleet, Heuristic, Order};

/// **LRA***: A* with local repair and agitation, the games industry's standard of 2005.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRepair {
    /// Most turns.
    pub turns: u32,
}

impl Default for LocalRepair {
    fn default() -> Self {
        Self { turns: 1000 }
    }
}

/// **CA*** and **HCA***: one complete search through space-time a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CooperativeAStar {
    /// What guides the search: this tells CA* from HCA*.
    pub heuristic: Heuristic,
    /// What becomes of a unit that has arrived.
    pub arrival: Arrival,
    /// In which order units plan.
    pub order: Order,
    /// How often to begin anew in another order when a unit finds no way.
    pub restarts: u32,
    /// Most turns.
    pub turns: u32,
}

impl CooperativeAStar {
    /// CA*.
    #[must_use]
    pub fn ca() -> Self {
        Self { heuristic: Heuristic::Estimate, ..Self::hca() }
    }

    /// HCA*.
    #[must_use]
    pub fn hca() -> Self {
        Self {
            heuristic: Heuristic::TrueDistance,
            arrival: Arrival::Parked,
            order: Order::LongestFirst,
            restarts: 100,
            turns: 10_000,
        }
    }
}

/// **WHCA*(w)**: cooperation within a window that moves on with the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windowed {
    /// How many ticks each search looks ahead.
    pub window: u32,
    /// In which order units plan at first.
    pub order: Order,
    /// Most turns.
    pub turns: u32,
    /// Promotion, interleaving and who gives way.
    pub crew: CrewOptions,
}

impl Default for Windowed {
    fn default() -> Self {
        let crew = CrewOptions::default();
        Self { window: 16, order: Order::LongestFirst, turns: 2000, crew }
    }
}

impl Planner for LocalRepair {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Report {
        let fleet = Fleet::of(problem, &FootprintRules::default());
        plan_local_repair(&fleet, self, seed, budget, observer).of(problem, &fleet)
    }
}

impl Planner for CooperativeAStar {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Report {
        let fleet = Fleet::of(problem, &FootprintRules::default());
        let plan = match self.arrival {
            Arrival::Parked => plan_parked,
            Arrival::Obstacle => plan_unforeseen,
        };
        plan(&fleet, self, seed, budget, observer).of(problem, &fleet)
    }
}

impl Planner for Windowed {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Report {
        let fleet = Fleet::of(problem, &FootprintRules::default());
        plan_windowed(&fleet, self, seed, budget, observer).of(problem, &fleet)
    }
}
