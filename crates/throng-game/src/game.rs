//! The game: its state, its commands, and its tick.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    Bodies, Location, LocationError, PathCacheOptions, PathfinderOptions, Point, ScenePathfinder,
    ValidScene,
};

use crate::ground::Ground;
use crate::log::{LoggedAction, PlayLog};
use crate::options::{GameError, GameOptions};
use crate::planning;
use crate::player::{Motion, Player, PlayerNumber, Route};
use crate::walking::Moved;

/// Places near each base at which players start.
const STARTS: usize = 400;
/// Most lattice nodes in the collision cache, and most entries of the path cache.
const CACHE_ENTRIES: usize = 1 << 18;

/// What a player can be told. The game judges it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Straight to a point of the player's level, until something is in the way: the paper's basic
    /// movement. Where stairs begin there, it climbs them.
    Straight(Point),
    /// To a location by a path, which is found while it walks.
    Path(Location),
    /// Stand.
    Stop,
    /// Tag the nearest opponent in reach.
    Tag,
}

/// What happened in a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player joined.
    Joined {
        /// Who.
        player: PlayerNumber,
    },
    /// A player left.
    Left {
        /// Who.
        player: PlayerNumber,
        /// Its name.
        name: String,
        /// Whether it was a person.
        is_person: bool,
    },
    /// A player picked up an orb.
    Gathered {
        /// Who.
        player: PlayerNumber,
    },
    /// A player brought orbs to its base.
    Delivered {
        /// Who.
        player: PlayerNumber,
        /// How many.
        count: u8,
    },
    /// A player tagged another, who dropped its orbs.
    Tagged {
        /// Who.
        by: PlayerNumber,
        /// Whom.
        player: PlayerNumber,
    },
    /// No path leads to a player's destination, or it lost its path again and again.
    NoPath {
        /// Whose.
        player: PlayerNumber,
    },
    /// A round is over.
    RoundOver {
        /// The team that won; `None` when several were equal.
        winner: Option<u32>,
    },
    /// A round began.
    RoundBegan {
        /// Its number, from 1.
        round: u32,
    },
}

/// Whether a round goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It goes on.
    Playing,
    /// It is over; nobody moves.
    Over {
        /// The team that won; `None` when several were equal.
        winner: Option<u32>,
        /// The tick at which the next one begins.
        until: u64,
    },
}

/// The score of a team in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamScore {
    /// Orbs picked up.
    pub gathered: u32,
    /// Orbs brought to the base.
    pub delivered: u32,
    /// Opponents tagged.
    pub tags: u32,
}

impl TeamScore {
    /// The one team that brought most orbs to its base; `None` when several did, or none.
    #[must_use]
    pub fn leader(scores: &[Self]) -> Option<usize> {
        let most = scores.iter().map(|score| score.delivered).max().filter(|most| *most > 0)?;
        let mut best = (0..scores.len()).filter(|&team| scores[team].delivered == most);
        best.next().filter(|_| best.next().is_none())
    }
}

/// A game. The crate's documentation has an example.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) options: GameOptions,
    pub(crate) ground: Ground,
    finder: ScenePathfinder,
    pub(crate) rng: Pcg64Mcg,
    pub(crate) players: Vec<Player>,
    /// The players' bodies, where they are obstacles for each other.
    pub(crate) bodies: Option<Bodies>,
    pub(crate) orbs: Vec<Location>,
    pub(crate) bases: Vec<Location>,
    /// By team, places near its base.
    pub(crate) starts: Vec<Vec<Location>>,
    pub(crate) scores: Vec<TeamScore>,
    pub(crate) tick: u64,
    pub(crate) round: u32,
    pub(crate) round_began: u64,
    pub(crate) phase: Phase,
    pub(crate) log: PlayLog,
    pub(crate) events: Vec<Event>,
    /// Where the players are that moved in the last tick.
    pub(crate) moved: Vec<Location>,
    /// What the searches of the last tick cost, in nodes.
    pub(crate) searched: u64,
    pub(crate) next_number: u16,
    pub(crate) next_name: usize,
}

impl Game {
    /// A game in a scene, with computer players, in its first round.
    ///
    /// # Errors
    /// When an option is out of its range, or the scene has no room for the players.
    pub fn new(scene: ValidScene, options: GameOptions) -> Result<Self, GameError> {
        options.check()?;
        let cache = PathCacheOptions { entries_max: CACHE_ENTRIES, ..PathCacheOptions::default() };
        let of_paths = PathfinderOptions {
            ghost: options.body,
            collision_cache: Some(CACHE_ENTRIES),
            path_cache: Some(cache),
            nodes_max: planning::NODES_MAX,
            ..PathfinderOptions::default()
        };
        let finder = ScenePathfinder::new(&scene, of_paths, &[])?;
        let ground = Ground::new(scene, options.body)?;
        let bases = ground.bases(options.teams as usize);
        let starts = bases.iter().map(|base| ground.places_near(*base, STARTS)).collect();
        let bodies = options.bodies_block.then(|| Bodies::new(&ground.scene));
        let scores = vec![TeamScore::default(); bases.len()];
        let mut game = Self {
            options,
            ground,
            finder,
            rng: Pcg64Mcg::seed_from_u64(options.seed),
            players: Vec::new(),
            bodies,
            orbs: Vec::new(),
            bases,
            starts,
            scores,
            tick: 0,
            round: 0,
            round_began: 0,
            phase: Phase::Playing,
            log: PlayLog::default(),
            events: Vec::new(),
            moved: Vec::new(),
            searched: 0,
            next_number: 0,
            next_name: 0,
        };
        game.fill();
        game.begin_round();
        Ok(game)
    }

