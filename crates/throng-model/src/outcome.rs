//! What came of a problem. Four answers, never one for another.

use crate::Plan;

/// What a plan is judged by. Both count ticks, summed over the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Objective {
    /// Ticks until a unit's last arrival on its goal (the MAPF standard).
    #[default]
    SumOfCosts,
    /// Ticks not spent resting on the goal (seed 002).
    TimeAway,
}

/// A plan that brings every unit to its goal, and what is proven about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// The objective's value.
    pub cost: u64,
    /// No plan is cheaper than this. Equal to `cost`: the plan is optimal.
    pub proven_bound: u64,
}

/// What came of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every unit ends on its goal.
    Solved(Solution),
    /// There is no plan, whatever the effort; says why.
    ProvenUnsolvable(String),
    /// The budget ran out first. The best complete plan, if there was one already.
    BudgetSpent {
        /// A complete plan that is not proven as good as was asked for.
        best: Option<Plan>,
        /// No plan is cheaper than this.
        proven_bound: u64,
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

/// An outcome and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What came of it.
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
