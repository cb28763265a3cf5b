//! M. Lanctot, N. Ng Man Sun, C. Verbrugge, "Path-finding for Large Scale Multiplayer Computer
//! Games" (2006): its players, its workloads, and all of its methods on them.
//!
//! The paper's people are replaced by simulated players with simple roles. Logs of real games, and
//! any other scene, can be used instead ([`run_with`]).
//!
//! | the paper | here |
//! |---|---|
//! | Operation: Orbius, five games of 24 players | [`play`], [`GAMES`] |
//! | the server's log; table 1 | [`GameLog`]; table `games` |
//! | interest maps and points; figure 8 | [`InterestMap`], [`interest_map`] |
//! | RANDOM, MODELED, EXTRACTED; figure 9 | [`random`], [`modeled`], [`extracted`] |
//! | SZ, GR, RD, VZ with CC, PC, sPC | [`Configuration`] |
//! | tables 2 to 4, the factors in the text | tables `table-2` to `table-4`, `relations` |
//! | figures 2 to 6 | `figure-2` to `figure-6` |
//!
//! Each seed has a town, games and workloads of its own. Counts are reproducible; times are
//! processor times and are not.
//!
//! The paper's "delay" is the mean time of a search at grid level (total time / searches, as its
//! tables show): here `delay ms`. `first step ms` is the time to the first step.

mod charts;
mod claims;
mod configuration;
mod figures;
mod game;
mod interest;
mod journey;
mod judge;
mod log;
mod measured;
mod paper;
mod player_movement;
mod roles;
mod scene_figures;
mod setting;
mod stored_paths;
mod tables;
mod town_routes;
mod towns;
mod walked;
mod workload;

pub use configuration::{Configuration, PathCaching};
pub use game::{Ending, Game, GameOptions, TICKS_PER_SECOND, play};
pub use interest::InterestMap;
pub use judge::judge;
pub use log::{Action, EVENTS_MAX, Event, GameLog, HEADER, LogError, LogProblem, PLAYERS_MAX};
pub use setting::{GAMES, Setting, sample};
pub use throng_game::{Role, TeamScore};
pub use town_routes::TownRoutes;
pub use walked::{interest_map, samples};
pub use workload::{Query, extracted, modeled, modeled_locations, random};

use crate::harness::Study;
use crate::{Experiment, LabError, Options, Paper, Progress};
use throng_scene::ValidScene;

/// The paper's experiments.
pub const PAPER: Paper = Paper {
    name: "lanctot",
    citation: "M. Lanctot, N. Ng Man Sun, C. Verbrugge, Path-finding for Large Scale Multiplayer \
               Computer Games, 2006",
    parts: &[run],
};

fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    run_on(&Input::default(), study)
}

/// Plays the games of each seed, makes the workloads, and runs every row of tables 2 to 4 on them.
fn run_on(input: &Input, study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = towns::run(input, study)?;
    tables::add(&rows, study);
    charts::draw(&rows, study)?;
    let Options { seed, quick, .. } = *study.options();
    let setting = Setting::of_input(input, seed, quick)?;
    scene_figures::draw(&setting, study)?;
    figures::draw(&setting, study);
    claims::judge(&rows, study);
    Ok(())
}

/// The input of the experiments that is not simulated.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The scene; `None` for the town of the seed.
    pub scene: Option<ValidScene>,
    /// The logs of real games, see [`GameLog::read`]; without any, games are simulated.
    pub logs: Vec<GameLog>,
}

/// Runs the experiments in another scene, or with the logs of real games, or both.
///
/// # Errors
/// When the scene has no room for a body. Otherwise a path leads through an obstacle, or a search
/// refuses valid input: a defect of throng.
pub fn run_with(
    input: &Input,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Experiment, LabError> {
    let mut study = Study::new(PAPER.name, options, progress);
    run_on(input, &mut study)?;
    Ok(study.finish())
}
