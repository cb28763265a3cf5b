//! D. Silver, "Cooperative Pathfinding" (AI Game Programming Wisdom 3, 2006), idea by idea.
//!
//! The article explains and does not measure. Here each of its ideas is switched on and off:
//!
//! | section | question | table, figures |
//! |---|---|---|
//! | Choosing a heuristic, Backwards search | Manhattan or true distance? | `heuristic`, `figure-2`, `figure-3` |
//! | Backwards search, Terminal node | how far does a unit look that has to wait? | claims |
//! | Resuming backwards search | keep it, or begin again? | `reuse` |
//! | Limiting the search depth | how far to plan ahead? | `depth`, `figure-4` |
//! | Interleaving searches | all units at once, or each unit in its own tick? | `interleaving` |
//! | Interleaving searches | when to plan again? | `replanning` |
//! | Unit priorities | do important units arrive sooner? | `levels` |
//! | Unit priorities | does promotion free units that are stuck? | `promotion` |
//! | Reservation table revisited | which entries does an action need? | `footprints`, `figure-5`, `figure-6`, `grain` |
//! | Reservation table revisited | large and slow units in one world | `kinds` |
//!
//! The crowds are those of [`silver2005`](crate::silver2005): 100 units in its ten environments.
//! The referee checks every run.

mod crowd_simulation;
mod depth;
mod figure_1;
mod footprints;
mod grain;
mod heuristic;
mod interleaving;
mod kinds;
mod levels;
mod promotion;
mod replanning;
mod reservations;
mod reuse;
mod waiting;

use crate::{Options, Paper};

/// The article's ideas as experiments.
pub const PAPER: Paper = Paper {
    name: "silver2006",
    citation: "D. Silver, Cooperative Pathfinding, AI Game Programming Wisdom 3, 2006",
    parts: &[
        figure_1::run,
        reservations::run,
        heuristic::run,
        waiting::run,
        reuse::run,
        depth::run,
        interleaving::run,
        replanning::run,
        levels::run,
        promotion::run,
        footprints::run,
        grain::run,
        kinds::run,
    ],
};

/// Crowds per seed.
fn scenarios(options: &Options) -> usize {
    if options.quick { 1 } else { 8 }
}

/// Ticks that units plan ahead, unless an experiment varies it.
const DEPTH: u32 = 16;
