//! M. Lanctot, N. Ng Man Sun, C. Verbrugge, "Path-finding for Large Scale Multiplayer Computer
//! Games" (2006): its players, its workloads, and every way of finding the way on them.
//!
//! The paper's people are replaced by players with simple aims; logs of real games can be
//! used instead ([`run_with_logs`]).
//!
//! | the paper | here |
//! |---|---|
//! | Operation: Orbius, five games of 24 players | [`play`], [`GAMES`] |
//! | what the server logs; table 1 | [`GameLog`]; table `games` |
//! | interest maps and points; figure 8 | [`InterestMap`] |
//! | RANDOM, MODELED, EXTRACTED; figure 9 | [`random`], [`modeled`], [`extracted`] |
//! | SZ, GR, RD, VZ with CC, PC, sPC | [`Row`] |
//! | tables 2 to 4 | tables `table-2` to `table-4`, `table-2-time` to `table-4-time` |
//! | the factors named in the text | tables `relations`, `relations-time` |
//!
//! # Where ours differ from the paper's
//! Our collision test takes a fraction of a microsecond, theirs most of a millisecond. Our
//! nodes are as much cheaper, so that a test costs 0.2 to 0.3 of a node here, as machine and
//! hour will have it, and 0.3 there (`costs-time`). So the relations are given three times: by
//! counted work with tests at the paper's price, which comes out the same each time; by the
//! clock; and by the clock with tests made as dear as theirs where they are cheaper: how much
//! idle work that takes is measured before. What the clock has a say in has `time` in its name.
//!
//! The paper's "delay" is the mean time of a search at grid level (total time / searches, as
//! its tables show): here `search ms`. `delay ms` is the time to the first step.

mod aims;
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
mod relations;
mod rows;
mod times;
mod walker;
mod walkways;
mod workload;

pub use aims::Aim;
pub use game::{Game, GameOptions, TEAM_SIZE, TeamScore, play};
pub use interest::InterestMap;
pub use judge::judge;
pub use log::{Action, EVENTS_MAX, Event, GameLog, HEADER, LogError, LogProblem, PLAYERS_MAX};
pub use rows::{PathCaching, Row};
pub use walkways::Walkways;
pub use workload::{Query, extracted, modeled, modeled_places, random};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::scene::{Location, Sample};
use throng_scene::{CollisionMeter, GhostOptions, Level, Point, ValidScene, town};

use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

/// Games whose players are "still getting familiar" with it: not used when there are others
/// enough ("to avoid biased results only runs 3-5 are used").
const FAMILIARISING: usize = 2;
/// Interest points of MODELED, and how far they are apart at least, in units.
const INTEREST_POINTS: usize = 30;
const SPREAD: f64 = 2.0;
/// Side of an interest map's cell: the ghost's step outside, in units.
const INTEREST_CELL: f64 = 0.25;
/// How far a cell has influence when a map is localised, in cells.
const INFLUENCE: u32 = 4;
/// Interior points of MODELED.
const INTERIOR_POINTS: usize = 10;
/// A stop is an interval of the mean and so many deviations: the paper's k.
const DEVIATIONS: f64 = 1.0;
/// Destinations of a journey.
const DESTINATIONS: usize = 100;

/// The five games. They take as long as the paper's; players click more often and rest less
/// from game to game, as the paper's did, who were "still getting familiar" with it at first.
pub const GAMES: [GameOptions; 5] = [
    game(1, 899, 3000, 25000),
    game(2, 903, 900, 1000),
    game(3, 740, 450, 2000),
    game(4, 894, 100, 6000),
    game(5, 798, 200, 1000),
];

const fn game(seed: u64, seconds: u32, click_interval_ms: u32, pause_ms: u32) -> GameOptions {
    GameOptions { seconds, click_interval_ms, pause_ms, orbs: 5, seed }
}

