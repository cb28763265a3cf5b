//! The options of a planner as views of its fields, so that each default is written once.

use std::fmt;
use std::ops::RangeInclusive;

use throng_model::{Objective, Planner, Weight};

/// A planner whose fields can be set by name.
pub(super) trait Tunable: Planner + Send + Sync {
    /// Its fields, in the order in which they are listed.
    fn knobs(&mut self) -> Vec<Knob<'_>>;

    /// Sets the objective if the planner has a choice. Returns the one that it minimises.
    fn set_objective(&mut self, _: Objective) -> Objective {
        Objective::SumOfCosts
    }

    /// Lets it use this many threads.
    fn set_threads(&mut self, _: usize) {}
}

/// A field of a planner that a spec can set.
pub(super) struct Knob<'a> {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) value: Box<dyn Value + 'a>,
}

impl<'a> Knob<'a> {
    pub(super) fn new(name: &'static str, meaning: &'static str, value: impl Value + 'a) -> Self {
        Self { name, meaning, value: Box::new(value) }
    }
}

/// A value that can be read from a spec and shown in one.
pub(super) trait Value {
    fn shown(&self) -> String;
    fn allowed(&self) -> Allowed;
    /// Sets it, if the text is allowed.
    fn set(&mut self, text: &str) -> Option<()>;
}

/// The values that an option of a solver can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number.
    Whole(RangeInclusive<u32>),
    /// One of these words.
    OneOf(Vec<&'static str>),
    /// One of these words; the option alone, without a value, stands for the first.
    Switch(Vec<&'static str>),
    /// A number with at most three decimals, given in thousandths.
    Thousandths(RangeInclusive<u32>),
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Thousandths(range) => {
                write!(f, "{} to {}", decimal(*range.start()), decimal(*range.end()))
            }
            Self::OneOf(words) | Self::Switch(words) => match words.as_slice() {
                [] => Ok(()),
                [only] => f.write_str(only),
                [most @ .., last] => write!(f, "{} or {last}", most.join(", ")),
            },
        }
    }
}

/// A whole number within bounds.
pub(super) struct Whole<'a>(pub(super) &'a mut u32, pub(super) RangeInclusive<u32>);

impl Value for Whole<'_> {
    fn shown(&self) -> String {
        self.0.to_string()
    }

    fn allowed(&self) -> Allowed {
        Allowed::Whole(self.1.clone())
    }

    fn set(&mut self, text: &str) -> Option<()> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let value = text.parse().ok().filter(|value| is_plain && self.1.contains(value))?;
        *self.0 = value;
        Some(())
    }
}

/// A type whose values have names in a spec.
pub(super) trait Choice: Copy + PartialEq + 'static {
    const NAMES: &'static [(&'static str, Self)];
}

/// One of the values of a type.
pub(super) struct OneOf<'a, T>(pub(super) &'a mut T);

impl<T: Choice> Value for OneOf<'_, T> {
    fn shown(&self) -> String {
        let named = T::NAMES.iter().find(|(_, value)| value == self.0);
        named.map_or(String::new(), |&(name, _)| name.to_owned())
    }

    fn allowed(&self) -> Allowed {
        Allowed::OneOf(T::NAMES.iter().map(|&(name, _)| name).collect())
    }

    fn set(&mut self, text: &str) -> Option<()> {
        let &(_, value) = T::NAMES.iter().find(|&&(name, _)| name == text)?;
        *self.0 = value;
        Some(())
    }
}

/// Thousandths as a decimal number: 1100 is 1.1.
pub(super) fn decimal(thousandths: u32) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One of the values of a type, the first of which the option's name alone stands for.
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
