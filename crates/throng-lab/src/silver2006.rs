//! D. Silver, "Cooperative Pathfinding" (AI Game Programming Wisdom 3, 2006), idea by idea.
//!
//! The article explains and does not measure. Here each of its ideas is switched on and off:
//!
//! | section | question | table, pictures |
//! |---|---|---|
//! | Choosing a heuristic, Backwards search | Manhattan or true distance? | `heuristic`, `figure-2`, `figure-3` |
//! | Limiting the search depth | how far to look ahead? | `depth`, `figure-4` |
//! | Interleaving searches | all at once, or everybody at a time of its own? | `interleaving` |
//! | Unit priorities | do important units get through sooner? | `levels` |
//! | Unit priorities | does promotion free those who are stuck? | `promotion` |
//! | Reservation table revisited | which entries does an action need? | `footprints`, `figure-5`, `figure-6`, `grain` |
//! | Reservation table revisited | large and slow units in one world | `kinds` |
//!
//! The crowds are those of [`silver2005`](crate::silver2005): 100 units in its ten
//! environments. Every run is judged by the referee.

mod depth;
mod footprints;
mod grain;
mod heuristic;
mod interleaving;
mod kinds;
mod levels;
mod promotion;
mod team;

use crate::{Experiment, LabError, Options, Progress};

/// Scenarios of each crowd.
const SCENARIOS: usize = 40;
/// Ticks that units look ahead where nothing else is said.
const DEPTH: u32 = 16;

/// Runs the experiments.
///
/// ```
/// use throng_lab::{Options, silver2006};
/// let options = Options { quick: true, ..Options::default() };
/// let experiment = silver2006::run(&options, &mut |_| {})?;
/// assert_eq!(experiment.tables[0].name, "heuristic");
/// # Ok::<(), throng_lab::LabError>(())
/// ```
///
/// # Errors
/// When the referee finds a collision, or something refuses to work that should.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let mut experiment = Experiment::default();
    heuristic::run(&mut experiment)?;
    depth::run(options, progress, &mut experiment)?;
    interleaving::run(options, progress, &mut experiment)?;
    levels::run(options, progress, &mut experiment)?;
    promotion::run(options, progress, &mut experiment)?;
    footprints::run(&mut experiment)?;
    grain::run(&mut experiment)?;
    kinds::run(options, progress, &mut experiment)?;
    Ok(experiment)
}
