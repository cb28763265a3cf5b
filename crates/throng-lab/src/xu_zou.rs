//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games".

use crate::{Experiment, LabError, Options, Progress};

/// Runs the experiments of the paper.
///
/// # Errors
/// When a search or the referee finds a defect of throng.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let cases = options.cases(1000);
    crate::parallel::cases("none", cases, options.threads, progress, |_: &mut (), _| Ok(()))?;
    Ok(Experiment::default())
}
