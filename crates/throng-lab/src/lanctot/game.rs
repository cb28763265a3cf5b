//! A headless game in the spirit of the paper's: *Operation: Orbius*.
//!
//! Lanctot et al. (2006), "Orbius" and figure 7. Teams of four gather the orbs that lie in the
//! town and bring them to their base, and tag ("tickle") each other: who is tagged drops its
//! orbs and stands still for a while. The paper's players were people; ours have simple aims
//! that differ ([`Aim`]). The paper does not tell the rules in detail: the numbers are ours.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::scene::Location;

use super::aims::Aim;
use super::log::{Action, Event, GameLog, LogProblem};
use super::walker::{TICK_MS, Walker};
use super::walkways::{Scratch, Walkways};

/// Players of a team.
pub const TEAM_SIZE: usize = 4;
/// Most orbs that a player carries.
pub(super) const CARRIED_MAX: u32 = 3;
/// How near a player comes to pick up an orb, to be at its base, or to tag, in units.
const REACH: f64 = 0.4;
/// How long a tagged player stands still, and who tags it: they tickle each other.
const TICKLE_TICKS: u32 = 25;
/// How long a tagged player cannot be tagged again: it can get far away, and bring orbs home.
const SAFE_TICKS: u64 = 400;
/// How long an errand may take until the player thinks of another.
const ERRAND_TICKS: u64 = 600;

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// How long it takes.
    pub seconds: u32,
    /// Mean time between two clicks of a player who walks.
    pub click_interval_ms: u32,
    /// Mean time that a player rests after an errand.
    pub pause_ms: u32,
    /// Orbs in the town at any time.
    pub orbs: u32,
    /// Decides all that happens by chance.
    pub seed: u64,
}

/// What a team achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamScore {
    /// Orbs picked up.
    pub gathered: u32,
    /// Orbs brought to the base.
    pub delivered: u32,
    /// Opponents tagged.
    pub tags: u32,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// All that the server would have logged.
    pub log: GameLog,
    /// Each team's score.
    pub scores: Vec<TeamScore>,
}

/// Everything that players may look at when they choose an errand.
pub(super) struct World<'a> {
    pub(super) walkways: &'a Walkways<'a>,
    pub(super) rng: Pcg64Mcg,
    pub(super) players: Vec<Player>,
    /// Where orbs lie.
    pub(super) orbs: Vec<u32>,
    /// Each team's base.
    pub(super) bases: Vec<u32>,
    scores: Vec<TeamScore>,
    tick: u64,
}

/// A player.
pub(super) struct Player {
    pub(super) walker: Walker,
    pub(super) team: usize,
    pub(super) aim: Aim,
    pub(super) carried: u32,
    errand_until: u64,
    safe_until: u64,
    /// It has arrived, but not yet chosen another errand.
    is_idle: bool,
}

/// Plays a game in a scene, with the players of the scene at the locations where they begin:
/// the first four are a team, and so on. The same options give the same game.
///
/// ```
/// use throng_lab::lanctot::{GAMES, GameOptions, Walkways, play};
/// use throng_scene::{CollisionMeter, GhostOptions, town};
/// let scene = town(1).validate()?;
/// let meter = CollisionMeter::new();
/// let walkways = Walkways::new(&scene, GhostOptions::default(), &meter)?;
/// let game = play(&walkways, &GameOptions { seconds: 5, ..GAMES[2] })?;
/// assert_eq!(game.scores.len(), 6);
/// assert!(game.log.move_updates() > game.log.set_destinations());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the game is so long that its log would be too.
pub fn play(walkways: &Walkways<'_>, options: &GameOptions) -> Result<Game, LogProblem> {
    let mut world = World::new(walkways, options);
    let mut log = GameLog::default();
    let mut scratch = Scratch::default();
    let pause_ticks = (u64::from(options.pause_ms) / TICK_MS) as u32;
    for tick in 1..=u64::from(options.seconds) * 1000 / TICK_MS {
        world.tick = tick;
        for number in 0..world.players.len() {
            world.think(number, pause_ticks, &mut scratch);
            world.walk(number, &mut log)?;
            world.pick_up_and_deliver(number);
        }
        world.tag();
    }
    Ok(Game { log, scores: world.scores })
}

