//! The options of joint A*.

use throng_model::Objective;
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

use super::knob::{Choice, Decimal, Knob, OneOf, Switch, Tunable, Whole};

const PORTION_MAX: u32 = 1_000;
const MEGABYTES_MAX: u32 = 1_000_000;

impl Tunable for JointAStar {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let [first, second, third] = &mut self.portions;
        let portion =
            |name, meaning, portion| Knob::new(name, meaning, Whole(portion, 1..=PORTION_MAX));
        let id =
            "independence detection: groups in conflict avoid each other, or are merged at once";
        let heuristic = "the sum of distances, or also the excess of pairs";
        let weight = "suboptimality bound: the plan costs at most this many times the optimum";
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
            portion("k1", "with pe, children of the first expansion of a node", first),
            portion("k2", "with pe, children of its second expansion", second),
            portion("k3", "with pe, children of each later expansion", third),
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

    fn set_objective(&mut self, objective: Objective) -> Objective {
        self.objective = objective;
        objective
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }
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
