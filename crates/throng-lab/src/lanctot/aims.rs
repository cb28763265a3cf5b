//! What players want: simple aims that differ, one for each player of a team.

use throng::scene::Location;
use throng_scene::Level;

use super::game::{CARRIED_MAX, Player, World};

/// How far from its base a guard goes, in units.
const GUARDED: f64 = 12.0;
/// How long a player runs to where an opponent was before it looks again.
const CHASE_TICKS: u64 = 15;
/// Places that an explorer thinks of before it goes to the farthest.
const IDEAS: u32 = 3;
/// What a level counts for when players judge distances by eye, in units.
const LEVEL_DISTANCE: f64 = 4.0;

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Gathers the nearest orbs and brings them home.
    Gather,
    /// Runs after opponents who gather or explore, those who carry orbs first.
    Hunt,
    /// Goes far, houses included, and takes along what it finds.
    Explore,
    /// Walks around its base and runs after those who come near.
    Guard,
}

impl Aim {
    /// All aims, in the order of a team's players.
    pub const ALL: [Self; 4] = [Self::Gather, Self::Hunt, Self::Explore, Self::Guard];

    /// Whether it goes on at once when it arrives.
    pub(super) fn is_hasty(self) -> bool {
        self == Self::Hunt
    }

    /// Whether it tags opponents.
    pub(super) fn tags(self) -> bool {
        matches!(self, Self::Hunt | Self::Guard)
    }

    /// Where a player with this aim goes next, and after how many ticks it thinks again.
    pub(super) fn errand(self, world: &mut World<'_>, player: usize) -> (u32, Option<u64>) {
        let me = &world.players[player];
        let home = world.bases[me.team];
        let has_enough = me.carried == CARRIED_MAX;
        match self {
            Self::Gather | Self::Explore if has_enough => (home, None),
            Self::Gather => (world.nearest_orb(player).unwrap_or(home), None),
            Self::Explore => (world.far_away(player), None),
            Self::Hunt => world.chase(player, |_| true),
            Self::Guard => {
                let base = world.walkways.location(home);
                world.chase(player, |location| by_eye(location, base) <= GUARDED)
            }
        }
    }
}

impl World<'_> {
    fn nearest_orb(&self, player: usize) -> Option<u32> {
        let here = self.players[player].walker.location;
        let distance = |orb: u32| by_eye(self.walkways.location(orb), here);
        self.orbs.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
    }

    fn far_away(&mut self, player: usize) -> u32 {
        let here = self.players[player].walker.location;
        let mut ideas = (0..IDEAS).map(|_| self.walkways.any(&mut self.rng));
        let first =
            ideas.next().map_or((0.0, 0), |(location, number)| (by_eye(location, here), number));
        let farther = |best: (f64, u32), (location, number)| {
            let distance = by_eye(location, here);
            if distance > best.0 { (distance, number) } else { best }
        };
        ideas.fold(first, farther).1
    }

    /// Whether a player is worth running after: an opponent who is after orbs and can be
    /// tagged. Those who tag are not, or they would only stand around each other.
    fn is_prey(&self, other: &Player, team: usize) -> bool {
        other.team != team && !other.aim.tags() && !self.is_safe(other)
    }

    /// To the nearest prey in a region; those who carry orbs look half as far away. Without
    /// one, for a walk in the region.
    fn chase(&mut self, player: usize, region: impl Fn(Location) -> bool) -> (u32, Option<u64>) {
        let me = &self.players[player];
        let others = self.players.iter().filter(|other| self.is_prey(other, me.team));
        let locations = others.filter(|other| region(other.walker.location)).map(|other| {
            let distance = by_eye(other.walker.location, me.walker.location);
            (if other.carried > 0 { distance / 2.0 } else { distance }, other.walker.location)
        });
        let nearest = locations.min_by(|a, b| a.0.total_cmp(&b.0));
        let opponent = nearest.and_then(|(_, location)| self.walkways.nearest(location));
        if let Some(opponent) = opponent {
            return (opponent, Some(CHASE_TICKS));
        }
        let home = self.bases[me.team];
        let mut tries = (0..100).map(|_| self.walkways.any(&mut self.rng));
        (tries.find(|(location, _)| region(*location)).map_or(home, |(_, number)| number), None)
    }
}

/// How far apart two locations look.
fn by_eye(a: Location, b: Location) -> f64 {
    let levels = |level: Level| f64::from(level.0);
    a.at.distance(b.at) + LEVEL_DISTANCE * (levels(a.level) - levels(b.level)).abs()
}
