//! The options of a game, its numbers, and what can be wrong.

use throng_scene::{GhostError, GhostOptions, LocationError, PathfinderError};

/// Milliseconds of a tick: a move update of every walking player.
pub const TICK_MS: u64 = 100;
/// The distance that a player walks per tick, in units: 2 per second.
pub const STRIDE: f64 = 0.2;
/// Most orbs that a player carries.
pub const CARRIED_MAX: u8 = 3;
/// The distance at which a player picks up an orb, is at its base, or tags, in units.
pub const REACH: f64 = 0.5;
/// How long a tagged player stands still, and how long the one who tagged it.
pub(crate) const TAGGED_TICKS: u64 = 25;
pub(crate) const TAGGER_TICKS: u64 = 10;
/// How long a tagged player cannot be tagged again, nor tag, so that it can get away.
pub(crate) const SAFE_TICKS: u64 = 100;
/// How long the winner is shown before the next round.
pub(crate) const PAUSE_TICKS: u64 = 80;

/// Most players of a game, people and computer players.
pub const PLAYERS_MAX: u32 = 200;
/// Most people of a game.
pub const PEOPLE_MAX: usize = 64;
/// Most teams of a game.
pub const TEAMS_MAX: u32 = 8;
/// Most orbs of a game.
pub(crate) const ORBS_MAX: u32 = 200;
/// The longest round, in ticks: ten hours.
pub(crate) const ROUND_TICKS_MAX: u64 = 360_000;
/// The longest name of a player.
pub const NAME_CHARACTERS_MAX: usize = 20;

/// The options of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameOptions {
    /// How many play. People take the places of computer players; the rest is computer players.
    pub players: u32,
    /// Teams of equal size, or nearly.
    pub teams: u32,
    /// Orbs in the scene, those that are carried included.
    pub orbs: u32,
    /// The first team that has brought so many orbs to its base wins the round.
    pub orbs_to_win: u32,
    /// The longest round in ticks; then the team with most orbs wins.
    pub round_ticks: u64,
    /// Whether players are obstacles for each other. They step aside, and nobody is held up for long.
    pub bodies_block: bool,
    /// A player's body, and the steps by which its paths are found.
    pub body: GhostOptions,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for GameOptions {
    /// The paper's game: 24 players in six teams, a quarter of an hour.
    fn default() -> Self {
        Self {
            players: 24,
            teams: 6,
            orbs: 16,
            orbs_to_win: 12,
            round_ticks: 9_000,
            bodies_block: true,
            body: GhostOptions::default(),
            seed: 0,
        }
    }
}

/// Why a game cannot be made, or a command not be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// A number is out of its range.
    #[error("{what}: {given}; give {min} to {max}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What was given.
        given: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// The body.
    #[error(transparent)]
    Body(#[from] GhostError),
    /// The pathfinder refuses its options.
    #[error(transparent)]
    Pathfinder(#[from] PathfinderError),
    /// The scene has no room for the players.
    #[error(
        "the scene has no room for bodies of this size: take another scene or a smaller radius"
    )]
    NoRoom,
    /// The name of a player is empty, too long or has other characters.
    #[error(
        "a name has 1 to {NAME_CHARACTERS_MAX} letters, digits, spaces and any of - _ . ': choose another"
    )]
    Name,
    /// The game is full.
    #[error("{PEOPLE_MAX} people play, the limit: watch, or join when one has left")]
    Full,
    /// There is no such team.
    #[error("team {given}: the teams are 0 to {last}")]
    Team {
        /// The team asked for.
        given: u32,
        /// The last team.
        last: u32,
    },
    /// What was saved of a game does not fit together.
    #[error("the saved game is damaged: it does not fit together")]
    Saved,
    /// There is no such player.
    #[error("this player has left the game: join again")]
    NoSuchPlayer,
    /// A destination is off the map.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// No body fits at a destination.
    #[error("nobody fits there: choose a place that is free")]
    Blocked,
    /// The player is on stairs.
    #[error("stairs are left at their ends: wait a moment, or choose a path")]
    OnStairs,
    /// The round is over.
    #[error("the round is over: the next one begins in some seconds")]
    RoundOver,
    /// There is nobody to be tagged.
    #[error("no opponent in reach who can be tagged: come closer")]
    NobodyInReach,
    /// The player cannot tag now.
    #[error("a player who was tagged cannot tag for ten seconds: wait")]
    NotYet,
}

impl GameOptions {
    /// The first option that is out of its range.
    pub(crate) fn check(&self) -> Result<(), GameError> {
        let ranges = [
            ("players", u64::from(self.players), 2, u64::from(PLAYERS_MAX)),
            ("teams", u64::from(self.teams), 2, u64::from(TEAMS_MAX.min(self.players))),
            ("orbs", u64::from(self.orbs), 1, u64::from(ORBS_MAX)),
            ("orbs to win", u64::from(self.orbs_to_win), 1, 1_000_000),
            ("ticks of a round", self.round_ticks, 1, ROUND_TICKS_MAX),
        ];
        let wrong = ranges.into_iter().find(|(_, given, min, max)| !(min..=max).contains(&given));
        match wrong {
            Some((what, given, min, max)) => Err(GameError::OutOfRange { what, given, min, max }),
            None => Ok(()),
        }
    }
}
