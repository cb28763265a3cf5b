//! The table of solvers. A new one is an entry here, and a [`Tunable`] that names its fields.

use throng_cooperative::{Arrival, CooperativeAStar, LocalRepair, Order, Windowed};
use throng_model::limits::HORIZON_MAX;
use throng_search::Meeting;

use super::knob::{Choice, Knob, OneOf, Tunable, Whole};

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
];

/// How far ahead the searches of WHCA* may look.
const WINDOW: std::ops::RangeInclusive<u32> = 2..=48;
const RESTARTS_MAX: u32 = 1_000_000;

impl Tunable for LocalRepair {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        vec![turns(&mut self.turns)]
    }
}

impl Tunable for CooperativeAStar {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let arrival = "a unit that arrived keeps its goal for ever, or surprises others there";
        let restarts = "how often to begin anew in another order when a unit finds no way";
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

fn meeting(meeting: &mut Meeting) -> Knob<'_> {
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

impl Choice for Meeting {
    const NAMES: &'static [(&'static str, Self)] =
        &[("test", Self::ExplicitTest), ("double", Self::DoubleClaims)];
}

impl Choice for Arrival {
    const NAMES: &'static [(&'static str, Self)] =
        &[("parked", Self::Parked), ("obstacle", Self::Obstacle)];
}
