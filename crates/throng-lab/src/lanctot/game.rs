//! A headless game in the spirit of the paper's: *Operation: Orbius*.
//!
//! Lanctot et al. (2006), "Orbius" and figure 7. Teams gather the orbs that lie in the scene and
//! bring them to their base, and tag ("tickle") each other: a tagged player drops its orbs and
//! stands still for a while. Each team tries "to win before every other team": the first that has
//! brought enough orbs to its base wins. The paper's players were people; ours have simple roles
//! ([`Role`]). The paper does not give the rules in detail: the numbers are ours.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_game::{Role, TeamScore};
use throng_scene::{Bodies, BodyId, Location};

use super::log::{Action, Event, GameLog, LogProblem};
use super::player_movement::{PlayerMovement, TICK_MS};
use super::roles::{is_hasty, next_destination};
use super::town_routes::{RouteSearch, TownRoutes};

/// Ticks of a game per second.
pub const TICKS_PER_SECOND: u32 = (1000 / TICK_MS) as u32;
/// Most orbs that a player carries.
pub(super) const CARRIED_MAX: u32 = 3;
/// The distance at which a player picks up an orb, is at its base, or tags, in units.
const REACH: f64 = 0.4;
/// How long a tagged player and its tagger stand still.
const TICKLE_TICKS: u32 = 25;
/// How long a tagged player cannot be tagged again, so that it can get away.
const SAFE_TICKS: u64 = 400;
/// After this time a player chooses another destination.
const DESTINATION_TICKS: u64 = 600;

/// The options of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// The longest duration; a tick is a tenth of a second.
    pub ticks: u32,
    /// How many play. The scene's players come first, at their starts; more start at random.
    pub players: u32,
    /// Teams of equal size, or nearly; at most one per player.
    pub teams: u32,
    /// The first team that has brought so many orbs to its base wins; `None`: the game lasts until
    /// its time is up.
    pub orbs_to_win: Option<u32>,
    /// Whether players are obstacles for each other.
    pub bodies_block: bool,
    /// Mean time between two clicks of a walking player.
    pub click_interval_ms: u32,
    /// Mean time that a player rests at a destination.
    pub pause_ms: u32,
    /// Orbs in the scene at any time.
    pub orbs: u32,
    /// The seed of all random choices.
    pub seed: u64,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A team brought enough orbs to its base before every other team.
    Won {
        /// The team, from 0.
        team: usize,
        /// Milliseconds since the game began.
        time_ms: u64,
    },
    /// The time was up.
    TimeUp {
        /// The team that brought most orbs to its base; `None` when several did, or none.
        leader: Option<usize>,
    },
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The log that the server would have written.
    pub log: GameLog,
    /// Each team's score.
    pub scores: Vec<TeamScore>,
    /// How it ended.
    pub ending: Ending,
}

/// The state of a game, which players see when they choose a destination.
pub(super) struct World<'a> {
    pub(super) routes: &'a TownRoutes<'a>,
    pub(super) rng: Pcg64Mcg,
    pub(super) players: Vec<Player>,
    /// The locations of the orbs.
    pub(super) orbs: Vec<u32>,
    /// Each team's base.
    pub(super) bases: Vec<u32>,
    /// The players' bodies, where they are obstacles for each other.
    bodies: Option<Bodies>,
    scores: Vec<TeamScore>,
    tick: u64,
}

/// A player.
pub(super) struct Player {
    pub(super) movement: PlayerMovement,
    /// Its body, where players are obstacles for each other.
    body: Option<BodyId>,
    pub(super) team: usize,
    pub(super) role: Role,
    pub(super) carried: u32,
    destination_until: u64,
    safe_until: u64,
    /// It has arrived, and has not chosen another destination yet.
    is_idle: bool,
}

/// Plays a game in a scene. Players with consecutive numbers are a team; its base is where the
/// first of them starts. The same options give the same game.
///
/// ```
/// use throng_lab::lanctot::{GAMES, GameOptions, TownRoutes, play};
/// use throng_scene::{CollisionMeter, GhostOptions, town};
/// let scene = town(1).validate()?;
/// let meter = CollisionMeter::new();
/// let routes = TownRoutes::new(&scene, GhostOptions::default(), &meter)?;
/// let game = play(&routes, &GameOptions { ticks: 50, ..GAMES[2] })?;
/// assert_eq!(game.scores.len(), 6);
/// assert!(game.log.move_updates() > game.log.set_destinations());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the game is too long for a log.
pub fn play(routes: &TownRoutes<'_>, options: &GameOptions) -> Result<Game, LogProblem> {
    let mut world = World::new(routes, options);
    let mut log = GameLog::default();
    let mut search = RouteSearch::default();
    let pause_ticks = (u64::from(options.pause_ms) / TICK_MS) as u32;
    for tick in 1..=u64::from(options.ticks) {
        world.tick = tick;
        for number in 0..world.players.len() {
            world.think(number, pause_ticks, &mut search);
            world.walk(number, &mut log)?;
            world.pick_up_and_deliver(number);
        }
        world.tag();
        if let Some(team) = options.orbs_to_win.and_then(|orbs| world.first_with(orbs)) {
            let ending = Ending::Won { team, time_ms: tick * TICK_MS };
            return Ok(Game { log, scores: world.scores, ending });
        }
    }
    let ending = Ending::TimeUp { leader: TeamScore::leader(&world.scores) };
    Ok(Game { log, scores: world.scores, ending })
}

