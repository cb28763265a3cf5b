//! A game as it is saved, and how it goes on from that.
//!
//! Where everybody is and goes, what they carry, the scores and the log of the round are saved. Paths
//! are not: they are found again from where the players are. Random choices go on from the seed and the
//! tick, so that a restored game is not the same game as one that was never saved.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use throng_scene::{GhostOptions, Level, Location, Point, ValidScene};

use crate::game::{Game, Phase, TeamScore};
use crate::join::checked_name;
use crate::log::PlayLog;
use crate::options::{CARRIED_MAX, GameError, GameOptions, ORBS_MAX, PAUSE_TICKS, PEOPLE_MAX};
use crate::player::{Computer, Motion, Player, PlayerNumber, Role, Route};

/// A game as it is saved: plain data, which may come from anywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    options: SavedOptions,
    tick: u64,
    round: u32,
    round_began: u64,
    /// The winner and the tick of the next round while the round is over.
    over: Option<(Option<u32>, u64)>,
    /// By team: orbs gathered, orbs delivered, tags.
    scores: Vec<[u32; 3]>,
    orbs: Vec<Place>,
    players: Vec<SavedPlayer>,
    next_number: u16,
    next_name: u64,
}

/// A location.
type Place = (Point, Level);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SavedOptions {
    players: u32,
    teams: u32,
    orbs: u32,
    orbs_to_win: u32,
    round_ticks: u64,
    bodies_block: bool,
    seed: u64,
    radius: f64,
    step: f64,
    stride_max: u32,
    crowded: f64,
    slant_reach: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedPlayer {
    number: u16,
    name: String,
    team: u32,
    role: Option<Role>,
    decides_at: u64,
    at: Place,
    heading: Point,
    going: Going,
    carried: u8,
    delivered: u32,
    tags: u32,
    still_until: u64,
    safe_until: u64,
    commanded_at: u64,
}

/// How a player moves, without its path.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Going {
    Stands,
    Straight { to: Point, stairs: Option<Place> },
    Path { goal: Place },
    Climbs { to: Place, ticks_left: u32, goal: Option<Place> },
}

fn place(at: Location) -> Place {
    (at.at, at.level)
}

fn location((at, level): Place) -> Location {
    Location { at, level }
}

impl Game {
    /// What [`Game::restore`] needs beside the scene and the log of the round.
    #[must_use]
    pub fn save(&self) -> SavedGame {
        let score = |score: &TeamScore| [score.gathered, score.delivered, score.tags];
        SavedGame {
            options: SavedOptions::of(&self.options),
            tick: self.tick,
            round: self.round,
            round_began: self.round_began,
            over: match self.phase {
                Phase::Playing => None,
                Phase::Over { winner, until } => Some((winner, until)),
            },
            scores: self.scores.iter().map(score).collect(),
            orbs: self.orbs.iter().copied().map(place).collect(),
            players: self.players.iter().map(SavedPlayer::of).collect(),
            next_number: self.next_number,
            next_name: self.next_name as u64,
        }
    }

    /// Goes on with a game that was saved in this scene, with the log of its round. Where a player
    /// can no longer be, it begins at its base.
    ///
    /// ```
    /// use throng_game::{Game, GameOptions};
    /// use throng_scene::town;
    ///
    /// let scene = town(7).validate()?;
    /// let mut game = Game::new(scene.clone(), GameOptions::default())?;
    /// let anna = game.join("anna", None)?;
    /// game.tick();
    /// let again = Game::restore(scene, &game.save(), game.log().clone())?;
    /// assert_eq!(again.hash(), game.hash());
    /// assert!(again.player(anna).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When an option is out of its range, or what was saved does not fit together.
    pub fn restore(scene: ValidScene, saved: &SavedGame, log: PlayLog) -> Result<Self, GameError> {
        let options = saved.options.options();
        let mut game = Self::new(scene, options)?;
        saved.check(&game)?;
        game.tick = saved.tick;
        game.rng = Pcg64Mcg::seed_from_u64(options.seed ^ saved.tick.rotate_left(32));
        (game.round, game.round_began) = (saved.round, saved.round_began);
        game.phase = match saved.over {
            None => Phase::Playing,
            Some((winner, until)) => Phase::Over { winner, until },
        };
        let score =
            |&[gathered, delivered, tags]: &[u32; 3]| TeamScore { gathered, delivered, tags };
        game.scores = saved.scores.iter().map(score).collect();
        game.orbs = saved.orbs.iter().copied().map(location).collect();
        (game.next_number, game.next_name) = (saved.next_number, saved.next_name as usize);
        game.players = saved.players.iter().map(SavedPlayer::player).collect();
        game.renew_bodies(false);
        for index in 0..game.players.len() {
            let player = &game.players[index];
            // On stairs a body is where its climb began.
            match game.ground.is_free(player.location) {
                true => game.set_body(index),
                false => game.put_at_base(index),
            }
        }
        (game.log, game.events) = (log, Vec::new());
        Ok(game)
    }
}

