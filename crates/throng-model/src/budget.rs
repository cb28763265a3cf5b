//! How much a search or a planner may spend, what may stop it, and who watches.

use std::fmt;

/// Asked now and then whether to stop: the only way for a clock or a user's Ctrl-C to
/// reach a planner. A result that was interrupted says that it is not reproducible.
pub type Interrupt<'a> = &'a (dyn Fn() -> bool + Sync);

/// How many nodes a search or a planner may expand, and what may interrupt it.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// Most node expansions; `None` is without limit.
    pub expansions: Option<u64>,
    /// Asked once per thousand expansions or so.
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

/// How a search stands: found, exhausted, or stopped before it knew.
///
/// The only answer enum of searches. An answer is never given for another: what was stopped
/// is not proven impossible.
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

/// Expansions between two looks at the interrupt.
const INTERRUPT_INTERVAL: u64 = 1024;

/// What is left of a [`Budget`] while searches run.
///
/// Every search that takes an `Effort` counts its expansions on it and polls the interrupt
/// through it, once per 1024 expansions. Several searches that work for one answer share
/// one: a space-time search and the distances that it asks for stop together. Once stopped
/// it stays stopped.
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

    /// Counts one expansion, if it may be made; whether it may.
    #[inline]
    pub fn expand(&mut self) -> bool {
        match self.slice.checked_sub(1) {
            Some(left) => self.slice = left,
            None if self.refill() => self.slice -= 1,
            None => return false,
        }
        true
    }

    /// Counts up to `most` expansions at once; how many may be made. For sweeps whose
    /// expansions are too cheap to be counted one by one.
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
    /// [`SearchStatus::Interrupted`]. `None` while none was refused.
    #[must_use]
    pub fn stopped(&self) -> Option<SearchStatus> {
        self.stopped
    }
}

/// How far a planner has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes expanded so far.
    pub expanded: u64,
    /// Units whose path is planned.
    pub units_done: usize,
    /// The best proven lower bound of the objective, once there is one.
    pub lower_bound: Option<u64>,
    /// How many groups of units are planned for apart, by planners that have groups.
    pub groups: Option<usize>,
}

/// Watches a planner at work. Must not change what the planner does.
pub trait Observer {
    /// Called now and then.
    fn progress(&mut self, progress: Progress);
}

/// The observer that does not look.
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