impl<'a> World<'a> {
    fn new(routes: &'a TownRoutes<'a>, options: &GameOptions) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(options.seed);
        let click_interval_ticks = (u64::from(options.click_interval_ms) / TICK_MS).max(1) as u32;
        let starts = starts(routes, options.players as usize, &mut rng);
        let count = starts.len().max(1);
        let teams = (options.teams as usize).clamp(1, count);
        let team_of = |number: usize| number * teams / count;
        // Team t has the players from t * count / teams, rounded up, on.
        let first_of = |team: usize| (team * count).div_ceil(teams);
        let radius = routes.ghost().options().radius;
        let mut bodies = options.bodies_block.then(|| Bodies::new(routes.ghost().scene()));
        let mut player = |(number, location): (usize, &Location)| Player {
            movement: PlayerMovement::new(*location, click_interval_ticks),
            // The ghost's radius is sensible, and players are fewer than bodies may be.
            body: bodies.as_mut().and_then(|bodies| bodies.add(*location, radius).ok()),
            team: team_of(number),
            role: Role::of_number(number - first_of(team_of(number))),
            carried: 0,
            destination_until: 0,
            safe_until: 0,
            is_idle: true,
        };
        let players: Vec<Player> = starts.iter().enumerate().map(&mut player).collect();
        let first_of_team = (0..teams).filter_map(|team| starts.get(first_of(team)));
        let bases: Vec<u32> =
            first_of_team.map(|start| routes.nearest(*start).unwrap_or(0)).collect();
        let orbs = (0..options.orbs).map(|_| routes.any(&mut rng).1).collect();
        let scores = vec![TeamScore::default(); bases.len()];
        Self { routes, rng, players, orbs, bases, bodies, scores, tick: 0 }
    }

    /// The first team that has brought so many orbs to its base.
    fn first_with(&self, orbs: u32) -> Option<usize> {
        self.scores.iter().position(|score| score.delivered >= orbs)
    }

    /// Rests on arrival, then chooses a destination and a route to it.
    fn think(&mut self, number: usize, pause_ticks: u32, search: &mut RouteSearch) {
        let Player { movement, role, is_idle, destination_until, .. } = &mut self.players[number];
        if !*is_idle && movement.has_arrived() {
            *is_idle = true;
            if !is_hasty(*role) {
                movement.rest(self.rng.random_range(0..=2 * pause_ticks));
            }
        }
        let is_time = *is_idle || *destination_until <= self.tick || movement.is_off_route();
        if movement.is_resting() || !is_time {
            return;
        }
        let role = *role;
        let (goal, ticks_max) = next_destination(role, self, number);
        let player = &mut self.players[number];
        player.destination_until = self.tick + ticks_max.unwrap_or(DESTINATION_TICKS);
        let Some(start) = player.movement.route_start(self.routes) else { return };
        if let Some(way) = self.routes.way(start, goal, search) {
            player.movement.follow(way);
            player.is_idle = false;
        }
    }

    fn walk(&mut self, number: usize, log: &mut GameLog) -> Result<(), LogProblem> {
        let Player { movement, body, .. } = &mut self.players[number];
        let before = movement.location;
        let ghost = match &self.bodies {
            Some(bodies) => self.routes.ghost().among(bodies, *body),
            None => *self.routes.ghost(),
        };
        let done = movement.tick(self.routes, &ghost, &mut self.rng);
        let after = movement.location;
        if let (Some(bodies), Some(body)) = (&mut self.bodies, *body) {
            bodies.set(body, after);
        }
        let event = |location, action| Event {
            time_ms: self.tick * TICK_MS,
            player: number as u32,
            location,
            action,
        };
        if let Some(to) = done.click {
            log.push(event(before, Action::SetDestination(to)))?;
        }
        if done.has_moved {
            log.push(event(after, Action::MoveUpdate))?;
        }
        Ok(())
    }

    fn pick_up_and_deliver(&mut self, number: usize) {
        let player = &mut self.players[number];
        let location = player.movement.location;
        let is_here = |orb: u32| are_close(self.routes.location(orb), location);
        let score = &mut self.scores[player.team];
        if player.carried > 0 && is_here(self.bases[player.team]) {
            score.delivered += std::mem::take(&mut player.carried);
        }
        if player.carried == CARRIED_MAX {
            return;
        }
        if let Some(orb) = self.orbs.iter_mut().find(|orb| is_here(**orb)) {
            player.carried += 1;
            score.gathered += 1;
            *orb = self.routes.any(&mut self.rng).1;
        }
    }

    /// Whether a player was tagged recently and cannot be tagged now.
    pub(super) fn is_safe(&self, player: &Player) -> bool {
        player.safe_until > self.tick
    }

    /// Hunters and guards tag opponents that are close.
    fn tag(&mut self) {
        for tagger in 0..self.players.len() {
            let Player { movement, team, role, .. } = &self.players[tagger];
            if !role.tags() || movement.is_resting() {
                continue;
            }
            let (location, team) = (movement.location, *team);
            let caught = self.players.iter_mut().find(|other| {
                other.team != team
                    && other.safe_until <= self.tick
                    && are_close(other.movement.location, location)
            });
            if let Some(caught) = caught {
                caught.movement.rest(TICKLE_TICKS);
                caught.safe_until = self.tick + SAFE_TICKS;
                caught.carried = 0;
                self.players[tagger].movement.rest(TICKLE_TICKS);
                self.scores[team].tags += 1;
            }
        }
    }
}

/// Where players start: the scene's players, then random places.
fn starts(routes: &TownRoutes<'_>, players: usize, rng: &mut Pcg64Mcg) -> Vec<Location> {
    let of_scene = routes.ghost().scene().players().iter();
    let mut starts: Vec<Location> =
        of_scene.take(players).map(|start| Location::new(start.at, start.level)).collect();
    while starts.len() < players {
        starts.push(routes.any(rng).0);
    }
    starts
}

fn are_close(a: Location, b: Location) -> bool {
    a.level == b.level && a.at.distance(b.at) <= REACH
}
