//! The counters of a walk.

/// The work of a walk so far, without times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkMetrics {
    /// Nodes expanded at grid level.
    pub nodes: u64,
    /// Searches at grid level.
    pub searches: u64,
    /// Waypoints expanded in the upper layer.
    pub waypoints: u64,
    /// Total length of the stretches, in millionths of a unit.
    pub length_millionths: u64,
    /// Collision tests that were made.
    pub collision_tests: u64,
    /// Steps that the collision cache knew.
    pub collision_hits: u64,
    /// Steps that the collision cache did not know.
    pub collision_misses: u64,
    /// Searches that the path cache finished.
    pub path_hits: u64,
    /// Searches that the path cache could not finish.
    pub path_misses: u64,
    /// Stretches for which the upper layer failed and the search at grid level took over.
    pub fallbacks: u64,
}

impl WalkMetrics {
    /// Adds the counters of another walk.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.searches += other.searches;
        self.waypoints += other.waypoints;
        self.length_millionths += other.length_millionths;
        self.collision_tests += other.collision_tests;
        self.collision_hits += other.collision_hits;
        self.collision_misses += other.collision_misses;
        self.path_hits += other.path_hits;
        self.path_misses += other.path_misses;
        self.fallbacks += other.fallbacks;
    }
}
