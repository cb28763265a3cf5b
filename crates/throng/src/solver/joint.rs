//! The options of joint A*, with the values that only they can have.

use throng_model::{Objective, Weight};
use throng_optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

use super::knob::{Allowed, Choice, Knob, OneOf, Tunable, Value, Whole, decimal};

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

/// One of the values of a type. The option's name without a value means the first of them.
pub(super) struct Switch<'a, T>(pub(super) &'a mut T);

impl<T: Choice> Value for Switch<'_, T> {
    fn shown(&self) -> String {
        let named = T::NAMES.iter().find(|(_, value)| value == self.0);
        named.map_or(String::new(), |&(name, _)| name.to_owned())
    }

    fn allowed(&self) -> Allowed {
        Allowed::Switch(T::NAMES.iter().map(|&(name, _)| name).collect())
    }

    fn set(&mut self, text: &str) -> Option<()> {
        let mut names = T::NAMES.iter();
        let &(_, value) = names.find(|&&(name, _)| name == text || text.is_empty())?;
        *self.0 = value;
        Some(())
    }
}

impl Choice for bool {
    const NAMES: &'static [(&'static str, Self)] = &[("on", true), ("off", false)];
}

/// A weight, as in `1.1`.
pub(super) struct Decimal<'a>(pub(super) &'a mut Weight);

impl Value for Decimal<'_> {
    fn shown(&self) -> String {
        decimal(self.0.permille())
    }

    fn allowed(&self) -> Allowed {
        Allowed::Thousandths(Weight::ONE.permille()..=Weight::MAX.permille())
    }

    fn set(&mut self, text: &str) -> Option<()> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !(is_plain(whole) && is_plain(decimals) && (1..=3).contains(&decimals.len())) {
            return None;
        }
        let thousandths: u32 = format!("{decimals:0<3}").parse().ok()?;
        let whole = whole.parse::<u32>().ok()?.checked_mul(1000)?;
        *self.0 = Weight::from_permille(whole.checked_add(thousandths)?).ok()?;
        Some(())
    }
}
