//! The table of solvers. A new one is an entry here, and a [`Tunable`] that names its fields.

#[cfg(feature = "anytime")]
use throng_anytime::Lacam;
use throng_cooperative::{
    Arrival, CooperativeAStar, Heuristic, LocalRepair, PlanningOrder, Windowed,
};
use throng_model::limits::{HORIZON_MAX, WINDOW_TICKS};
use throng_spacetime::PassingRule;

#[cfg(feature = "anytime")]
use super::improving::{Auto, Improving};
use super::knob::{Choice, Knob, OneOf, Switch, Tunable, Whole};
#[cfg(feature = "anytime")]
use throng_model::Objective;

/// A solver by its name.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// The planner with its defaults.
    pub(super) planner: fn() -> Box<dyn Tunable>,
}

/// Every solver.
pub(super) const SOLVERS: &[Entry] = &[
    Entry {
        name: "lra",
        summary: "LRA* as printed by Silver: each unit alone; it repairs its path when another unit is in the way",
        planner: || Box::new(LocalRepair::default()),
    },
    Entry {
        name: "ca",
        summary: "CA*: one unit after the other in space-time, with a plain heuristic",
        planner: || Box::new(CooperativeAStar::ca()),
    },
    Entry {
        name: "hca",
        summary: "HCA*: one unit after the other in space-time, with true distances",
        planner: || Box::new(CooperativeAStar::hca()),
    },
    Entry {
        name: "whca",
        summary: "WHCA*: as HCA*, within a window that moves with the units",
        planner: || Box::new(Windowed::default()),
    },
    Entry {
        name: "silver-ca",
        summary: "CA* as printed by Silver (2005): planned once, arrived units are obstacles, a unit without a path fails",
        planner: || Box::new(CooperativeAStar::silver2005(Heuristic::Estimate)),
    },
    Entry {
        name: "silver-hca",
        summary: "HCA* as printed by Silver (2005): as silver-ca, with true distances",
        planner: || Box::new(CooperativeAStar::silver2005(Heuristic::TrueDistance)),
    },
    Entry {
        name: "silver-whca",
        summary: "WHCA* as printed by Silver (2005): whca without promotion, yielding by priority and goal penalty",
        planner: || Box::new(Windowed::silver2005()),
    },
    #[cfg(feature = "anytime")]
    Entry {
        name: "lacam",
        summary: "LaCAM: dense crowds in milliseconds; complete",
        planner: || Box::new(Lacam::default()),
    },
    #[cfg(feature = "anytime")]
    Entry {
        name: "lns",
        summary: "a first plan, then large neighbourhood search until the budget ends",
        planner: || Box::new(Improving::lns()),
    },
    #[cfg(feature = "anytime")]
    Entry {
        name: "auto",
        summary: "chooses among joint, hca and lacam by the problem, and improves the plan",
        planner: || Box::new(Auto::new()),
    },
    #[cfg(feature = "optimal")]
    Entry {
        name: "joint",
        summary: "joint A*: an optimal plan with proof; od, pe and id make it practical",
        planner: || Box::new(throng_optimal::JointAStar::standard()),
    },
    #[cfg(feature = "optimal")]
    Entry {
        name: "standley",
        summary: "Standley's OD+PE+ID as printed: joint A* whose groups merge at once; weight=1.1 is his variant",
        planner: || Box::new(throng_optimal::JointAStar::standley()),
    },
];

const RESTARTS_MAX: u32 = 1_000_000;
/// A live world has shorter windows. Here a window may be as long as the longest path.
const WINDOWS: std::ops::RangeInclusive<u32> = *WINDOW_TICKS.start()..=4096;

impl Tunable for LocalRepair {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        vec![turns(&mut self.turns)]
    }
}

impl Tunable for CooperativeAStar {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let arrival =
            "parked: an arrived unit reserves its goal forever; obstacle: no unit plans around it";
        let again = "arrival=obstacle: a unit without a path tries again in later turns";
        let restarts = "how often to start again in another order when a unit finds no path";
        vec![
            Knob::new("arrival", arrival, OneOf(&mut self.arrival)),
            order(&mut self.order),
            Knob::new("restarts", restarts, Whole(&mut self.restarts, 0..=RESTARTS_MAX)),
            turns(&mut self.turns),
            Knob::new("again", again, Switch(&mut self.tries_again)),
            passing(&mut self.passing),
        ]
    }
}

impl Tunable for Windowed {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let window = "the ticks for which each search plans ahead";
        let promotion =
            "a unit that is stuck is promoted for a while, and gets noise in its distances";
        let yields = "units on their goal have a lower priority than those on their way";
        let penalty = "most ticks that crossing another unit's goal costs; 0 for none";
        let interleave = "units plan again at different ticks instead of all at once";
        let Self { planning, .. } = self;
        vec![
            Knob::new("window", window, Whole(&mut self.window, WINDOWS)),
            Knob::new("promotion", promotion, Switch(&mut planning.promotion)),
            Knob::new("yield", yields, Switch(&mut planning.resting_yield)),
            Knob::new("penalty", penalty, Whole(&mut planning.goal_penalty_max, 0..=1000)),
            Knob::new("interleave", interleave, Switch(&mut planning.interleaved)),
            order(&mut self.order),
            turns(&mut self.turns),
            passing(&mut self.passing),
        ]
    }
}

#[cfg(feature = "anytime")]
impl Tunable for Lacam {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let swap = "units exchange places in corridors and dead ends";
        let hindrance = "among equally good cells, units avoid those that others want";
        let passes = "how often guide paths are drawn; 0 for none";
        let margin = "ticks by which a guide path may exceed the shortest path";
        let patience = "a unit's guide path and hindrance end when it is late: above this percentage of its distance";
        vec![
            Knob::new("swap", swap, Switch(&mut self.swap)),
            Knob::new("hindrance", hindrance, Switch(&mut self.hindrance)),
            Knob::new("passes", passes, Whole(&mut self.guide_passes, 0..=100)),
            Knob::new("margin", margin, Whole(&mut self.guide_margin, 0..=250)),
            Knob::new("patience", patience, Whole(&mut self.patience_percent, 0..=100_000)),
            Knob::new(
                "megabytes",
                "most memory, in MiB",
                Whole(&mut self.megabytes_max, 1..=1_000_000),
            ),
        ]
    }

    fn set_objective(&mut self, objective: Objective) -> Objective {
        self.objective = objective;
        objective
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }
}

fn passing(passing: &mut PassingRule) -> Knob<'_> {
    let meaning =
        "units passing through each other: an explicit test, or both cells claimed for two ticks";
    Knob::new("passing", meaning, OneOf(passing))
}

fn turns(turns: &mut u32) -> Knob<'_> {
    Knob::new("turns", "give up after this many ticks", Whole(turns, 1..=HORIZON_MAX))
}

fn order(order: &mut PlanningOrder) -> Knob<'_> {
    let meaning = "the order of planning: as listed, longest path first, or random";
    Knob::new("order", meaning, OneOf(order))
}

impl Choice for PlanningOrder {
    const NAMES: &'static [(&'static str, Self)] =
        &[("given", Self::Given), ("longest", Self::LongestFirst), ("random", Self::Random)];
}

impl Choice for PassingRule {
    const NAMES: &'static [(&'static str, Self)] =
        &[("test", Self::ExplicitTest), ("double", Self::DoubleClaims)];
}

impl Choice for Arrival {
    const NAMES: &'static [(&'static str, Self)] =
        &[("parked", Self::Parked), ("obstacle", Self::Obstacle)];
}
