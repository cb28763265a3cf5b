//! Large neighbourhood search: a plan goes in, better and better plans come out.
//!
//! J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "Anytime multi-agent path finding via
//! large neighborhood search", 2021. The paths of a few units are removed and planned again, one
//! after the other, around all other paths. The new paths are kept if they cost no more.

mod boards;
mod flood_search;
mod gain;
mod group_search;
mod improve;
mod lower_bound;
mod neighbourhood;
mod occupancy;
mod pair_cover;
mod price_table;
mod priced_search;
mod prices;
pub(crate) mod random;
mod repair;
mod rounds;
mod search;
mod separators;
mod start;
mod state;
pub(crate) mod steps;
mod tactics;
mod taken;
mod task;
mod visits;

use throng_model::{Budget, Objective, Observer, Plan, PlanError, ValidProblem, Weight};

/// Large neighbourhood search. Improves a plan until it is stopped.
///
/// It takes a legal plan that brings every unit to its goal, and never returns a worse one.
/// Neither complete nor optimal: it stops by itself only when the cost equals the lower bound,
/// or when `target` or `bound` is reached. The same problem, plan, seed and expansion budget
/// give the same result for any number of threads.
///
/// Supports units of one cell and pace 1 that all move alike, 4- or 8-connected. Costs are
/// ticks: terrain decides where units can go, not how long a step takes.
#[derive(Clone, Copy, Debug)]
pub struct Lns {
    /// What to minimise.
    pub objective: Objective,
    /// How many threads to use. It does not change the result of a run that is not interrupted.
    pub threads: usize,
    /// Stops once the cost is no larger than this.
    pub target: Option<u64>,
    /// Stops once the cost is proven to be at most this many times the optimum.
    pub bound: Weight,
    /// Stops once half of the work has lowered the cost by less than this part, in thousandths;
    /// 0: never.
    pub gain_permille: u32,
}

impl Default for Lns {
    fn default() -> Self {
        Self {
            objective: Objective::SumOfCosts,
            threads: 1,
            target: None,
            bound: Weight::ONE,
            gain_permille: 0,
        }
    }
}

/// Why the improvement has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The cost is within the bound of the best plan: [`Lns::bound`].
    Bound,
    /// The cost is no larger than [`Lns::target`].
    Target,
    /// Half of the work gained less than [`Lns::gain_permille`].
    Gain,
    /// [`Budget::expansions`] are spent.
    Expansions,
    /// [`Budget::interrupt`] said stop. The result is not reproducible.
    Interrupt,
}

/// The best plan found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Improved {
    /// The plan.
    pub plan: Plan,
    /// Its cost by the objective.
    pub cost: u64,
    /// No plan is cheaper than this: the sum of the shortest paths, or more where units were
    /// found to get in each other's way.
    pub lower_bound: u64,
    /// Why the improvement has ended.
    pub stop: Stop,
    /// Nodes expanded.
    pub expanded: u64,
    /// Groups of units that were planned again.
    pub repairs: u64,
}

/// Why a plan cannot be improved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImproveError {
    /// A unit moves in a way that is not supported.
    #[error(transparent)]
    Unsupported(#[from] PlanError),
    /// The plan to start from is not legal, or does not bring every unit to its goal.
    #[error("the plan to start from is not a solution: {0}")]
    Start(String),
    /// The true distances of all units do not fit into memory.
    #[error("{units} units on {positions} positions are too many to improve their plan")]
    Size {
        /// How many units there are.
        units: usize,
        /// How many positions the map has.
        positions: usize,
    },
    /// The interrupt said stop before the improvement began.
    #[error("interrupted before the improvement began")]
    Interrupted,
}

impl Lns {
    /// Whether the units of a problem move in ways that are supported.
    ///
    /// # Errors
    /// With the first unit that does not.
    pub fn supports(&self, problem: &ValidProblem) -> Result<(), PlanError> {
        start::refuse_unsupported(problem)
    }

    /// Improves a plan within the budget and tells the observer about every better one.
    ///
    /// # Errors
    /// When units move in a way that is not supported, or when `start` is not a solution.
    pub fn improve(
        &self,
        problem: &ValidProblem,
        start: &Plan,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Improved, ImproveError> {
        improve::improve(self, problem, start, seed, budget, observer)
    }
}
