//! The table of solvers. A new one is an entry here, and a [`Tunable`] that names its fields.

use throng_cooperative::{Arrival, CooperativeAStar, LocalRepair, Order, Windowed};
use throng_model::Objective;
use throng_model::limits::HORIZON_MAX;
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
        summary: "LRA*: everyone by itself, repairing its path when somebody is in the way",
        planner: || Box::new(LocalRepair::default()),
    },
    Entry {
        name: "ca",
        summary: "CA*: one after the other through space-time, led by a plain estimate",
        planner: || Box::new(CooperativeAStar::ca()),
    },
    Entry {
        name: "hca",
        summary: "HCA*: one after the other through space-time, led by true distances",
        planner: || Box::new(CooperativeAStar::hca()),
    },
    Entry {
        name: "whca",
        summary: "WHCA*: as HCA*, within a window that moves on with the units",
        planner: || Box::new(Windowed::default()),
    },
    Entry {
        name: "joint",
        summary: "joint A*: the best plan and its proof; od, pe and id make it practical",
        planner: || Box::new(JointAStar::standard()),
    },
];

/// How far ahead the searches of WHCA* may look.
const WINDOW: std::ops::RangeInclusive<u32> = 2..=48;
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
        let arrival = "a unit that arrived keeps its goal for ever, or surprises others there";
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
            Knob::new("window", window, Whole(&mut self.window, WINDOW)),
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
            Knob::new(name, "children that pe generates at a time", Whole(portion, 1..=PORTION_MAX))
        };
        let id = "plan apart for units that do not meet: those that do avoid each other, or are \
                  merged at once";
        let heuristic = "guided by the sum of distances, or also by what pairs cost each other";
        let weight = "how many times the best cost the answer may cost";
        vec![
            Knob::new("od", "units move one at a time", Switch(&mut self.decomposition)),
            Knob::new("pe", "the best children first", Switch(&mut self.partial_expansion)),
            Knob::new("id", id, Switch(&mut self.independence)),
            Knob::new("weight", weight, Decimal(&mut self.weight)),
            Knob::new("heuristic", heuristic, OneOf(&mut self.heuristic)),
            Knob::new("order", "who moves first with od", OneOf(&mut self.order)),
            portion("k1", first),
            portion("k2", second),
            portion("k3", third),
            Knob::new("nodes", "most nodes of a group", Whole(&mut self.nodes_max, 1..=u32::MAX)),
            Knob::new(
                "megabytes",
                "most memory of a group",
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
        "moves through each other are tested for, or both of a move's cells claimed twice";
    Knob::new("meeting", meaning, OneOf(meeting))
}

fn turns(turns: &mut u32) -> Knob<'_> {
    Knob::new("turns", "give up after so many ticks", Whole(turns, 1..=HORIZON_MAX))
}

fn order(order: &mut Order) -> Knob<'_> {
    let meaning = "who plans first: as listed, the longest way first, or by the seed";
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
