//! An experiment while it runs: what it was given, and its results so far.

use super::claim::{self, Statement};
use super::results::{Block, File, Section, Stage};
use super::{
    CaseId, Check, Comparison, Experiment, Journal, LabError, Options, Progress, Row, Rows, Table,
    Values, parallel,
};

/// The harness of every experiment: runs cases, and collects tables, figures and claims.
pub(crate) struct Study<'a> {
    paper: &'static str,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
    journal: Option<Journal<'a>>,
    results: Experiment,
}

impl<'a> Study<'a> {
    /// A study of a paper, by its name.
    pub(crate) fn new(
        paper: &'static str,
        options: &'a Options,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        Self { paper, options, progress, journal: None, results: Experiment::default() }
    }

    /// With rows of an earlier run, and a place for new ones.
    pub(crate) fn with_journal(self, journal: Journal<'a>) -> Self {
        Self { journal: Some(journal), ..self }
    }

    /// The results; the claims are a table too.
    pub(crate) fn finish(mut self) -> Experiment {
        if !self.results.claims.is_empty() {
            let table = claim::table(&self.results.claims);
            self.csv(&table);
            self.results.tables.push(table);
        }
        self.results
    }

    /// How the experiment is run.
    pub(crate) fn options(&self) -> &'a Options {
        self.options
    }

    /// A case of a stage, of the first seed.
    pub(crate) fn case(&self, stage: &'static str, case: usize) -> CaseId {
        CaseId { stage, seed: self.options.seed, case }
    }

    /// Runs cases of every seed, `per_seed` each, and returns their rows by seed and case. Cases that
    /// an earlier run finished are not run again. `called` is what the cases are, in the plural.
    ///
    /// Tables, figures and claims are made of these rows and of nothing else that takes long, so
    /// that an interrupted experiment is resumed where it was.
    pub(crate) fn trials(
        &mut self,
        stage: &'static str,
        called: &'static str,
        per_seed: usize,
        run: impl Fn(&CaseId) -> Result<Vec<Row>, LabError> + Sync,
    ) -> Result<Rows, LabError> {
        // Seeds alternate, so that a run that is interrupted has cases of every seed.
        let cases =
            (0..per_seed).flat_map(|case| self.options.seeds().map(move |seed| (seed, case)));
        let mut cases: Vec<(u64, usize, Option<Vec<Row>>)> =
            cases.map(|(seed, case)| (seed, case, self.known(stage, seed, case))).collect();
        let known_only = self.journal.as_ref().is_some_and(|journal| journal.known_only);
        let of = cases.len();
        if known_only {
            cases.retain(|(.., rows)| rows.is_some());
        }
        let missing: Vec<(u64, usize)> =
            cases.iter().filter(|(.., rows)| rows.is_none()).map(|&(s, c, _)| (s, c)).collect();
        let new = self.run_missing(stage, &missing, cases.len(), run)?;
        self.results.stages.push(Stage { name: stage, run: cases.len(), of });
        let places = cases.iter_mut().filter(|(.., rows)| rows.is_none());
        places.zip(new).for_each(|(place, rows)| place.2 = Some(rows));
        cases.sort_by_key(|&(seed, case, _)| (seed, case));
        let rows: Vec<Row> = cases.into_iter().filter_map(|(.., rows)| rows).flatten().collect();
        self.results.rows.extend_from_slice(&rows);
        Ok(rows.into_iter().collect::<Rows>().called(called))
    }

    fn known(&self, stage: &str, seed: u64, case: usize) -> Option<Vec<Row>> {
        self.journal.as_ref()?.case(self.paper, stage, seed, case)
    }

    fn run_missing(
        &mut self,
        stage: &'static str,
        missing: &[(u64, usize)],
        of: usize,
        run: impl Fn(&CaseId) -> Result<Vec<Row>, LabError> + Sync,
    ) -> Result<Vec<Vec<Row>>, LabError> {
        let build = self.journal.as_ref().map_or(String::new(), |journal| journal.build.clone());
        let paper = self.paper;
        let work = |(): &mut (), at: usize| {
            let (seed, case) = missing[at];
            let mut rows = run(&CaseId { stage, seed, case })?;
            let count = rows.len();
            for row in &mut rows {
                (row.paper, row.stage) = (paper.to_owned(), stage.to_owned());
                (row.seed, row.case, row.rows) = (seed, case, count);
                row.build.clone_from(&build);
            }
            Ok(rows)
        };
        let (progress, journal) = (&mut *self.progress, &mut self.journal);
        let mut done = of - missing.len();
        progress(Progress { stage, done, of });
        let finished = |_, rows: &Vec<Row>| {
            journal.iter_mut().for_each(|journal| (journal.finished)(rows));
            done += 1;
            progress(Progress { stage, done, of });
        };
        parallel::cases(stage, missing.len(), self.options.threads, finished, work)
    }

    /// Runs the cases `0..count` of the first seed on the chosen number of threads and returns their
    /// results in order. Each thread has memory `M` of its own that is reused from case to case.
    pub(crate) fn cases<M: Default, T: Send>(
        &mut self,
        stage: &'static str,
        count: usize,
        work: impl Fn(&mut M, &CaseId) -> Result<T, LabError> + Sync,
    ) -> Result<Vec<T>, LabError> {
        let seed = self.options.seed;
        let work = |memory: &mut M, case: usize| work(memory, &CaseId { stage, seed, case });
        let progress = &mut *self.progress;
        progress(Progress { stage, done: 0, of: count });
        let mut done = 0;
        let finished = |_, _: &T| {
            done += 1;
            progress(Progress { stage, done, of: count });
        };
        parallel::cases(stage, count, self.options.threads, finished, work)
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

    /// Begins a section of the report. Tables and figures that follow stand in it.
    pub(crate) fn section(&mut self, title: &str, text: &str) {
        let section =
            Section { title: title.to_owned(), text: text.to_owned(), blocks: Vec::new() };
        self.results.sections.push(section);
    }

    fn block(&mut self, block: Block) {
        if self.results.sections.is_empty() {
            self.section("Results", "");
        }
        if let Some(section) = self.results.sections.last_mut() {
            section.blocks.push(block);
        }
    }

    /// Adds a table, and its CSV file.
    pub(crate) fn table(&mut self, table: Table) {
        self.csv(&table);
        self.block(Block::Table(table.clone()));
        self.results.tables.push(table);
    }

    /// Adds the CSV file of a table that is too long to be printed.
    pub(crate) fn csv(&mut self, table: &Table) {
        self.add_file(format!("{}.csv", table.name), table.csv());
    }

    /// Adds an SVG figure whose own title says what it shows.
    pub(crate) fn figure(&mut self, name: &str, svg: String) {
        self.figure_beside(name, "", svg);
    }

    /// Adds an SVG figure with a caption: what the paper's figure has, in numbers.
    pub(crate) fn figure_beside(&mut self, name: &str, caption: &str, svg: String) {
        self.block(Block::Picture { caption: caption.to_owned(), svg: svg.clone() });
        self.add_file(format!("{name}.svg"), svg);
    }

    /// Adds values of a method as printed and of ours, for the table of all papers.
    pub(crate) fn compare(&mut self, comparisons: impl IntoIterator<Item = Comparison>) {
        self.results.comparisons.extend(comparisons);
    }

    /// Adds a statement about throng and whether it holds.
    pub(crate) fn check(&mut self, holds: bool, text: String) {
        self.results.checks.push(Check { text, holds });
    }

    /// Judges a statement of the paper by its value for each seed. Without values it is not tried.
    pub(crate) fn judge(&mut self, statement: &Statement, values: &Values) {
        self.judge_with(statement, values, "");
    }

    /// As [`Study::judge`], with more about our values: those of each method, for example.
    pub(crate) fn judge_with(&mut self, statement: &Statement, values: &Values, detail: &str) {
        self.results.claims.push(statement.judge(values, detail));
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
