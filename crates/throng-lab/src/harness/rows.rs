//! Rows: finished measurements, each with all that is needed to repeat it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::statistics::{mean, percentile};

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
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Arc<Row>>,
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        Self { rows: rows.into_iter().map(Arc::new).collect() }
    }
}

impl Rows {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(Arc::as_ref)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows that fulfil a condition.
    pub(crate) fn filter(&self, is_chosen: impl Fn(&Row) -> bool) -> Self {
        Self { rows: self.rows.iter().filter(|row| is_chosen(row)).cloned().collect() }
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
    pub(crate) fn by_seed(&self, value: impl Fn(&Self) -> Option<f64>) -> Vec<f64> {
        let mut seeds: Vec<u64> = self.iter().map(|row| row.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let of_seed = |seed: u64| value(&self.filter(|row| row.seed == seed));
        seeds.into_iter().filter_map(of_seed).filter(|value| value.is_finite()).collect()
    }

    /// The results of that name.
    pub(crate) fn values(&self, metric: &str) -> impl Iterator<Item = f64> {
        self.rows.iter().filter_map(|row| row.get(metric)).collect::<Vec<_>>().into_iter()
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

    /// The rows of two methods in pairs: same seed, case and parameters.
    pub(crate) fn pairs(&self, one: &str, other: &str) -> Vec<(&Row, &Row)> {
        let key = |row: &Row| (row.seed, row.case, row.parameters.clone());
        let others: BTreeMap<_, &Row> =
            self.iter().filter(|row| row.solver == other).map(|row| (key(row), row)).collect();
        let of_one = self.iter().filter(|row| row.solver == one);
        of_one.filter_map(|row| Some((row, *others.get(&key(row))?))).collect()
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
        assert_eq!(rows.of("WHCA*(16)").by_seed(|rows| rows.mean("work")), [7.0, 9.0]);
        assert_eq!(rows.by_seed(|rows| rows.mean("missing")), [] as [f64; 0]);
        assert_eq!(rows.pairs("LRA*", "WHCA*(16)").len(), 1);
        assert_eq!(rows.median("work"), Some(7.0));
    }
}
