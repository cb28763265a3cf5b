//! How a world is run.

use throng_cooperative::PlanningOptions;
use throng_model::Conflicts;
use throng_spacetime::PassingRule;

/// How a world is run. The same options, commands and ticks give the same world on every
/// machine and for every number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WorldOptions {
    /// How far ahead units plan, in ticks, unless their spawn says otherwise: the `w` of WHCA*(w),
    /// 2 to 48.
    pub window: u32,
    /// About how many nodes may be expanded per tick, routes included; `None` is without limit.
    /// Units beyond it keep their old plans, or wait.
    pub expansions_per_tick: Option<u64>,
    /// How many threads find routes; 0 counts as 1. Changes nothing but the time it takes.
    #[serde(skip)]
    pub threads: usize,
    /// Promotion, interleaving and which units yield.
    pub planning: PlanningOptions,
    /// How units are kept from passing through each other. It is an option of the world, not of a
    /// movement profile: the strict rule keeps two bodies apart only if both units follow it. A
    /// diagonal step past a unit that stands still would overlap it otherwise.
    pub meeting: PassingRule,
    /// Which meetings count.
    pub conflicts: Conflicts,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            window: 16,
            expansions_per_tick: None,
            threads: 1,
            planning: PlanningOptions::default(),
            meeting: PassingRule::default(),
            conflicts: Conflicts::default(),
        }
    }
}

pub(crate) use throng_model::limits::WINDOW_TICKS as WINDOW;
