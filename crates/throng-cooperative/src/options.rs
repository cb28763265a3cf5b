//! What the planners can be told.

/// In which order units plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PlanningOrder {
    /// As the problem lists them.
    Given,
    /// Units with the longest path first; ties as listed.
    #[default]
    LongestFirst,
    /// Shuffled by the seed.
    Random,
}

/// What guides a search through space-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The space's own estimate, on a 4-connected grid the Manhattan distance: CA*.
    Estimate,
    /// The true distance, other units ignored, by RRA*: HCA*.
    TrueDistance,
}

/// What becomes of a unit that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Arrival {
    /// It reserves its goal for ever, and arrives only when that is safe: for complete plans.
    #[default]
    Parked,
    /// It becomes an unplanned obstacle, and others reroute: as in the paper.
    Obstacle,
}

/// How the units of a store plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanningOptions {
    /// Whether a unit that finds no legal path, or makes no progress, is promoted.
    pub promotion: bool,
    /// Whether units plan again at different ticks instead of all at once.
    pub interleaved: bool,
    /// Whether resting units have a lower priority than those on their way.
    pub resting_yield: bool,
    /// After this many windows without progress, a unit is promoted.
    pub patience_windows: u32,
    /// How many windows a promotion lasts.
    pub promotion_windows: u32,
    /// Whether units plan all the way to their goal instead of to a depth, as in CA* and HCA*.
    pub complete: bool,
    /// The highest penalty for crossing another unit's goal, in ticks.
    pub goal_penalty_max: u32,
}

impl Default for PlanningOptions {
    fn default() -> Self {
        Self {
            promotion: true,
            interleaved: true,
            resting_yield: true,
            patience_windows: 2,
            promotion_windows: 2,
            complete: false,
            goal_penalty_max: 5,
        }
    }
}

impl PlanningOptions {
    /// For complete plans, as CA* and HCA* have them in the paper.
    #[must_use]
    pub fn complete() -> Self {
        Self {
            promotion: false,
            resting_yield: false,
            complete: true,
            goal_penalty_max: 0,
            ..Self::default()
        }
    }
}
