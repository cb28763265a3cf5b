//! How much a planner may spend, who may stop it, and who watches.

use std::fmt;

/// Asked now and then whether to stop: the only way for a clock or a user's Ctrl-C to
/// reach a planner. A result that was interrupted says that it is not reproducible.
pub type Interrupt<'a> = &'a (dyn Fn() -> bool + Sync);

/// How many nodes a planner may expand, and who may interrupt it.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// Most node expansions; `None` is without limit.
    pub expansions: Option<u64>,
    /// Asked every few thousand expansions.
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
