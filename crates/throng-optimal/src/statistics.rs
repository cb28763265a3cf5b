//! The effort behind a plan.

use throng_model::Report;

/// The effort behind a plan, in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes taken from the open list. A node that partial expansion put back counts again.
    pub expanded: u64,
    /// Nodes put on the open list for the first time.
    pub generated: u64,
    /// Most nodes open at once in one search.
    pub peak_open: u64,
    /// Nodes open when a search ended, summed over the searches.
    pub final_open: u64,
    /// Nodes expanded at least in part, summed over the searches.
    pub final_closed: u64,
    /// Most memory held by one search, in bytes.
    pub bytes: u64,
    /// Searches that were run.
    pub searches: u64,
    /// Nodes expanded by the most expensive search.
    pub most_expanded: u64,
    /// Units in the largest group that was planned for.
    pub largest_group: usize,
    /// Groups at the end.
    pub groups: usize,
}

impl Statistics {
    /// Adds the effort of another part of the work.
    pub(crate) fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.final_open += other.final_open;
        self.final_closed += other.final_closed;
        self.searches += other.searches;
        self.most_expanded = self.most_expanded.max(other.most_expanded);
        self.peak_open = self.peak_open.max(other.peak_open);
        self.bytes = self.bytes.max(other.bytes);
        self.largest_group = self.largest_group.max(other.largest_group);
    }
}

/// A report with the effort in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointReport {
    /// The report of every planner.
    pub report: Report,
    /// The effort in full.
    pub statistics: Statistics,
}
