//! The options of the planners.

/// The order in which units plan.
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

/// The heuristic of a search through space-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The space's own estimate, on a 4-connected grid the Manhattan distance: CA*.
    Estimate,
    /// The true distance, other units ignored, by RRA*: HCA*.
    TrueDistance,
}

/// How other units treat a unit that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Arrival {
    /// It reserves its goal forever, and arrives only when no other unit needs the goal. Plans
    /// are complete.
    #[default]
    Parked,
    /// It becomes an unplanned obstacle, and other units plan again, as in the paper.
    Obstacle,
}

/// The options of planning in a store of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanningOptions {
    /// Whether a unit that finds no legal path, or makes no progress, is promoted. A unit that was
    /// promoted or pushed off its destination several times gets noise in its distances.
    pub promotion: bool,
    /// Whether units replan at different ticks instead of all at once.
    pub interleaved: bool,
    /// Whether resting units have a lower priority than those on their way.
    pub resting_yield: bool,
    /// The number of windows without progress after which a unit is promoted.
    pub patience_windows: u32,
    /// The duration of a promotion, in windows.
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
    /// WHCA* as printed in 2005: all units are equal, and none gets a second chance.
    #[must_use]
    pub fn silver2005() -> Self {
        Self { promotion: false, resting_yield: false, goal_penalty_max: 0, ..Self::default() }
    }

    /// The options for complete plans, as in CA* and HCA* of the paper.
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
