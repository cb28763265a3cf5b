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
//! | SZ, GR, RD, VZ with CC, PC, sPC | [`Row`] |
//! | tables 2 to 4 | tables `table-2` to `table-4`, `table-2-time` to `table-4-time` |
//! | the factors in the text | tables `relations`, `relations-time` |
//!
//! # Differences from the paper
//! Our collision test takes a fraction of a microsecond, theirs most of a millisecond. Our nodes
//! are cheaper by about the same factor: a test costs 0.2 to 0.3 of a node here, depending on the
//! machine, and 0.3 there (`costs-time`). So the relations are given three times: by counted work
//! with tests at the paper's price, which is reproducible; by the clock; and by the clock with
//! idle work that makes a test as expensive as theirs. The amount of idle work is measured first.
//! Files that depend on the clock have `time` in their names.
//!
//! The paper's "delay" is the mean time of a search at grid level (total time / searches, as its
//! tables show): here `search ms`. `delay ms` is the time to the first step.

mod benchmark;
mod charts;
mod claims;
mod figures;
mod game;
mod interest;
mod journey;
mod judge;
mod log;
mod paper;
mod player_movement;
mod relations;
mod roles;
mod rows;
mod setting;
mod times;
mod town_routes;
mod walked;
mod workload;

pub use game::{Ending, Game, GameOptions, TICKS_PER_SECOND, TeamScore, play};
pub use interest::InterestMap;
pub use judge::judge;
pub use log::{Action, EVENTS_MAX, Event, GameLog, HEADER, LogError, LogProblem, PLAYERS_MAX};
pub use roles::Role;
pub use rows::{PathCaching, Row};
pub use setting::{GAMES, Setting, sample};
pub use town_routes::TownRoutes;
pub use walked::{interest_map, samples};
pub use workload::{Query, extracted, modeled, modeled_locations, random};

use crate::harness::Study;
use crate::{Experiment, LabError, Options, Paper, Progress};
use setting::{INTEREST_POINTS, SPREAD};
use throng_scene::{ValidScene, town};

/// The paper's experiments.
pub const PAPER: Paper = Paper {
    name: "lanctot",
    citation: "M. Lanctot, N. Ng Man Sun, C. Verbrugge, Path-finding for Large Scale Multiplayer \
               Computer Games, 2006",
    parts: &[run],
};

/// Plays the games, makes the workloads, and runs every row of tables 2 to 4 on them.
fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    run_games(town(study.options().seed).validate()?, study)
}

fn run_games(scene: ValidScene, study: &mut Study<'_>) -> Result<(), LabError> {
    let setting = Setting::play(scene, study)?;
    let has_orbs = |score: &TeamScore| score.gathered > 0;
    let gathers =
        |team: usize| setting.games.iter().any(|game| game.scores.get(team).is_some_and(has_orbs));
    let teams = setting.games.first().map_or(0, |game| game.scores.len());
    study.check((0..teams).all(gathers), format!("every one of {teams} teams gathers orbs"));
    run_in(&setting, study)
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
    input: Input,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Experiment, LabError> {
    let mut study = Study::new(PAPER.name, options, progress);
    let scene = input.scene.map_or_else(|| town(options.seed).validate(), Ok)?;
    match input.logs.is_empty() {
        true => run_games(scene, &mut study)?,
        false => run_in(&Setting::of_logs(scene, input.logs, options.seed)?, &mut study)?,
    }
    Ok(study.finish())
}

fn run_in(setting: &Setting, study: &mut Study<'_>) -> Result<(), LabError> {
    study.table(setting.games_table());
    study.table(setting.workloads_table());
    let points = setting.points.len();
    study.check(
        points == INTEREST_POINTS,
        format!("{INTEREST_POINTS} interest points at least {SPREAD} units apart: {points}"),
    );
    figures::draw(setting, study);
    let benchmark = benchmark::run(setting, study)?;
    benchmark.tables().for_each(|table| study.table(table));
    study.table(relations::table(&benchmark));
    claims::check(&benchmark, study);
    charts::draw(&benchmark, study)?;
    let times = times::run(setting, study)?;
    times.tables().for_each(|table| study.table(table));
    study.table(relations::times_table(&times));
    study.table(times.costs_table());
    charts::draw_times(&times, study)
}
