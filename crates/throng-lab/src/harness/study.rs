//! An experiment while it runs: what it was given, and its results so far.

use super::results::File;
use super::{
    CaseId, Claim, Experiment, Finding, LabError, Options, Progress, Table, finding, parallel,
};

/// The harness of every experiment: runs cases, and collects tables, figures and claims.
pub(crate) struct Study<'a> {
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
    results: Experiment,
}

impl<'a> Study<'a> {
    pub(crate) fn new(options: &'a Options, progress: &'a mut dyn FnMut(Progress)) -> Self {
        Self { options, progress, results: Experiment::default() }
    }

    /// The results; the findings are a table too.
    pub(crate) fn finish(mut self) -> Experiment {
        if !self.results.findings.is_empty() {
            self.table(finding::table(&self.results.findings));
        }
        self.results
    }

    /// How the experiment is run.
    pub(crate) fn options(&self) -> &'a Options {
        self.options
    }

    /// A case of a stage.
    pub(crate) fn case(&self, stage: &'static str, case: usize) -> CaseId {
        CaseId { stage, seed: self.options.seed, case }
    }

    /// The number of cases where the full experiment has `all`: a tenth in a quick run.
    pub(crate) fn scaled(&self, all: usize) -> usize {
        if self.options.quick { all / 10 } else { all }
    }

    /// Runs the cases `0..count` on the chosen number of threads and returns their results in
    /// order. Each thread has memory `M` of its own that is reused from case to case.
    pub(crate) fn cases<M: Default, T: Send>(
        &mut self,
        stage: &'static str,
        count: usize,
        work: impl Fn(&mut M, &CaseId) -> Result<T, LabError> + Sync,
    ) -> Result<Vec<T>, LabError> {
        let seed = self.options.seed;
        let work = |memory: &mut M, case: usize| work(memory, &CaseId { stage, seed, case });
        parallel::cases(stage, count, self.options.threads, self.progress, work)
    }

    /// As [`Study::cases`], without reports of progress: for a batch of a longer stage.
    pub(crate) fn cases_silently<M: Default, T: Send>(
        &self,
        stage: &'static str,
        count: usize,
        work: impl Fn(&mut M, &CaseId) -> Result<T, LabError> + Sync,
    ) -> Result<Vec<T>, LabError> {
        Study::new(self.options, &mut |_| {}).cases(stage, count, work)
    }

    /// Runs cases that each yield one result per variant of a method, and returns the results
    /// by variant.
    pub(crate) fn variants<T: Send, const N: usize>(
        &mut self,
        stage: &'static str,
        count: usize,
        work: impl Fn(&CaseId) -> Result<[T; N], LabError> + Sync,
    ) -> Result<[Vec<T>; N], LabError> {
        let cases = self.cases(stage, count, |(): &mut (), id| work(id))?;
        let mut by_variant = std::array::from_fn(|_| Vec::with_capacity(count));
        for case in cases {
            by_variant.iter_mut().zip(case).for_each(|(results, result)| results.push(result));
        }
        Ok(by_variant)
    }

    /// Reports the progress of a stage whose cases run one after the other.
    pub(crate) fn report(&mut self, stage: &'static str, done: usize, of: usize) {
        (self.progress)(Progress { stage, done, of });
    }

    /// Adds a table, and its CSV file.
    pub(crate) fn table(&mut self, table: Table) {
        self.csv(&table);
        self.results.tables.push(table);
    }

    /// Adds the CSV file of a table that is too long to be printed.
    pub(crate) fn csv(&mut self, table: &Table) {
        self.add_file(format!("{}.csv", table.name), table.csv());
    }

    /// Adds an SVG figure.
    pub(crate) fn figure(&mut self, name: &str, svg: String) {
        self.add_file(format!("{name}.svg"), svg);
    }

    /// Adds a claim and whether it holds.
    pub(crate) fn claim(&mut self, holds: bool, text: String) {
        self.results.claims.push(Claim { text, holds });
    }

    /// Adds a finding of the paper and its verdict.
    pub(crate) fn finding(&mut self, finding: Finding) {
        self.results.findings.push(finding);
    }

    fn add_file(&mut self, name: String, text: String) {
        self.results.files.push(File { name, bytes: text.into_bytes() });
    }
}

/// Maps an array by fallible work, in order, until the first error.
pub(crate) fn try_map<A, T, const N: usize>(
    array: [A; N],
    mut work: impl FnMut(A) -> Result<T, LabError>,
) -> Result<[T; N], LabError> {
    let results = array.into_iter().map(&mut work).collect::<Result<Vec<T>, LabError>>()?;
    // There are N results: the conversion cannot fail.
    results.try_into().map_err(|_| LabError::Worker("variants"))
}
