//! The limits of a search or planner: expansions, interrupts; and observers of its progress.

use std::fmt;

use crate::Plan;

/// A function that says whether to stop. It is called every thousand expansions or so.
///
/// This is the only way for a clock or a user's Ctrl-C to reach a planner. A result that was
/// interrupted says that it is not reproducible.
pub type Interrupt<'a> = &'a (dyn Fn() -> bool + Sync);

/// How many nodes a search or a planner may expand, and what may interrupt it.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// Most node expansions; `None` is without limit.
    pub expansions: Option<u64>,
    /// Called once per thousand expansions or so; true stops the search.
    pub interrupt: Option<Interrupt<'a>>,
}

impl<'a> Budget<'a> {
    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// At most this many expansions.
    #[must_use]
    pub fn expansions(expansions: u64) -> Self {
        Self { expansions: Some(expansions), interrupt: None }
    }

    /// The same budget, interruptible.
    #[must_use]
    pub fn with_interrupt(self, interrupt: Interrupt<'a>) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }

    /// Whether the interrupt says stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|ask| ask())
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("expansions", &self.expansions)
            .field("interrupt", &self.interrupt.is_some())
            .finish()
    }
}

/// The result of a search: found, exhausted, or stopped before either was known.
///
/// All searches use this enum. A search that was stopped proves nothing: it is never reported
/// as exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStatus {
    /// A path was found.
    Found,
    /// There is no path: proven, since no node is left to expand.
    Exhausted,
    /// There is no path within the cost limit: proven.
    CostLimit,
    /// The budget is spent. A search that can be resumed goes on with another budget.
    BudgetSpent,
    /// The interrupt stopped it. A search that can be resumed goes on with another budget.
    Interrupted,
}

impl SearchStatus {
    /// Whether the search was stopped before it knew the answer.
    #[must_use]
    pub fn is_stopped(self) -> bool {
        matches!(self, Self::BudgetSpent | Self::Interrupted)
    }
}

/// Expansions between two calls of the interrupt.
const INTERRUPT_INTERVAL: u64 = 1024;

/// What is left of a [`Budget`] while searches run.
///
/// Every search that takes an `Effort` counts its expansions on it and polls the interrupt
/// through it, once per 1024 expansions. Searches that work on one answer share an `Effort`:
/// a space-time search and the search for its distances stop together. Once stopped, it stays
/// stopped.
///
/// ```
/// use throng_model::{Budget, Effort, SearchStatus};
/// let mut effort = Effort::new(Budget::expansions(2));
/// assert!(effort.expand() && effort.expand() && !effort.expand());
/// assert_eq!(effort.stopped(), Some(SearchStatus::BudgetSpent));
/// ```
#[derive(Clone, Debug)]
pub struct Effort<'a> {
    /// Expansions before the interrupt is polled again.
    slice: u64,
    /// Expansions beyond the slice.
    rest: u64,
    budget: Budget<'a>,
    stopped: Option<SearchStatus>,
}

impl<'a> Effort<'a> {
    /// The whole budget is left.
    #[must_use]
    pub fn new(budget: Budget<'a>) -> Self {
        Self { slice: 0, rest: budget.expansions.unwrap_or(u64::MAX), budget, stopped: None }
    }

