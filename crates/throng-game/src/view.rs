//! What can be seen of a game.

use throng_scene::{Location, ValidScene};

use crate::game::{Game, Phase, TeamScore};
use crate::log::PlayLog;
use crate::options::GameOptions;
use crate::player::{Player, PlayerNumber};

impl Game {
    /// The options that it was made with.
    #[must_use]
    pub fn options(&self) -> &GameOptions {
        &self.options
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &ValidScene {
        &self.ground.scene
    }

    /// The ticks since the game was made.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.tick
    }

    /// The ticks since the round began.
    #[must_use]
    pub fn round_tick(&self) -> u64 {
        self.tick - self.round_began
    }

    /// The number of the round, from 1.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether the round goes on.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// All players, in the order in which they joined.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player with a number; `None` when it has left.
    #[must_use]
    pub fn player(&self, number: PlayerNumber) -> Option<&Player> {
        self.index_of(number).map(|index| &self.players[index])
    }

    /// Where the players are that moved in the last tick.
    #[must_use]
    pub fn moved(&self) -> &[Location] {
        &self.moved
    }

    /// What the searches of the last tick cost, in nodes of the lattice that they expanded; each search
    /// costs some nodes more.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// The orbs on the ground.
    #[must_use]
    pub fn orbs(&self) -> &[Location] {
        &self.orbs
    }

    /// Each team's base.
    #[must_use]
    pub fn bases(&self) -> &[Location] {
        &self.bases
    }

    /// Each team's score in this round.
    #[must_use]
    pub fn scores(&self) -> &[TeamScore] {
        &self.scores
    }

    /// The log of this round.
    #[must_use]
    pub fn log(&self) -> &PlayLog {
        &self.log
    }

    /// Takes the log of this round; a new one begins.
    #[must_use]
    pub fn take_log(&mut self) -> PlayLog {
        std::mem::take(&mut self.log)
    }

    /// A hash of what players see: equal for equal games on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add(self.tick);
        hash.add(u64::from(self.round));
        for player in &self.players {
            hash.add(u64::from(player.number.0) << 16 | u64::from(player.carried));
            hash.add(player.still_until ^ player.safe_until << 32);
            hash.add_location(player.location);
        }
        self.orbs.iter().for_each(|orb| hash.add_location(*orb));
        for score in &self.scores {
            hash.add(u64::from(score.delivered) << 32 | u64::from(score.gathered));
            hash.add(u64::from(score.tags));
        }
        hash.0
    }
}

/// The hash of Fowler, Noll and Vo over whole words.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn add_location(&mut self, location: Location) {
        self.add(location.at.x.to_bits());
        self.add(location.at.y.to_bits());
        self.add(u64::from(location.level.0));
    }
}
