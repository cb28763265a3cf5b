//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", put to the test.
//!
//! The paper claims and does not measure. Here each of its ideas is measured over a
//! thousand random cases, beside what it replaces:
//!
//! | section | question | table |
//! |---|---|---|
//! | 3 | one search from all exits to all entrances, or one for each pair? | `many-to-many` |
//! | 5 | mend a broken path by a splice, or search anew? | `breaks` |
//! | 2 | how much of a path over the grid is zig-zag? | `zig-zag` |
//!
//! Figures 2 to 6 are computed again and drawn. Every path is judged by the referee.

mod breaks;
mod figures;
mod many_to_many;
mod worlds;
mod zig_zag;

pub(crate) use worlds::best_path;

use crate::{Experiment, LabError, Options, Progress};

/// Random cases of each stage.
const CASES: usize = 1000;

/// Runs the experiments.
///
/// ```
/// use throng_lab::{Options, xu_zou};
/// let options = Options { quick: true, ..Options::default() };
/// let experiment = xu_zou::run(&options, &mut |_| {})?;
/// assert!(experiment.holds());
/// assert_eq!(experiment.tables[0].name, "many-to-many");
/// # Ok::<(), throng_lab::LabError>(())
/// ```
///
/// # Errors
/// When the referee rejects a path, or something refuses to work that should.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let mut experiment = Experiment::default();
    many_to_many::run(options, progress, &mut experiment)?;
    breaks::run(options, progress, &mut experiment)?;
    zig_zag::run(options, progress, &mut experiment)?;
    figures::draw(&mut experiment)?;
    Ok(experiment)
}
