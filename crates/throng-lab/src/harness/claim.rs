//! A paper's statement as data, and the row that is judged: the paper's value, ours, the verdict.

use super::values::Values;
use super::verdict::{Rule, Verdict};
use super::{Table, row};

/// A statement of a paper, and when it holds.
///
/// A statement is a constant. Its value is measured once per seed, and the rule judges the median:
///
/// ```ignore
/// const FAILS: Statement = Statement::new(
///     "figure 3",
///     "with 100 agents 20% fail under LRA*",
///     "20%",
///     Rule::about(20.0).or_above(2.0),
/// )
/// .shown("%", 1)
/// .because("our LRA* moves units one after the other within a turn");
///
/// study.judge(&FAILS, &rows.by_seed(|rows| Some(rows.mean("failed"))));
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    /// Where in the paper: figure, table or section.
    place: &'static str,
    /// What the paper says, in its own words where they are short.
    says: &'static str,
    /// The paper's value, with its unit.
    paper: &'static str,
    rule: Rule,
    unit: &'static str,
    decimals: usize,
    reason: &'static str,
}

impl Statement {
    pub(crate) const fn new(
        place: &'static str,
        says: &'static str,
        paper: &'static str,
        rule: Rule,
    ) -> Self {
        Self { place, says, paper, rule, unit: "", decimals: 2, reason: "" }
    }

    /// The unit and the number of decimals of our value.
    pub(crate) const fn shown(self, unit: &'static str, decimals: usize) -> Self {
        Self { unit, decimals, ..self }
    }

    /// Why it does not hold, or is not tried. A statement that has held in every run needs none.
    pub(crate) const fn because(self, reason: &'static str) -> Self {
        Self { reason, ..self }
    }

    /// The judged row. Without values the statement is not tried. The same value for every seed
    /// is shown once; values that are 0 or 1 by [`Rule::is_so`] are shown as counts.
    pub(crate) fn judge(&self, values: &Values, detail: &str) -> Claim {
        let Values { list: by_seed, sample } = values;
        let spread = Spread::of(by_seed);
        let verdict = spread.map_or(Verdict::NotTried, |spread| self.rule.verdict(spread.median));
        let so =
            by_seed.iter().filter(|&&value| self.rule.verdict(value) == Verdict::Holds).count();
        let mut ours = match spread {
            None => String::new(),
            Some(_) if self.rule == Rule::is_so() => format!("so in {so} of {}", by_seed.len()),
            Some(spread) => spread.shown(self.unit, self.decimals),
        };
        if !detail.is_empty() {
            ours += if ours.is_empty() { "" } else { ": " };
            ours += detail;
        }
        Claim {
            place: self.place.to_owned(),
            statement: self.says.to_owned(),
            paper: self.paper.to_owned(),
            ours,
            seeds: by_seed.len(),
            sample: sample.clone(),
            verdict,
            reason: match verdict {
                Verdict::Holds => String::new(),
                Verdict::NotTried if !sample.is_empty() => NO_CASE.to_owned(),
                _ if self.reason.is_empty() => UNEXPLAINED.to_owned(),
                _ => self.reason.to_owned(),
            },
        }
    }
}

/// A statement of a paper beside ours. It is judged, and the experiment succeeds with any verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where in the paper: figure, table or section.
    pub place: String,
    /// What the paper says, in its own words where they are short.
    pub statement: String,
    /// The paper's value.
    pub paper: String,
    /// Our value: the median over seeds, the least and the largest.
    pub ours: String,
    /// How many seeds, or towns, were measured.
    pub seeds: usize,
    /// What was measured, over all seeds: `28 instances`; empty if it was not tried.
    pub sample: String,
    /// The verdict on the median.
    pub verdict: Verdict,
    /// Why the verdict is not [`Verdict::Holds`]; empty if it is.
    pub reason: String,
}

/// The reason where a statement would be tried, and the run has no case for it.
const NO_CASE: &str = "no case of this run gives a value";
/// The reason where a statement fails that held in every run before.
const UNEXPLAINED: &str = "it held in the runs before this one; the cause is not known";

/// The values of all seeds together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    /// Of an even number of values, the median is the mean of the two in the middle.
    fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let middle = |at: usize| sorted.get(at).copied().unwrap_or(least);
        let median = f64::midpoint(middle((sorted.len() - 1) / 2), middle(sorted.len() / 2));
        Some(Self { median, least, most })
    }

    fn shown(self, unit: &str, decimals: usize) -> String {
        let Self { median, least, most } = self;
        let [median, least, most] = [median, least, most].map(|v| format!("{v:.decimals$}"));
        let unit =
            if unit.is_empty() || unit == "%" { unit.to_owned() } else { format!(" {unit}") };
        if least == most {
            format!("{median}{unit}")
        } else {
            format!("{median}{unit} ({least} to {most})")
        }
    }
}

/// The table of claims.
pub(super) fn table(claims: &[Claim]) -> Table {
    let title = "What the paper says, and ours: the median over seeds (least to largest)";
    let columns = ["where", "the paper says", "paper", "ours", "sample", "verdict", "reason"];
    let mut table = Table::new("claims", title, &columns);
    for claim in claims {
        let Claim { place, statement, paper, ours, sample, verdict, reason, .. } = claim;
        table.push(row![
            place.as_str(),
            statement.as_str(),
            paper.as_str(),
            ours.as_str(),
            sample.as_str(),
            verdict.to_string(),
            reason.as_str(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const FASTER: Statement =
        Statement::new("figure 6", "four times", "4", Rule::about(4.0).or_above(1.0))
            .shown("times", 1)
            .because("another machine");

    fn of(values: &[f64]) -> Values {
        Values::by_seed(values.to_vec(), 8, "crowds")
    }

    #[test]
    fn the_median_is_judged_and_the_spread_is_shown() {
        let claim = FASTER.judge(&of(&[9.0, 3.5, 4.5, 0.5]), "");
        assert_eq!((claim.ours.as_str(), claim.seeds), ("4.0 times (0.5 to 9.0)", 4));
        assert_eq!((claim.verdict, claim.reason.as_str()), (Verdict::Holds, ""));
        assert_eq!(claim.sample, "8 crowds");
        let claim = FASTER.judge(&of(&[2.0, 2.0]), "on two maps");
        assert_eq!(claim.ours, "2.0 times: on two maps");
        assert_eq!(claim.verdict, Verdict::HoldsWithAnotherFactor);
        assert_eq!(claim.reason, "another machine");
        assert_eq!(FASTER.because("").judge(&of(&[2.0]), "").reason, UNEXPLAINED);
    }

    #[test]
    fn without_values_it_is_not_tried() {
        let claim = FASTER.judge(&Values::none(), "");
        assert_eq!((claim.verdict, claim.ours.as_str()), (Verdict::NotTried, ""));
        assert_eq!((claim.sample.as_str(), claim.reason.as_str()), ("", "another machine"));
        let claim = FASTER.judge(&Values::by_seed(Vec::new(), 0, "crowds"), "");
        assert_eq!(claim.verdict, Verdict::NotTried);
        assert_eq!((claim.sample.as_str(), claim.reason.as_str()), ("0 crowds", NO_CASE));
    }

    #[test]
    fn statements_without_a_number_are_counted() {
        let so = Statement::new("page 2", "it is so", "so", Rule::is_so());
        assert_eq!(so.judge(&of(&[1.0, 0.0, 1.0]), "").ours, "so in 2 of 3");
    }
}
