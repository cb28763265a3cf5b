//! The result of planning: four outcomes that are never confused.

use crate::Plan;

/// The cost of a plan: ticks, summed over the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Objective {
    /// Ticks until a unit's last arrival on its goal (the MAPF standard).
    #[default]
    SumOfCosts,
    /// Ticks not spent resting on the goal (Standley).
    TimeAway,
}

/// A plan that brings every unit to its goal, with a proven lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// Its cost by the planner's objective.
    pub cost: u64,
    /// No plan is cheaper than this. Equal to `cost`: the plan is optimal.
    pub proven_bound: u64,
}

/// The result of planning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every unit ends on its goal.
    Solved(Solution),
    /// There is no plan; the text says why.
    ProvenUnsolvable(String),
    /// A limit was reached first.
    BudgetSpent {
        /// The best legal plan so far, if there is one. It is not proven to be as good as
        /// was asked for, and some units may end elsewhere than on their goals.
        best: Option<Plan>,
        /// No complete plan is cheaper than this.
        proven_bound: u64,
        /// The limit that was reached.
        limit: Limit,
    },
    /// The planner ended by itself with some units short of their goals: a legal plan, but
    /// not a solution, and no proof that there is none.
    Partial {
        /// The plan.
        plan: Plan,
        /// How many units end on their goals.
        arrived: usize,
    },
}

/// The limit that ended planning early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Budget::expansions`](crate::Budget::expansions).
    Expansions,
    /// [`Budget::interrupt`](crate::Budget::interrupt).
    Interrupt,
    /// The planner's own limit on memory.
    Memory,
    /// The planner's own limit on the size of what it plans for at once.
    Size,
}

/// An outcome and the effort behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The result.
    pub outcome: Outcome,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Most nodes open at once.
    pub peak_open: u64,
    /// Whether the same input gives the same answer again: false after an interrupt.
    pub reproducible: bool,
}