    /// Without limit or interrupt: it never stops.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(Budget::unlimited())
    }

    /// Whether another node may be expanded. Polls the interrupt when that is due.
    #[inline]
    pub fn may_expand(&mut self) -> bool {
        self.slice > 0 || self.refill()
    }

    /// Counts an expansion that [`may_expand`](Self::may_expand) has allowed.
    #[inline]
    pub fn count(&mut self) {
        self.slice = self.slice.saturating_sub(1);
    }

    /// Counts one expansion if one is left. Returns whether there was one.
    #[inline]
    pub fn expand(&mut self) -> bool {
        match self.slice.checked_sub(1) {
            Some(left) => self.slice = left,
            None if self.refill() => self.slice -= 1,
            None => return false,
        }
        true
    }

    /// Counts up to `most` expansions at once and returns how many were left to count. For
    /// sweeps whose expansions are too cheap to be counted one by one.
    pub fn expand_many(&mut self, most: u64) -> u64 {
        if !self.may_expand() {
            return 0;
        }
        let granted = self.slice.min(most);
        self.slice -= granted;
        granted
    }

    #[cold]
    fn refill(&mut self) -> bool {
        if self.stopped.is_none() && self.budget.is_interrupted() {
            self.stopped = Some(SearchStatus::Interrupted);
        } else if self.stopped.is_none() && self.rest == 0 {
            self.stopped = Some(SearchStatus::BudgetSpent);
        }
        if self.stopped.is_some() {
            return false;
        }
        self.slice = self.rest.min(INTERRUPT_INTERVAL);
        self.rest -= self.slice;
        true
    }

    /// Expansions left; 0 once stopped.
    #[must_use]
    pub fn left(&self) -> u64 {
        if self.stopped.is_some() { 0 } else { self.slice + self.rest }
    }

    /// Why no more may be expanded: [`SearchStatus::BudgetSpent`] or
    /// [`SearchStatus::Interrupted`]. `None` while no expansion was refused.
    #[must_use]
    pub fn stopped(&self) -> Option<SearchStatus> {
        self.stopped
    }
}

/// The progress of a planner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes expanded so far.
    pub expanded: u64,
    /// Units whose path is planned.
    pub units_done: usize,
    /// The best proven lower bound of the objective, once there is one.
    pub lower_bound: Option<u64>,
    /// The number of groups of units that are planned separately, for planners with groups.
    pub groups: Option<usize>,
}

/// A better plan than all before, from a planner that improves its plan until it is stopped.
#[derive(Clone, Copy)]
pub struct Improvement<'a> {
    /// Nodes expanded so far.
    pub expanded: u64,
    /// The cost of the plan by the planner's objective.
    pub cost: u64,
    /// No plan is cheaper than this.
    pub lower_bound: u64,
    /// Builds the plan. It takes time proportional to the plan's size, so call it only if the
    /// plan is needed.
    pub plan: &'a dyn Fn() -> Plan,
}

impl fmt::Debug for Improvement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Improvement")
            .field("expanded", &self.expanded)
            .field("cost", &self.cost)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}

/// Receives the progress of a planner. It cannot change the result.
pub trait Observer {
    /// Called from time to time while the planner works.
    fn progress(&mut self, progress: Progress);

    /// Called when a planner that uses others begins with the next of them.
    fn stage(&mut self, planner: &'static str) {
        let _ = planner;
    }

    /// Called with every better plan, by planners that improve their plans.
    fn improved(&mut self, improvement: Improvement<'_>) {
        let _ = improvement;
    }
}

/// An observer that ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: Progress) {}
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn exactly_the_budget_may_be_spent() {
        for budget in [0, 1, 1023, 1024, 1025, 5000] {
            let mut effort = Effort::new(Budget::expansions(budget));
            let mut expanded = 0;
            while effort.expand() {
                expanded += 1;
                assert_eq!((effort.left(), effort.stopped()), (budget - expanded, None));
            }
            assert_eq!(expanded, budget);
            assert_eq!((effort.left(), effort.expand()), (0, false));
            assert_eq!(effort.stopped(), Some(SearchStatus::BudgetSpent));
        }
    }

    #[test]
    fn the_interrupt_is_polled_once_per_interval_and_lasts() {
        let polled = AtomicU64::new(0);
        let third_time = || polled.fetch_add(1, Ordering::Relaxed) >= 2;
        let mut effort = Effort::new(Budget::unlimited().with_interrupt(&third_time));
        let mut expanded = 0;
        while effort.expand() {
            expanded += 1;
        }
        assert_eq!((expanded, polled.load(Ordering::Relaxed)), (2 * INTERRUPT_INTERVAL, 3));
        assert!(!effort.may_expand());
        assert_eq!(effort.stopped(), Some(SearchStatus::Interrupted));
        assert_eq!(polled.load(Ordering::Relaxed), 3, "not asked again");
    }

    #[test]
    fn many_at_once_are_counted_like_single_ones() {
        let mut effort = Effort::new(Budget::expansions(3000));
        let granted: u64 = std::iter::repeat_with(|| effort.expand_many(700)).take(20).sum();
        assert_eq!((granted, effort.stopped()), (3000, Some(SearchStatus::BudgetSpent)));
    }
}
