//! Finished rows: those of an interrupted run are known, and new ones are handed on as they finish.

use super::Row;

/// Hears of the rows of a case.
pub type Listener<'a> = Box<dyn FnMut(&[Row]) + 'a>;

/// The rows of an experiment that can be interrupted and resumed.
///
/// The caller reads the rows of an earlier run from a file, and appends to it what `finished` hears
/// of. The lab opens no file.
pub struct Journal<'a> {
    /// Rows of an earlier run with the same options. Their cases are not run again.
    pub known: Vec<Row>,
    /// A name of this build, noted in each row.
    pub build: String,
    /// Hears of the rows of each case when it ends.
    pub finished: Listener<'a>,
}

impl Journal<'_> {
    /// The rows of a case, if an earlier run finished it.
    pub(super) fn case(
        &self,
        paper: &str,
        stage: &str,
        seed: u64,
        case: usize,
    ) -> Option<Vec<Row>> {
        let is_of_case = |row: &&Row| {
            row.seed == seed && row.case == case && row.stage == stage && row.paper == paper
        };
        let rows: Vec<Row> = self.known.iter().filter(is_of_case).cloned().collect();
        let is_whole = rows.first().is_some_and(|row| row.rows == rows.len());
        is_whole.then_some(rows)
    }
}

impl std::fmt::Debug for Journal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").field("known", &self.known.len()).finish_non_exhaustive()
    }
}
