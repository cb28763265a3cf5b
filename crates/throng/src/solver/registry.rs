//! The table of solvers. A new one is an entry here, and a [`Tunable`] that names its fields.

use throng_cooperative::{Arrival, CooperativeAStar, LocalRepair, Order, Windowed};
use throng_model::Objective;
use throng_model::limits::{HORIZON_MAX, WINDOW_TICKS};
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};
use throng_spacetime::PassingRule;

use super::knob::{Choice, Decimal, Knob, OneOf, Switch, Tunable, Whole};

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
        summary: "LRA*: each unit alone; it repairs its path when another unit is in the way",
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
        name: "joint",
        summary: "joint A*: an optimal plan with proof; od, pe and id make it practical",
        planner: || Box::new(JointAStar::standard()),
    },
];

const RESTARTS_MAX: u32 = 1_000_000;
const PORTION_MAX: u32 = 1_000;
const MEGABYTES_MAX: u32 = 1_000_000;

impl Tunable for LocalRepair {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        vec![turns(&mut self.turns)]
    }
}

impl Tunable for CooperativeAStar {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let arrival =
            "parked: an arrived unit reserves its goal forever; obstacle: others meet it unplanned";
        let restarts = "how often to start again in another order when a unit finds no path";
        vec![
            Knob::new("arrival", arrival, OneOf(&mut self.arrival)),
            order(&mut self.order),
            Knob::new("restarts", restarts, Whole(&mut self.restarts, 0..=RESTARTS_MAX)),
            turns(&mut self.turns),
            meeting(&mut self.meeting),
        ]
    }
}

impl Tunable for Windowed {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let window = "how many ticks each search looks ahead";
        vec![
            Knob::new("window", window, Whole(&mut self.window, WINDOW_TICKS)),
            order(&mut self.order),
            turns(&mut self.turns),
            meeting(&mut self.meeting),
        ]
    }
}

impl Tunable for JointAStar {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let [first, second, third] = &mut self.portions;
        let portion = |name, portion| {
            Knob::new(
                name,
                "children that pe generates per expansion",
                Whole(portion, 1..=PORTION_MAX),
            )
        };
        let id =
            "independence detection: groups in conflict avoid each other, or are merged at once";
        let heuristic = "the sum of distances, or also the excess of pairs";
        let weight = "suboptimality bound: most times the optimal cost";
        vec![
            Knob::new(
                "od",
                "operator decomposition: units move one at a time",
                Switch(&mut self.decomposition),
            ),
            Knob::new(
                "pe",
                "partial expansion: the best children first",
                Switch(&mut self.partial_expansion),
            ),
            Knob::new("id", id, Switch(&mut self.independence)),
            Knob::new("weight", weight, Decimal(&mut self.weight)),
            Knob::new("heuristic", heuristic, OneOf(&mut self.heuristic)),
            Knob::new("order", "the unit that moves first with od", OneOf(&mut self.order)),
            portion("k1", first),
            portion("k2", second),
            portion("k3", third),
            Knob::new(
                "nodes",
                "most nodes stored per group",
                Whole(&mut self.nodes_max, 1..=u32::MAX),
            ),
            Knob::new(
                "megabytes",
                "most memory per group, in MiB",
                Whole(&mut self.megabytes_max, 1..=MEGABYTES_MAX),
            ),
        ]
    }

    fn aim_at(&mut self, objective: Objective) -> Objective {
        self.objective = objective;
        objective
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
    }
}

fn meeting(meeting: &mut PassingRule) -> Knob<'_> {
    let meaning =
        "units passing through each other: an explicit test, or both cells claimed for two ticks";
    Knob::new("meeting", meaning, OneOf(meeting))
}

fn turns(turns: &mut u32) -> Knob<'_> {
    Knob::new("turns", "give up after this many ticks", Whole(turns, 1..=HORIZON_MAX))
}

fn order(order: &mut Order) -> Knob<'_> {
    let meaning = "the order of planning: as listed, longest path first, or random";
    Knob::new("order", meaning, OneOf(order))
}

impl Choice for Order {
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

impl Choice for Independence {
    const NAMES: &'static [(&'static str, Self)] =
        &[("avoid", Self::Avoid), ("merge", Self::Merge), ("off", Self::Off)];
}

impl Choice for Heuristic {
    const NAMES: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("sum", Self::Sum), ("pairs", Self::Pairs)];
}

impl Choice for ExpansionOrder {
    const NAMES: &'static [(&'static str, Self)] =
        &[("dynamic", Self::Dynamic), ("fixed", Self::Fixed)];
}
