//! The four planners as [`Planner`]s of a problem.

use throng_model::{Budget, Effort, Observer, PlanError, Planner, Report, ValidProblem};

use throng_spacetime::{FootprintRules, PassingRule, Space};

use crate::prioritized::plan_parked;
use crate::simulation::play;
use crate::{Arrival, Heuristic, Instance, InstanceReport, PlanningOptions, PlanningOrder};

/// **LRA***: A* with local repair and agitation, the standard of games in 2005.
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

/// **CA*** and **HCA***: one complete search through space-time per unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CooperativeAStar {
    /// The heuristic: the space's estimate (CA*) or true distances (HCA*).
    pub heuristic: Heuristic,
    /// How other units treat a unit that has arrived.
    pub arrival: Arrival,
    /// In which order units plan.
    pub order: PlanningOrder,
    /// How often to restart in another order when a unit finds no path.
    pub restarts: u32,
    /// Most turns.
    pub turns: u32,
    /// With [`Arrival::Obstacle`], whether a unit that finds no path tries again in later turns. In
    /// the paper it has failed, and stays where it is.
    pub tries_again: bool,
    /// How the table keeps units from passing through each other, for problems.
    pub passing: PassingRule,
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
            order: PlanningOrder::LongestFirst,
            restarts: 100,
            turns: 10_000,
            tries_again: true,
            passing: PassingRule::ExplicitTest,
        }
    }

    /// CA* or HCA*, by the heuristic, as printed in 2005: units plan once in the given order, those
    /// that have arrived are obstacles, and a unit without a path has failed.
    #[must_use]
    pub fn silver2005(heuristic: Heuristic) -> Self {
        Self {
            heuristic,
            arrival: Arrival::Obstacle,
            order: PlanningOrder::Given,
            restarts: 0,
            tries_again: false,
            ..Self::hca()
        }
    }

    /// Plans for an instance on any space.
    pub fn plan_instance<S: Space>(
        &self,
        instance: &Instance<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> InstanceReport {
        let effort = &mut Effort::new(budget);
        match self.arrival {
            Arrival::Parked => plan_parked(instance, self, seed, effort, observer),
            Arrival::Obstacle => {
                let mut simulation = self.simulate(instance, seed);
                play(instance, &mut simulation, self.turns, effort, observer)
            }
        }
    }
}

/// **WHCA*(w)**: cooperation within a window that moves on with the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windowed {
    /// The ticks for which each search plans ahead.
    pub window: u32,
    /// In which order units plan at first.
    pub order: PlanningOrder,
    /// Most turns.
    pub turns: u32,
    /// Promotion, interleaving and which units yield.
    pub planning: PlanningOptions,
    /// How the table keeps units from passing through each other, for problems.
    pub passing: PassingRule,
}

impl Default for Windowed {
    fn default() -> Self {
        let planning = PlanningOptions::default();
        let passing = PassingRule::ExplicitTest;
        Self { window: 16, order: PlanningOrder::LongestFirst, turns: 2000, planning, passing }
    }
}

impl Windowed {
    /// WHCA* as printed in 2005: without promotion, without lower priority for units that rest,
    /// without penalties for other units' goals. Units plan in the given order.
    #[must_use]
    pub fn silver2005() -> Self {
        let planning = PlanningOptions::silver2005();
        Self { order: PlanningOrder::Given, planning, ..Self::default() }
    }
}

impl LocalRepair {
    /// Plans for an instance on any space.
    pub fn plan_instance<S: Space>(
        &self,
        instance: &Instance<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> InstanceReport {
        let mut simulation = self.simulate(instance, seed);
        play(instance, &mut simulation, self.turns, &mut Effort::new(budget), observer)
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
        let instance = Instance::of(problem, &FootprintRules::default());
        Ok(self.plan_instance(&instance, seed, budget, observer).of(problem, &instance))
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
        let instance = Instance::of(problem, &rules(self.passing));
        Ok(self.plan_instance(&instance, seed, budget, observer).of(problem, &instance))
    }
}

impl Windowed {
    /// Plans for an instance on any space.
    pub fn plan_instance<S: Space>(
        &self,
        instance: &Instance<S>,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> InstanceReport {
        let mut simulation = self.simulate(instance, seed);
        play(instance, &mut simulation, self.turns, &mut Effort::new(budget), observer)
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
        let instance = Instance::of(problem, &rules(self.passing));
        Ok(self.plan_instance(&instance, seed, budget, observer).of(problem, &instance))
    }
}

fn rules(passing: PassingRule) -> FootprintRules {
    FootprintRules { passing, ..FootprintRules::default() }
}
