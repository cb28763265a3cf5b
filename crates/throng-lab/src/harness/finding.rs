//! A paper's finding beside ours, and the verdict.

use std::fmt;

use super::{Table, row};

/// The verdict on a paper's finding.
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

/// A finding of a paper and ours. It is judged, and the experiment succeeds with any verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What the paper says, in its own words where they are short.
    pub statement: String,
    /// The paper's value.
    pub paper: String,
    /// Our value.
    pub ours: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why the verdict is not [`Verdict::Holds`]; empty if it is.
    pub reason: String,
}

/// By how much a factor may differ from the paper's and still be the same: 20%.
const SAME_FACTOR: f64 = 0.2;

impl Verdict {
    /// The verdict on a factor above 1: the same as the paper's, another one above 1, or none.
    pub(crate) fn of_factor(ours: f64, paper: f64) -> Self {
        if (ours / paper - 1.0).abs() <= SAME_FACTOR {
            Self::Holds
        } else if ours > 1.0 {
            Self::HoldsWithAnotherFactor
        } else {
            Self::Differs
        }
    }
}

/// The table of findings.
pub(super) fn table(findings: &[Finding]) -> Table {
    let title = "The paper's findings, and ours";
    let columns = ["the paper says", "paper", "ours", "verdict", "reason"];
    let mut table = Table::new("findings", title, &columns);
    for Finding { statement, paper, ours, verdict, reason } in findings {
        table.push(row![
            statement.as_str(),
            paper.as_str(),
            ours.as_str(),
            verdict.to_string(),
            reason.as_str(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_the_same_within_a_fifth() {
        let verdicts = [3.3, 4.7, 2.9, 9.0, 1.0, 0.5].map(|ours| Verdict::of_factor(ours, 4.0));
        let another = Verdict::HoldsWithAnotherFactor;
        let expected =
            [Verdict::Holds, Verdict::Holds, another, another, Verdict::Differs, Verdict::Differs];
        assert_eq!(verdicts, expected);
    }
}
