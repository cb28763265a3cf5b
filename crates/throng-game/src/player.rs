//! A player: who it is, where it is, and what it is doing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use throng_scene::{BodyId, Location, Point, Walk};

/// A player's number. It is not given to another player for at least 60,000 joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerNumber(pub u16);

/// What a computer player does in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Gathers the nearest orbs and brings them home.
    Gather,
    /// Runs after opponents, those who carry orbs first.
    Hunt,
    /// Goes far, houses included, and takes along what it finds.
    Explore,
    /// Walks around its base and runs after those who come near.
    Guard,
}

impl Role {
    /// All roles, in the order of a team's computer players.
    pub const ALL: [Self; 4] = [Self::Gather, Self::Hunt, Self::Explore, Self::Guard];

    /// The role of a team's computer player by its number in the team, from 0.
    #[must_use]
    pub fn of_number(number: usize) -> Self {
        Self::ALL[number % Self::ALL.len()]
    }

    /// Whether it runs after opponents to tag them.
    #[must_use]
    pub fn tags(self) -> bool {
        matches!(self, Self::Hunt | Self::Guard)
    }
}

/// What a player is seen doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It stands.
    Stands,
    /// It walks straight, or along a path.
    Walks,
    /// It has a destination, and its path is not known yet.
    Plans,
    /// It climbs stairs.
    Climbs,
    /// It was tagged, or tags, and cannot move.
    Tickled,
}

/// A path that is found while the player follows it.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) goal: Location,
    /// The rest of the path; `None` until it is begun, and again when the player lost its path.
    pub(crate) walk: Option<Walk>,
    /// The locations ahead that are known.
    pub(crate) ahead: VecDeque<Location>,
    /// How often the path had to begin again.
    pub(crate) restarts: u8,
}

/// How a player moves.
#[derive(Clone, Debug)]
pub(crate) enum Motion {
    Stands,
    /// Straight to a point, and up or down the stairs that are there.
    Straight {
        to: Point,
        stairs: Option<Location>,
    },
    Path(Box<Route>),
    /// On stairs to their other end; then along the rest of the path.
    Climbs {
        to: Location,
        ticks_left: u32,
        then: Option<Box<Route>>,
    },
}

/// A computer player's role, and when it decides next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computer {
    pub(crate) role: Role,
    pub(crate) decides_at: u64,
}

/// A player of a game.
#[derive(Clone, Debug)]
pub struct Player {
    pub(crate) number: PlayerNumber,
    pub(crate) name: String,
    pub(crate) team: u32,
    pub(crate) computer: Option<Computer>,
    pub(crate) location: Location,
    /// A vector of length 1.
    pub(crate) heading: Point,
    pub(crate) body: Option<BodyId>,
    pub(crate) motion: Motion,
    pub(crate) carried: u8,
    pub(crate) delivered: u32,
    pub(crate) tags: u32,
    /// It cannot move before this tick.
    pub(crate) still_until: u64,
    /// It can neither be tagged nor tag before this tick.
    pub(crate) safe_until: u64,
    /// Grows while other bodies are in the way.
    pub(crate) obstructed: u32,
    /// The tick of its last command.
    pub(crate) commanded_at: u64,
    /// Changes whenever the known part of its path does.
    pub(crate) route_edition: u32,
}

impl Player {
    /// Its number.
    #[must_use]
    pub fn number(&self) -> PlayerNumber {
        self.number
    }

    /// Its name, unique in the game.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its team, from 0.
    #[must_use]
    pub fn team(&self) -> u32 {
        self.team
    }

    /// Its role, if it is a computer player.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.computer.map(|computer| computer.role)
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location
    }

    /// The direction of its last step: a vector of length 1.
    #[must_use]
    pub fn heading(&self) -> Point {
        self.heading
    }

    /// How many orbs it carries.
    #[must_use]
    pub fn carried(&self) -> u8 {
        self.carried
    }

    /// Orbs that it has brought to its base in this round.
    #[must_use]
    pub fn delivered(&self) -> u32 {
        self.delivered
    }

    /// Opponents that it has tagged in this round.
    #[must_use]
    pub fn tags(&self) -> u32 {
        self.tags
    }

    /// What it is doing at a tick.
    #[must_use]
    pub fn doing(&self, tick: u64) -> Doing {
        if self.still_until > tick {
            return Doing::Tickled;
        }
        match &self.motion {
            Motion::Stands => Doing::Stands,
            Motion::Straight { .. } => Doing::Walks,
            Motion::Path(route) if route.ahead.is_empty() => Doing::Plans,
            Motion::Path(_) => Doing::Walks,
            Motion::Climbs { .. } => Doing::Climbs,
        }
    }

    /// Whether it can neither be tagged nor tag at a tick.
    #[must_use]
    pub fn is_safe(&self, tick: u64) -> bool {
        self.safe_until > tick
    }

    /// The tick of its last command.
    #[must_use]
    pub fn commanded_at(&self) -> u64 {
        self.commanded_at
    }

    /// Changes whenever the known part of its way does.
    #[must_use]
    pub fn route_edition(&self) -> u32 {
        self.route_edition
    }

    /// The way ahead: the locations that are known, and the destination if the part before it is
    /// still to be found.
    #[must_use]
    pub fn way(&self) -> (Vec<Location>, Option<Location>) {
        let level = self.location.level;
        match &self.motion {
            Motion::Stands => (Vec::new(), None),
            Motion::Straight { to, .. } => (vec![Location::new(*to, level)], None),
            Motion::Climbs { to, then: None, .. } => (vec![*to], None),
            Motion::Path(route) => route.way(None),
            Motion::Climbs { to, then: Some(route), .. } => route.way(Some(*to)),
        }
    }

    pub(crate) fn is_person(&self) -> bool {
        self.computer.is_none()
    }

    /// Sets how it moves.
    pub(crate) fn set_motion(&mut self, motion: Motion) {
        self.motion = motion;
        self.obstructed = 0;
        self.route_edition = self.route_edition.wrapping_add(1);
    }
}

impl Route {
    pub(crate) fn to(goal: Location) -> Self {
        Self { goal, walk: None, ahead: VecDeque::new(), restarts: 0 }
    }

    fn way(&self, first: Option<Location>) -> (Vec<Location>, Option<Location>) {
        let known: Vec<Location> = first.into_iter().chain(self.ahead.iter().copied()).collect();
        let rest = (known.last() != Some(&self.goal)).then_some(self.goal);
        (corners(&known), rest)
    }
}

/// The locations at which a way turns, and its ends.
fn corners(way: &[Location]) -> Vec<Location> {
    let is_straight = |three: &[Location]| {
        let [a, b, c] = [three[0], three[1], three[2]];
        let (first, second) =
            ((b.at.x - a.at.x, b.at.y - a.at.y), (c.at.x - b.at.x, c.at.y - b.at.y));
        let turn = first.0 * second.1 - first.1 * second.0;
        a.level == b.level && b.level == c.level && turn.abs() < 1e-12
    };
    let middle = way.windows(3).filter(|three| !is_straight(three)).map(|three| three[1]);
    let (first, last) = (way.first().copied(), way.last().copied().filter(|_| way.len() > 1));
    first.into_iter().chain(middle).chain(last).collect()
}
