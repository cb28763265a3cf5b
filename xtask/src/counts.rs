//! Counts passed and failed tests in the output of `cargo test`.

use std::fmt;

/// Numbers of passed and failed tests or steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Counts {
    /// Adds the counts of a result line; other lines are ignored.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        self.passed += number_before(result, " passed");
        self.failed += number_before(result, " failed");
    }

    pub(crate) fn add(&mut self, passed: bool) {
        *(if passed { &mut self.passed } else { &mut self.failed }) += 1;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or("");
    let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_summed_and_other_lines_ignored() {
        let mut counts = Counts::default();
        counts.add_line("test result: ok. 39 passed; 0 failed; 0 ignored; 0 measured");
        counts.add_line("test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured");
        counts.add_line("test nothing::of::note ... ok");
        counts.add_line("5 passed, 5 failed");
        assert_eq!(counts.to_string(), "41 passed, 1 failed");
    }
}
