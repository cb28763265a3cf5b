//! Rows: finished measurements, each with all that is needed to repeat it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

use super::statistics::{mean, percentile};
use super::values::Values;

/// One finished measurement: what ran, and its results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The paper.
    pub paper: String,
    /// The stage of its experiment.
    pub stage: String,
    /// The seed.
    pub seed: u64,
    /// The case of this seed, from 0.
    pub case: usize,
    /// How many rows the case has: a case with fewer was interrupted.
    pub rows: usize,
    /// The build that ran it.
    pub build: String,
    /// The method.
    pub solver: String,
    /// Parameters, as in `units=100 limit=10s`.
    pub parameters: String,
    /// What came out, in words: `solved`, `budget spent`, `98 of 100 arrived`.
    pub outcome: String,
    /// Work, in nodes expanded.
    pub work: u64,
    /// Processor time.
    pub milliseconds: f64,
    /// Memory of the search; 0 where it is not known.
    pub bytes: u64,
    /// All other results, by name.
    pub metrics: BTreeMap<String, f64>,
}

/// The columns of a file of rows.
pub const ROW_COLUMNS: &str = "paper\tstage\tseed\tcase\trows\tbuild\tsolver\tparameters\toutcome\t\
                               work\tmilliseconds\tbytes\tmetrics";

impl Row {
    /// A row of a method with parameters; the harness fills in paper, stage, seed, case and build.
    pub(crate) fn of(solver: impl Into<String>, parameters: impl Into<String>) -> Self {
        Self { solver: solver.into(), parameters: parameters.into(), ..Self::default() }
    }

    pub(crate) fn outcome(self, outcome: impl Into<String>) -> Self {
        Self { outcome: outcome.into(), ..self }
    }

    /// Work in nodes, processor time, memory in bytes.
    pub(crate) fn spent(self, work: u64, milliseconds: f64, bytes: u64) -> Self {
        Self { work, milliseconds, bytes, ..self }
    }

    /// A name contains neither space nor `=`.
    pub(crate) fn metric(mut self, name: &str, value: f64) -> Self {
        self.metrics.insert(name.to_owned(), value);
        self
    }

    /// A result by name. `work`, `ms` and `bytes` are names too.
    pub(crate) fn get(&self, metric: &str) -> Option<f64> {
        match metric {
            "work" => Some(self.work as f64),
            "ms" => Some(self.milliseconds),
            "bytes" => Some(self.bytes as f64),
            other => self.metrics.get(other).copied(),
        }
    }

    /// The value of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.parameters.split(' ').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The row as one line, with a line feed.
    #[must_use]
    pub fn line(&self) -> String {
        let mut metrics = String::new();
        for (name, value) in &self.metrics {
            let _ =
                write!(metrics, "{}{name}={value:?}", if metrics.is_empty() { "" } else { " " });
        }
        let Self { paper, stage, seed, case, rows, build, solver, parameters, outcome, .. } = self;
        let (work, milliseconds, bytes) = (self.work, self.milliseconds, self.bytes);
        format!(
            "{paper}\t{stage}\t{seed}\t{case}\t{rows}\t{build}\t{solver}\t{parameters}\t{outcome}\t\
             {work}\t{milliseconds:?}\t{bytes}\t{metrics}\n"
        )
    }

    /// The row of a line; `None` if the line was not written to its end.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
        let [paper, stage, seed, case, rows, build, solver, parameters, outcome, spent @ ..] =
            &fields[..]
        else {
            return None;
        };
        let [work, milliseconds, bytes, metrics] = spent else { return None };
        let pairs = metrics.split(' ').filter(|pair| !pair.is_empty());
        let metric = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        Some(Self {
            paper: (*paper).to_owned(),
            stage: (*stage).to_owned(),
            seed: seed.parse().ok()?,
            case: case.parse().ok()?,
            rows: rows.parse().ok()?,
            build: (*build).to_owned(),
            solver: (*solver).to_owned(),
            parameters: (*parameters).to_owned(),
            outcome: (*outcome).to_owned(),
            work: work.parse().ok()?,
            milliseconds: milliseconds.parse().ok()?,
            bytes: bytes.parse().ok()?,
            metrics: pairs.map(metric).collect::<Option<_>>()?,
        })
    }
}

/// Rows of a stage, by seed and case. A selection of rows is cheap.
///
/// A selection and what it was selected from share a note of the cases whose results were read, so
/// that [`by_seed`](Self::by_seed) can say how many its values are made of.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    rows: Vec<Arc<Row>>,
    /// What the cases are, in the plural.
    cases: &'static str,
    /// Seed and number of each case whose results were read.
    read: Rc<RefCell<BTreeSet<(u64, usize)>>>,
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let rows = rows.into_iter().map(Arc::new).collect();
        Self { rows, cases: "cases", read: Rc::default() }
    }
}

impl Rows {
    /// With a name for the cases, in the plural.
    pub(crate) fn called(self, cases: &'static str) -> Self {
        Self { cases, ..self }
    }

    /// The rows, to read their results.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Row> {
        self.read.borrow_mut().extend(self.rows.iter().map(|row| (row.seed, row.case)));
        self.rows.iter().map(Arc::as_ref)
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// The rows that fulfil a condition.
    pub(crate) fn filter(&self, is_chosen: impl Fn(&Row) -> bool) -> Self {
        let rows = self.rows.iter().filter(|row| is_chosen(row)).cloned().collect();
        Self { rows, cases: self.cases, read: Rc::clone(&self.read) }
    }

