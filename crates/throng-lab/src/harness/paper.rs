//! A paper and its experiments.

use super::{Experiment, Journal, LabError, Options, Progress, Study};

/// A part of a paper's experiments: it runs its cases and adds tables, claims and figures.
pub(crate) type Part = fn(&mut Study<'_>) -> Result<(), LabError>;

/// A paper whose experiments are repeated, or papers that one experiment is about.
///
/// ```
/// use throng_lab::{Options, PAPERS};
/// let paper = PAPERS.iter().find(|paper| paper.name == "xu-zou").expect("it is one of five");
/// let options = Options { quick: true, ..Options::default() };
/// let experiment = paper.run(&options, &mut |_| {})?;
/// assert!(experiment.holds());
/// assert_eq!(experiment.tables[0].name, "many-to-many");
/// # Ok::<(), throng_lab::LabError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The name on the command line and of the folder of results.
    pub name: &'static str,
    /// Authors, title, year.
    pub citation: &'static str,
    /// The experiments, in the order in which they run.
    pub(crate) parts: &'static [Part],
}

impl Paper {
    /// Runs the paper's experiments. `progress` is called after every case.
    ///
    /// # Errors
    /// When the referee finds a collision or a wrong cost, or when a search or a generator
    /// refuses valid input. Each is a defect of throng.
    pub fn run(
        &self,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Experiment, LabError> {
        self.run_parts(Study::new(self.name, options, progress))
    }

    /// As [`Paper::run`], but cases that an earlier run finished are not run again.
    ///
    /// # Errors
    /// As [`Paper::run`].
    pub fn resume<'a>(
        &self,
        options: &'a Options,
        journal: Journal<'a>,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Result<Experiment, LabError> {
        self.run_parts(Study::new(self.name, options, progress).with_journal(journal))
    }

    fn run_parts(&self, mut study: Study<'_>) -> Result<Experiment, LabError> {
        self.parts.iter().try_for_each(|part| part(&mut study))?;
        Ok(study.finish())
    }
}
