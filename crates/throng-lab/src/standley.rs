//! T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using
//! Heuristic Search" (draft of AAAI 2010), its experiment done again.
//!
//! Two hundred grids of 32 x 32 cells, a fifth of them blocked, eight-connected (a diagonal
//! takes one tick), with 2 to 30 units each. The standard algorithm (S), operator
//! decomposition (OD), partial expansion (PE) and independent subproblems (ID) in the paper's
//! combinations, and ours on top: ID that first looks for plans that avoid each other, guided
//! by what pairs of units cost each other.
//!
//! | shows | file |
//! |---|---|
//! | figure 6: instances solved, by time, sorted | `figure-6-time` |
//! | share solved in 1 s and in 20 s, open:closed, largest group | `summary-time` |
//! | time and memory against the largest group | `growth-time`, `growth-memory` |
//! | every run | `runs-time` |
//!
//! A run has 20 seconds, and 4 GiB a search. Two rules keep the experiment under an hour: an
//! instance that our best cannot solve, and a planner that has failed ten times running on
//! instances with ever more units, are given one second. All but the times are the same each
//! time; which runs end in time depends on the machine.

mod claims;
mod figures;
mod instances;
mod methods;
mod runs;

use crate::{Experiment, LabError, Options, Progress};

/// Runs the experiment.
///
/// ```no_run
/// use throng_lab::{Options, standley};
/// let options = Options { quick: true, ..Options::default() };
/// let experiment = standley::run(&options, &mut |_| {})?;
/// assert_eq!(experiment.tables[0].name, "summary-time");
/// # Ok::<(), throng_lab::LabError>(())
/// ```
///
/// # Errors
/// When the referee finds a collision, or two planners prove different costs.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let mut experiment = Experiment::default();
    let runs = runs::run(options, progress)?;
    experiment.add_table(runs.summary());
    experiment.add_csv(&runs.table());
    claims::check(options, &runs, &mut experiment);
    figures::draw(&runs, &mut experiment)?;
    Ok(experiment)
}
