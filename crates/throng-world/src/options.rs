//! The options of a world.

use throng_cooperative::PlanningOptions;
use throng_model::Conflicts;
use throng_spacetime::PassingRule;

/// The options of a world. The same options, commands and ticks give the same world on every
/// machine and for every number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WorldOptions {
    /// The window of units whose [`Spawn`](crate::Spawn) does not set one, in ticks, 2 to 48: the
    /// `w` of WHCA*(w).
    pub window: u32,
    /// About how many nodes may be expanded per tick, routes included; `None` is without limit.
    /// Units beyond it keep their old plans, or wait; those that wait longest come first. The
    /// default of 65,536 spreads thousands of orders at once over ticks. A world of more than
    /// about 60,000 units in motion needs more. For a limit in
    /// milliseconds see [`World::tick_within`](crate::World::tick_within).
    pub expansions_per_tick: Option<u64>,
    /// The number of threads that find routes and plan; 0 counts as 1. It does not affect the
    /// results.
    #[serde(skip)]
    pub threads: usize,
    /// Promotion, interleaving and which units yield.
    pub planning: PlanningOptions,
    /// The rule for units that pass each other between two ticks. It is an option of the world,
    /// not of a movement profile: the strict rule keeps two bodies apart only if both units follow
    /// it. A diagonal step past a unit that stands still would overlap it otherwise.
    pub passing: PassingRule,
    /// Which conflicts count besides vertex conflicts.
    pub conflicts: Conflicts,
    /// After how many ticks a unit on hold is a wall to others: their routes lead around it, if
    /// there is another way. After twice as long units that rest cost more for routes, and more the
    /// longer they stand: others pass them by if that is shorter than to push through.
    pub hold_patience: u32,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            window: 16,
            expansions_per_tick: Some(1 << 16),
            threads: 1,
            planning: PlanningOptions { promotion: false, ..PlanningOptions::default() },
            passing: PassingRule::default(),
            conflicts: Conflicts::default(),
            hold_patience: 16,
        }
    }
}

pub(crate) use throng_model::limits::WINDOW_TICKS as WINDOW;
