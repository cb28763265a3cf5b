//! When a paper's statement holds: rules whose thresholds come from the paper.

use std::fmt;

/// The verdict on a paper's statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is what the paper found.
    Holds,
    /// Ours points the same way, by another factor.
    HoldsWithAnotherFactor,
    /// Ours does not agree.
    Differs,
    /// The run does not show it.
    NotTried,
}

impl Verdict {
    /// Every verdict, in the order of the summary.
    pub const ALL: [Self; 4] =
        [Self::Holds, Self::HoldsWithAnotherFactor, Self::Differs, Self::NotTried];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::HoldsWithAnotherFactor => "holds with another factor",
            Self::Differs => "differs",
            Self::NotTried => "not tried",
        })
    }
}

/// By how much a value may differ from the paper's and still be the same: 20%.
const SAME: f64 = 0.2;

/// A condition on a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
    Above(f64),
    Below(f64),
    /// The same as this, within a fifth.
    About(f64),
    /// 1: it is so.
    So,
}

impl Bound {
    fn contains(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
            Self::Above(least) => value > least,
            Self::Below(most) => value < most,
            Self::So => value >= 1.0,
            Self::About(paper) => (value - paper).abs() <= SAME * paper.abs(),
        }
    }
}

/// When a statement holds, and when it holds with another factor. Both bounds come from the paper.
///
/// ```ignore
/// // "Almost four times better": about 4 holds, anything above 1 points the same way.
/// Rule::about(4.0).or_above(1.0)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    holds: Bound,
    /// Where the value points the same way, by another factor.
    direction: Option<Bound>,
}

impl Rule {
    pub(crate) const fn at_most(most: f64) -> Self {
        Self { holds: Bound::AtMost(most), direction: None }
    }

    pub(crate) const fn at_least(least: f64) -> Self {
        Self { holds: Bound::AtLeast(least), direction: None }
    }

    pub(crate) const fn above(least: f64) -> Self {
        Self { holds: Bound::Above(least), direction: None }
    }

    pub(crate) const fn below(most: f64) -> Self {
        Self { holds: Bound::Below(most), direction: None }
    }

    /// Within a fifth of the paper's value.
    pub(crate) const fn about(paper: f64) -> Self {
        Self { holds: Bound::About(paper), direction: None }
    }

    /// For statements without a number: the value is 1 where it is so, and 0 where it is not.
    pub(crate) const fn is_so() -> Self {
        Self { holds: Bound::So, direction: None }
    }

    /// A value above this holds with another factor.
    pub(crate) const fn or_above(self, least: f64) -> Self {
        Self { direction: Some(Bound::Above(least)), ..self }
    }

    /// A value below this holds with another factor.
    pub(crate) const fn or_below(self, most: f64) -> Self {
        Self { direction: Some(Bound::Below(most)), ..self }
    }

    pub(crate) fn verdict(self, value: f64) -> Verdict {
        match self.direction {
            _ if self.holds.contains(value) => Verdict::Holds,
            Some(direction) if direction.contains(value) => Verdict::HoldsWithAnotherFactor,
            _ => Verdict::Differs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_the_same_within_a_fifth() {
        let rule = Rule::about(4.0).or_above(1.0);
        let verdicts = [3.3, 4.7, 2.9, 9.0, 1.0, 0.5].map(|ours| rule.verdict(ours));
        let another = Verdict::HoldsWithAnotherFactor;
        let expected =
            [Verdict::Holds, Verdict::Holds, another, another, Verdict::Differs, Verdict::Differs];
        assert_eq!(verdicts, expected);
    }

    #[test]
    fn bounds_include_what_their_names_say() {
        assert_eq!(Rule::at_most(2.0).verdict(2.0), Verdict::Holds);
        assert_eq!(Rule::below(2.0).verdict(2.0), Verdict::Differs);
        assert_eq!(Rule::at_least(2.0).verdict(2.0), Verdict::Holds);
        assert_eq!(Rule::above(2.0).or_above(1.0).verdict(2.0), Verdict::HoldsWithAnotherFactor);
        assert_eq!(Rule::is_so().verdict(0.0), Verdict::Differs);
        assert_eq!(Rule::at_most(2.0).verdict(f64::NAN), Verdict::Differs);
    }
}