/// What the games and the maps of them give: all that the experiments are run with.
pub struct Setting {
    /// The town.
    pub scene: ValidScene,
    /// The five games.
    pub games: Vec<Game>,
    /// The interest map of each game, on the ground.
    pub interest: Vec<InterestMap>,
    /// The average of the games that are used.
    pub average: InterestMap,
    /// That, blurred and localised.
    pub processed: InterestMap,
    /// Its interest points.
    pub points: Vec<Point>,
    /// All ways that the players took in the games that are used.
    pub ways: Vec<Query>,
    /// The three workloads: RANDOM, MODELED, EXTRACTED. The last is as many of the players'
    /// ways as lead as far together as RANDOM does: the paper's journeys, too, are of about
    /// the same distance in all workloads.
    pub workloads: [(&'static str, Vec<Query>); 3],
}

impl Setting {
    /// Plays the games and derives the rest. Quick games take a tenth of the time.
    ///
    /// # Errors
    /// When something refuses to work that should.
    pub fn new(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Self, LabError> {
        let scene = town(options.seed).validate()?;
        let games = parallel::cases(
            "games",
            GAMES.len(),
            options.threads,
            progress,
            |(): &mut (), case| {
                let meter = CollisionMeter::new();
                let walkways = Walkways::new(&scene, GhostOptions::default(), &meter)?;
                let seconds = options.cases(GAMES[case].seconds as usize) as u32;
                let seed = GAMES[case].seed.wrapping_add(options.seed << 8);
                Ok(play(&walkways, &GameOptions { seconds, seed, ..GAMES[case] })?)
            },
        )?;
        Self::of(scene, games, options.seed)
    }

    /// Derives all from the logs of games that others played in the town of a seed.
    ///
    /// # Errors
    /// When something refuses to work that should.
    pub fn of_logs(logs: Vec<GameLog>, seed: u64) -> Result<Self, LabError> {
        let game = |log| Game { log, scores: Vec::new() };
        Self::of(town(seed).validate()?, logs.into_iter().map(game).collect(), seed)
    }

    /// Interest maps and workloads of games that were played.
    fn of(scene: ValidScene, games: Vec<Game>, seed: u64) -> Result<Self, LabError> {
        let empty = InterestMap::new(scene.width(), scene.height(), INTEREST_CELL);
        let graded = |game: &Game| empty.clone().graded(&game.log, Level::GROUND);
        let interest: Vec<InterestMap> = games.iter().map(graded).collect();
        let unused = if games.len() >= GAMES.len() { FAMILIARISING } else { 0 };
        let average = InterestMap::average(&interest[unused..]).unwrap_or(empty);
        let processed = average.blurred().localised(INFLUENCE);
        let meter = CollisionMeter::new();
        let walkways = Walkways::new(&scene, GhostOptions::default(), &meter)?;
        let fits = |location: Location| walkways.nearest(location).is_some();
        let points =
            processed.points(INTEREST_POINTS, SPREAD, |at| fits(Location::new(at, Level::GROUND)));
        let locations = modeled_places(&walkways, &points, INTERIOR_POINTS, seed);
        let random = random(&walkways, DESTINATIONS, seed);
        let ways = games[unused..].iter().flat_map(|game| extracted(&game.log, DEVIATIONS));
        let ways: Vec<Query> = ways.filter(|way| fits(way.from) && fits(way.to)).collect();
        let count = distance(&random) / (distance(&ways) / ways.len().max(1) as f64).max(0.1);
        let workloads = [
            ("RANDOM", random),
            ("MODELED", modeled(&locations, DESTINATIONS, seed)),
            ("EXTRACTED", sample(&ways, count.round() as usize, seed)),
        ];
        Ok(Self { scene, games, interest, average, processed, points, ways, workloads })
    }

    /// The interest points as samples, the first the commonest.
    fn interest_samples(&self) -> Vec<Sample> {
        let weights = (1..=self.points.len() as u64).rev();
        let samples = self.points.iter().zip(weights);
        samples
            .map(|(&point, weight)| Sample {
                location: Location::new(point, Level::GROUND),
                weight,
            })
            .collect()
    }

    /// The paper's table 1.
    #[must_use]
    pub fn games_table(&self) -> Table {
        let title = "Table 1: movement data of the games (MV: move updates, SD: destinations)";
        let mut table = Table::new("games", title, &["run", "seconds", "MV", "SD"]);
        let counts = |log: &GameLog| {
            [
                log.duration_ms().div_ceil(1000),
                log.move_updates() as u64,
                log.set_destinations() as u64,
            ]
        };
        let rows: Vec<[u64; 3]> = self.games.iter().map(|game| counts(&game.log)).collect();
        for (row, run) in rows.iter().zip(1_usize..) {
            let counts = row.iter().map(|count| Value::Count(*count));
            table.push([Value::Text(run.to_string())].into_iter().chain(counts).collect());
        }
        let average = (0..3).map(|column| {
            let sum: u64 = rows.iter().map(|row| row[column]).sum();
            Value::Count(sum / rows.len().max(1) as u64)
        });
        table.push([Value::from("Average")].into_iter().chain(average).collect());
        table
    }

    /// How many queries each workload has, and how far they lead as the crow flies.
    #[must_use]
    pub fn workloads_table(&self) -> Table {
        let title = format!(
            "Workloads: queries and their mean straight distance in units (EXTRACTED is a sample \
             of {} ways)",
            self.ways.len()
        );
        let mut table = Table::new("workloads", &title, &["workload", "queries", "distance"]);
        for (name, queries) in &self.workloads {
            let mean = distance(queries) / queries.len().max(1) as f64;
            table.push(vec![(*name).into(), queries.len().into(), Value::Number(mean, 2)]);
        }
        table
    }
}

/// How far queries lead together as the crow flies.
fn distance(queries: &[Query]) -> f64 {
    queries.iter().map(|query| query.from.at.distance(query.to.at)).sum()
}

/// Queries of a workload by chance, in their order: a journey of the same length for all.
#[must_use]
pub fn sample(queries: &[Query], count: usize, seed: u64) -> Vec<Query> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let all = u32::try_from(queries.len()).unwrap_or(u32::MAX);
    let wanted = u32::try_from(count).unwrap_or(u32::MAX).min(all);
    let (mut left, mut wanted_left) = (all, wanted);
    let chosen = queries.iter().filter(|_| {
        let is_chosen = left > 0 && rng.random_range(0..left) < wanted_left;
        left = left.saturating_sub(1);
        wanted_left -= u32::from(is_chosen);
        is_chosen
    });
    chosen.copied().collect()
}

fn has_orbs(score: &TeamScore) -> bool {
    score.gathered > 0
}

/// Plays the games, makes the workloads, and walks them by every row of tables 2 to 4.
///
/// # Errors
/// When a walk leads through something, or something refuses to work that should.
pub fn run(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Experiment, LabError> {
    let setting = Setting::new(options, progress)?;
    let mut experiment = Experiment::default();
    let gathers =
        |team: usize| setting.games.iter().any(|game| game.scores.get(team).is_some_and(has_orbs));
    let teams = setting.games.first().map_or(0, |game| game.scores.len());
    experiment.claim((0..teams).all(gathers), format!("every one of {teams} teams gathers orbs"));
    run_in(&setting, options, progress, experiment)
}

/// As [`run`], with the logs of real games instead: see [`GameLog::read`].
///
/// # Errors
/// When a walk leads through something, or something refuses to work that should.
pub fn run_with_logs(
    logs: Vec<GameLog>,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Experiment, LabError> {
    let setting = Setting::of_logs(logs, options.seed)?;
    run_in(&setting, options, progress, Experiment::default())
}

fn run_in(
    setting: &Setting,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    mut experiment: Experiment,
) -> Result<Experiment, LabError> {
    experiment.add_table(setting.games_table());
    experiment.add_table(setting.workloads_table());
    let points = setting.points.len();
    experiment.claim(
        points == INTEREST_POINTS,
        format!("{INTEREST_POINTS} interest points at least {SPREAD} units apart: {points}"),
    );
    figures::draw(setting, &mut experiment);
    let benchmark = benchmark::run(setting, options, progress)?;
    benchmark.tables().for_each(|table| experiment.add_table(table));
    experiment.add_table(relations::table(&benchmark));
    claims::check(&benchmark, &mut experiment);
    charts::draw(&benchmark, &mut experiment)?;
    let times = times::run(setting, options, progress)?;
    times.tables().for_each(|table| experiment.add_table(table));
    experiment.add_table(relations::times_table(&times));
    experiment.add_table(times.costs_table());
    charts::draw_times(&times, &mut experiment)?;
    Ok(experiment)
}
