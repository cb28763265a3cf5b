//! What a walk has cost so far.

/// What a walk has cost so far. Times are measured outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkMetrics {
    /// Nodes expanded at grid level.
    pub nodes: u64,
    /// Searches at grid level.
    pub searches: u64,
    /// Waypoints expanded in the upper layer.
    pub waypoints: u64,
    /// How long the stretches are together, in millionths of a unit.
    pub length_millionths: u64,
    /// Collision tests that were really made.
    pub collision_tests: u64,
    /// Steps that the collision cache knew.
    pub collision_hits: u64,
    /// Steps that it did not know.
    pub collision_misses: u64,
    /// Searches that the path cache finished.
    pub path_hits: u64,
    /// Searches that it could not finish.
    pub path_misses: u64,
    /// Stretches that the upper layer had chosen badly, so that the layer below took over.
    pub fallbacks: u64,
}

impl WalkMetrics {
    /// Adds another walk's cost.
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