    /// Carries out a command of a player.
    ///
    /// # Errors
    /// When the player has left, the round is over, or the command is not possible. Then nothing
    /// changes.
    pub fn command(&mut self, number: PlayerNumber, command: Command) -> Result<(), GameError> {
        let index = self.index_of(number).ok_or(GameError::NoSuchPlayer)?;
        self.players[index].commanded_at = self.tick;
        if self.phase != Phase::Playing {
            return Err(GameError::RoundOver);
        }
        self.carry_out(index, command)
    }

    pub(crate) fn carry_out(&mut self, index: usize, command: Command) -> Result<(), GameError> {
        let here = self.players[index].location;
        let motion = match command {
            Command::Tag => return self.tag(index),
            Command::Stop => Motion::Stands,
            Command::Straight(to) => {
                let stairs = self.ground.stairs_at(self.checked(Location::new(to, here.level))?);
                match stairs {
                    Some((foot, end)) => Motion::Straight { to: foot.at, stairs: Some(end) },
                    None => Motion::Straight { to, stairs: None },
                }
            }
            Command::Path(to) => {
                let to = self.checked(to)?;
                let goal = match self.ground.stairs_at(to) {
                    Some((_, end)) => end,
                    None => self.ground.nearest_free(to).ok_or(GameError::Blocked)?,
                };
                Motion::Path(Box::new(Route::to(goal)))
            }
        };
        let logged = match &motion {
            Motion::Straight { to, .. } => Some(*to),
            // On another level the destination is the point below or above it.
            Motion::Path(route) => Some(route.goal.at),
            _ => None,
        };
        // Stairs are left at their ends only.
        if matches!(self.players[index].motion, Motion::Climbs { .. }) {
            return self.after_climb(index, motion, logged);
        }
        self.players[index].set_motion(motion);
        self.log_destination(index, logged);
        Ok(())
    }

    /// What a player on stairs does at their end: it goes on along a path, or stands.
    fn after_climb(
        &mut self,
        index: usize,
        motion: Motion,
        logged: Option<Point>,
    ) -> Result<(), GameError> {
        let route = match motion {
            Motion::Path(route) => Some(route),
            Motion::Stands => None,
            _ => return Err(GameError::OnStairs),
        };
        let player = &mut self.players[index];
        if let Motion::Climbs { then, .. } = &mut player.motion {
            *then = route;
        }
        player.route_edition = player.route_edition.wrapping_add(1);
        self.log_destination(index, logged);
        Ok(())
    }

    fn log_destination(&mut self, index: usize, to: Option<Point>) {
        let Some(to) = to else { return };
        let (number, location) = (self.players[index].number, self.players[index].location);
        self.log.push(self.round_tick(), number, location, LoggedAction::Destination(to));
    }

    /// A location that is on the map.
    fn checked(&self, at: Location) -> Result<Location, LocationError> {
        let scene = &self.ground.scene;
        let (width, height) = (scene.width(), scene.height());
        if !at.at.is_finite() || !scene.bounds().contains(at.at) {
            return Err(LocationError::OffMap { at: at.at, width, height });
        }
        let highest = scene.levels().last().map_or(0, |level| level.0);
        match at.level.0 <= highest {
            true => Ok(at),
            false => Err(LocationError::NoSuchLevel { level: at.level, highest }),
        }
    }

    /// Moves everybody by one tick. Returns what happened since the tick before, by commands too.
    pub fn tick(&mut self) -> Vec<Event> {
        self.tick += 1;
        self.moved.clear();
        self.searched = 0;
        match self.phase {
            Phase::Over { until, .. } if until <= self.tick => self.begin_round(),
            Phase::Over { .. } => {}
            Phase::Playing => self.play(),
        }
        std::mem::take(&mut self.events)
    }

    fn play(&mut self) {
        for index in 0..self.players.len() {
            self.think(index);
        }
        let turn = (self.tick % self.players.len().max(1) as u64) as usize;
        let planned = planning::plan(&mut self.players, &mut self.finder, &self.ground, turn);
        self.searched = planned.spent;
        for index in planned.failed {
            self.give_up(index);
        }
        for index in 0..self.players.len() {
            self.walk(index);
            self.gather_and_deliver(index);
        }
        self.end_round();
    }

    fn walk(&mut self, index: usize) {
        let player = &mut self.players[index];
        if player.still_until > self.tick {
            return;
        }
        let others = self.bodies.as_ref().map(|bodies| (bodies, player.body));
        match player.walk(&self.ground, others) {
            Moved::No => {}
            Moved::GaveUp => self.give_up(index),
            Moved::Yes => {
                let (number, location) = (player.number, player.location);
                self.set_body(index);
                self.moved.push(location);
                self.log.push(self.round_tick(), number, location, LoggedAction::Move);
            }
        }
    }

    fn give_up(&mut self, index: usize) {
        let player = &mut self.players[index];
        player.set_motion(Motion::Stands);
        self.events.push(Event::NoPath { player: player.number });
    }

    pub(crate) fn index_of(&self, number: PlayerNumber) -> Option<usize> {
        self.players.iter().position(|player| player.number == number)
    }
}