impl SavedGame {
    /// Whether all of it is possible in a game with its options.
    fn check(&self, game: &Game) -> Result<(), GameError> {
        let scene = &game.ground.scene;
        let is_on_map = |&(at, level): &Place| {
            let highest = scene.levels().last().map_or(0, |level| level.0);
            at.is_finite() && scene.bounds().contains(at) && level.0 <= highest
        };
        let mut numbers: Vec<u16> = self.players.iter().map(|player| player.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let (teams, players) = (self.options.teams, self.options.players as usize);
        // Computer players fill a game up; people may be more than its players.
        let count = players..=players.max(PEOPLE_MAX);
        let is_possible = numbers.len() == self.players.len()
            && count.contains(&self.players.len())
            && self.scores.len() == teams as usize
            && self.orbs.len() <= ORBS_MAX as usize
            && self.orbs.iter().all(is_on_map)
            && self.round_began <= self.tick
            && self.tick <= u64::from(u32::MAX)
            && self.over.is_none_or(|(winner, until)| {
                winner.is_none_or(|team| team < teams) && until <= self.tick + PAUSE_TICKS
            })
            && self.players.iter().all(|player| {
                player.team < teams
                    && player.carried <= CARRIED_MAX
                    && player.heading.is_finite()
                    && checked_name(&player.name).is_ok_and(|name| name == player.name)
                    && player.places().iter().all(is_on_map)
            });
        if is_possible { Ok(()) } else { Err(GameError::Saved) }
    }
}

impl SavedOptions {
    fn of(options: &GameOptions) -> Self {
        let GameOptions { players, teams, orbs, orbs_to_win, round_ticks, bodies_block, .. } =
            *options;
        let GhostOptions { radius, step, stride_max, crowded, slant_reach } = options.body;
        let seed = options.seed;
        Self {
            players,
            teams,
            orbs,
            orbs_to_win,
            round_ticks,
            bodies_block,
            seed,
            radius,
            step,
            stride_max,
            crowded,
            slant_reach,
        }
    }

    fn options(&self) -> GameOptions {
        let Self { players, teams, orbs, orbs_to_win, round_ticks, bodies_block, seed, .. } = *self;
        let Self { radius, step, stride_max, crowded, slant_reach, .. } = *self;
        let body = GhostOptions { radius, step, stride_max, crowded, slant_reach };
        GameOptions { players, teams, orbs, orbs_to_win, round_ticks, bodies_block, body, seed }
    }
}

impl SavedPlayer {
    fn of(player: &Player) -> Self {
        Self {
            number: player.number.0,
            name: player.name.clone(),
            team: player.team,
            role: player.role(),
            decides_at: player.computer.map_or(0, |computer| computer.decides_at),
            at: place(player.location),
            heading: player.heading,
            going: Going::of(&player.motion),
            carried: player.carried,
            delivered: player.delivered,
            tags: player.tags,
            still_until: player.still_until,
            safe_until: player.safe_until,
            commanded_at: player.commanded_at,
        }
    }

    fn player(&self) -> Player {
        Player {
            number: PlayerNumber(self.number),
            name: self.name.clone(),
            team: self.team,
            computer: self.role.map(|role| Computer { role, decides_at: self.decides_at }),
            location: location(self.at),
            heading: self.heading,
            body: None,
            motion: self.going.motion(),
            carried: self.carried,
            delivered: self.delivered,
            tags: self.tags,
            still_until: self.still_until,
            safe_until: self.safe_until,
            obstructed: 0,
            commanded_at: self.commanded_at,
            route_edition: 0,
        }
    }

    /// Every place that is saved of it.
    fn places(&self) -> Vec<Place> {
        let level = self.at.1;
        let of_motion = match self.going {
            Going::Stands => [None, None],
            Going::Straight { to, stairs } => [Some((to, level)), stairs],
            Going::Path { goal } => [Some(goal), None],
            Going::Climbs { to, goal, .. } => [Some(to), goal],
        };
        [Some(self.at)].into_iter().chain(of_motion).flatten().collect()
    }
}

impl Going {
    fn of(motion: &Motion) -> Self {
        match motion {
            Motion::Stands => Self::Stands,
            Motion::Straight { to, stairs } => {
                Self::Straight { to: *to, stairs: stairs.map(place) }
            }
            Motion::Path(route) => Self::Path { goal: place(route.goal) },
            Motion::Climbs { to, ticks_left, then } => Self::Climbs {
                to: place(*to),
                ticks_left: *ticks_left,
                goal: then.as_ref().map(|route| place(route.goal)),
            },
        }
    }

    fn motion(self) -> Motion {
        let route = |goal: Place| Box::new(Route::to(location(goal)));
        match self {
            Self::Stands => Motion::Stands,
            Self::Straight { to, stairs } => Motion::Straight { to, stairs: stairs.map(location) },
            Self::Path { goal } => Motion::Path(route(goal)),
            Self::Climbs { to, ticks_left, goal } => {
                Motion::Climbs { to: location(to), ticks_left, then: goal.map(route) }
            }
        }
    }
}