    /// The rows of a method.
    pub(crate) fn of(&self, solver: &str) -> Self {
        self.filter(|row| row.solver == solver)
    }

    /// The rows with a parameter's value.
    pub(crate) fn with(&self, parameter: &str, value: &str) -> Self {
        self.filter(|row| row.parameter(parameter) == Some(value))
    }

    /// A value of the rows of each seed. Seeds without it are left out.
    pub(crate) fn by_seed(&self, value: impl Fn(&Self) -> Option<f64>) -> Values {
        let seeds: BTreeSet<u64> = self.rows.iter().map(|row| row.seed).collect();
        let mut read = BTreeSet::new();
        let mut values = Vec::with_capacity(seeds.len());
        for seed in seeds {
            self.read.borrow_mut().clear();
            let of_seed = value(&self.filter(|row| row.seed == seed));
            if let Some(value) = of_seed.filter(|value| value.is_finite()) {
                values.push(value);
                read.append(&mut self.read.borrow_mut());
            }
        }
        Values::by_seed(values, read.len(), self.cases)
    }

    /// The results of that name.
    pub(crate) fn values(&self, metric: &str) -> impl Iterator<Item = f64> {
        self.iter().filter_map(|row| row.get(metric)).collect::<Vec<_>>().into_iter()
    }

    /// The sum; 0 without rows.
    pub(crate) fn sum(&self, metric: &str) -> f64 {
        self.values(metric).fold(0.0, |sum, value| sum + value)
    }

    /// The mean; `None` without rows.
    pub(crate) fn mean(&self, metric: &str) -> Option<f64> {
        self.values(metric).next()?;
        Some(mean(self.values(metric)))
    }

    pub(crate) fn median(&self, metric: &str) -> Option<f64> {
        let mut sorted: Vec<f64> = self.values(metric).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        (!sorted.is_empty()).then(|| percentile(&sorted, 50))
    }

    /// The rows of two methods in pairs (same seed, case and parameters) that both fulfil a condition.
    pub(crate) fn pairs(
        &self,
        one: &str,
        other: &str,
        is_chosen: impl Fn(&Row) -> bool,
    ) -> Vec<(&Row, &Row)> {
        let key = |row: &Row| (row.seed, row.case, row.parameters.clone());
        let rows = || self.rows.iter().map(Arc::as_ref).filter(|row| is_chosen(row));
        let others: BTreeMap<_, &Row> =
            rows().filter(|row| row.solver == other).map(|row| (key(row), row)).collect();
        let of_one = rows().filter(|row| row.solver == one);
        let pairs: Vec<_> = of_one.filter_map(|row| Some((row, *others.get(&key(row))?))).collect();
        self.read.borrow_mut().extend(pairs.iter().map(|(row, _)| (row.seed, row.case)));
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let row = Row::of("WHCA*(16)", "units=100 window=16").outcome("98 of 100 arrived");
        let row = row.spent(7, 0.1, 9).metric("cycles", 1.0 / 3.0).metric("failed", 2.0);
        Row { seed: 5, case: 2, rows: 1, paper: "p".into(), stage: "s".into(), ..row }
    }

    #[test]
    fn a_line_says_all_of_a_row() {
        assert_eq!(Row::parse(&row().line()), Some(row()));
        assert_eq!(Row::parse(ROW_COLUMNS), None);
        let line = row().line();
        let cut = &line[..line.len() - 30];
        assert_ne!(Row::parse(cut), Some(row()), "an interrupted line");
        assert_eq!(row().line().matches('\t').count(), ROW_COLUMNS.matches('\t').count());
    }

    #[test]
    fn rows_are_selected_by_method_parameter_and_seed() {
        let other = Row { seed: 6, work: 9, ..row() };
        let rows: Rows =
            [row(), other, Row { solver: "LRA*".into(), ..row() }].into_iter().collect();
        assert_eq!((rows.len(), rows.of("WHCA*(16)").len()), (3, 2));
        assert_eq!(rows.with("window", "16").with("units", "10").len(), 0);
        assert_eq!(rows.of("WHCA*(16)").by_seed(|rows| rows.mean("work")).list, [7.0, 9.0]);
        assert_eq!(rows.by_seed(|rows| rows.mean("missing")).list, [] as [f64; 0]);
        assert_eq!(rows.pairs("LRA*", "WHCA*(16)", |_| true).len(), 1);
        assert_eq!(rows.median("work"), Some(7.0));
        assert_eq!(["work", "missing"].map(|name| rows.sum(name).to_string()), ["23", "0"]);
    }

    #[test]
    fn values_say_how_many_cases_they_are_made_of() {
        let rows = (0..9).map(|case| Row { case, work: case as u64, ..row() });
        let rows = rows.collect::<Rows>().called("crowds");
        let all = rows.by_seed(|rows| rows.mean("work"));
        assert_eq!(all.sample, "9 crowds");
        let some = rows.by_seed(|rows| rows.filter(|row| row.work > 6).mean("work"));
        assert_eq!((some.list, some.sample.as_str()), (vec![7.5], "2 crowds"));
        assert_eq!(rows.by_seed(|_| None).sample, "0 crowds");
    }
}
