//! The input of the experiments: a town, games in it, interest maps, workloads.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    CollisionMeter, GhostOptions, Level, Location, Point, Sample, ValidScene, town,
};

use super::walked::{empty_map, processed};
use super::{
    Ending, Game, GameLog, GameOptions, InterestMap, Query, TICKS_PER_SECOND, TownRoutes,
    extracted, modeled, modeled_locations, play, random,
};
use crate::harness::{Study, row};
use crate::{LabError, Options, Progress, Table};

/// Games whose players are "still getting familiar": not used when there are enough others ("to
/// avoid biased results only runs 3-5 are used").
const FAMILIARISING: usize = 2;
/// Interest points of MODELED, and how far they are apart at least, in units.
pub(super) const INTEREST_POINTS: usize = 30;
pub(super) const SPREAD: f64 = 2.0;
/// Interior points of MODELED.
const INTERIOR_POINTS: usize = 10;
/// A stop is an interval above the mean by this many standard deviations: the paper's k.
const DEVIATIONS: f64 = 1.0;
/// Destinations of a journey.
const DESTINATIONS: usize = 100;

/// The five games. They last as long as the paper's. Players click more often and rest less from
/// game to game, as the paper's did, who were "still getting familiar" at first.
pub const GAMES: [GameOptions; 5] = [
    game(1, 899, 3000, 25000),
    game(2, 903, 900, 1000),
    game(3, 740, 450, 2000),
    game(4, 894, 100, 6000),
    game(5, 798, 200, 1000),
];

const fn game(seed: u64, seconds: u32, click_interval_ms: u32, pause_ms: u32) -> GameOptions {
    GameOptions {
        ticks: seconds * TICKS_PER_SECOND,
        players: 24,
        teams: 6,
        orbs_to_win: None,
        bodies_block: false,
        click_interval_ms,
        pause_ms,
        orbs: 5,
        seed,
    }
}

/// The input of the experiments: the town, the games and the workloads made from them.
pub struct Setting {
    /// The town.
    pub scene: ValidScene,
    /// The five games.
    pub games: Vec<Game>,
    /// The interest map of each game, on the ground.
    pub interest: Vec<InterestMap>,
    /// The average of the games that are used.
    pub average: InterestMap,
    /// The average, blurred and localised.
    pub processed: InterestMap,
    /// Its interest points.
    pub points: Vec<Point>,
    /// All paths that the players took in the games that are used.
    pub ways: Vec<Query>,
    /// The three workloads: RANDOM, MODELED, EXTRACTED. The last is a sample of the players'
    /// paths whose total distance equals that of RANDOM: the paper's journeys have about the
    /// same distance in all workloads too.
    pub workloads: [(&'static str, Vec<Query>); 3],
}

impl Setting {
    /// Plays the games in a scene and derives the rest. Quick games take a tenth of the time.
    pub(super) fn play(scene: ValidScene, study: &mut Study<'_>) -> Result<Self, LabError> {
        let options = study.options();
        let seconds = |ticks: u32| (ticks / TICKS_PER_SECOND) as usize;
        let ticks = GAMES.map(|game| study.scaled(seconds(game.ticks)) as u32 * TICKS_PER_SECOND);
        let games = study.cases("games", GAMES.len(), |(): &mut (), id| {
            let meter = CollisionMeter::new();
            let routes = TownRoutes::new(&scene, GhostOptions::default(), &meter)?;
            let (game, ticks) = (GAMES[id.case], ticks[id.case]);
            let seed = game.seed.wrapping_add(options.seed << 8);
            Ok(play(&routes, &GameOptions { ticks, seed, ..game })?)
        })?;
        Self::of(scene, games, options.seed)
    }

    /// Plays the games, as [`crate::Paper::run`] does.
    ///
    /// # Errors
    /// When a generated town or a game is invalid, which is a defect of throng.
    pub fn new(options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Self, LabError> {
        Self::play(
            town(options.seed).validate()?,
            &mut Study::new(super::PAPER.name, options, progress),
        )
    }

    /// Derives everything from the logs of games in a scene.
    ///
    /// # Errors
    /// When the scene has no room for a body.
    pub fn of_logs(scene: ValidScene, logs: Vec<GameLog>, seed: u64) -> Result<Self, LabError> {
        let ending = Ending::TimeUp { leader: None };
        let game = |log| Game { log, scores: Vec::new(), ending };
        Self::of(scene, logs.into_iter().map(game).collect(), seed)
    }

    /// Interest maps and workloads of finished games.
    fn of(scene: ValidScene, games: Vec<Game>, seed: u64) -> Result<Self, LabError> {
        let empty = empty_map(&scene);
        let graded = |game: &Game| empty.clone().graded(&game.log, Level::GROUND);
        let interest: Vec<InterestMap> = games.iter().map(graded).collect();
        let unused = if games.len() >= GAMES.len() { FAMILIARISING } else { 0 };
        let average = InterestMap::average(&interest[unused..]).unwrap_or(empty);
        let processed = processed(&average);
        let meter = CollisionMeter::new();
        let routes = TownRoutes::new(&scene, GhostOptions::default(), &meter)?;
        let fits = |location: Location| routes.nearest(location).is_some();
        let points =
            processed.points(INTEREST_POINTS, SPREAD, |at| fits(Location::new(at, Level::GROUND)));
        let locations = modeled_locations(&routes, &points, INTERIOR_POINTS, seed);
        let random = random(&routes, DESTINATIONS, seed);
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

    /// The interest points as samples, the first with the largest weight.
    pub(super) fn interest_samples(&self) -> Vec<Sample> {
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
        for ([seconds, moves, destinations], run) in rows.iter().zip(1_usize..) {
            table.push(row![run.to_string(), *seconds, *moves, *destinations]);
        }
        let average = |column: usize| {
            rows.iter().map(|row| row[column]).sum::<u64>() / rows.len().max(1) as u64
        };
        table.push(row!["Average", average(0), average(1), average(2)]);
        table
    }

    /// The number of queries of each workload, and their mean straight distance.
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
            table.push(row![*name, queries.len(), (mean, 2)]);
        }
        table
    }
}

/// The total straight distance of queries.
fn distance(queries: &[Query]) -> f64 {
    queries.iter().map(|query| query.from.at.distance(query.to.at)).sum()
}

/// A random sample of queries, in their order.
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
