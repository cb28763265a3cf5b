//! What a plan took.

use throng_model::Report;

/// What planning took, in full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes taken from the open list; one that went back counts again.
    pub expanded: u64,
    /// Nodes put on the open list for the first time.
    pub generated: u64,
    /// Most nodes open at once in one search.
    pub peak_open: u64,
    /// Nodes open when each search ended, summed up.
    pub final_open: u64,
    /// Nodes that were expanded, in part or in full, summed up.
    pub final_closed: u64,
    /// Most bytes held by one search.
    pub bytes: u64,
    /// Searches that were run.
    pub searches: u64,
    /// Units of the largest group that was planned for.
    pub largest_group: usize,
    /// Groups at the end.
    pub groups: usize,
}

impl Statistics {
    /// Adds what another part of the work took.
    pub(crate) fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.final_open += other.final_open;
        self.final_closed += other.final_closed;
        self.searches += other.searches;
        self.peak_open = self.peak_open.max(other.peak_open);
        self.bytes = self.bytes.max(other.bytes);
        self.largest_group = self.largest_group.max(other.largest_group);
    }
}

/// A report, and what planning took in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointReport {
    /// What every planner reports.
    pub report: Report,
    /// What it took.
    pub statistics: Statistics,
}
