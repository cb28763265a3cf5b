//! What was spent, and what may still be.

use throng_model::Budget;

/// Nodes, of all searches together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

/// How much of a budget is left.
pub(crate) struct Allowance<'a> {
    budget: Budget<'a>,
    left: u64,
    interrupted: bool,
    spent: bool,
}

impl<'a> Allowance<'a> {
    pub(crate) fn new(budget: Budget<'a>) -> Self {
        let left = budget.expansions.unwrap_or(u64::MAX);
        Self { budget, left, interrupted: false, spent: false }
    }

    /// Most expansions of the next search.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Takes expansions off, and asks whether to stop.
    pub(crate) fn spend(&mut self, expansions: u64) {
        self.spent |= expansions > self.left;
        self.left = self.left.saturating_sub(expansions);
        self.interrupted |= self.budget.is_interrupted();
    }

    /// Whether the budget is spent or the interrupt said stop.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent || self.interrupted
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted
    }
}
