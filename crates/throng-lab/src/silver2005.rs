//! D. Silver, "Cooperative Pathfinding" (AIIDE 2005), its experiment done again.
//!
//! Ten environments of 32 x 32 cells, four-connected, obstacles on a fifth of them and
//! wherever they cut something off. 10 to 100 units with random starts and destinations.
//! LRA*, CA*, HCA* and WHCA* with windows of 8, 16 and 32 each have 100 turns.
//!
//! | figure | shows | table |
//! |---|---|---|
//! | 2 | an environment | |
//! | 3 | units that reach their destination | `results` |
//! | 4 | turns until they do | `results` |
//! | 5 | how often they come to where they were before | `results` |
//! | 6 | work before anyone moves | `results` (nodes), `times` (milliseconds) |
//! | 7 | work in the dearest turn | `results` (nodes), `times` (milliseconds) |
//!
//! The paper has one scenario an environment; here there are ten, so that the numbers are
//! steadier. Every run is judged by the referee. Everything but the times is the same each
//! time and for any number of threads; the files with times have `time` in their names.

pub(crate) mod arena;
mod claims;
mod figures;
mod results;
mod times;

use crate::{Experiment, LabError, Options, Progress};

/// Scenarios, over all environments.
const SCENARIOS: usize = 100;

/// How many units there are.
fn counts(options: &Options) -> &'static [usize] {
    if options.quick { &[20, 60, 100] } else { &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100] }
}

/// Runs the experiment.
///
/// ```no_run
/// use throng_lab::{Options, silver2005};
/// let options = Options { quick: true, ..Options::default() };
/// let experiment = silver2005::run(&options, &mut |_| {})?;
/// assert_eq!(experiment.tables[0].name, "results");
/// # Ok::<(), throng_lab::LabError>(())
/// ```
///
/// # Errors
/// When the referee finds a collision, or something refuses to work that should.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let mut experiment = Experiment::default();
    let results = results::run(options, progress)?;
    experiment.add_table(results.table());
    claims::check(&results, &mut experiment);
    figures::draw(options, &results, &mut experiment)?;
    let times = times::run(options, progress)?;
    experiment.add_table(times.table());
    times.draw(&mut experiment)?;
    Ok(experiment)
}
