//! The input of the experiments: a town, games in it, interest maps, workloads.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    CollisionMeter, GhostOptions, Level, Location, Point, Sample, ValidScene, town,
};

use super::walked::{empty_map, processed};
use super::{
    Ending, Game, GameLog, GameOptions, Input, InterestMap, Query, TICKS_PER_SECOND, TownRoutes,
    extracted, modeled, modeled_locations, play, random,
};
use crate::{LabError, Options, Row};

/// Games whose players are "still getting familiar": not used when there are enough others ("to
/// avoid biased results only runs 3-5 are used").
const FAMILIARISING: usize = 2;
/// Interest points, and how far they are apart at least, in units.
pub(super) const INTEREST_POINTS: usize = 30;
pub(super) const SPREAD: f64 = 2.0;
/// "Only 30 source and destination points are used for the paths based on the Modeled data": the
/// best interest points, which are outside, "along with some random interior points".
pub(super) const MODELED_POINTS: usize = 30;
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
    /// The number of source and destination points of MODELED.
    pub modeled_points: usize,
    /// The number of lattice nodes that a body reaches.
    pub lattice: usize,
    /// All paths that the players took in the games that are used.
    pub ways: Vec<Query>,
    /// The three workloads: RANDOM, MODELED, EXTRACTED. The last is a sample of the players'
    /// paths whose total distance equals that of RANDOM: the paper's journeys have about the
    /// same distance in all workloads too.
    pub workloads: [(&'static str, Vec<Query>); 3],
}

impl Setting {
    /// The setting of a seed. Without a scene it is the town of the seed; without logs the games
    /// are simulated, for a tenth of the time in a quick run.
    pub(super) fn of_input(input: &Input, seed: u64, quick: bool) -> Result<Self, LabError> {
        let scene = input.scene.clone().map_or_else(|| town(seed).validate(), Ok)?;
        match input.logs.is_empty() {
            true => Self::play(scene, seed, quick),
            false => Self::of_logs(scene, input.logs.clone(), seed),
        }
    }

    /// Plays the games in a scene and derives the rest.
    fn play(scene: ValidScene, seed: u64, quick: bool) -> Result<Self, LabError> {
        let meter = CollisionMeter::new();
        let routes = TownRoutes::new(&scene, GhostOptions::default(), &meter)?;
        let game = |game: GameOptions| {
            let seconds = game.ticks / TICKS_PER_SECOND / if quick { 10 } else { 1 };
            let seed = game.seed.wrapping_add(seed << 8);
            play(&routes, &GameOptions { ticks: seconds * TICKS_PER_SECOND, seed, ..game })
        };
        let games = GAMES.into_iter().map(game).collect::<Result<_, _>>()?;
        drop(routes);
        Self::of(scene, games, seed)
    }

    /// Plays the games in the town of the first seed, as [`crate::Paper::run`] does.
    ///
    /// # Errors
    /// When a generated town or a game is invalid, which is a defect of throng.
    pub fn new(options: &Options) -> Result<Self, LabError> {
        Self::of_input(&Input::default(), options.seed, options.quick)
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
        let lattice = routes.count();
        let outside = &points[..points.len().min(MODELED_POINTS - INTERIOR_POINTS)];
        let locations = modeled_locations(&routes, outside, INTERIOR_POINTS, seed);
        let modeled_points = locations.len();
        let random = random(&routes, DESTINATIONS, seed);
        let ways = games[unused..].iter().flat_map(|game| extracted(&game.log, DEVIATIONS));
        let ways: Vec<Query> = ways.filter(|way| fits(way.from) && fits(way.to)).collect();
        let count = distance(&random) / (distance(&ways) / ways.len().max(1) as f64).max(0.1);
        let workloads = [
            ("RANDOM", random),
            ("MODELED", modeled(&locations, DESTINATIONS, seed)),
            ("EXTRACTED", sample(&ways, count.round() as usize, seed)),
        ];
        Ok(Self {
            scene,
            games,
            interest,
            average,
            processed,
            points,
            modeled_points,
            lattice,
            ways,
            workloads,
        })
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

    /// The longest query of RANDOM, by straight distance.
    pub(super) fn longest_query(&self) -> Query {
        let apart = |query: &&Query| query.from.at.distance(query.to.at);
        let on_ground =
            |query: &&Query| query.from.level == Level::GROUND && query.to.level == Level::GROUND;
        let queries = self.workloads[0].1.iter().filter(on_ground);
        let longest = queries.max_by(|a, b| apart(a).total_cmp(&apart(b)));
        let corner = Location::ground(0.5, 0.5);
        longest.copied().unwrap_or(Query { from: corner, to: corner })
    }

    /// The games and the workloads as rows.
    pub(super) fn rows(&self) -> Vec<Row> {
        let count = |count: usize| count as f64;
        let games = self.games.iter().zip(1..).map(|(game, run)| {
            let seconds = game.log.duration_ms().div_ceil(1000) as f64;
            let gathered = game.scores.iter().filter(|score| score.gathered > 0).count();
            Row::of("game", format!("run={run}"))
                .outcome(format!("{:?}", game.ending))
                .metric("seconds", seconds)
                .metric("moves", count(game.log.move_updates()))
                .metric("destinations", count(game.log.set_destinations()))
                .metric("gathered", count(gathered))
        });
        let workloads = self.workloads.iter().map(|(name, queries)| {
            Row::of("workload", format!("name={name}"))
                .metric("queries", count(queries.len()))
                .metric("apart", distance(queries) / count(queries.len().max(1)))
        });
        let points = Row::of("points", "")
            .metric("interest", count(self.points.len()))
            .metric("modeled", count(self.modeled_points))
            .metric("ways", count(self.ways.len()))
            .metric("lattice", count(self.lattice));
        games.chain(workloads).chain([points]).collect()
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