impl<'a> World<'a> {
    fn new(walkways: &'a Walkways<'a>, options: &GameOptions) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(options.seed);
        let habit_ticks = (u64::from(options.click_interval_ms) / TICK_MS).max(1) as u32;
        let starts = walkways.ghost().scene().players();
        let starts: Vec<Location> =
            starts.iter().map(|start| Location::new(start.at, start.level)).collect();
        let player = |(number, location): (usize, &Location)| Player {
            walker: Walker::new(*location, habit_ticks),
            team: number / TEAM_SIZE,
            aim: Aim::ALL[number % TEAM_SIZE],
            carried: 0,
            errand_until: 0,
            safe_until: 0,
            is_idle: true,
        };
        let players: Vec<Player> = starts.iter().enumerate().map(player).collect();
        let first_of_team = starts.iter().step_by(TEAM_SIZE);
        let bases: Vec<u32> =
            first_of_team.map(|start| walkways.nearest(*start).unwrap_or(0)).collect();
        let orbs = (0..options.orbs).map(|_| walkways.any(&mut rng).1).collect();
        let scores = vec![TeamScore::default(); bases.len()];
        Self { walkways, rng, players, orbs, bases, scores, tick: 0 }
    }

    /// Rests on arrival; then chooses an errand, and the way to it.
    fn think(&mut self, number: usize, pause_ticks: u32, scratch: &mut Scratch) {
        let Player { walker, aim, is_idle, errand_until, .. } = &mut self.players[number];
        if !*is_idle && walker.has_arrived() {
            *is_idle = true;
            if !aim.is_hasty() {
                walker.rest(self.rng.random_range(0..=2 * pause_ticks));
            }
        }
        let is_time = *is_idle || *errand_until <= self.tick;
        if walker.is_resting() || !is_time {
            return;
        }
        let aim = *aim;
        let (goal, ticks_max) = aim.errand(self, number);
        let player = &mut self.players[number];
        player.errand_until = self.tick + ticks_max.unwrap_or(ERRAND_TICKS);
        let Some(start) = player.walker.way_start(self.walkways) else { return };
        if let Some(way) = self.walkways.way(start, goal, scratch) {
            player.walker.follow(way);
            player.is_idle = false;
        }
    }

    fn walk(&mut self, number: usize, log: &mut GameLog) -> Result<(), LogProblem> {
        let walker = &mut self.players[number].walker;
        let before = walker.location;
        let done = walker.tick(self.walkways, &mut self.rng);
        let after = walker.location;
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
        let location = player.walker.location;
        let is_here = |orb: u32| are_close(self.walkways.location(orb), location);
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
            *orb = self.walkways.any(&mut self.rng).1;
        }
    }

    /// Whether a player was tagged a moment ago, and cannot be again.
    pub(super) fn is_safe(&self, player: &Player) -> bool {
        player.safe_until > self.tick
    }

    /// Hunters and guards tag opponents that are close.
    fn tag(&mut self) {
        for tagger in 0..self.players.len() {
            let Player { walker, team, aim, .. } = &self.players[tagger];
            if !aim.tags() || walker.is_resting() {
                continue;
            }
            let (location, team) = (walker.location, *team);
            let caught = self.players.iter_mut().find(|other| {
                other.team != team
                    && other.safe_until <= self.tick
                    && are_close(other.walker.location, location)
            });
            if let Some(caught) = caught {
                caught.walker.rest(TICKLE_TICKS);
                caught.safe_until = self.tick + SAFE_TICKS;
                caught.carried = 0;
                self.players[tagger].walker.rest(TICKLE_TICKS);
                self.scores[team].tags += 1;
            }
        }
    }
}

fn are_close(a: Location, b: Location) -> bool {
    a.level == b.level && a.at.distance(b.at) <= REACH
}
