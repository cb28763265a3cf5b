//! The four planners as [`Planner`]s of a problem.

use throng_model::{Budget, Observer, PlanError, Planner, Report, ValidProblem};

use throng_spacetime::{FootprintRules, PassingRule, Space};

use crate::leash::Leash;
use crate::parked::plan_parked;
use crate::simulation::play;
use crate::{Arrival, CrewOptions, Fleet, FleetReport, Heuristic, Order};

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
    /// How the table keeps units from passing through each other, for problems.
    pub meeting: PassingRule,
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
            meeting: PassingRule::ExplicitTest,
        }
    }

    /// Plans for a fleet on any space.
    pub fn plan_fleet<S: Space>(
        &self,
        fleet: &Fleet<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> FleetReport {
        match self.arrival {
            Arrival::Parked => {
                let leash = Leash::new(budget);
                plan_parked(&leash.hold(fleet), self, seed, &leash, observer)
            }
            Arrival::Obstacle => {
                let leash = Leash::new(budget);
                let fleet = leash.hold(fleet);
                let mut simulation = self.simulate(&fleet, seed);
                play(&fleet, &mut simulation, self.turns, &leash, observer)
            }
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
    /// How the table keeps units from passing through each other, for problems.
    pub meeting: PassingRule,
}

impl Default for Windowed {
    fn default() -> Self {
        let crew = CrewOptions::default();
        let meeting = PassingRule::ExplicitTest;
        Self { window: 16, order: Order::LongestFirst, turns: 2000, crew, meeting }
    }
}

impl LocalRepair {
    /// Plans for a fleet on any space.
    pub fn plan_fleet<S: Space>(
        &self,
        fleet: &Fleet<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> FleetReport {
        let leash = Leash::new(budget);
        let fleet = leash.hold(fleet);
        let mut simulation = self.simulate(&fleet, seed);
        play(&fleet, &mut simulation, self.turns, &leash, observer)
    }
}

impl Planner for LocalRepair {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let fleet = Fleet::of(problem, &FootprintRules::default());
        Ok(self.plan_fleet(&fleet, seed, budget, observer).of(problem, &fleet))
    }
}

impl Planner for CooperativeAStar {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let fleet = Fleet::of(problem, &rules(self.meeting));
        Ok(self.plan_fleet(&fleet, seed, budget, observer).of(problem, &fleet))
    }
}

impl Windowed {
    /// Plans for a fleet on any space.
    pub fn plan_fleet<S: Space>(
        &self,
        fleet: &Fleet<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> FleetReport {
        let leash = Leash::new(budget);
        let fleet = leash.hold(fleet);
        let mut simulation = self.simulate(&fleet, seed);
        play(&fleet, &mut simulation, self.turns, &leash, observer)
    }
}

impl Planner for Windowed {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let fleet = Fleet::of(problem, &rules(self.meeting));
        Ok(self.plan_fleet(&fleet, seed, budget, observer).of(problem, &fleet))
    }
}

fn rules(meeting: PassingRule) -> FootprintRules {
    FootprintRules { meeting, ..FootprintRules::default() }
}
